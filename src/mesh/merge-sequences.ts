import { PliantError } from '../error.ts';
import { type Mesh, triangleCount, vertexCount } from '../model/mesh.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { boneCount, type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../model/skeleton.ts';
import type { SkinnedModel, SkinWeights } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';
import { reposed } from './normals.ts';

/**
 * Several meshes of one scene as one, so that bones go where the whole scene needs them, and back: after the fit each
 * mesh is a model of its own, and all of them follow one skeleton.
 */
export interface MergedSequences {
  /** All vertices and triangles end to end, in the order of the parts. Attributes and materials stay with the parts. */
  sequence: MeshSequence;
  /** A model of the merged mesh → one model per part. They share one skeleton and its clips. */
  split(model: SkinnedModel): SkinnedModel[];
  /** A motion of the merged mesh → one per part. */
  splitSequence(sequence: MeshSequence): MeshSequence[];
}

/**
 * The part with the most frames gives the times; the others are interpolated linearly at them, as players do between
 * keys, and stand still before their first and after their last frame.
 */
export function mergeSequences(parts: readonly MeshSequence[]): MergedSequences {
  if (parts.length === 0) throw new PliantError('bad-input', 'mergeSequences', 'no sequence (expected at least one)');
  if (parts.length === 1) return single(parts[0]);
  const rests = parts.map(({ rest }) => rest);
  requireOneSpace(parts);
  const longest = parts.reduce((best, part) => (part.frameCount > best.frameCount ? part : best));
  const { times } = longest;
  const starts = runningSums(rests.map(vertexCount));
  const readers = parts.map((part) =>
    sameTimes(part.times, times) ? part : { readFrame: interpolatedAt(part, times) },
  );

  const positions = new Float32Array(3 * starts[parts.length]);
  for (const [p, mesh] of rests.entries()) positions.set(mesh.positions, 3 * starts[p]);
  return {
    sequence: {
      name: longest.name,
      rest: { positions, triangles: mergedTriangles(rests, starts), space: rests[0].space },
      frameCount: times.length,
      times,
      async readFrame(k, out = new Float32Array(positions.length)) {
        for (const [p, reader] of readers.entries()) {
          await reader.readFrame(k, out.subarray(3 * starts[p], 3 * starts[p + 1]));
        }
        return out;
      },
      async close() {
        for (const part of parts) await part.close?.();
      },
    },
    split: (model) => splitModel(model, parts, starts),
    splitSequence: (sequence) => parts.map((part, p) => partOf(sequence, part, 3 * starts[p], 3 * starts[p + 1])),
  };
}

/** A single mesh stays as it is, with all its attributes. */
const single = (sequence: MeshSequence): MergedSequences => ({
  sequence,
  split: (model) => [{ ...model, name: sequence.name }],
  splitSequence: (motion) => [{ ...motion, name: sequence.name }],
});

/** 0, c₀, c₀ + c₁, … */
function runningSums(counts: readonly number[]): number[] {
  const sums = [0];
  for (const count of counts) sums.push(sums[sums.length - 1] + count);
  return sums;
}

function mergedTriangles(meshes: readonly Mesh[], starts: readonly number[]): Uint32Array {
  const out = new Uint32Array(3 * meshes.reduce((sum, mesh) => sum + triangleCount(mesh), 0));
  let at = 0;
  meshes.forEach(({ triangles }, p) => {
    for (const i of triangles) out[at++] = starts[p] + i;
  });
  return out;
}

function requireOneSpace(parts: readonly MeshSequence[]): void {
  const key = ({ rest: { space } }: MeshSequence): string => `${space?.up ?? 'y'} up, ${space?.metresPerUnit ?? 1} m`;
  const other = parts.find((part) => key(part) !== key(parts[0]));
  if (!other) return;
  const cause = `${other.name} uses a different up axis or unit (got ${key(other)}, expected ${key(parts[0])} like ${parts[0].name})`;
  throw new PliantError('bad-input', 'mergeSequences', cause);
}

const sameTimes = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((time, k) => Math.abs(time - b[k]) < 1e-6);

/** Reads a part at the times of another. */
function interpolatedAt(part: MeshSequence, times: Float64Array): MeshSequence['readFrame'] {
  const own = part.times;
  return async (k, out = new Float32Array(part.rest.positions.length)) => {
    const after = own.findIndex((time) => time >= times[k]);
    if (after <= 0) return part.readFrame(after < 0 ? own.length - 1 : 0, out);
    const share = (times[k] - own[after - 1]) / (own[after] - own[after - 1]);
    const next = await part.readFrame(after);
    await part.readFrame(after - 1, out);
    for (let c = 0; c < out.length; c++) out[c] += share * (next[c] - out[c]);
    return out;
  };
}

function splitModel(model: SkinnedModel, parts: readonly MeshSequence[], starts: readonly number[]): SkinnedModel[] {
  if (vertexCount(model.mesh) !== starts[parts.length]) {
    const cause = `a model of ${plural(vertexCount(model.mesh), 'vertex', 'vertices')} (expected ${starts[parts.length]})`;
    throw new PliantError('bad-input', 'mergeSequences', cause);
  }
  const kept = bonesInUse(model);
  const skeleton = skeletonOf(model.skeleton, kept);
  const clips = model.clips.map((clip) => clipOf(clip, kept));
  const k = model.weights.influences;
  return parts.map((part, p) => {
    const [first, end] = [starts[p], starts[p + 1]];
    return {
      name: part.name,
      mesh: restOf(part.rest, model.mesh.positions.slice(3 * first, 3 * end)),
      weights: weightsOf(model.weights, first * k, end * k, kept),
      skeleton,
      clips,
      operator: model.operator,
      morphs: model.morphs?.map((morph) => ({ ...morph, positions: morph.positions.slice(3 * first, 3 * end) })),
    };
  });
}

/** The coordinates from `first` to before `end` of a merged motion. */
function partOf(merged: MeshSequence, { name, rest }: MeshSequence, first: number, end: number): MeshSequence {
  const whole = new Float32Array(merged.rest.positions.length);
  return {
    name,
    rest: restOf(rest, merged.rest.positions.slice(first, end)),
    frameCount: merged.frameCount,
    times: merged.times,
    async readFrame(k, out = new Float32Array(end - first)) {
      out.set((await merged.readFrame(k, whole)).subarray(first, end));
      return out;
    },
  };
}

/** The part's own mesh; where the merged one has another rest pose, with normals that follow it. */
function restOf(rest: Mesh, positions: Float32Array): Mesh {
  return positions.every((x, c) => x === rest.positions[c]) ? rest : reposed(rest, positions);
}

/** B: bone → its place among those that a vertex follows, or the ancestors of such; −1 for the others. */
function bonesInUse({ weights, skeleton }: SkinnedModel): Int32Array {
  const used = new Uint8Array(boneCount(skeleton));
  weights.joints.forEach((j, s) => {
    if (weights.weights[s] > 0) used[j] = 1;
  });
  for (let j = used.length - 1; j >= 0; j--) if (used[j] && skeleton.parents[j] >= 0) used[skeleton.parents[j]] = 1;
  let next = 0;
  return Int32Array.from(used, (inUse) => (inUse ? next++ : -1));
}

/** The rows of an array of B rows (any number of times over) whose bone is kept. */
function keptRows(values: Float32Array, stride: number, kept: Int32Array): Float32Array {
  return values.filter((_, c) => kept[Math.floor(c / stride) % kept.length] >= 0);
}

function skeletonOf(skeleton: Skeleton, kept: Int32Array): Skeleton {
  return {
    names: skeleton.names.filter((_, j) => kept[j] >= 0),
    parents: skeleton.parents.filter((_, j) => kept[j] >= 0).map((parent) => (parent < 0 ? -1 : kept[parent])),
    restLocals: keptRows(skeleton.restLocals, LOCAL_STRIDE, kept),
    inverseBind: keptRows(skeleton.inverseBind, MATRIX_STRIDE, kept),
  };
}

const clipOf = (clip: Clip, kept: Int32Array): Clip => ({
  ...clip,
  transforms: keptRows(clip.transforms, MATRIX_STRIDE, kept),
  locals: clip.locals && keptRows(clip.locals, LOCAL_STRIDE, kept),
});

function weightsOf(skin: SkinWeights, first: number, end: number, kept: Int32Array): SkinWeights {
  const weights = skin.weights.slice(first, end);
  return {
    influences: skin.influences,
    weights,
    joints: skin.joints.slice(first, end).map((j, s) => (weights[s] > 0 ? kept[j] : 0)),
  };
}
