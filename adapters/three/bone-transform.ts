import { Matrix4, type SkinnedMesh, Vector3, type Vector4 } from 'three';
import { BLENDS } from '../../src/skin/blend-bones.ts';
import { blendLinear, blendMix } from '../../src/skin/operators.ts';
import { INFLUENCES, readInfluences, requireAttribute } from './mesh-model.ts';
import type { BonePalette } from './palette.ts';
import type { ThreeOperator } from './shader.ts';
import { matrix4From34 } from './world.ts';

const phi = new Float64Array(12);
const matrix = new Matrix4();
const toMesh = new Matrix4();
const fromMesh = new Matrix4();
const point = new Vector3();
const at = { joints: new Uint16Array(INFLUENCES), weights: new Float64Array(INFLUENCES), start: 0, k: INFLUENCES };

/**
 * `SkinnedMesh.applyBoneTransform` by another operator, one vertex at a time: what three.js itself calls when it computes
 * bounds or casts rays.
 */
export function boneTransform(
  mesh: SkinnedMesh,
  skinning: { operator: ThreeOperator; antipodality: boolean; palette: BonePalette },
): SkinnedMesh['applyBoneTransform'] {
  const { operator, antipodality } = skinning;
  return <T extends Vector3 | Vector4>(i: number, target: T): T => {
    const { geometry } = mesh;
    const { space } = skinning.palette;
    space.refresh();
    const { skinIndex, skinWeight } = geometry.attributes;
    readInfluences(at.joints, at.weights, 0, skinIndex, skinWeight, i);
    if (operator === 'mix') {
      blendMix(phi, at, space.bones, antipodality, requireAttribute(geometry, '_mix').getX(i));
    } else {
      const blend = operator === 'lbs' ? blendLinear : BLENDS[operator];
      blend(phi, at, space.bones, antipodality);
    }
    matrix4From34(matrix, phi).premultiply(space.toMesh(toMesh, mesh)).multiply(space.fromMesh(fromMesh, mesh));
    // A point in four numbers keeps its fourth, as three.js has it.
    point.set(target.x, target.y, target.z).applyMatrix4(matrix);
    target.x = point.x;
    target.y = point.y;
    target.z = point.z;
    return target;
  };
}
