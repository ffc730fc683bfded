/** How something grows, drawn: curves on logarithmic axes, where a power is a straight line. */

export interface GrowthPanel {
  /** What grows along x. */
  across: string;
  curves: { name: string; points: readonly (readonly [x: number, y: number])[] }[];
}

/** The exponent p of y ≈ c·x^p, by least squares of logarithms. */
export function growthExponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = [0, 1].map((c) => logs.reduce((sum, log) => sum + log[c], 0) / logs.length);
  const along = logs.reduce((sum, [x, y]) => sum + (x - mean[0]) * (y - mean[1]), 0);
  return along / logs.reduce((sum, [x]) => sum + (x - mean[0]) ** 2, 0);
}

const [WIDTH, HEIGHT] = [400, 300];
const FRAME = { left: 56, right: 12, top: 58, bottom: 44 };
const COLOURS = ['#2563eb', '#d9480f', '#2b8a3e'];

/** 1, 2 and 5 times powers of ten in a range, and its ends. */
function logTicks(low: number, high: number): number[] {
  const from = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - from + 1 }, (_, p) => 10 ** (from + p));
  return powers.flatMap((power) => [power, 2 * power, 5 * power]).filter((x) => x >= low * 0.999 && x <= high * 1.001);
}

const at = (x: number): string => x.toFixed(1);
const text = (x: number, y: number, what: string, more = ''): string =>
  `<text x="${at(x)}" y="${at(y)}" ${more}>${what}</text>`;

/** An SVG file: panels beside each other, with the same upward axis. */
export function growthPlot(title: string, upward: string, panels: readonly GrowthPanel[]): string {
  const ys = panels.flatMap(({ curves }) => curves.flatMap(({ points }) => points.map(([, y]) => y)));
  const [low, high] = [Math.min(...ys) / 1.3, Math.max(...ys) * 1.3];
  const bottom = HEIGHT - FRAME.bottom;
  const y = (value: number): number => bottom - (Math.log(value / low) / Math.log(high / low)) * (bottom - FRAME.top);
  const drawn = panels.map(({ across, curves }, p) => {
    const [left, right] = [p * WIDTH + FRAME.left, (p + 1) * WIDTH - FRAME.right];
    const xs = curves.flatMap(({ points }) => points.map(([x]) => x));
    const [first, last] = [Math.min(...xs), Math.max(...xs)];
    const x = (value: number): number =>
      left + 8 + (Math.log(value / first) / Math.log(last / first)) * (right - left - 16);
    const rows = logTicks(low, high).map(
      (tick) =>
        `<line x1="${left}" x2="${right}" y1="${at(y(tick))}" y2="${at(y(tick))}" stroke="#ddd"/>` +
        text(left - 6, y(tick) + 4, String(tick), 'text-anchor="end"'),
    );
    const columns = logTicks(first, last).map((tick) =>
      text(x(tick), bottom + 16, String(tick), 'text-anchor="middle"'),
    );
    const lines = curves.map(({ name, points }, c) => {
      const places = points.map(([a, b]) => [at(x(a)), at(y(b))]);
      const dots = places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3"/>`).join('');
      const label = `${name}: exponent ${growthExponent(points).toFixed(2)}`;
      return (
        `<g fill="${COLOURS[c]}"><path d="M${places.map((place) => place.join(' ')).join('L')}" fill="none" ` +
        `stroke="${COLOURS[c]}" stroke-width="1.8"/>${dots}${text(left + 4, FRAME.top - 44 + 15 * c, label)}</g>`
      );
    });
    const axis = `<line x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}" stroke="#555"/>`;
    return [
      ...rows,
      ...columns,
      axis,
      text((left + right) / 2, HEIGHT - 8, across, 'text-anchor="middle"'),
      ...lines,
    ].join('\n');
  });
  const size = `${panels.length * WIDTH} ${HEIGHT}`;
  const turned = `transform="translate(14 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="11" fill="#333">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
${text(0, 0, upward, turned)}
${drawn.join('\n')}
</svg>
`;
}
