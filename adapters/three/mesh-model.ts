import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute, Matrix4 } from 'three';
import { PliantError } from '../../src/error.ts';
import { transformPoint34 } from '../../src/math/matrix34.ts';
import type { Skeleton } from '../../src/model/skeleton.ts';
import type { Morph, SkinnedModel, SkinWeights } from '../../src/model/skinned-model.ts';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** Influences per vertex in three.js. */
export const INFLUENCES = 4;

/** The geometry of a skinned mesh as a model of the library; `toSpace` takes its vertices to where bones are blended. */
export function modelOf(geometry: BufferGeometry, skeleton: Skeleton, toSpace: Matrix4): SkinnedModel {
  const position = requireAttribute(geometry, 'position');
  const n = position.count;
  const matrix = rowsOf(toSpace);
  const positions = vectorsOf(position);
  const morphs = (geometry.morphAttributes.position ?? []).map((target, m): Morph => {
    const moved = vectorsOf(target);
    if (!geometry.morphTargetsRelative) for (let c = 0; c < moved.length; c++) moved[c] -= positions[c];
    return { name: `${m}`, positions: transformAll(moved, withoutShift(matrix)) };
  });
  const mix = geometry.getAttribute('_mix');
  return {
    name: geometry.name,
    mesh: { positions: transformAll(positions, matrix), triangles: trianglesOf(geometry) },
    weights: weightsOf(geometry, skeleton.parents.length),
    skeleton,
    clips: [],
    operator: 'lbs',
    mixWeights: mix && Float32Array.from({ length: n }, (_, i) => mix.getX(i)),
    morphs,
  };
}

/** 3F: all triangles, whatever the draw range. */
export function trianglesOf(geometry: BufferGeometry): Uint32Array {
  const { index } = geometry;
  const count = index ? index.count : geometry.getAttribute('position').count;
  return Uint32Array.from({ length: count - (count % 3) }, (_, c) => (index ? index.getX(c) : c));
}

/** The influences of all vertices, sorted and of sum 1; a vertex without any follows its first bone. */
function weightsOf(geometry: BufferGeometry, bones: number): SkinWeights {
  const skinIndex = requireAttribute(geometry, 'skinIndex');
  const skinWeight = requireAttribute(geometry, 'skinWeight');
  const n = skinIndex.count;
  const joints = new Uint16Array(INFLUENCES * n);
  const weights = new Float32Array(INFLUENCES * n);
  for (let i = 0; i < n; i++) {
    const slots = sortedInfluences(skinIndex, skinWeight, i);
    for (let s = 0; s < INFLUENCES; s++) {
      const { joint, weight } = slots[s];
      if (!(weight >= 0 && joint < bones)) {
        const cause = `vertex ${i} follows bone ${joint} by ${weight} (expected a bone < ${bones} and a weight ≥ 0)`;
        throw new PliantError('bad-input', 'useSkinning', cause);
      }
      joints[INFLUENCES * i + s] = joint;
      weights[INFLUENCES * i + s] = weight;
    }
  }
  return { influences: INFLUENCES, joints, weights };
}

/** The four influences of vertex i, the heaviest first, with weights of sum 1. */
export function sortedInfluences(
  skinIndex: Attribute,
  skinWeight: Attribute,
  i: number,
): { joint: number; weight: number }[] {
  const slots = [
    { joint: skinIndex.getX(i), weight: skinWeight.getX(i) },
    { joint: skinIndex.getY(i), weight: skinWeight.getY(i) },
    { joint: skinIndex.getZ(i), weight: skinWeight.getZ(i) },
    { joint: skinIndex.getW(i), weight: skinWeight.getW(i) },
  ];
  const sum = slots.reduce((total, { weight }) => total + weight, 0);
  if (sum > 0) for (const slot of slots) slot.weight /= sum;
  else slots[0].weight = 1;
  // Sorting is stable, as the shader's choice of the heaviest is.
  slots.sort((a, b) => b.weight - a.weight);
  for (const slot of slots) if (slot.weight === 0) slot.joint = 0;
  return slots;
}

export function requireAttribute(geometry: BufferGeometry, name: string): Attribute {
  const attribute = geometry.getAttribute(name) as Attribute | undefined;
  if (attribute) return attribute;
  throw new PliantError('bad-input', 'useSkinning', `the geometry has no attribute "${name}"`);
}

/** 3N numbers of an attribute, normalized ones in 0…1 or −1…1. */
function vectorsOf(attribute: Attribute): Float32Array {
  const out = new Float32Array(3 * attribute.count);
  for (let i = 0; i < attribute.count; i++) {
    out[3 * i] = attribute.getX(i);
    out[3 * i + 1] = attribute.getY(i);
    out[3 * i + 2] = attribute.getZ(i);
  }
  return out;
}

const rowsOf = ({ elements: e }: Matrix4): number[] => [
  ...[e[0], e[4], e[8], e[12]],
  ...[e[1], e[5], e[9], e[13]],
  ...[e[2], e[6], e[10], e[14]],
];

const withoutShift = (m: readonly number[]): number[] => m.map((x, c) => (c % 4 === 3 ? 0 : x));

/** Moves all points of an array by a 3 × 4 matrix, in place. */
export function transformAll(points: Float32Array, matrix: ArrayLike<number>): Float32Array {
  const m = Float64Array.from(matrix);
  for (let i = 0; i < points.length; i += 3) transformPoint34(points, i, m, 0, points, i);
  return points;
}
