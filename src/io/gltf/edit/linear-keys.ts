import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../../../error.ts';
import { readBytes } from '../../../model/bytes.ts';
import type { GltfSource } from '../../../model/gltf-source.ts';
import { MATRIX_STRIDE } from '../../../model/skeleton.ts';
import { cubicBend } from '../../key-times.ts';
import { decodeAccessors } from '../accessors.ts';
import { pliantExtras } from '../mesh.ts';
import { type NodeTree, readNodes } from '../nodes.ts';
import { bezierOf, isPath, readTrack, sampleTrack, type Track, VALUE_TYPE } from '../tracks.ts';
import type { GltfEditor } from './editor.ts';

/**
 * Keys that every program plays alike: cubic splines become linear, and rotations that turn far get keys on their way. Blender,
 * for one, keeps the values of a spline but not its tangents, and blends quaternions by their components. Segments are divided
 * evenly, so that what a track alone moves stays within a distance.
 */

/** What became of the tracks of a file. */
export interface LinearKeys {
  tracks: number;
  keysBefore: number;
  keysAfter: number;
}

/** Keys in place of a segment, at most. */
const MOST_PARTS = 4096;

/**
 * How far normalised linear blending of unit vectors with angle α between them lags behind spherical, of α³, at most:
 * s(1 − s)(1 − 2s)/6 at s = ½ − 1/√12.
 */
const LAG = 1 / (36 * Math.sqrt(3));

/** Where the length of a quaternion on a spline is looked at, in a segment. */
const LOOKS = 8;

/** Replaces the tracks that need more keys. `tolerance` and `diagonal`: in the unit of the scene. */
export async function writeLinearKeys(
  editor: GltfEditor,
  source: GltfSource,
  { tolerance, diagonal }: { tolerance: number; diagonal: number },
  operation: string,
): Promise<LinearKeys> {
  const json = source.json as unknown as GLTF.IGLTF;
  const done: LinearKeys = { tracks: 0, keysBefore: 0, keysAfter: 0 };
  const known = tracksOf(json);
  if (known.length === 0) return done;

  // (1) The data of these tracks alone.
  const used = [...new Set(known.flatMap(({ sampler }) => [sampler.input, sampler.output]))];
  const placeOf = new Map(used.map((index, place) => [index, place]));
  const buffers = await Promise.all(source.buffers.map((bytes) => bytes && readBytes(bytes)));
  const { bufferViews } = json;
  const wanted = { asset: json.asset, bufferViews, accessors: used.map((index) => json.accessors![index]) };
  const accessors = await decodeAccessors(wanted, buffers);
  const tree = readNodes(json);
  const times = new Map<string, number>();

  // (2) Each of them anew.
  for (const { animation, index, sampler, path, nodes } of known) {
    const at = `animations[${animation}].samplers[${index}]`;
    const own = { ...sampler, input: placeOf.get(sampler.input)!, output: placeOf.get(sampler.output)! };
    const track = readTrack(own, nodes[0], path, accessors, at);
    const allowed = Math.min(...nodes.map((node) => allowedFor(path, tree, node, tolerance, diagonal)));
    const keys = keysOf(track, allowed);
    if (!keys) {
      const cause = `${at} bends too much for ${MOST_PARTS} keys per segment (expected a larger distance)`;
      throw new PliantError('bad-option', operation, cause, { option: 'linearKeys' });
    }
    if (track.interpolation === 'LINEAR' && keys.length <= track.times.length) continue;
    const { stride } = track;
    const values = new Float64Array(keys.length * stride);
    for (const [k, t] of keys.entries()) sampleTrack(track, t, values, k * stride);
    const name = keys.join();
    const input = times.get(name) ?? editor.accessor('SCALAR', keys, { rising: true });
    times.set(name, input);
    const output = editor.accessor(VALUE_TYPE[path], Float32Array.from(values));
    const changed = editor.change('animations', animation);
    const samplers = [...changed.samplers];
    samplers[index] = { ...sampler, input, output };
    if (track.interpolation !== 'LINEAR') samplers[index].interpolation = 'LINEAR';
    changed.samplers = samplers;
    if (pliantExtras(changed.extras)?.between) changed.extras = withoutBetween(changed.extras!);
    done.tracks++;
    done.keysBefore += track.times.length;
    done.keysAfter += keys.length;
  }
  return done;
}

/** Which keys were frames is no longer said: see ../../glb/frames.ts. */
function withoutBetween(extras: Record<string, unknown>): Record<string, unknown> {
  const { between: _, ...pliant } = pliantExtras(extras)!;
  return { ...extras, pliant };
}

/** The samplers of cubic splines and of rotations, of channels that we know. */
function tracksOf({ animations = [] }: GLTF.IGLTF) {
  return animations.flatMap(({ channels, samplers }, animation) => {
    const targetsOf = samplers.map((): GLTF.IAnimationChannelTarget[] => []);
    for (const { sampler, target } of channels) targetsOf[sampler].push(target);
    return samplers.flatMap((sampler, index) => {
      const targets = targetsOf[index];
      const nodes = targets.flatMap(({ node }) => (node === undefined ? [] : [node]));
      const [path, ...others] = new Set<string>(targets.map((target) => target.path));
      const isKnown = nodes.length > 0 && nodes.length === targets.length && others.length === 0 && isPath(path);
      if (!isKnown) return [];
      const { interpolation = 'LINEAR' } = sampler;
      const mayNeedKeys = interpolation === 'CUBICSPLINE' || (interpolation === 'LINEAR' && path === 'rotation');
      return mayNeedKeys ? [{ animation, index, sampler, path, nodes }] : [];
    });
  });
}

/** How far the numbers of a track may be off: nothing is farther from a node than the diagonal, nor moved farther by a morph. */
function allowedFor(path: Track['path'], tree: NodeTree, node: number, tolerance: number, diagonal: number): number {
  if (path !== 'translation') return tolerance / diagonal / (path === 'rotation' ? 2 : 1);
  const o = MATRIX_STRIDE * tree.parents[node];
  if (o < 0) return tolerance;
  const m = tree.worlds;
  return tolerance / Math.max(...[0, 1, 2].map((c) => Math.hypot(m[o + c], m[o + 4 + c], m[o + 8 + c])));
}

/** The times of keys, or undefined if there would be too many. */
function keysOf(track: Track, allowed: number): Float32Array | undefined {
  const { times } = track;
  const keys: number[] = [];
  for (let k = 0; k + 1 < times.length; k++) {
    const parts = Math.max(
      1,
      Math.ceil(track.interpolation === 'LINEAR' ? turns(track, k, allowed) : bends(track, k, allowed)),
    );
    if (!(parts <= MOST_PARTS)) return undefined;
    for (let p = 0; p < parts; p++) keys.push(times[k] + (p / parts) * (times[k + 1] - times[k]));
  }
  keys.push(times[times.length - 1]);
  // Times closer than float32 can tell are one key.
  return Float32Array.from(keys).filter((t, k, all) => k === 0 || t > all[k - 1]);
}

/** Parts of a spline. */
function bends(track: Track, k: number, allowed: number): number {
  const near = track.path === 'rotation' ? allowed * leastLength(track, k) : allowed;
  return Math.sqrt(cubicBend(bezierOf(track, k)) / near);
}

/** Parts of a rotation from key to key. */
function turns({ values }: Track, k: number, allowed: number): number {
  const [a, b] = [values.subarray(4 * k, 4 * k + 4), values.subarray(4 * k + 4, 4 * k + 8)];
  const dot = a.reduce((sum, x, c) => sum + x * b[c], 0) / (Math.hypot(...a) * Math.hypot(...b));
  return Math.acos(Math.min(1, Math.abs(dot))) * Math.cbrt(LAG / allowed);
}

/** The quaternion of a spline is shorter than 1 between its keys: once at length 1, what is off is off by more. */
function leastLength(track: Track, k: number): number {
  const raw: Track = { ...track, path: 'weights' };
  const q = new Float64Array(4);
  const lengths = Array.from({ length: LOOKS + 1 }, (_, s) => {
    sampleTrack(raw, track.times[k] + (s / LOOKS) * (track.times[k + 1] - track.times[k]), q);
    return Math.hypot(...q);
  });
  return Math.min(1, ...lengths);
}
