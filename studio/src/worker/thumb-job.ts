import { type Mesh, SAMPLES } from '../../../src/index.ts';
import { makeSample } from '../../../src/samples.ts';
import { posedSequence } from '../../../src/skin/posed-sequence.ts';
import { THUMB_UNIT, type Thumb } from '../core/content/thumb.ts';
import type { JobTable } from './protocol.ts';

/** About how many vertices a small picture needs, and how many frames at most. */
const VERTICES = 300;
const FRAMES = 10;
/** Directions of the view, for y up: right, up, and towards the eye. */
const AXES = [
  [0.83, 0, -0.56],
  [-0.16, 0.96, -0.24],
  [0.54, 0.29, 0.79],
] as const;
/** Towards the light, seen by the eye. */
const LIGHT = [-0.35, 0.6, 0.72] as const;

/** A sample as flat triangles, back to front, for small pictures without a graphics card. */
export const thumbJob: JobTable['thumb'] = async ({ name }, run) => {
  const { minResolution, kind } = SAMPLES[name];
  const few = { resolution: Math.max(VERTICES, minResolution), ...(kind === 'sequence' && { frames: FRAMES }) };
  const { sequence, model, mesh } = await makeSample(name, { ...few, ...run });
  const moving = sequence ?? (model && posedSequence(model, 0));
  const rest = (moving?.rest ?? mesh)!;
  const poses: Float32Array[] = [];
  const count = Math.min(FRAMES, moving?.frameCount ?? 1);
  for (let f = 0; f < count; f++) {
    const frame = Math.floor((f * (moving?.frameCount ?? 1)) / count);
    poses.push(seen(rest, moving ? await moving.readFrame(frame) : rest.positions));
  }
  await moving?.close?.();
  return poses.map((pose) => flat(rest, pose, boundsIn(poses), kind === 'model'));
};

/** 3N, as the eye has it: x right, y up, z towards it. */
function seen({ space }: Mesh, positions: ArrayLike<number>): Float32Array {
  const out = new Float32Array(positions.length);
  for (let o = 0; o < out.length; o += 3) {
    const [x, a, b] = [positions[o], positions[o + 1], positions[o + 2]];
    const [y, z] = space?.up === 'z' ? [b, -a] : [a, b];
    AXES.forEach((axis, c) => {
      out[o + c] = axis[0] * x + axis[1] * y + axis[2] * z;
    });
  }
  return out;
}

/** Middle and half size of what all poses cover. */
function boundsIn(poses: readonly Float32Array[]): { x: number; y: number; half: number } {
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (const pose of poses) {
    for (let o = 0; o < pose.length; o += 3) {
      for (const c of [0, 1]) {
        low[c] = Math.min(low[c], pose[o + c]);
        high[c] = Math.max(high[c], pose[o + c]);
      }
    }
  }
  const [wide, tall] = [high[0] - low[0], high[1] - low[1]];
  return { x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, half: Math.max(wide / 1.6, tall) / 2 || 1 };
}

/** @param closed whether faces that point away are hidden. */
function flat(
  { triangles }: Mesh,
  pose: Float32Array,
  { x, y, half }: ReturnType<typeof boundsIn>,
  closed: boolean,
): Thumb {
  const depth = (t: number) => [0, 1, 2].reduce((sum, c) => sum + pose[3 * triangles[3 * t + c] + 2], 0);
  const faces = Array.from({ length: triangles.length / 3 }, (_, t) => t);
  const isSeen = (t: number) => {
    const [p, q, r] = [0, 1, 2].map((c) => 3 * triangles[3 * t + c]);
    const [ux, uy, vx, vy] = [q, r].flatMap((o) => [pose[o] - pose[p], pose[o + 1] - pose[p + 1]]);
    return !closed || ux * vy > uy * vx;
  };
  const order = faces.filter(isSeen).sort((a, b) => depth(a) - depth(b));
  const corners = new Int16Array(6 * order.length);
  const shades = new Uint8Array(order.length);
  order.forEach((t, at) => {
    const [p, q, r] = [0, 1, 2].map((c) => 3 * triangles[3 * t + c]);
    [p, q, r].forEach((o, c) => {
      corners[6 * at + 2 * c] = (THUMB_UNIT * (pose[o] - x)) / half;
      corners[6 * at + 2 * c + 1] = (THUMB_UNIT * (y - pose[o + 1])) / half;
    });
    const u = [0, 1, 2].map((c) => pose[q + c] - pose[p + c]);
    const v = [0, 1, 2].map((c) => pose[r + c] - pose[p + c]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const along = normal.reduce((sum, n, c) => sum + n * LIGHT[c], 0) / (Math.hypot(...normal) || 1);
    // Surfaces have two sides.
    shades[at] = 255 * (0.35 + 0.65 * Math.abs(along));
  });
  return { corners, shades };
}
