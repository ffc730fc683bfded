import { capeGarment } from '../../../src/cloth/garments.ts';
import { type Mesh, type MeshSequence, SAMPLES, type SampleName } from '../../../src/index.ts';
import { makeSample } from '../../../src/samples.ts';
import { posedSequence } from '../../../src/skin/posed-sequence.ts';
import { THUMB_UNIT, type Thumb } from '../core/content/thumb.ts';
import { Bar, quadCount, quadOf } from '../core/lab/bend-lab.ts';
import { LAB_START, LAB_TITLE } from '../core/lab/lab-state.ts';
import type { JobRun, JobTable } from './protocol.ts';

/** About how many vertices a small picture needs, and how many frames at most. */
const VERTICES = 300;
const FRAMES = 10;
/** Of cloth beside a body. */
const DARKER = 0.6;
/** Degrees. */
const MOST_BENT = 150;
/** Directions of the view, for y up: right, up, and towards the eye. */
const AXES = [
  [0.83, 0, -0.56],
  [-0.16, 0.96, -0.24],
  [0.54, 0.29, 0.79],
] as const;
/** Towards the light, seen by the eye. */
const LIGHT = [-0.35, 0.6, 0.72] as const;

/** What is drawn: 3N per frame as the eye has it, x right, y up, z towards it. */
interface Scene {
  triangles: ArrayLike<number>;
  poses: Float32Array[];
  /** Whether faces that point away are hidden. */
  closed?: boolean;
  /** The shade of a triangle, 0…1, by that of the light on it [default the same]. */
  shade?: (lit: number, triangle: number, frame: number) => number;
}

/** What moves as flat triangles, back to front, for small pictures without a graphics card. */
export const thumbJob: JobTable['thumb'] = async ({ name }, run) => {
  const scene = await (name === LAB_TITLE
    ? bendingBar()
    : name === 'caped figure'
      ? capedFigure(run)
      : sample(name, run));
  const bounds = boundsIn(scene.poses);
  return scene.poses.map((pose, f) => flat(scene, pose, bounds, f));
};

async function sample(name: SampleName, run: JobRun): Promise<Scene> {
  const { minResolution, kind } = SAMPLES[name];
  const few = { resolution: Math.max(VERTICES, minResolution), ...(kind === 'sequence' && { frames: FRAMES }) };
  const { sequence, model, mesh } = await makeSample(name, { ...few, ...run });
  const moving = sequence ?? (model && posedSequence(model, 0));
  if (!moving) return { triangles: mesh!.triangles, poses: [seen(mesh!)] };
  const { triangles } = moving.rest;
  return { triangles, poses: await posesOf(moving), closed: kind === 'model' };
}

/** The walk of the figure in its cape, from behind. */
async function capedFigure(run: JobRun): Promise<Scene> {
  const { model } = await makeSample('figure', { resolution: SAMPLES.figure.minResolution, ...run });
  const clip = model!.clips.findIndex(({ name }) => name === 'walk');
  const { mesh, pinned } = capeGarment(VERTICES);
  const { clothRun } = await import('../../../src/doors/cloth.ts');
  const worn = { body: { ...model!, clips: [model!.clips[clip]] }, coarseVertices: VERTICES / 2 };
  const { sequences } = await clothRun(mesh, { ...worn, pinVertices: pinned.join(), ...run });
  const [body, cape] = [await posesOf(posedSequence(model!, clip), -1), await posesOf(sequences[0], -1)];
  const poses = body.map((pose, f) => Float32Array.of(...pose, ...cape[f]));
  const ofCape = mesh.triangles.map((vertex) => vertex + body[0].length / 3);
  const { triangles } = model!.mesh;
  const shade = (lit: number, t: number) => (3 * t < triangles.length ? lit : DARKER * lit);
  return { triangles: [...triangles, ...ofCape], poses, shade };
}

/** By linear blending; what loses area is darker, as in the lab. */
function bendingBar(): Scene {
  const bar = new Bar(LAB_START, { columns: 31, rows: 7 });
  const quads = Array.from({ length: quadCount(bar.grid) }, (_, q) => quadOf(bar.grid, q));
  const bends = Array.from({ length: FRAMES }, (_, f) => bar.bend('lbs', MOST_BENT * Math.sin((Math.PI * f) / FRAMES)));
  return {
    triangles: quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
    poses: bends.map(({ positions }) => positions),
    shade: (_, t, f) => Math.max(0.2, Math.min(1, bends[f].ratios[t >> 1])),
  };
}

/** Some frames of a motion. @param side −1 for the other side. */
async function posesOf(moving: MeshSequence, side: 1 | -1 = 1): Promise<Float32Array[]> {
  const { rest, frameCount } = moving;
  const count = Math.min(FRAMES, frameCount);
  const poses: Float32Array[] = [];
  for (let f = 0; f < count; f++) {
    poses.push(seen(rest, await moving.readFrame(Math.floor((f * frameCount) / count)), side));
  }
  await moving.close?.();
  return poses;
}

/** 3N. */
function seen({ space, positions: rest }: Mesh, positions: ArrayLike<number> = rest, side = 1): Float32Array {
  const out = new Float32Array(positions.length);
  for (let o = 0; o < out.length; o += 3) {
    const [x, a, b] = [positions[o], positions[o + 1], positions[o + 2]];
    const [y, z] = space?.up === 'z' ? [b, -a] : [a, b];
    AXES.forEach((axis, c) => {
      out[o + c] = axis[0] * side * x + axis[1] * y + axis[2] * side * z;
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

function flat(
  { triangles, closed, shade = (lit) => lit }: Scene,
  pose: Float32Array,
  { x, y, half }: ReturnType<typeof boundsIn>,
  frame: number,
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
    shades[at] = 255 * shade(0.35 + 0.65 * Math.abs(along), t, frame);
  });
  return { corners, shades };
}
