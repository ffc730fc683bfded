import type { GLTF } from '@gltf-transform/core';
import { binOf, jsonOf } from './glb-file.ts';
import type { Player } from './player.ts';

/** A time of a clip, on a key or half-way between two. */
export interface Moment {
  clip: number;
  time: number;
  onKey: boolean;
}

/** Where players are compared: about so many keys of every clip, and half-way from each to the next. Keys are plain floats. */
export function momentsOf(glb: Uint8Array, keys = 5): Moment[] {
  const json = jsonOf(glb);
  return (json.animations ?? []).flatMap((animation, clip) => {
    const times = keyTimes(json, binOf(glb), animation);
    const step = Math.max(1, (times.length - 1) / (keys - 1));
    const taken = new Set(Array.from({ length: Math.min(keys, times.length) }, (_, k) => Math.round(k * step)));
    return [...taken].flatMap((k) => [
      { clip, time: times[k], onKey: true },
      ...(k + 1 < times.length ? [{ clip, time: (times[k] + times[k + 1]) / 2, onKey: false }] : []),
    ]);
  });
}

/** The times of all tracks of an animation. */
function keyTimes(json: GLTF.IGLTF, bin: Uint8Array, { samplers }: GLTF.IAnimation): number[] {
  const times = samplers.flatMap(({ input }) => {
    const { bufferView, byteOffset = 0, count } = json.accessors![input];
    const { byteOffset: start = 0 } = json.bufferViews![bufferView!];
    const at = start + byteOffset;
    return [...new Float32Array(bin.slice(at, at + 4 * count).buffer)];
  });
  return [...new Set(times)].sort((a, b) => a - b);
}

/** The largest distance of a player's vertices from those of another, in % of the diagonal of the scene at rest. */
export interface PlayerErrors {
  atKeys: number;
  between: number;
}

/** How far `player` is from `expected`. Other nodes, or other numbers of vertices, are infinitely far. */
export async function comparePlayers(
  player: Player,
  expected: Player,
  moments: readonly Moment[],
): Promise<PlayerErrors> {
  const errors: PlayerErrors = { atKeys: 0, between: 0 };
  const rest = await expected.positions();
  const diagonal = diagonalOf([...rest.values()]);
  const add = (onKey: boolean, distance: number) => {
    const name = onKey ? 'atKeys' : 'between';
    errors[name] = Math.max(errors[name], (100 * distance) / diagonal);
  };
  const { unused } = player;
  add(true, farthest(await player.positions(), rest, unused));
  for (const { clip, time, onKey } of moments) {
    add(onKey, farthest(await player.positions(clip, time), await expected.positions(clip, time), unused));
  }
  return errors;
}

type Positions = Map<number, Float32Array>;

function farthest(found: Positions, expected: Positions, unused: Player['unused']): number {
  if (found.size !== expected.size) return Number.POSITIVE_INFINITY;
  let farthest = 0;
  for (const [node, b] of expected) {
    const a = found.get(node);
    if (a?.length !== b.length) return Number.POSITIVE_INFINITY;
    for (let i = 0; i < b.length / 3; i++) {
      if (unused?.get(node)?.has(i)) continue;
      const at = 3 * i;
      const distance = Math.hypot(a[at] - b[at], a[at + 1] - b[at + 1], a[at + 2] - b[at + 2]);
      farthest = Math.max(farthest, Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance);
    }
  }
  return farthest;
}

function diagonalOf(parts: readonly Float32Array[]): number {
  const [low, high] = [Array(3).fill(Number.POSITIVE_INFINITY), Array(3).fill(Number.NEGATIVE_INFINITY)];
  for (const part of parts) {
    for (const [c, x] of part.entries()) {
      low[c % 3] = Math.min(low[c % 3], x);
      high[c % 3] = Math.max(high[c % 3], x);
    }
  }
  return Math.hypot(...high.map((x, c) => x - low[c]));
}
