import { PliantError } from '../error.ts';
import { MATRIX_STRIDE } from '../math/matrix34.ts';
import { LOCAL_STRIDE } from '../math/trs.ts';
import { firstNonFinite } from './mesh.ts';

export { LOCAL_STRIDE, MATRIX_STRIDE };

/**
 * B bones. Nodes above or between joints are bones too, which no vertex follows, so that the hierarchy of a file
 * survives whole. Free proxy joints are a skeleton whose parents are all −1.
 */
export interface Skeleton {
  names: string[];
  /** B: parent of each bone or −1; parents come before children. */
  parents: Int32Array;
  /** 10B: rest pose relative to the parent, `LOCAL_STRIDE` numbers each. */
  restLocals: Float32Array;
  /** 12B: 3 × 4 row-major, mesh space → bone space in the bind pose. Skin matrix = world · inverseBind. */
  inverseBind: Float32Array;
  /** Bones that are no joints and only say where their parent ends: no vertex may follow them. */
  ends?: readonly number[];
}

/** Leaves of these names only say where their parent ends: BVH's end sites, and what exporters add. */
export const END_MARKER = /(?:[_.\s-](?:[Ee]nd|[Ss]ite|[Nn]ub|[Tt]ip)|End|EndSite|Nub)\d*$/;

/** A motion of a skeleton. */
export interface Clip {
  name: string;
  /** P times of keys in seconds, increasing. */
  times: Float64Array;
  /** BoneTransforms, 12·B·P: per frame, per bone, 3 × 4 row-major, rest mesh → pose. What skinning needs. */
  transforms: Float32Array;
  /** 10·B·P local poses: what engines interpolate between keys. Absent when only the matrices are known. */
  locals?: Float32Array;
  /** P·M: per frame the weights of the model's M morphs. Absent when the clip leaves them at 0. */
  morphWeights?: Float32Array;
  /** Which keys are frames of the motion, increasing; the others only guide players between them. Absent: all are. */
  frames?: Uint32Array;
}

/** Number of bones. */
export const boneCount = (skeleton: Skeleton): number => skeleton.parents.length;
/** P: the number of keys. */
export const clipFrameCount = (clip: Clip): number => clip.times.length;

/** The keys that are frames: all, unless the clip says otherwise. */
export const frameKeys = (clip: Clip): Uint32Array => clip.frames ?? Uint32Array.from(clip.times, (_, k) => k);
/** The times of the frames, in seconds. */
export const frameTimes = (clip: Clip): Float64Array =>
  clip.frames ? Float64Array.from(clip.frames, (k) => clip.times[k]) : clip.times;

/** The 12B numbers of key k: a view, not a copy. */
export function clipFrame(clip: Clip, k: number): Float32Array {
  const stride = clip.transforms.length / clip.times.length;
  return clip.transforms.subarray(k * stride, (k + 1) * stride);
}

/** The M morph weights of key k: a view, not a copy. Undefined when the clip leaves morphs alone. */
export function clipMorphWeights(clip: Clip, k: number): Float32Array | undefined {
  const stride = (clip.morphWeights?.length ?? 0) / clip.times.length;
  return clip.morphWeights?.subarray(k * stride, (k + 1) * stride);
}

/** Throws `bad-input` where a skeleton breaks its contract. */
export function validateSkeleton(skeleton: Skeleton, operation = 'validateSkeleton'): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, cause);
  };
  const b = boneCount(skeleton);
  if (skeleton.names.length !== b) fail(`${skeleton.names.length} names (expected ${b})`);
  if (skeleton.restLocals.length !== LOCAL_STRIDE * b) {
    fail(`${skeleton.restLocals.length} rest numbers (expected ${LOCAL_STRIDE * b})`);
  }
  if (skeleton.inverseBind.length !== MATRIX_STRIDE * b) {
    fail(`${skeleton.inverseBind.length} inverse bind numbers (expected ${MATRIX_STRIDE * b})`);
  }
  for (let j = 0; j < b; j++) {
    const parent = skeleton.parents[j];
    if (parent < -1 || parent >= j) fail(`bone ${j} has parent ${parent} (expected −1 or an earlier bone)`);
  }
  if (firstNonFinite(skeleton.restLocals) >= 0) fail('rest pose is not finite');
  if (firstNonFinite(skeleton.inverseBind) >= 0) fail('an inverse bind matrix is not finite');
}

/** Throws `bad-input` where a clip breaks its contract. */
export function validateClip(clip: Clip, bones: number, operation = 'validateClip', morphs = 0): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, `clip "${clip.name}": ${cause}`);
  };
  const p = clipFrameCount(clip);
  if (p < 1) fail('no frames');
  for (let k = 1; k < p; k++) if (!(clip.times[k] > clip.times[k - 1])) fail(`time of frame ${k} does not increase`);
  if (clip.transforms.length !== p * bones * MATRIX_STRIDE) {
    fail(`${clip.transforms.length} transform numbers (expected ${p * bones * MATRIX_STRIDE})`);
  }
  if (clip.locals && clip.locals.length !== p * bones * LOCAL_STRIDE) {
    fail(`${clip.locals.length} local pose numbers (expected ${p * bones * LOCAL_STRIDE})`);
  }
  const { frames } = clip;
  if (frames && (frames.length < 1 || frames.some((key, k) => key >= p || (k > 0 && key <= frames[k - 1])))) {
    fail(`frames at keys ${frames.join(', ')} (expected increasing ones below ${p})`);
  }
  if (clip.morphWeights && clip.morphWeights.length !== p * morphs) {
    fail(`${clip.morphWeights.length} morph weights (expected ${p * morphs})`);
  }
  if (clip.morphWeights && firstNonFinite(clip.morphWeights) >= 0) fail('a morph weight is not finite');
  if (firstNonFinite(clip.transforms) >= 0) fail('a transform is not finite');
  if (clip.locals && firstNonFinite(clip.locals) >= 0) fail('a local pose is not finite');
}
