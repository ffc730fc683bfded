import type { GLTF } from '@gltf-transform/core';
import type { Bytes } from '../../../model/bytes.ts';
import type { MeshoptView } from '../check.ts';
import type { Piece } from '../container.ts';

/** Every buffer of a file, and what was added, in the one binary chunk of a GLB. */

/** A range of bytes of a buffer, and where it goes. */
interface Range {
  offset: number;
  length: number;
  place: number;
}

/** The names under which a view says that it is compressed. */
const MESHOPT = ['EXT_meshopt_compression', 'KHR_meshopt_compression'] as const;

/** What is read at 4-byte boundaries stays at them. */
const ALIGNMENT = 4;

/**
 * Lays out the bytes that views need. Bytes of the file are copied as they are, views that overlap stay together, and
 * where no view was `freed` whole buffers stay as they are. Buffers without bytes, which stand in for compressed data, come
 * behind the one that holds everything.
 */
export function layOutBin(
  json: GLTF.IGLTF,
  buffers: readonly (Bytes | undefined)[],
  added: ReadonlyMap<GLTF.IBufferView, Bytes>,
  freed: boolean,
): { views: GLTF.IBufferView[]; buffers: GLTF.IBuffer[]; pieces: Piece[] } {
  // (1) What each view needs of which buffer.
  const needed = buffers.map((): Range[] => []);
  const need = ({ buffer, byteOffset = 0, byteLength }: Pick<MeshoptView, 'buffer' | 'byteOffset' | 'byteLength'>) => {
    if (!buffers[buffer]) return undefined;
    const range = { offset: byteOffset, length: byteLength, place: 0 };
    needed[buffer].push(range);
    return range;
  };
  const plans = (json.bufferViews ?? []).map((view) => {
    if (added.has(view)) return { view, ranges: [] };
    const parts = [view, ...MESHOPT.map((name) => view.extensions?.[name] as MeshoptView | undefined)];
    return { view, ranges: parts.map((part) => part && need(part)) };
  });

  // (2) Where it goes.
  const pieces: Piece[] = [];
  let length = 0;
  const place = (bytes: Bytes, alignment: number): number => {
    length += (((alignment - length) % ALIGNMENT) + ALIGNMENT) % ALIGNMENT;
    pieces.push({ offset: length, bytes });
    length += bytes.length;
    return length - bytes.length;
  };
  for (const [b, bytes] of buffers.entries()) {
    if (!bytes) continue;
    for (const { from, to, ranges } of freed
      ? together(needed[b])
      : [{ from: 0, to: bytes.length, ranges: needed[b] }]) {
      const at = place(bytes.subarray(from, to), from);
      for (const range of ranges) range.place = at + range.offset - from;
    }
  }

  // (3) The views and buffers of the JSON, with their new offsets.
  const bare = buffers.flatMap((bytes, b) => (bytes ? [] : [b]));
  const moved = <T extends { buffer: number; byteOffset?: number }>(part: T, range: Range | undefined): T => {
    const buffer = range ? 0 : 1 + bare.indexOf(part.buffer);
    const byteOffset = range ? range.place : (part.byteOffset ?? 0);
    if (buffer === part.buffer && byteOffset === (part.byteOffset ?? 0)) return part;
    return { ...part, buffer, byteOffset };
  };
  const views = plans.map(({ view, ranges }) => {
    const bytes = added.get(view);
    const meshopt = view.extensions?.[MESHOPT[0]] as MeshoptView | undefined;
    if (bytes && meshopt) {
      const extensions = { ...view.extensions, [MESHOPT[0]]: { ...meshopt, byteOffset: place(bytes, 0) } };
      return { ...moved(view, undefined), extensions };
    }
    if (bytes) return { ...view, byteOffset: place(bytes, 0) };
    let out = moved(view, ranges[0]);
    for (const [m, name] of MESHOPT.entries()) {
      const part = view.extensions?.[name] as MeshoptView | undefined;
      const there = part && moved(part, ranges[m + 1]);
      if (there !== part) out = { ...out, extensions: { ...out.extensions, [name]: there } };
    }
    return out;
  });
  const { uri: _, ...first } = json.buffers?.[buffers.findIndex((bytes) => bytes)] ?? { byteLength: 0 };
  const rest = bare.map((b) => json.buffers![b]);
  return { views, buffers: length > 0 ? [{ ...first, byteLength: length }, ...rest] : rest, pieces };
}

/** Ranges in their order, those that touch or overlap together. */
function together(ranges: readonly Range[]): { from: number; to: number; ranges: Range[] }[] {
  const groups: { from: number; to: number; ranges: Range[] }[] = [];
  for (const range of [...ranges].sort((a, b) => a.offset - b.offset)) {
    const last = groups.at(-1);
    if (last && range.offset <= last.to) {
      last.to = Math.max(last.to, range.offset + range.length);
      last.ranges.push(range);
    } else groups.push({ from: range.offset, to: range.offset + range.length, ranges: [range] });
  }
  return groups;
}
