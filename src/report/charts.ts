import { number } from './format.ts';

/**
 * Charts as inline SVG. Colours come from the page's style sheet by class, so that they follow its light and dark themes
 * and the printer's; units are those of the view box, which scales with the page.
 */

const WIDTH = 460;
const HEIGHT = 230;
const FRAME = { left: 54, right: 14, top: 14, bottom: 36 };
const INNER = { width: WIDTH - FRAME.left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };

export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Coordinates to a tenth: enough for any screen. */
const at = (x: number): string => String(Math.round(10 * x) / 10);

/** Round numbers from 0 to at least `most`, about `count` of them: steps of 1, 2 or 5 times a power of ten. */
export function ticks(most: number, count: number, whole = false): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(whole ? 1 : 0, power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10));
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, n) => Number((n * step).toPrecision(12)));
}

interface Axes {
  /** What is along x, with its unit. */
  across: string;
  /** What is along y, with its unit. */
  upward: string;
  xTicks: readonly number[];
  yTicks: readonly number[];
  x(value: number): number;
  y(value: number): number;
}

function chart(title: string, axes: Axes, drawing: string): string {
  const { xTicks, yTicks, x, y } = axes;
  const bottom = HEIGHT - FRAME.bottom;
  const rows = yTicks.map(
    (value) =>
      `<line class="grid" x1="${FRAME.left}" x2="${WIDTH - FRAME.right}" y1="${at(y(value))}" y2="${at(y(value))}"/>` +
      `<text class="tick" x="${FRAME.left - 6}" y="${at(y(value) + 3.5)}" text-anchor="end">${number(value)}</text>`,
  );
  const columns = xTicks.map(
    (value) => `<text class="tick" x="${at(x(value))}" y="${bottom + 14}" text-anchor="middle">${number(value)}</text>`,
  );
  return `<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(title)}">
<title>${escapeText(title)}</title>
${rows.join('')}${columns.join('')}
<line class="axis" x1="${FRAME.left}" x2="${WIDTH - FRAME.right}" y1="${bottom}" y2="${bottom}"/>
<text class="unit" x="${FRAME.left + INNER.width / 2}" y="${HEIGHT - 5}" text-anchor="middle">${escapeText(axes.across)}</text>
<text class="unit" transform="translate(11 ${FRAME.top + INNER.height / 2}) rotate(-90)" text-anchor="middle">${escapeText(axes.upward)}</text>
${drawing}
</svg>`;
}

export interface LineChart {
  title: string;
  across: string;
  upward: string;
  /** One per frame. */
  values: ArrayLike<number>;
  /** A frame to point out, with its label. */
  mark?: { index: number; label: string };
  /** A value to compare with, with its label. */
  level?: { value: number; label: string };
  /** Frames where a new clip starts. */
  breaks?: readonly { index: number; label: string }[];
}

/** A curve over frames, filled to its foot. */
export function lineChart({ title, across, upward, values, mark, level, breaks = [] }: LineChart): string {
  const count = values.length;
  const yTicks = ticks(Math.max(...Array.from(values), level?.value ?? 0), 4);
  const top = yTicks[yTicks.length - 1];
  const x = (k: number): number => FRAME.left + (count > 1 ? (k / (count - 1)) * INNER.width : INNER.width / 2);
  const y = (value: number): number => FRAME.top + INNER.height * (1 - value / top);
  const xTicks = ticks(count - 1, 6, true).filter((k) => k <= count - 1);

  const points = Array.from(values, (value, k) => `${at(x(k))} ${at(y(value))}`);
  const foot = at(y(0));
  const parts =
    count > 1
      ? [
          `<path class="area" d="M${at(x(0))} ${foot}L${points.join('L')}L${at(x(count - 1))} ${foot}Z"/>`,
          `<path class="line" d="M${points.join('L')}"/>`,
        ]
      : [`<circle class="dot" cx="${at(x(0))}" cy="${at(y(values[0]))}" r="3.5"/>`];
  for (const { index, label } of breaks) {
    const place = at(x(Math.max(0, index - 0.5)));
    parts.unshift(`<line class="break" x1="${place}" x2="${place}" y1="${FRAME.top}" y2="${foot}"/>`);
    parts.push(`<text class="tick" x="${at(x(index) + 3)}" y="${FRAME.top + 8}">${escapeText(label)}</text>`);
  }
  if (level) {
    const curve = Array.from(values, (value, k) => [x(k), y(value)] as const);
    parts.push(levelLine(level.label, curve, y(level.value)));
  }
  if (mark) {
    const [px, py] = [x(mark.index), y(values[mark.index])];
    const side = px > FRAME.left + 0.7 * INNER.width ? 'end' : px < FRAME.left + 0.3 * INNER.width ? 'start' : 'middle';
    parts.push(
      `<circle class="mark" cx="${at(px)}" cy="${at(py)}" r="4"/>`,
      haloed(px + (side === 'end' ? -8 : side === 'start' ? 8 : 0), Math.max(py - 8, 10), side, mark.label),
    );
  }
  return chart(title, { across, upward, xTicks, yTicks, x, y }, parts.join('\n'));
}

/** About the width of a letter of a label, and the height of its line. */
const LETTER = 6.2;
const LINE = 12;

/** A level and its label, above or below the line, where it covers least of the curve. */
function levelLine(label: string, curve: readonly (readonly [number, number])[], line: number): string {
  const width = LETTER * label.length;
  const last = WIDTH - FRAME.right - 2;
  let best = { x: last, y: line - 4, covered: Infinity };
  for (const y of [line - 4, line + LINE]) {
    if (y - LINE < 0 || y > HEIGHT - FRAME.bottom) continue;
    for (let x = last; x - width >= FRAME.left; x -= width / 8) {
      const covered = curve.filter(
        ([px, py]) => px > x - width - 4 && px < x + 4 && py > y - LINE - 2 && py < y + 4,
      ).length;
      if (covered < best.covered) best = { x, y, covered };
    }
  }
  return (
    `<line class="level" x1="${FRAME.left}" x2="${WIDTH - FRAME.right}" y1="${at(line)}" y2="${at(line)}"/>\n` +
    haloed(best.x, best.y, 'end', label)
  );
}

/** Text that stays legible over curves: drawn twice, first as its own outline. */
const haloed = (x: number, y: number, anchor: string, text: string): string =>
  `<text class="label" x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escapeText(text)}</text>`;

export interface Histogram {
  title: string;
  across: string;
  upward: string;
  values: ArrayLike<number>;
  /** Values to point out, with their labels. */
  marks: readonly { value: number; label: string }[];
}

const BINS = 40;
/** Values beyond this share of all are counted in the last bar. */
const SHOWN = 0.995;

/** How often values occur, in % of all; the last bar holds what lies beyond it, too. */
export function histogram({ title, across, upward, values, marks }: Histogram): string {
  const sorted = Float64Array.from(values).sort();
  const most = sorted[Math.min(sorted.length - 1, Math.floor(SHOWN * sorted.length))] || sorted[sorted.length - 1] || 1;
  const xTicks = ticks(most, 6);
  const right = xTicks[xTicks.length - 1];
  const bins = new Float64Array(BINS);
  for (const value of sorted) bins[Math.min(BINS - 1, Math.floor((value / right) * BINS))] += 100 / sorted.length;
  // Room for the labels above the bars.
  const yTicks = ticks(Math.max(...bins) / (1 - (13 * marks.length + 4) / INNER.height), 4);
  const x = (value: number): number => FRAME.left + (value / right) * INNER.width;
  const y = (value: number): number => FRAME.top + INNER.height * (1 - value / yTicks[yTicks.length - 1]);

  const bars = Array.from(bins, (share, b) => {
    if (share === 0) return '';
    const [left, width] = [x((b / BINS) * right), INNER.width / BINS];
    return `<rect class="bar" x="${at(left + 0.5)}" y="${at(y(share))}" width="${at(width - 1)}" height="${at(y(0) - y(share))}"/>`;
  });
  const lines = marks
    .filter(({ value }) => value <= right)
    .map(({ value, label }, m) => {
      const place = at(x(value));
      const side = x(value) + 4 + LETTER * label.length > WIDTH - FRAME.right ? 'end' : 'start';
      return (
        `<line class="level" x1="${place}" x2="${place}" y1="${FRAME.top}" y2="${at(y(0))}"/>` +
        haloed(x(value) + (side === 'end' ? -4 : 4), FRAME.top + 9 + 13 * m, side, label)
      );
    });
  return chart(title, { across, upward, xTicks, yTicks, x, y }, [...bars, ...lines].join(''));
}

/** A horizontal bar per row, with its label before and its value after; lengths are shares of the largest. */
export function barRows(rows: readonly { label: string; value: number; text: string; strong?: boolean }[]): string {
  const most = Math.max(...rows.map(({ value }) => value)) || 1;
  const cells = rows.map(({ label, value, text, strong }) => {
    const width = Math.max(0.4, (100 * value) / most).toFixed(1);
    return (
      `<tr><th scope="row">${escapeText(label)}</th><td class="track">` +
      `<svg class="rule${strong ? ' strong' : ''}" width="100%" height="12" aria-hidden="true">` +
      `<rect width="${width}%" height="12" rx="3"/></svg></td><td class="value">${escapeText(text)}</td></tr>`
    );
  });
  return `<table class="bars">${cells.join('')}</table>`;
}

/**
 * How a curve is drawn: the one that matters, those it is compared with, and a crowd in the background. The second has
 * gaps, so that where it is drawn over the first both are seen.
 */
const TONES = {
  first: 'stroke:var(--accent);stroke-width:2.4',
  second: 'stroke:var(--warm);stroke-width:1.8;stroke-dasharray:7 5',
  third: 'stroke:var(--text);stroke-width:1.3;stroke-dasharray:5 3',
  fourth: 'stroke:var(--soft);stroke-width:1.6;stroke-dasharray:1.5 2.5',
  crowd: 'stroke:var(--soft);stroke-width:0.8;stroke-opacity:0.6',
} as const;

export interface Curve {
  name: string;
  /** One per place along x. */
  values: ArrayLike<number>;
  tone: keyof typeof TONES;
}

export interface CurveChart {
  title: string;
  across: string;
  upward: string;
  /** Places along x, rising. */
  places: ArrayLike<number>;
  curves: readonly Curve[];
  /** A value to compare with, with its label. */
  level?: { value: number; label: string };
}

/** Several curves over the same places. Values may be negative; 0 is always on the axis. A legend names all but the crowd. */
export function curveChart({ title, across, upward, places, curves, level }: CurveChart): string {
  const all = curves.flatMap(({ values }) => Array.from(values)).concat(0, level?.value ?? 0);
  const yTicks = spanTicks(Math.min(...all), Math.max(...all), 5);
  const [low, high] = [yTicks[0], yTicks[yTicks.length - 1]];
  const [first, last] = [places[0], places[places.length - 1]];
  const x = (place: number): number => FRAME.left + ((place - first) / (last - first || 1)) * INNER.width;
  const y = (value: number): number => FRAME.top + (INNER.height * (high - value)) / (high - low);
  const xTicks = spanTicks(first, last, 6).filter((place) => place >= first && place <= last);
  const lines = curves.map(({ name, values, tone }) => {
    const points = Array.from(values, (value, k) => `${at(x(places[k]))} ${at(y(value))}`);
    return `<path class="line" style="${TONES[tone]}" d="M${points.join('L')}"><title>${escapeText(name)}</title></path>`;
  });
  if (level) {
    const curve = curves.flatMap(({ values }) => Array.from(values, (v, k) => [x(places[k]), y(v)] as const));
    lines.push(levelLine(level.label, curve, y(level.value)));
  }
  const order = Object.keys(TONES);
  const named = curves
    .filter(({ tone }) => tone !== 'crowd')
    .sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
  const legend = named.map(
    ({ name, tone }) =>
      `<span><svg class="chart" style="display:inline-block;width:24px;flex:none" viewBox="0 0 24 8" aria-hidden="true">` +
      `<path class="line" style="${TONES[tone]}" d="M0 4L24 4"/></svg> ${escapeText(name)}</span>`,
  );
  return (
    chart(title, { across, upward, xTicks, yTicks, x, y }, lines.join('\n')) +
    `<div class="legend">${legend.join('')}</div>`
  );
}

/** Round numbers that span low … high, about `count` of them. */
function spanTicks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low, low + 1];
  const [, step] = ticks(high - low, count);
  const from = Math.floor(low / step + 1e-9);
  const to = Math.ceil(high / step - 1e-9);
  return Array.from({ length: to - from + 1 }, (_, n) => Number(((from + n) * step).toPrecision(12)));
}
