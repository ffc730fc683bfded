import { baseComplex } from '../../src/lod/images/base-complex.ts';
import type { GeometryImages } from '../../src/model/geometry-images.ts';

/** Steps along the borders of the base at these levels: what may stay unmatched, and no more. */
export function borderSteps(images: GeometryImages, levels: Uint8Array): number {
  const { beyond } = baseComplex(images.corners);
  let steps = 0;
  beyond.forEach((other, c) => {
    if (other < 0) steps += 1 << levels[Math.floor(c / 3)];
  });
  return steps;
}

/** Directed edges between positions, by the bits of their `stride` numbers, that do not cancel. */
export function unmatchedSides(triangles: Uint32Array, positions: Float32Array, stride = 3): number {
  const bits = new Uint32Array(positions.buffer);
  const ids = new Map<string, number>();
  const idOf = Uint32Array.from({ length: positions.length / stride }, (_, i) => {
    const key = bits.subarray(stride * i, stride * (i + 1)).join();
    if (!ids.has(key)) ids.set(key, ids.size);
    return ids.get(key)!;
  });
  const balance = new Map<number, number>();
  for (let c = 0; c < triangles.length; c++) {
    const a = idOf[triangles[c]];
    const b = idOf[triangles[c % 3 === 2 ? c - 2 : c + 1]];
    if (a === b) continue;
    const key = Math.min(a, b) * ids.size + Math.max(a, b);
    balance.set(key, (balance.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  let open = 0;
  for (const value of balance.values()) open += Math.abs(value);
  return open;
}
