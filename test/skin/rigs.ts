import { multiply34 } from '../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { type Random, randomNormal, seededRandom } from '../../src/math/rng.ts';
import { composeTrs } from '../../src/math/trs.ts';
import type { Skeleton } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';

export interface RigOptions {
  seed: number;
  vertices?: number;
  bones?: number;
  influences?: number;
  /** Where the model stands. */
  offset?: [number, number, number];
}

/** A unit vector in a random direction. */
export function randomDirection(random: Random): [number, number, number] {
  const v = [randomNormal(random), randomNormal(random), randomNormal(random)];
  const length = Math.hypot(...v);
  return [v[0] / length, v[1] / length, v[2] / length];
}

/** Free bones at random places, points in a box of diagonal √3 about `offset`, weights of every degenerate kind. */
export function randomRig(options: RigOptions): SkinnedModel {
  const { seed, vertices = 101, bones = 7, influences = 4, offset = [0, 0, 0] } = options;
  const random = seededRandom(seed);
  const positions = new Float32Array(3 * vertices);
  const normals = new Float32Array(3 * vertices);
  for (let i = 0; i < vertices; i++) {
    positions.set(
      offset.map((o) => o + random() - 0.5),
      3 * i,
    );
    normals.set(randomDirection(random), 3 * i);
  }

  const joints = new Uint16Array(vertices * influences);
  const weights = new Float32Array(vertices * influences);
  for (let i = 0; i < vertices; i++) {
    const raw = Array.from({ length: influences }, (_, s) => {
      if (i % 5 === 1) return s === 0 ? 1 : 0; // one bone
      if (i % 5 === 2) return 1; // all alike
      if (i % 5 === 3) return s < 2 ? 0.5 : 0; // a tie of two
      return random() ** 2 + 1e-3;
    }).sort((a, b) => b - a);
    const sum = raw.reduce((a, b) => a + b, 0);
    for (let s = 0; s < influences; s++) {
      weights[influences * i + s] = raw[s] / sum;
      joints[influences * i + s] = raw[s] > 0 ? Math.floor(random() * bones) : 0;
    }
  }

  const model: SkinnedModel = {
    name: `random rig ${seed}`,
    mesh: { positions, triangles: new Uint32Array([0, 1, 2]), normals },
    weights: { influences, joints, weights },
    skeleton: freeJoints(
      Array.from({ length: bones }, () => offset.map((o) => o + random() - 0.5) as [number, number, number]),
    ),
    clips: [],
    operator: 'lbs',
    mixWeights: Float32Array.from({ length: vertices }, () => random()),
  };
  validateModel(model);
  return model;
}

/** Bones without parents whose joints lie at the given points. */
export function freeJoints(points: readonly [number, number, number][]): Skeleton {
  const restLocals = new Float32Array(10 * points.length);
  const inverseBind = new Float32Array(12 * points.length);
  points.forEach(([x, y, z], j) => {
    restLocals.set([x, y, z, 0, 0, 0, 1, 1, 1, 1], 10 * j);
    inverseBind.set([1, 0, 0, -x, 0, 1, 0, -y, 0, 0, 1, -z], 12 * j);
  });
  return {
    names: points.map((_, j) => `bone ${j}`),
    parents: new Int32Array(points.length).fill(-1),
    restLocals,
    inverseBind,
  };
}

/** 3 × 4: rotation by `angle` about an axis through `pivot`, then a shift. */
export function rigidMotion(
  axis: readonly [number, number, number],
  angle: number,
  shift: readonly number[] = [0, 0, 0],
  pivot: readonly number[] = [0, 0, 0],
): Float64Array {
  const local = new Float64Array(10);
  quaternionFromAxisAngle(local, 3, ...axis, angle);
  local.fill(1, 7);
  const m = new Float64Array(12);
  composeTrs(m, 0, local, 0);
  for (let r = 0; r < 3; r++) {
    m[4 * r + 3] = pivot[r] + shift[r];
    for (let c = 0; c < 3; c++) m[4 * r + 3] -= m[4 * r + c] * pivot[c];
  }
  return m;
}

export interface PoseOptions {
  seed: number;
  /** Largest angle, radians. */
  angle?: number;
  /** Scales lie in 1/scale … scale, along random axes. */
  scale?: number;
  /** Whether some bones mirror. */
  mirror?: boolean;
}

/** 12B: each bone of the rig turned and scaled about its joint, and shifted a little. */
export function randomPose(model: SkinnedModel, options: PoseOptions): Float32Array {
  const { seed, angle = Math.PI, scale = 1, mirror = false } = options;
  const random = seededRandom(seed);
  const bones = model.skeleton.parents.length;
  const out = new Float32Array(12 * bones);
  for (let j = 0; j < bones; j++) {
    const pivot = [3, 7, 11].map((c) => -model.skeleton.inverseBind[12 * j + c]);
    const frame = rigidMotion(randomDirection(random), Math.PI * random(), [0, 0, 0], pivot);
    const back = invertRigid(frame);
    const stretch = new Float64Array(12);
    for (let c = 0; c < 3; c++) {
      const factor = scale ** (2 * random() - 1) * (mirror && c === 0 && random() < 0.5 ? -1 : 1);
      stretch[5 * c] = factor;
      stretch[4 * c + 3] = (1 - factor) * pivot[c];
    }
    const shift = [random() - 0.5, random() - 0.5, random() - 0.5];
    const motion = rigidMotion(randomDirection(random), angle * random(), shift, pivot);
    const m = product(motion, frame, stretch, back);
    out.set(m, 12 * j);
  }
  return out;
}

export function product(...factors: ArrayLike<number>[]): Float64Array {
  const out = Float64Array.from(factors[0]);
  for (const factor of factors.slice(1)) multiply34(out, 0, out, 0, Float64Array.from(factor), 0);
  return out;
}

function invertRigid(m: Float64Array): Float64Array {
  const out = new Float64Array(12);
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      out[4 * r + c] = m[4 * c + r];
      out[4 * r + 3] -= m[4 * c + r] * m[4 * c + 3];
    }
  }
  return out;
}

/** Largest distance between corresponding points (or directions) of two arrays of 3 numbers each. */
export function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) throw new Error(`${a.length} numbers against ${b.length}`);
  let worst = 0;
  for (let i = 0; i < a.length; i += 3) {
    const distance = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
    if (!(distance <= worst)) worst = distance; // NaN is the worst
  }
  return worst;
}

/** A model with one vertex at `point`, followed by the given bones with these weights. */
export function oneVertex(point: number[], weights: number[], joints: [number, number, number][]): SkinnedModel {
  const order = weights.map((_, s) => s).sort((a, b) => weights[b] - weights[a]);
  return {
    name: 'one vertex',
    mesh: { positions: Float32Array.from(point), triangles: new Uint32Array(0), normals: new Float32Array([0, 1, 0]) },
    weights: {
      influences: weights.length,
      joints: Uint16Array.from(order),
      weights: Float32Array.from(order, (s) => weights[s]),
    },
    skeleton: freeJoints(joints),
    clips: [],
    operator: 'lbs',
    mixWeights: new Float32Array([0.5]),
  };
}

/** The transforms of a pose from one matrix per bone. */
export const poseOf = (...matrices: Float64Array[]): Float32Array => Float32Array.from(matrices.flatMap((m) => [...m]));
