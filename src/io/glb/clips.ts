import type { Accessor, Animation, GLTF, Node } from '@gltf-transform/core';
import { PliantError } from '../../error.ts';
import { invert34, multiply34, transformPoint34 } from '../../math/matrix34.ts';
import { normalizeQuaternion } from '../../math/quaternion.ts';
import { composeTrs, decomposeTrs } from '../../math/trs.ts';
import { boundsOf, diagonalOf } from '../../mesh/bounds.ts';
import { note } from '../../model/note.ts';
import { boneCount, type Clip, frameKeys, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import type { GlbDocument } from './document.ts';
import { powerOfTwoBelow } from './filters.ts';
import { followsFrames, keysBetween } from './frames.ts';
import { morphTrack } from './morphs.ts';
import type { ModelGlbOptions } from './options.ts';
import type { AddedModel } from './skin.ts';

/**
 * Clips as animations. All tracks of a clip share one time accessor; tracks that never leave the rest pose are left
 * out, and those that are constant have one key. Tracks that need no keys between frames have those of the frames only.
 * (Thinning keys further makes compressed files larger: every track then needs times of its own.)
 */

const PATHS = [
  { path: 'translation', offset: 0, stride: 3, type: 'VEC3' },
  { path: 'rotation', offset: 3, stride: 4, type: 'VEC4' },
  { path: 'scale', offset: 7, stride: 3, type: 'VEC3' },
] as const;
type Part = (typeof PATHS)[number];

/** Differences below this are rounding: of translations as a fraction of the diagonal, else of 1. */
const CONSTANT = 5e-7;

/** With `quantize`: steps of translations as a fraction of the diagonal, and of scales. */
const TRANSLATION_STEP = 6.2e-5;
const SCALE_STEP = 1.25e-4;

/** Shear that costs less than this fraction of the diagonal is let go. */
const SHEAR_LOSS = 1e-4;

export function addClip(
  glb: GlbDocument,
  animation: Animation,
  model: SkinnedModel,
  clip: Clip,
  { bones, body, scales }: AddedModel,
  options: ModelGlbOptions,
): void {
  const { document } = glb;
  const { operation } = glb.report;
  const morphing = morphTrack(glb, model, clip, scales, CONSTANT);
  const hasLength = morphing?.keys === clip.times.length;
  const tracks = boneTracks(model, clip, Array.from(bones.keys()), { ...options, operation, hasLength });
  const add = (node: Node, path: GLTF.AnimationChannelTargetPath, times: Float64Array, output: Accessor) => {
    const input = glb.timesAccessor(times, clip.name);
    const sampler = document.createAnimationSampler().setInput(input).setOutput(output).setInterpolation('LINEAR');
    const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
    animation.addSampler(sampler).addChannel(channel);
  };
  for (const { bone, path, type, times, array } of tracks) {
    add(bones[bone], path, times, glb.accessor(type, array, array instanceof Int16Array));
  }
  if (morphing) {
    const { array, normalized, keys } = morphing;
    add(body, 'weights', clip.times.subarray(0, keys), glb.accessor('SCALAR', array, normalized));
  }
  noteFrames(glb, animation, clip);
}

/** Translation, rotation or scale of a bone as it is to be stored. */
export interface BoneTrack {
  bone: number;
  path: Part['path'];
  type: Part['type'];
  times: Float64Array;
  array: Float32Array<ArrayBuffer> | Int16Array<ArrayBuffer>;
}

/**
 * The tracks that some bones need for a clip: none where they stay at rest. Where nothing moves at all the first still
 * has every key, so that the clip keeps its length, unless it `hasLength` already.
 */
export function boneTracks(
  model: SkinnedModel,
  clip: Clip,
  bones: readonly number[],
  options: Pick<ModelGlbOptions, 'rotations' | 'quantize'> & { operation: string; hasLength: boolean },
): BoneTrack[] {
  const diagonal = diagonalOf(model.mesh.positions);
  const locals = clip.locals ?? localsOfTransforms(model, clip, options.operation);
  const allKeys = Uint32Array.from(clip.times, (_, k) => k);
  const source: TrackSource = { skeleton: model.skeleton, clip, allKeys, locals, diagonal };
  const tracks = bones.flatMap((bone) => PATHS.map((part) => ({ bone, ...trackOf(source, bone, part) })));
  const isWhole = options.hasLength || tracks.some(({ keys }) => keys.length === clip.times.length);
  if (tracks.length > 0 && !isWhole) tracks[0].keys = allKeys;
  return tracks.flatMap(({ bone, part, values, keys }) => {
    if (keys.length === 0) return [];
    const times = Float64Array.from(keys, (k) => clip.times[k]);
    const array = storedValues(part, valuesAt(keys, values, part.stride), options, diagonal);
    return [{ bone, path: part.path, type: part.type, times, array }];
  });
}

/** Translation, rotation or scale of one bone over a clip. */
interface Track {
  part: Part;
  /** One for each key of the clip. */
  values: Float32Array;
  /** Those that are needed: none where it never leaves the rest pose, one where it is constant. */
  keys: Uint32Array;
}

/** What the tracks of a clip are made from. */
interface TrackSource {
  skeleton: Skeleton;
  clip: Clip;
  /** Every key of the clip: 0 … P − 1. */
  allKeys: Uint32Array;
  /** 10·B·P. */
  locals: Float32Array;
  diagonal: number;
}

function trackOf({ skeleton, clip, allKeys, locals, diagonal }: TrackSource, j: number, part: Part): Track {
  const p = clip.times.length;
  const stride = LOCAL_STRIDE * boneCount(skeleton);
  const at = LOCAL_STRIDE * j + part.offset;
  const values = new Float32Array(part.stride * p);
  for (let k = 0; k < p; k++) {
    values.set(locals.subarray(k * stride + at, k * stride + at + part.stride), k * part.stride);
  }
  const rest = skeleton.restLocals.slice(at, at + part.stride);
  if (part.path === 'rotation') {
    normalizeQuaternion(rest);
    makeContinuous(values, rest);
  }
  const tolerance = CONSTANT * (part.path === 'translation' ? diagonal : 1);
  const leaves = (from: Float32Array) => values.some((v, c) => Math.abs(v - from[c % part.stride]) > tolerance);
  const moves = leaves(values.subarray(0, part.stride));
  if (!moves) return { part, values, keys: allKeys.subarray(0, leaves(rest) ? 1 : 0) };
  return { part, values, keys: followsFrames(clip, values, part.stride, tolerance) ? frameKeys(clip) : allKeys };
}

function valuesAt(keys: Uint32Array, values: Float32Array, stride: number): Float32Array<ArrayBuffer> {
  const out = new Float32Array(stride * keys.length);
  keys.forEach((k, at) => {
    out.set(values.subarray(stride * k, stride * (k + 1)), stride * at);
  });
  return out;
}

/** Values in the form that the options ask for. */
function storedValues(
  { path }: Part,
  values: Float32Array<ArrayBuffer>,
  { rotations, quantize }: Pick<ModelGlbOptions, 'rotations' | 'quantize'>,
  diagonal: number,
): Float32Array<ArrayBuffer> | Int16Array<ArrayBuffer> {
  if (path === 'rotation') return rotations === 'i16' ? Int16Array.from(values, (q) => Math.round(q * 32767)) : values;
  return quantize ? roundedTo(path === 'scale' ? SCALE_STEP : TRANSLATION_STEP * diagonal, values) : values;
}

/** Says which keys are frames. Clips of several models may share an animation, which can say it of one of them. */
function noteFrames(glb: GlbDocument, animation: Animation, clip: Clip): void {
  const between = keysBetween(clip);
  if (!between) return;
  const { pliant } = animation.getExtras() as { pliant?: { between: number[] } };
  if (!pliant) animation.setExtras({ pliant: { between } });
  else if (pliant.between.join() !== between.join()) {
    glb.note(note('in-between-keys', {}, clip.name));
  }
}

/** To multiples of a power of two not above `step`: still float32, with fewer bits to keep. */
function roundedTo(step: number, values: Float32Array): Float32Array<ArrayBuffer> {
  const unit = step > 0 ? powerOfTwoBelow(step) : 0;
  return Float32Array.from(values, (x) => (unit > 0 ? unit * Math.round(x / unit) : x));
}

/** In place: unit quaternions, each on the side of the one before it, since q and −q turn alike but do not interpolate alike. */
function makeContinuous(values: Float32Array, rest: Float32Array): void {
  for (let k = 0; k < values.length; k += 4) {
    normalizeQuaternion(values, k);
    const before = k === 0 ? rest : values.subarray(k - 4, k);
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += before[c] * values[k + c];
    if (dot < 0) for (let c = 0; c < 4; c++) values[k + c] = -values[k + c];
  }
}

/**
 * Local poses (10·B·P) of a clip that only has skin matrices: world = M · inverseBind⁻¹, local = world(parent)⁻¹ · world.
 * Refuses bones whose motion is not translation, rotation and scale, as far as it can be seen on this mesh.
 */
export function localsOfTransforms(model: SkinnedModel, clip: Clip, operation: string): Float32Array {
  const { parents, inverseBind, names } = model.skeleton;
  const b = parents.length;
  const fail = (j: number, cause: string): never => {
    throw new PliantError('bad-input', operation, `clip "${clip.name}", bone ${j} ("${names[j]}"): ${cause}`);
  };
  const bind = new Float64Array(MATRIX_STRIDE * b);
  for (let j = 0; j < b; j++) {
    if (!invert34(bind, MATRIX_STRIDE * j, inverseBind, MATRIX_STRIDE * j)) fail(j, 'inverse bind matrix is singular');
  }
  const { min, max } = boundsOf(model.mesh.positions);
  const diagonal = Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  const corners = Array.from({ length: 8 }, (_, c) => [0, 1, 2].map((axis) => ((c >> axis) & 1 ? max : min)[axis]));

  const out = new Float32Array(LOCAL_STRIDE * b * clip.times.length);
  const worlds = new Float64Array(MATRIX_STRIDE * b); // As the player will compose them.
  const local = new Float64Array(MATRIX_STRIDE);
  const skin = new Float64Array(MATRIX_STRIDE);
  const parentInverse = new Float64Array(MATRIX_STRIDE);
  for (let k = 0; k < clip.times.length; k++) {
    for (let j = 0; j < b; j++) {
      const m = MATRIX_STRIDE * (k * b + j);
      const at = LOCAL_STRIDE * (k * b + j);
      multiply34(local, 0, clip.transforms, m, bind, MATRIX_STRIDE * j);
      if (parents[j] >= 0) {
        if (!invert34(parentInverse, 0, worlds, MATRIX_STRIDE * parents[j])) fail(j, `its parent is flat at key ${k}`);
        multiply34(local, 0, parentInverse, 0, local, 0);
      }
      decomposeTrs(out, at, local, 0);
      composeTrs(worlds, MATRIX_STRIDE * j, out, at);
      if (parents[j] >= 0) {
        multiply34(worlds, MATRIX_STRIDE * j, worlds, MATRIX_STRIDE * parents[j], worlds, MATRIX_STRIDE * j);
      }
      multiply34(skin, 0, worlds, MATRIX_STRIDE * j, inverseBind, MATRIX_STRIDE * j);
      const loss = largestDifference(skin, 0, clip.transforms, m, corners);
      if (loss > SHEAR_LOSS * diagonal) {
        const percent = ((100 * loss) / diagonal).toPrecision(2);
        fail(j, `not translation, rotation and scale at key ${k} (got a shear of ${percent} % of the diagonal)`);
      }
    }
  }
  return out;
}

/** The largest distance between a point's images under two matrices, over the corners of a box (where it is attained). */
function largestDifference(
  a: Float64Array,
  ai: number,
  b: Float32Array,
  bi: number,
  corners: readonly number[][],
): number {
  const p = [0, 0, 0];
  const q = [0, 0, 0];
  let largest = 0;
  for (const corner of corners) {
    transformPoint34(p, 0, a, ai, corner, 0);
    transformPoint34(q, 0, b, bi, corner, 0);
    largest = Math.max(largest, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
  }
  return largest;
}
