import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  type Material,
  Matrix4,
  MeshStandardMaterial,
  Skeleton,
  SkinnedMesh,
} from 'three';
import { columnMajor44From34, invert34 } from '../src/math/matrix34.ts';
import { splitVertexCount } from '../src/model/mesh.ts';
import { boneCount, MATRIX_STRIDE } from '../src/model/skeleton.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';

/** A model as three.js would have it after loading: its bones are children of the mesh, one level deep. */
export interface ThreeModel {
  mesh: SkinnedMesh;
  /** Moves the bones to 12B transforms, rest → pose, in the space of the mesh. */
  pose(transforms: Float32Array): void;
}

export function threeModel(model: SkinnedModel, material: Material = new MeshStandardMaterial()): ThreeModel {
  const { mesh, weights, skeleton, morphs = [] } = model;
  const w = splitVertexCount(mesh);
  const vertexOf = mesh.seams?.vertexOf ?? Uint32Array.from({ length: w }, (_, i) => i);
  const spread = (from: ArrayLike<number>, stride: number, wide = stride, Type: typeof Float32Array = Float32Array) => {
    const out = new Type(wide * w);
    for (let v = 0; v < w; v++) for (let c = 0; c < stride; c++) out[wide * v + c] = from[stride * vertexOf[v] + c];
    return new BufferAttribute(out, wide);
  };
  if (weights.influences > 4) throw new Error('three.js has four influences');
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', spread(mesh.positions, 3));
  if (mesh.normals) geometry.setAttribute('normal', new BufferAttribute(mesh.normals, 3));
  if (mesh.uvs) geometry.setAttribute('uv', new BufferAttribute(mesh.uvs, 2));
  geometry.setAttribute('skinIndex', spread(weights.joints, weights.influences, 4));
  geometry.setAttribute('skinWeight', spread(weights.weights, weights.influences, 4));
  if (model.mixWeights) geometry.setAttribute('_mix', spread(model.mixWeights, 1));
  geometry.setIndex(new BufferAttribute(mesh.seams?.triangles ?? mesh.triangles, 1));
  geometry.morphTargetsRelative = true;
  if (morphs.length > 0) geometry.morphAttributes.position = morphs.map(({ positions }) => spread(positions, 3));

  const out = new SkinnedMesh(geometry, material);
  const b = boneCount(skeleton);
  const bones = Array.from({ length: b }, (_, j) => {
    const bone = new Bone();
    bone.name = skeleton.names[j];
    bone.matrixAutoUpdate = false;
    return bone;
  });
  out.add(...bones);
  const inverses = bones.map((_, j) => matrixFrom(skeleton.inverseBind, j));
  out.bind(new Skeleton(bones, inverses), new Matrix4());

  const binds = bones.map((_, j) => {
    const bind = new Float64Array(MATRIX_STRIDE);
    if (!invert34(bind, 0, skeleton.inverseBind, MATRIX_STRIDE * j)) throw new Error(`bone ${j} has no inverse`);
    return matrixFrom(bind, 0);
  });
  const pose = (transforms: Float32Array) => {
    bones.forEach((bone, j) => {
      bone.matrix.copy(matrixFrom(transforms, j)).multiply(binds[j]);
      bone.matrixWorldNeedsUpdate = true;
    });
    out.updateMatrixWorld(true);
  };
  return { mesh: out, pose };
}

const matrixFrom = (m: ArrayLike<number>, j: number): Matrix4 => {
  const out = new Matrix4();
  columnMajor44From34(out.elements, 0, m, MATRIX_STRIDE * j);
  return out;
};
