import {
  type BufferAttribute,
  type BufferGeometry,
  type InterleavedBufferAttribute,
  Matrix4,
  type Skeleton as ThreeSkeleton,
} from 'three';
import { PliantError } from '../../src/error.ts';
import { matrix34FromColumnMajor44, transformPoint34 } from '../../src/math/matrix34.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../src/model/skeleton.ts';
import type { Morph, SkinnedModel, SkinWeights } from '../../src/model/skinned-model.ts';

export type Attribute = BufferAttribute | InterleavedBufferAttribute;

/** Influences per vertex in three.js. */
export const INFLUENCES = 4;

/** The geometry of a skinned mesh as a model of the library; `toSpace` takes its vertices to where bones are blended. */
export function modelOf(geometry: BufferGeometry, skeleton: Skeleton, toSpace: Matrix4): SkinnedModel {
  const position = requireAttribute(geometry, 'position');
  const n = position.count;
  const matrix = new Float64Array(12);
  matrix34FromColumnMajor44(matrix, 0, toSpace.elements);
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

/** A skeleton of three.js as free joints, for meshes bound by the matrix `bind`. */
export function restSkeleton({ bones, boneInverses }: ThreeSkeleton, bind: Matrix4): Skeleton {
  const b = bones.length;
  const restLocals = new Float32Array(LOCAL_STRIDE * b);
  const inverseBind = new Float32Array(MATRIX_STRIDE * b);
  const product = new Matrix4();
  for (let j = 0; j < b; j++) {
    restLocals.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * j);
    matrix34FromColumnMajor44(inverseBind, MATRIX_STRIDE * j, product.multiplyMatrices(boneInverses[j], bind).elements);
  }
  return {
    names: bones.map((bone, j) => bone?.name ?? `${j}`),
    parents: new Int32Array(b).fill(-1),
    restLocals,
    inverseBind,
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
    readInfluences(joints, weights, INFLUENCES * i, skinIndex, skinWeight, i);
    for (let s = INFLUENCES * i; s < INFLUENCES * (i + 1); s++) {
      if (weights[s] >= 0 && joints[s] < bones) continue;
      const cause = `vertex ${i} follows bone ${joints[s]} by ${weights[s]} (expected a bone < ${bones}, a weight ≥ 0)`;
      throw new PliantError('bad-input', 'useSkinning', cause);
    }
  }
  return { influences: INFLUENCES, joints, weights };
}

/**
 * Writes the influences of vertex i at `o`: the heaviest first, weights of sum 1, unused slots bone 0. Those of the same
 * weight stay in order, as in the shader's choice of the heaviest.
 */
export function readInfluences(
  joints: Uint16Array,
  weights: Float32Array | Float64Array,
  o: number,
  skinIndex: Attribute,
  skinWeight: Attribute,
  i: number,
): void {
  const w0 = skinWeight.getX(i);
  const w1 = skinWeight.getY(i);
  const w2 = skinWeight.getZ(i);
  const w3 = skinWeight.getW(i);
  const sum = w0 + w1 + w2 + w3;
  const scale = sum > 0 ? 1 / sum : 0;
  insert(0, skinIndex.getX(i), sum > 0 ? w0 * scale : 1);
  insert(1, skinIndex.getY(i), w1 * scale);
  insert(2, skinIndex.getZ(i), w2 * scale);
  insert(3, skinIndex.getW(i), w3 * scale);

  function insert(slot: number, joint: number, weight: number): void {
    let to = o + slot;
    for (; to > o && weights[to - 1] < weight; to--) {
      weights[to] = weights[to - 1];
      joints[to] = joints[to - 1];
    }
    weights[to] = weight;
    joints[to] = weight === 0 ? 0 : joint;
  }
}

export function requireAttribute(geometry: BufferGeometry, name: string, operation = 'useSkinning'): Attribute {
  const attribute = geometry.getAttribute(name) as Attribute | undefined;
  if (attribute) return attribute;
  throw new PliantError('bad-input', operation, `the geometry has no attribute "${name}"`);
}

/** 3N numbers of an attribute, normalized ones in 0…1 or −1…1. */
export function vectorsOf(attribute: Attribute): Float32Array {
  const out = new Float32Array(3 * attribute.count);
  for (let i = 0; i < attribute.count; i++) {
    out[3 * i] = attribute.getX(i);
    out[3 * i + 1] = attribute.getY(i);
    out[3 * i + 2] = attribute.getZ(i);
  }
  return out;
}

const withoutShift = (m: Float64Array): Float64Array => m.map((x, c) => (c % 4 === 3 ? 0 : x));

/** Moves all points of an array by a 3 × 4 matrix, in place. */
export function transformAll(points: Float32Array, matrix: Float64Array): Float32Array {
  for (let i = 0; i < points.length; i += 3) transformPoint34(points, i, matrix, 0, points, i);
  return points;
}
