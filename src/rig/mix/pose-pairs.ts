import { PliantError } from '../../error.ts';
import { faceNormal } from '../../mesh/triangle.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { boneCount, type Clip, clipFrame, frameKeys, MATRIX_STRIDE, validateClip } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { BonePose, continuousSigns } from '../../skin/bones.ts';
import { blendDualQuaternions } from '../../skin/operators.ts';
import { Skinner } from '../../skin/skinner.ts';

/** A pose that a mix is judged by. */
export interface MixPose {
  /** 12B, rest → pose. */
  transforms: Float32Array;
  /** B, see `continuousSigns`: dual quaternions keep these signs. Without them they take the shorter way. */
  signs?: Int8Array;
  /** Share of this pose among all, summing to 1: q of the objective. */
  weight: number;
  /** The motion that it belongs to. */
  motion: string;
  /** For curves and messages: "bend, frame 3". */
  label: string;
}

/**
 * One pose by both operators. Positions are affine in the mix (Khemakhem 2020, algorithm 3): p = linear + m·difference.
 */
export interface PosePair {
  /** 3N: by linear blending. */
  linear: Float32Array;
  /** 3N: what dual quaternions add to it. */
  difference: Float32Array;
  /**
   * 3F unit vectors: where the rest normals of the faces are turned to, the side by which areas count as positive. Only 3
   * where all faces share one: a flat mesh that stays in its plane.
   */
  normals: Float32Array;
  weight: number;
  motion: string;
}

/** Poses are kept in memory: the maximum of vertices times poses, about 50 bytes each. */
const MAX_VERTEX_POSES = 2e7;

/** At most `poses` frames of every motion, evenly spread. */
export function trainingPoses(
  model: SkinnedModel,
  motions: readonly Clip[],
  { poses, antipodality }: { poses: number; antipodality: boolean },
): MixPose[] {
  if (motions.length === 0) {
    const cause = `${model.name} has no motion (got no clips, expected at least one)`;
    throw new PliantError('not-found', 'mix', cause);
  }
  const bones = boneCount(model.skeleton);
  const all = motions.flatMap((clip) => {
    validateClip(clip, bones, 'mix', model.morphs?.length ?? 0);
    const keys = frameKeys(clip);
    const count = Math.min(keys.length, poses);
    const signs = antipodality ? undefined : continuousSigns(clip.transforms, bones);
    return Array.from({ length: count }, (_, q) => {
      const k = count > 1 ? Math.round((q * (keys.length - 1)) / (count - 1)) : keys.length - 1;
      return {
        transforms: clipFrame(clip, keys[k]),
        signs: signs?.subarray(keys[k] * bones, (keys[k] + 1) * bones),
        weight: 1 / (count * motions.length),
        motion: clip.name,
        label: `${clip.name}, frame ${k}`,
      };
    });
  });
  const n = vertexCount(model.mesh);
  if (n * all.length > MAX_VERTEX_POSES) {
    const cause = `${model.name}: ${n} vertices × ${all.length} poses (expected at most ${MAX_VERTEX_POSES} in total)`;
    throw new PliantError('too-large', 'mix', cause);
  }
  return all;
}

/** Poses a model by linear blending and by dual quaternions. Morphs stay at 0. */
export async function posePairs(
  model: SkinnedModel,
  poses: readonly MixPose[],
  run: RunOptions = {},
): Promise<PosePair[]> {
  const { mesh } = model;
  const linear = new Skinner(model, { operator: 'lbs', normals: false });
  const nearest = new Skinner(model, { operator: 'dqs', normals: false });
  const signed = new Skinner(model, { operator: 'dqs', normals: false, antipodality: false });
  const restNormals = faceNormals(mesh);
  const shared = commonNormal(restNormals);
  const turn = faceTurner(model, restNormals);
  const pairs: PosePair[] = [];
  for (const { transforms, signs, weight, motion } of poses) {
    await checkpoint(run, 'mix', pairs.length, poses.length, 'posing');
    const base = linear.pose(transforms).positions.slice();
    const { positions } = (signs ? signed : nearest).pose(transforms, signs);
    pairs.push({
      linear: base,
      difference: positions.map((x, c) => x - base[c]),
      normals: shared && keepsDirection(transforms, shared) ? shared : turn(transforms, signs),
      weight,
      motion,
    });
  }
  for (const skinner of [linear, nearest, signed]) skinner.dispose();
  return pairs;
}

/** out (3N) = the positions of a pose under a mix (N), linear + m·difference. Returns out. */
export function placePoints(out: Float64Array, { linear, difference }: PosePair, mix: Float64Array): Float64Array {
  for (let i = 0, c = 0; i < mix.length; i++, c += 3) {
    const m = mix[i];
    out[c] = linear[c] + m * difference[c];
    out[c + 1] = linear[c + 1] + m * difference[c + 1];
    out[c + 2] = linear[c + 2] + m * difference[c + 2];
  }
  return out;
}

/** 3F unit normals; 0 for a face without area. */
function faceNormals({ positions, triangles }: Mesh): Float32Array {
  const out = new Float32Array(triangles.length);
  const normal = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    if (faceNormal(normal, positions, triangles, t) > 0) out.set(normal, t);
  }
  return out;
}

function writeUnit(out: Float32Array, o: number, x: number, y: number, z: number): void {
  const length = Math.hypot(x, y, z) || 1;
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
}

/** Directions that differ by less are one: what single precision leaves. */
const SAME = 1e-5;

/** The normal (3) that all faces with area have, if there is one. */
function commonNormal(normals: Float32Array): Float32Array | undefined {
  let common: Float32Array | undefined;
  for (let f = 0; f < normals.length; f += 3) {
    const [x, y, z] = [normals[f], normals[f + 1], normals[f + 2]];
    if (x === 0 && y === 0 && z === 0) continue;
    common ??= normals.slice(f, f + 3);
    if (Math.hypot(x - common[0], y - common[1], z - common[2]) > SAME) return undefined;
  }
  return common;
}

/** Whether all bones leave a direction as it is: then their blends do. */
function keepsDirection(transforms: Float32Array, n: Float32Array): boolean {
  for (let row = 0; row < transforms.length; row += 4) {
    const turned = transforms[row] * n[0] + transforms[row + 1] * n[1] + transforms[row + 2] * n[2];
    if (Math.abs(turned - n[(row % MATRIX_STRIDE) / 4]) > SAME) return false;
  }
  return true;
}

/** A function that turns the faces' normals: by the mean of the rotations that dual quaternions give their corners. */
function faceTurner(
  { mesh, weights, skeleton }: SkinnedModel,
  restNormals: Float32Array,
): (transforms: Float32Array, signs?: Int8Array) => Float32Array {
  const { triangles } = mesh;
  const n = mesh.positions.length / 3;
  const { joints, influences: k } = weights;
  const bones = new BonePose(skeleton);
  const phi = new Float64Array(MATRIX_STRIDE * n);
  return (transforms, signs) => {
    bones.set(transforms, signs);
    for (let i = 0; i < n; i++) {
      const at = { joints, weights: weights.weights, start: i * k, k };
      blendDualQuaternions(phi.subarray(MATRIX_STRIDE * i, MATRIX_STRIDE * (i + 1)), at, bones, signs === undefined);
    }
    const out = new Float32Array(triangles.length);
    for (let t = 0; t < triangles.length; t += 3) {
      const sum = [0, 0, 0];
      for (let corner = t; corner < t + 3; corner++) {
        for (let r = 0; r < 3; r++) {
          const row = MATRIX_STRIDE * triangles[corner] + 4 * r;
          sum[r] += phi[row] * restNormals[t] + phi[row + 1] * restNormals[t + 1] + phi[row + 2] * restNormals[t + 2];
        }
      }
      writeUnit(out, t, sum[0], sum[1], sum[2]);
    }
    return out;
  };
}
