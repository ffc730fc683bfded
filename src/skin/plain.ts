import { cofactors34, determinant34, transformPoint34 } from '../math/matrix34.ts';
import { vertexCount } from '../model/mesh.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel, SkinOperator } from '../model/skinned-model.ts';
import { BonePose } from './bones.ts';
import {
  type Blend,
  blendDualQuaternions,
  blendIterative,
  blendLinear,
  blendMix,
  blendRigid,
  blendScaledDualQuaternions,
} from './operators.ts';

/**
 * Skinning as the equations say it, vertex by vertex in double precision: v' = Φ·v, and normals by the inverse transpose
 * of Φ (Kavan 2009, §3). Slow and obvious; the kernels are measured against it.
 */

const BLENDS: Record<Exclude<SkinOperator, 'mix'>, Blend> = {
  rigid: blendRigid,
  lbs: blendLinear,
  dqs: blendDualQuaternions,
  sdqs: blendScaledDualQuaternions,
  dib: blendIterative,
};

/** Options of `skinPlain`. */
export interface PlainOptions {
  /** The model's own when absent. */
  operator?: SkinOperator;
  /** Whether dual quaternions are blended along the shorter way; on when absent. */
  antipodality?: boolean;
  /** B: signs of the dual quaternions, where the way matters. */
  signs?: Int8Array;
  /** M: move the rest positions first; normals are those of the rest pose. */
  morphWeights?: Float32Array;
}

/** Poses a model by 12B transforms: 3N positions and, where the mesh has normals, 3W unit normals. */
export function skinPlain(
  model: SkinnedModel,
  transforms: Float32Array,
  { operator = model.operator, antipodality = true, signs, morphWeights }: PlainOptions = {},
): { positions: Float64Array; normals?: Float64Array } {
  const { mesh, weights } = model;
  const bones = new BonePose(model.skeleton);
  bones.set(transforms, signs);

  // Φ of every vertex, 12N.
  const n = vertexCount(mesh);
  const phi = new Float64Array(MATRIX_STRIDE * n);
  for (let i = 0; i < n; i++) {
    const at = {
      joints: weights.joints,
      weights: weights.weights,
      start: i * weights.influences,
      k: weights.influences,
    };
    const out = phi.subarray(MATRIX_STRIDE * i, MATRIX_STRIDE * (i + 1));
    if (operator === 'mix') blendMix(out, at, bones, antipodality, model.mixWeights![i]);
    else BLENDS[operator](out, at, bones, antipodality);
  }

  const positions = new Float64Array(3 * n);
  const rest = Float64Array.from(mesh.positions);
  morphWeights?.forEach((weight, m) => {
    const displacements = model.morphs![m].positions;
    for (let c = 0; c < rest.length; c++) rest[c] += weight * displacements[c];
  });
  for (let i = 0; i < n; i++) transformPoint34(positions, 3 * i, phi, MATRIX_STRIDE * i, rest, 3 * i);
  if (!mesh.normals) return { positions };

  const normals = Float64Array.from(mesh.normals);
  for (let w = 0; w < normals.length / 3; w++) {
    poseNormal(normals, 3 * w, phi, MATRIX_STRIDE * (mesh.seams ? mesh.seams.vertexOf[w] : w));
  }
  return { positions, normals };
}

const cofactors = new Float64Array(9);

/**
 * Replaces the normal at o by Φ⁻ᵀ·n at length 1. The inverse transpose is the matrix of cofactors over the determinant,
 * of which only the sign matters: a mirrored blend turns normals with the surface. The cofactors exist where the inverse
 * does not: a blend that flattens to a plane gets the plane's normal, and one that flattens to a line or a point keeps
 * the rest normal.
 */
function poseNormal(n: Float64Array, o: number, m: Float64Array, mi: number): void {
  const [x, y, z] = [n[o], n[o + 1], n[o + 2]];
  const sign = determinant34(m, mi) < 0 ? -1 : 1;
  cofactors34(cofactors, m, mi);
  const posed = [0, 3, 6].map((r) => sign * (cofactors[r] * x + cofactors[r + 1] * y + cofactors[r + 2] * z));
  const length = Math.hypot(...posed);
  if (length > 0 && Number.isFinite(length)) for (let c = 0; c < 3; c++) n[o + c] = posed[c] / length;
}
