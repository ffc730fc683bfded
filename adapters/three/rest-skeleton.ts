import { Matrix4, type Skeleton as ThreeSkeleton } from 'three';
import { matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../src/model/skeleton.ts';

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
