import type { Pane } from '../core/view/panes.ts';
import { labelPlace, RAMP, type ViewLabels } from '../core/view/view-labels.ts';

/** CSS colours and font of the page. */
function lookOf(host: Element): { text: string; soft: string; back: string; line: string; font: string } {
  const style = getComputedStyle(host);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour('--text'),
    soft: colour('--soft'),
    back: colour('--float'),
    line: colour('--edge'),
    font: style.fontFamily,
  };
}

/** Picture height at which lengths equal CSS pixels. */
const HEIGHT = 540;
const LEGEND = { width: 304, height: 64, gap: 8 };
const MARGIN = 10;
/** White between dark lines, on any background. */
const RING = [
  [5, '#000a'],
  [2, '#fff'],
] as const;

/** Place of the n-th legend from the end: from right to left, then above. */
export function placeOfLegend(at: number, width: number): { column: number; row: number } {
  const columns = Math.max(1, Math.floor((width - 2 * MARGIN + LEGEND.gap) / (LEGEND.width + LEGEND.gap)));
  return { column: at % columns, row: Math.floor(at / columns) };
}

/**
 * Draws a picture with its current labels. The canvas that is returned is reused for the next one.
 *
 * @param host the element with the colours and font of labels.
 */
export function withLabels(
  host: Element,
  labels: () => ViewLabels,
): (picture: HTMLCanvasElement, panes: Pane[]) => OffscreenCanvas {
  const look = lookOf(host);
  const canvas = new OffscreenCanvas(1, 1);
  return (picture, panes) => {
    const { names, legends, ring } = labels();
    const scale = Math.max(1, picture.height / HEIGHT);
    Object.assign(canvas, { width: picture.width, height: picture.height });
    const [width, height] = [picture.width / scale, picture.height / scale];
    const context = canvas.getContext('2d')!;
    context.drawImage(picture, 0, 0);
    context.scale(scale, scale);
    context.font = `12px ${look.font}`;
    context.textBaseline = 'middle';
    const write = (text: string, x: number, y: number, fill: string, align: CanvasTextAlign = 'left') => {
      Object.assign(context, { fillStyle: fill, textAlign: align });
      context.fillText(text, x, y);
    };
    const box = (x: number, y: number, wide: number, high: number, fill = look.back) => {
      context.fillStyle = fill;
      context.beginPath();
      context.roundRect(x, y, wide, high, 6);
      context.fill();
    };

    panes.forEach(({ shows, left, top, seen }) => {
      // The line of a wipe, or between panes.
      context.fillStyle = look.line;
      if (top > 0) context.fillRect(0, top * height, width, 1);
      if (seen[0] > 0) context.fillRect(seen[0] * width, 0, 1, height);
      const name = names?.[shows];
      if (!name) return;
      const wide = context.measureText(name).width + 16;
      const wiped = left === 0 && seen[0] > 0;
      const x = wiped ? width - MARGIN - wide : left * width + MARGIN;
      box(x, top * height + MARGIN, wide, 22);
      write(name, x + 8, top * height + MARGIN + 11, look.text);
    });

    if (ring) {
      const [x, y, left, right] = [ring.x, ring.y, ...ring.pane].map((place) => place / scale);
      context.beginPath();
      context.arc(x, y, 10, 0, 2 * Math.PI);
      for (const [lineWidth, strokeStyle] of RING) {
        Object.assign(context, { lineWidth, strokeStyle });
        context.stroke();
      }
      const wide = context.measureText(ring.text).width + 12;
      const label = labelPlace({ x, y, pane: [left, right] }, wide);
      box(x + label.x, y + label.y - 10, wide, 20, '#10141bd9');
      write(ring.text, x + label.x + 6, y + label.y, '#fff');
    }

    legends.toReversed().forEach(({ caption, ticks }, at) => {
      const { column, row } = placeOfLegend(at, width);
      const x = width - MARGIN - LEGEND.width - column * (LEGEND.width + LEGEND.gap);
      const y = height - MARGIN - LEGEND.height - row * (LEGEND.height + LEGEND.gap);
      const [from, to] = [x + 10, x + LEGEND.width - 10];
      box(x, y, LEGEND.width, LEGEND.height);
      write(caption, from, y + 15, look.text);
      const ramp = context.createLinearGradient(from, 0, to, 0);
      RAMP.forEach((colour, c) => {
        ramp.addColorStop(c / (RAMP.length - 1), colour);
      });
      context.fillStyle = ramp;
      context.fillRect(from, y + 28, to - from, 10);
      ticks.forEach((tick, t) => {
        const share = t / (ticks.length - 1);
        const align = t === 0 ? 'left' : share === 1 ? 'right' : 'center';
        write(tick, from + share * (to - from), y + 50, look.soft, align);
      });
    });
    return canvas;
  };
}
