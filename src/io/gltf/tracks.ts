import type { GLTF } from '@gltf-transform/core';
import { lastAtMost } from '../../math/last-at-most.ts';
import { normalizeQuaternion, slerp } from '../../math/quaternion.ts';
import { type Note, note } from '../../model/note.ts';
import { cubicParts, distinctTimes, timeBeforeStep } from '../key-times.ts';
import type { Accessors } from './accessors.ts';
import { type Budget, GltfFault } from './limits.ts';
import { pliantExtras } from './mesh.ts';

/** Animations as tracks that can be sampled: glTF 2.0 §3.11 and appendix C (interpolation). */

type TrackPath = 'translation' | 'rotation' | 'scale' | 'weights';

/** One property of one node over time. */
export interface Track {
  node: number;
  path: TrackPath;
  /** P key times in seconds, never falling. */
  times: Float32Array;
  /** P·stride numbers, or 3·P·stride for cubic splines (in-tangent, value, out-tangent). */
  values: Float32Array;
  stride: number;
  interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE';
  /** Times between the keys, increasing, without which straight lines would not follow the track. */
  between: Float64Array;
}

export interface GltfAnimation {
  name: string;
  tracks: Track[];
  /** Node → the tracks that pose it. */
  poses: Map<number, Track[]>;
  /** Node → the tracks of its morph weights. */
  weights: Map<number, Track[]>;
  /** What Pliant's writer says of its frames: see ../glb/frames.ts. */
  between?: unknown;
}

export const VALUE_TYPE = { translation: 'VEC3', rotation: 'VEC4', scale: 'VEC3', weights: 'SCALAR' } as const;
const STRIDE = { translation: 3, rotation: 4, scale: 3 } as const;

export const isPath = (path: string): path is TrackPath => Object.hasOwn(VALUE_TYPE, path);

export function readAnimations(json: GLTF.IGLTF, accessors: Accessors, budget: Budget, notes: Note[]): GltfAnimation[] {
  const names = animationNames(json, notes);
  return (json.animations ?? []).map((animation, a) => {
    const name = names[a];
    const tracks: Track[] = [];
    for (const [c, { sampler, target }] of animation.channels.entries()) {
      const at = `animations[${a}].channels[${c}]`;
      if (target.node === undefined) continue; // Its target is an extension's: §3.11 says to ignore it.
      if (!isPath(target.path)) {
        notes.push(note('not-read', { what: 'animated-properties', names: [target.path] }, name));
        continue;
      }
      const definition = animation.samplers[sampler];
      if (!definition)
        throw new GltfFault(`invalid ${at}.sampler (got ${sampler}, expected < ${animation.samplers.length})`);
      // Channels may share their data: looking at it takes time for each.
      budget.take(4 * accessors.count(definition.output), at);
      const track = readTrack(definition, target.node, target.path, accessors, `animations[${a}].samplers[${sampler}]`);
      budget.take(8 * track.between.length, at);
      tracks.push(track);
    }
    const poses = new Map<number, Track[]>();
    const weights = new Map<number, Track[]>();
    for (const track of tracks) {
      const byNode = track.path === 'weights' ? weights : poses;
      const before = byNode.get(track.node);
      if (before) before.push(track);
      else byNode.set(track.node, [track]);
    }
    return { name, tracks, poses, weights, between: pliantExtras(animation.extras)?.between };
  });
}

/** Clips are chosen by their names: those that have one together, as from Mixamo, get numbers. The file keeps its own. */
function animationNames({ animations = [] }: GLTF.IGLTF, notes: Note[]): string[] {
  const given = animations.map(({ name }, a) => name || `animation ${a}`);
  const taken = new Set(given);
  const used = new Map<string, number>();
  return given.map((name) => {
    let number = (used.get(name) ?? 0) + 1;
    if (number > 1) while (taken.has(`${name} ${number}`)) number++;
    used.set(name, number);
    if (number === 1) return name;
    const own = `${name} ${number}`;
    notes.push(note('clip-renamed', { name: own }, name));
    return own;
  });
}

export function readTrack(
  sampler: GLTF.IAnimationSampler,
  node: number,
  path: TrackPath,
  accessors: Accessors,
  at: string,
): Track {
  const times = accessors.numbers(sampler.input, 'SCALAR', at);
  for (let k = 0; k < times.length; k++) {
    if (times[k] < (k > 0 ? times[k - 1] : 0))
      throw new GltfFault(`${at}: times decrease at key ${k} (got ${times[k]})`);
  }
  const interpolation = (sampler.interpolation ?? 'LINEAR') as Track['interpolation'];
  const values = accessors.numbers(sampler.output, VALUE_TYPE[path], at);
  const perKey = interpolation === 'CUBICSPLINE' ? 3 : 1;
  const stride = path === 'weights' ? values.length / (times.length * perKey) : STRIDE[path];
  if (!Number.isInteger(stride) || stride === 0 || values.length !== times.length * perKey * stride) {
    throw new GltfFault(`${at}: ${values.length} numbers for ${times.length} keys of a ${path} track`);
  }
  const track = { node, path, times, values, stride, interpolation };
  return { ...track, between: timesBetween(track) };
}

/** Where a step is about to happen, and the parts of cubic segments. */
export function timesBetween(track: Omit<Track, 'between'>): Float64Array {
  const { times, values, stride, interpolation } = track;
  const between: number[] = [];
  if (interpolation === 'STEP') {
    for (let k = 1; k < times.length; k++) {
      const before = timeBeforeStep(times[k]);
      const changes = () => {
        for (let c = k * stride; c < (k + 1) * stride; c++) if (values[c] !== values[c - stride]) return true;
        return false;
      };
      if (before > times[k - 1] && changes()) between.push(before);
    }
  }
  if (interpolation === 'CUBICSPLINE') {
    const range = cubicRange(track);
    for (let k = 0; k + 1 < times.length; k++) {
      const parts = cubicParts(bezierOf(track, k), range);
      const duration = times[k + 1] - times[k];
      for (let part = 1; part < parts; part++) between.push(times[k] + (part / parts) * duration);
    }
  }
  return Float64Array.from(between);
}

/** The four Bézier ordinates (stride numbers each) of the cubic segment from key k: tangents are per second. */
export function bezierOf({ times, values, stride }: Omit<Track, 'between'>, k: number): Float64Array[] {
  const third = (times[k + 1] - times[k]) / 3;
  const a = (3 * k + 1) * stride;
  const b = a + 3 * stride;
  return [
    Float64Array.from({ length: stride }, (_, c) => values[a + c]),
    Float64Array.from({ length: stride }, (_, c) => values[a + c] + third * values[a + stride + c]),
    Float64Array.from({ length: stride }, (_, c) => values[b + c] - third * values[b - stride + c]),
    Float64Array.from({ length: stride }, (_, c) => values[b + c]),
  ];
}

/** The largest extent of a component of a cubic track, by its Bézier ordinates, which enclose it. */
function cubicRange(track: Omit<Track, 'between'>): number {
  const min = new Float64Array(track.stride).fill(Number.POSITIVE_INFINITY);
  const max = new Float64Array(track.stride).fill(Number.NEGATIVE_INFINITY);
  for (let k = 0; k + 1 < track.times.length; k++) {
    for (const point of bezierOf(track, k)) {
      for (let c = 0; c < point.length; c++) {
        min[c] = Math.min(min[c], point[c]);
        max[c] = Math.max(max[c], point[c]);
      }
    }
  }
  return max.reduce((most, high, c) => Math.max(most, high - min[c]), 0);
}

/** out (stride numbers) = the track at time t; before the first and after the last key it stays as it is there. */
export function sampleTrack(track: Track, t: number, out: Float64Array, o = 0): void {
  const { times, values, stride, interpolation, path } = track;
  const last = times.length - 1;
  const k = lastAtMost(times, t);
  const cubic = interpolation === 'CUBICSPLINE';
  const value = (key: number) => (cubic ? (3 * key + 1) * stride : key * stride);

  if (k < 0 || k === last || interpolation === 'STEP' || times[k] === t) {
    const v = value(Math.max(k, 0));
    for (let c = 0; c < stride; c++) out[o + c] = values[v + c];
    if (path === 'rotation') normalizeQuaternion(out, o);
    return;
  }
  const duration = times[k + 1] - times[k];
  const s = (t - times[k]) / duration;
  const a = value(k);
  const b = value(k + 1);
  if (cubic) {
    // Hermite basis; tangents are per second.
    const s2 = s * s;
    const s3 = s2 * s;
    const va = 2 * s3 - 3 * s2 + 1;
    const vb = 3 * s2 - 2 * s3;
    const outTangent = duration * (s3 - 2 * s2 + s);
    const inTangent = duration * (s3 - s2);
    for (let c = 0; c < stride; c++) {
      out[o + c] =
        va * values[a + c] +
        outTangent * values[a + stride + c] +
        vb * values[b + c] +
        inTangent * values[b - stride + c];
    }
    if (path === 'rotation') normalizeQuaternion(out, o);
  } else if (path === 'rotation') {
    slerp(out, o, values, a, values, b, s);
  } else {
    for (let c = 0; c < stride; c++) out[o + c] = (1 - s) * values[a + c] + s * values[b + c];
  }
}

/** The weight tracks of a node that leave its weights at rest (M). */
export function morphingTracks(animation: GltfAnimation, node: number, rest: Float64Array): Track[] {
  return animation.weights.get(node)?.filter((track) => leaves(track, rest)) ?? [];
}

function leaves(track: Track, rest: Float64Array): boolean {
  if (track.stride !== rest.length) {
    throw new GltfFault(
      `a track of nodes[${track.node}] has ${track.stride} weights per key (expected ${rest.length})`,
    );
  }
  const perKey = track.interpolation === 'CUBICSPLINE' ? 3 * track.stride : track.stride;
  return track.values.some((value, c) => {
    const isTangent = perKey > track.stride && Math.floor((c % perKey) / track.stride) !== 1;
    return isTangent ? value !== 0 : value !== Math.fround(rest[c % track.stride]);
  });
}

/** P·M weights at the given times; at rest without tracks. */
export function sampleWeights(tracks: readonly Track[], times: Float64Array, rest: Float64Array): Float64Array {
  const out = new Float64Array(rest.length * times.length);
  for (let k = 0; k < times.length; k++) {
    out.set(rest, k * rest.length);
    for (const track of tracks) sampleTrack(track, times[k], out, k * rest.length);
  }
  return out;
}

/** The times at which several tracks have keys, or need one between them. */
export const keyTimes = (tracks: readonly Track[]): Float64Array =>
  distinctTimes(new Set(tracks.flatMap(({ times, between }): ArrayLike<number>[] => [times, between])));
