import {
  BufferAttribute,
  type BufferGeometry,
  InstancedBufferGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
} from 'three';
import { PliantError } from '../../../src/error.ts';
import { type Attribute, INFLUENCES, requireAttribute, trianglesOf } from '../mesh-model.ts';

/** A mesh's geometry and the bones it follows. */
export interface Piece {
  geometry: BufferGeometry;
  /** Its first bone among those of a pose. */
  joint: number;
  /** How many there are; 0 for a mesh without skin, which follows that one. */
  joints: number;
  /** How much of each morph it shows, which is the same for the whole crowd. */
  morphs: readonly number[];
  /** Whether its node mirrors it: three.js then takes the other side of triangles for the front. */
  isMirrored: boolean;
}

/** Names of the vertex attributes that materials use: those of a skin are made. */
export const drawnAttributes = ({ attributes }: BufferGeometry): string[] =>
  Object.keys(attributes).filter((name) => name !== 'skinIndex' && name !== 'skinWeight');

/**
 * What a crowd draws of one mesh, or of several with the same attributes as one. Attributes are new, although numbers are
 * shared where they can be: three.js frees the buffers of attributes with any geometry that has them.
 */
export function crowdGeometry(pieces: readonly Piece[]): InstancedBufferGeometry {
  const out = new InstancedBufferGeometry();
  const skins = pieces.map(skinOf);
  out.setAttribute('skinIndex', new BufferAttribute(joined(skins.map(({ joints }) => joints)), INFLUENCES));
  out.setAttribute('skinWeight', new BufferAttribute(joined(skins.map(({ weights }) => weights)), INFLUENCES));
  if (pieces.length === 1) return alone(out, pieces[0]);
  for (const name of drawnAttributes(pieces[0].geometry)) {
    const parts = pieces.map((piece) => morphed(piece, name));
    out.setAttribute(name, new BufferAttribute(joined(parts.map(numbersOf)), parts[0].itemSize));
  }
  const index: number[] = [];
  let first = 0;
  for (const { geometry, isMirrored } of pieces) {
    const corners = drawnIndex(geometry);
    for (const i of isMirrored ? turned(corners) : corners) index.push(first + i);
    first += geometry.getAttribute('position').count;
  }
  out.setIndex(index);
  return out;
}

/** A geometry's own attributes, index, groups and range. */
function alone(out: InstancedBufferGeometry, piece: Piece): InstancedBufferGeometry {
  const { geometry } = piece;
  const buffers = new Map<InterleavedBuffer, InterleavedBuffer>();
  for (const name of drawnAttributes(geometry)) out.setAttribute(name, sharing(morphed(piece, name), buffers));
  if (piece.isMirrored) out.setIndex(turned(Array.from(trianglesOf(geometry))));
  else if (geometry.index) out.setIndex(sharing(geometry.index, buffers) as BufferAttribute);
  for (const { start, count, materialIndex } of geometry.groups) out.addGroup(start, count, materialIndex);
  out.setDrawRange(geometry.drawRange.start, geometry.drawRange.count);
  return out;
}

/** An attribute with the morphs of a piece in it. */
function morphed({ geometry, morphs }: Piece, name: string): Attribute {
  const given = geometry.getAttribute(name) as Attribute;
  const targets = (geometry.morphAttributes as Partial<Record<string, Attribute[]>>)[name];
  if (!targets || morphs.every((weight) => weight === 0)) return given;
  const rest = numbersOf(given);
  const out = rest.slice();
  targets.forEach((target, m) => {
    if (!morphs[m]) return;
    const moved = numbersOf(target);
    for (let c = 0; c < out.length; c++) {
      out[c] += morphs[m] * (moved[c] - (geometry.morphTargetsRelative ? 0 : rest[c]));
    }
  });
  return new BufferAttribute(out, given.itemSize);
}

/** The same numbers as an attribute of its own; `buffers`: those that the copies of interleaved ones share. */
function sharing(attribute: Attribute, buffers: Map<InterleavedBuffer, InterleavedBuffer>): Attribute {
  if ('isInterleavedBufferAttribute' in attribute) {
    const { data, itemSize, offset, normalized } = attribute;
    const buffer = buffers.get(data) ?? new InterleavedBuffer(data.array, data.stride);
    buffers.set(data, buffer);
    return new InterleavedBufferAttribute(buffer, itemSize, offset, normalized);
  }
  const { array, itemSize, normalized, gpuType } = attribute;
  const out = new BufferAttribute(array, itemSize, normalized);
  out.gpuType = gpuType;
  return out;
}

/** The influences of all vertices, by the numbers that bones have in the crowd. */
function skinOf({ geometry, joint, joints: count }: Piece): { joints: Uint16Array; weights: Float32Array } {
  const n = requireAttribute(geometry, 'position', 'SkinnedCrowd').count;
  const joints = new Uint16Array(INFLUENCES * n).fill(joint);
  const weights = new Float32Array(INFLUENCES * n);
  if (count === 0) {
    for (let i = 0; i < n; i++) weights[INFLUENCES * i] = 1;
    return { joints, weights };
  }
  const index = requireAttribute(geometry, 'skinIndex', 'SkinnedCrowd');
  const weight = requireAttribute(geometry, 'skinWeight', 'SkinnedCrowd');
  for (let i = 0; i < n; i++) {
    for (let s = 0; s < INFLUENCES; s++) {
      const j = index.getComponent(i, s);
      weights[INFLUENCES * i + s] = weight.getComponent(i, s);
      if (weights[INFLUENCES * i + s] === 0) continue;
      if (!(j < count)) {
        const cause = `vertex ${i} follows bone ${j} (expected a bone < ${count})`;
        throw new PliantError('bad-input', 'SkinnedCrowd', cause);
      }
      joints[INFLUENCES * i + s] = joint + j;
    }
  }
  return { joints, weights };
}

function joined<T extends Float32Array | Uint16Array>(parts: readonly T[]): T {
  if (parts.length === 1) return parts[0];
  const out = new (parts[0].constructor as new (length: number) => T)(
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** All numbers of an attribute, normalized ones in 0…1 or −1…1. */
function numbersOf(attribute: Attribute): Float32Array {
  const { count, itemSize } = attribute;
  return Float32Array.from({ length: count * itemSize }, (_, c) =>
    attribute.getComponent(Math.floor(c / itemSize), c % itemSize),
  );
}

/** The same triangles seen from their other side. */
function turned(corners: number[]): number[] {
  for (let c = 0; c + 2 < corners.length; c += 3) [corners[c + 1], corners[c + 2]] = [corners[c + 2], corners[c + 1]];
  return corners;
}

/** The corners of all triangles within the draw range. */
function drawnIndex({ index, attributes, drawRange: { start, count } }: BufferGeometry): number[] {
  const end = Math.min(index ? index.count : attributes.position.count, start + count);
  return Array.from({ length: Math.max(0, end - start) }, (_, c) => (index ? index.getX(start + c) : start + c));
}
