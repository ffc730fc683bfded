import { type Colour, cssColour, oklch } from '../../../../src/report/colors.ts';
import { RECTANGLE } from '../../../../src/rig/mix/rectangle.ts';
import { type Bar, type BentBar, quadCount, quadOf } from '../../core/lab/bend-lab.ts';

/** Quads below this relative area are flipped; others get one of `SHADES` colours from 0.5 to 1.5. */
const TURNED = -1e-3;
const SHADES = 32;

/** Blue where area was lost, orange where it was gained (full colour at ± 50 %), red where it is flipped. */
function ratioColour(ratio: number, dark: boolean): Colour {
  if (ratio < TURNED) return oklch(0.58, 0.2, 20);
  const t = Math.max(-1, Math.min(1, 2 * (ratio - 1)));
  const strength = Math.sqrt(Math.max(0, Math.abs(t) - 0.02));
  const even = dark ? 0.5 : 0.84;
  if (strength === 0) return oklch(even, 0.012, 250);
  return oklch(even + strength * ((t < 0 ? 0.58 : 0.72) - even), 0.015 + 0.14 * strength, t < 0 ? 250 : 60);
}

/** The colour scale as a CSS background. */
export const AREA_RAMP = `linear-gradient(to right, ${Array.from({ length: 17 }, (_, s) =>
  cssColour(ratioColour(0.5 + s / 16, false)),
).join(', ')})`;

/**
 * What of the plane is seen: from (left, bottom), so wide and high, with room for the caption above. The bar lies along
 * x, its joint at (5, 0); at every angle it stays between −0.1 and 10.1, and below 5.1. With bones that are points it
 * goes down to −5.1 on its way round the joint.
 */
export const SEEN = {
  segments: { left: -0.9, bottom: -3.2, width: 11.8, height: 10.6 },
  points: { left: -0.9, bottom: -5.4, width: 11.8, height: 12.8 },
} as const;
export type Seen = (typeof SEEN)[keyof typeof SEEN];

/** Maps points of the plane to pixels. */
export function placing(width: number, height: number, seen: Seen) {
  const scale = Math.min(width / seen.width, height / seen.height);
  const [left, bottom] = [(width - scale * seen.width) / 2, (height - scale * seen.height) / 2];
  return {
    scale,
    x: (px: number) => left + scale * (px - seen.left),
    y: (py: number) => height - bottom - scale * (py - seen.bottom),
  };
}

type Place = [x: number, y: number];

/** Draws a bent bar: quads coloured by area, outline, bones and the end to drag. */
export function drawBar(
  canvas: HTMLCanvasElement,
  bent: BentBar,
  { grid }: Bar,
  seen: Seen,
  angle: number,
  dark: boolean,
): void {
  const { left, top, right, bottom, width: across, height: high } = canvas.getBoundingClientRect();
  // Use whole screen pixels: otherwise the picture is blurred.
  const pixels = (from: number, to: number): number =>
    Math.round(
      (Math.round(to * devicePixelRatio) - Math.round(from * devicePixelRatio)) * Math.min(1, 2 / devicePixelRatio),
    );
  canvas.width = pixels(left, right);
  canvas.height = pixels(top, bottom);
  // Drawn on the CPU: a few hundred small shapes are not worth the GPU.
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.scale(canvas.width / across, canvas.height / high);
  const { x, y, scale } = placing(across, high, seen);
  const corner = (i: number): Place => [x(bent.positions[3 * i]), y(bent.positions[3 * i + 1])];
  fillQuads(context, grid, bent.ratios, corner, dark);

  const ink = dark ? '#f1f3f6' : '#1d2129';
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.stroke(polyline(outlineOf(grid).map(corner), true));

  const turn = (angle * Math.PI) / 180;
  const { width, joint } = RECTANGLE;
  const half = width - joint;
  const tip: Place = [x(joint + half * Math.cos(turn)), y(half * Math.sin(turn))];
  context.globalAlpha = 0.55;
  context.setLineDash([4, 3]);
  context.lineWidth = 1;
  context.stroke(polyline([[x(0), y(0)], [x(joint), y(0)], tip], false));
  context.setLineDash([]);
  context.globalAlpha = 1;
  dot(context, x(joint), y(0), 4, dark ? '#1b1e23' : '#ffffff', ink);
  dot(context, ...tip, Math.max(7, scale * 0.4), '#ffb454', ink);
}

/** Fills quads by relative area. One path per colour: few large paths are faster than many small ones. */
function fillQuads(
  context: CanvasRenderingContext2D,
  grid: Bar['grid'],
  ratios: ArrayLike<number>,
  corner: (i: number) => Place,
  dark: boolean,
): void {
  const paths = new Map<number, Path2D>();
  for (let q = 0; q < quadCount(grid); q++) {
    const shade = ratios[q] < TURNED ? -1 : Math.round(SHADES * Math.min(1, Math.max(0, ratios[q] - 0.5)));
    const path = paths.get(shade) ?? new Path2D();
    paths.set(shade, path);
    path.addPath(polyline(quadOf(grid, q).map(corner), true));
  }
  context.lineWidth = 0.6;
  // Flipped quads lie on top.
  for (const [shade, path] of [...paths].sort(([a], [b]) => b - a)) {
    const ratio = shade < 0 ? -1 : 0.5 + shade / SHADES;
    context.fillStyle = context.strokeStyle = cssColour(ratioColour(ratio, dark));
    context.fill(path);
    context.stroke(path);
  }
}

/** Vertices around the bar. */
function outlineOf({ columns, rows }: Bar['grid']): number[] {
  return [
    ...Array.from({ length: columns }, (_, c) => c * rows),
    ...Array.from({ length: rows }, (_, r) => (columns - 1) * rows + r),
    ...Array.from({ length: columns }, (_, c) => (columns - 1 - c) * rows + rows - 1),
    ...Array.from({ length: rows }, (_, r) => rows - 1 - r),
  ];
}

function polyline(points: readonly Place[], closed: boolean): Path2D {
  const path = new Path2D();
  for (const point of points) path.lineTo(...point);
  if (closed) path.closePath();
  return path;
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number, fill: string, rim: string): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.strokeStyle = rim;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
}
