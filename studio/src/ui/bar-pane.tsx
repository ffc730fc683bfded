import { useEffect, useRef } from 'preact/hooks';
import { type Colour, cssColour, oklch } from '../../../src/report/colors.ts';
import { digits } from '../../../src/report/format.ts';
import { RECTANGLE } from '../../../src/rig/mix/rectangle.ts';
import { type Bar, type BentBar, quadCount, quadOf } from '../core/lab/bend-lab.ts';

/** Quads whose area is below this share are turned over; others have one of so many colours, from half to 1.5. */
const TURNED = -1e-3;
const SHADES = 32;

/** Blue where area was lost, orange where it was gained, by half each; red where it is turned over. */
function ratioColour(ratio: number, dark: boolean): Colour {
  if (ratio < TURNED) return oklch(0.58, 0.2, 20);
  const t = Math.max(-1, Math.min(1, 2 * (ratio - 1)));
  const strength = Math.sqrt(Math.max(0, Math.abs(t) - 0.02));
  const even = dark ? 0.5 : 0.84;
  if (strength === 0) return oklch(even, 0.012, 250);
  return oklch(even + strength * ((t < 0 ? 0.58 : 0.72) - even), 0.015 + 0.14 * strength, t < 0 ? 250 : 60);
}

/** The scale of the colours, as a CSS background. */
export const RAMP = `linear-gradient(to right, ${Array.from({ length: 17 }, (_, s) =>
  cssColour(ratioColour(0.5 + s / 16, false)),
).join(', ')})`;

/**
 * What of the plane is seen: from (left, bottom), so wide and high, with room for the caption above. The bar lies along
 * x, its joint at (5, 0); at every angle it stays between −0.1 and 10.1, and below 5.1. With bones that are points it
 * goes down to −5.1 on its way round the joint.
 */
const SEEN = {
  segments: { left: -0.9, bottom: -3.2, width: 11.8, height: 10.6 },
  points: { left: -0.9, bottom: -5.4, width: 11.8, height: 12.8 },
} as const;
type Seen = (typeof SEEN)[keyof typeof SEEN];

/** A bar by one operator. A drag bends all of them: the free end follows the pointer. */
export function BarPane(props: {
  name: string;
  colour: string;
  note: string;
  bent: BentBar;
  measure: 'signed' | 'absolute';
  bar: Bar;
  rig: keyof typeof SEEN;
  angle: number;
  dark: boolean;
  /** A drag begins. */
  onBegin(): void;
  onBend(degrees: number): void;
}) {
  const { name, colour, note, bent, measure, bar, rig, angle, dark, onBegin, onBend } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const picture = canvas.current!;
    const draw = () => drawBar(picture, bent, bar, SEEN[rig], angle, dark);
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(picture);
    return () => watch.disconnect();
  }, [bent, bar, dark]);
  const bend = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const { scale, x, y } = placing(width, height, SEEN[rig]);
    const [dx, dy] = [event.clientX - left - x(RECTANGLE.joint), y(0) - (event.clientY - top)];
    if (Math.hypot(dx, dy) < scale / 2) return;
    const degrees = (Math.atan2(dy, dx) * 180) / Math.PI;
    // Below the bar, the nearer end of the range.
    onBend(degrees < -90 ? 180 : degrees);
  };
  const value = bent[measure];
  const text = `${value > 0.005 ? '+' : ''}${digits(Math.abs(value) < 0.005 ? 0 : value)} %`;
  return (
    <figure class="bar" aria-label={`${name} at ${angle}°: area ${text}`}>
      <canvas
        ref={canvas}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          onBegin();
          bend(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons !== 0) bend(event);
        }}
      />
      <figcaption>
        <b>
          <i style={{ background: colour }} />
          {name}
        </b>
        <span class="number">area {text}</span>
        <small>{note}</small>
      </figcaption>
    </figure>
  );
}

/** Where points of the plane are in a picture of so many pixels. */
function placing(width: number, height: number, seen: Seen) {
  const scale = Math.min(width / seen.width, height / seen.height);
  const [left, bottom] = [(width - scale * seen.width) / 2, (height - scale * seen.height) / 2];
  return {
    scale,
    x: (px: number) => left + scale * (px - seen.left),
    y: (py: number) => height - bottom - scale * (py - seen.bottom),
  };
}

function drawBar(
  canvas: HTMLCanvasElement,
  { positions, ratios }: BentBar,
  { grid }: Bar,
  seen: Seen,
  angle: number,
  dark: boolean,
): void {
  const density = Math.min(2, devicePixelRatio);
  const { clientWidth, clientHeight } = canvas;
  canvas.width = clientWidth * density;
  canvas.height = clientHeight * density;
  // Drawn by the processor: a few hundred small shapes are not worth the way to the graphics card.
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.scale(density, density);
  const { x, y, scale } = placing(clientWidth, clientHeight, seen);
  const corner = (i: number): [number, number] => [x(positions[3 * i]), y(positions[3 * i + 1])];

  // One path per colour: a few large ones are drawn faster than many small ones.
  const paths = new Map<number, Path2D>();
  for (let q = 0; q < quadCount(grid); q++) {
    const shade = ratios[q] < TURNED ? -1 : Math.round(SHADES * Math.min(1, Math.max(0, ratios[q] - 0.5)));
    const path = paths.get(shade) ?? new Path2D();
    paths.set(shade, path);
    quadOf(grid, q).forEach((i, c) => {
      if (c === 0) path.moveTo(...corner(i));
      else path.lineTo(...corner(i));
    });
    path.closePath();
  }
  // What is turned over lies on top.
  for (const shade of [...paths.keys()].sort((a, b) => b - a)) {
    const ratio = shade < 0 ? -1 : 0.5 + shade / SHADES;
    context.fillStyle = context.strokeStyle = cssColour(ratioColour(ratio, dark));
    context.lineWidth = 0.6;
    context.fill(paths.get(shade)!);
    context.stroke(paths.get(shade)!);
  }

  const ink = dark ? '#f1f3f6' : '#1d2129';
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  const { columns, rows } = grid;
  const outline = [
    ...Array.from({ length: columns }, (_, c) => c * rows),
    ...Array.from({ length: rows }, (_, r) => (columns - 1) * rows + r),
    ...Array.from({ length: columns }, (_, c) => (columns - 1 - c) * rows + rows - 1),
    ...Array.from({ length: rows }, (_, r) => rows - 1 - r),
  ];
  context.stroke(polyline(outline.map(corner), true));

  // Bones, the joint, and the end that one drags.
  const turn = (angle * Math.PI) / 180;
  const { width, joint } = RECTANGLE;
  const half = width - joint;
  const tip: [number, number] = [x(joint + half * Math.cos(turn)), y(half * Math.sin(turn))];
  context.globalAlpha = 0.55;
  context.setLineDash([4, 3]);
  context.lineWidth = 1;
  context.stroke(polyline([[x(0), y(0)], [x(joint), y(0)], tip], false));
  context.setLineDash([]);
  context.globalAlpha = 1;
  dot(context, x(joint), y(0), 4, dark ? '#1b1e23' : '#ffffff', ink);
  dot(context, ...tip, Math.max(7, scale * 0.4), '#ffb454', ink);
}

function polyline(points: readonly [number, number][], closed: boolean): Path2D {
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
