import { invert34, multiply34, transformPoint34 } from '../../math/matrix34.ts';
import { multiplyQuaternions } from '../../math/quaternion.ts';
import { composeTrs } from '../../math/trs.ts';
import { transformMesh, transformVectors } from '../../mesh/transform-mesh.ts';
import type { Mesh, Space } from '../../model/mesh.ts';
import type { MeshSequence } from '../../model/sequence.ts';
import { boneCount, type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';

/**
 * glTF is y up and in metres. What is kept in another space is converted, not put below a node that does it: players
 * then see what any exporter would have written, bones keep scale 1, and skinned meshes stay at the root as they should.
 * With C = s·R from the model's space to glTF's, bone frames turn rigidly: world' = C·world·s⁻¹, inverseBind' =
 * s·inverseBind·C⁻¹, so that skin matrices are C·M·C⁻¹ and local poses stay translation, rotation and scale.
 */

export const GLTF_SPACE: Space = { up: 'y', metresPerUnit: 1 };

/** Quaternions x y z w that turn each axis up into y up. */
export const TO_Y_UP: Record<Space['up'], number[]> = {
  x: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  y: [0, 0, 0, 1],
  z: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2],
};

/** C. */
interface Conversion {
  /** C as 12 numbers. */
  matrix: Float64Array;
  /** R. */
  rotation: number[];
  /** s. */
  scale: number;
}

/** Undefined when there is nothing to do. */
function conversion(space: Space | undefined): Conversion | undefined {
  if (!space || (space.up === 'y' && space.metresPerUnit === 1)) return undefined;
  const scale = space.metresPerUnit;
  const rotation = TO_Y_UP[space.up];
  const matrix = new Float64Array(MATRIX_STRIDE);
  composeTrs(matrix, 0, [0, 0, 0, ...rotation, scale, scale, scale], 0);
  return { matrix, rotation, scale };
}

export function pointInGltfSpace(
  [x, y, z]: readonly [number, number, number],
  space: Space | undefined,
): [number, number, number] {
  const out: [number, number, number] = [x, y, z];
  const to = conversion(space);
  if (to) transformPoint34(out, 0, to.matrix, 0, [x, y, z], 0);
  return out;
}

export function meshInGltfSpace(mesh: Mesh): Mesh {
  const to = conversion(mesh.space);
  return to ? { ...transformMesh(mesh, to.matrix), space: GLTF_SPACE } : mesh;
}

export function sequenceInGltfSpace(sequence: MeshSequence): MeshSequence {
  const to = conversion(sequence.rest.space);
  if (!to) return sequence;
  return {
    ...sequence,
    rest: meshInGltfSpace(sequence.rest),
    async readFrame(k, out) {
      const frame = await sequence.readFrame(k, out);
      for (let i = 0; i < frame.length; i += 3) transformPoint34(frame, i, to.matrix, 0, frame, i);
      return frame;
    },
  };
}

export function modelInGltfSpace(model: SkinnedModel): SkinnedModel {
  const to = conversion(model.mesh.space);
  if (!to) return model;
  const back = new Float64Array(MATRIX_STRIDE);
  invert34(back, 0, to.matrix, 0);
  const { skeleton } = model;
  const inverseBind = new Float32Array(skeleton.inverseBind.length);
  const stretched = new Float64Array(MATRIX_STRIDE);
  for (let j = 0; j < boneCount(skeleton); j++) {
    for (let c = 0; c < MATRIX_STRIDE; c++) stretched[c] = to.scale * skeleton.inverseBind[MATRIX_STRIDE * j + c];
    multiply34(inverseBind, MATRIX_STRIDE * j, stretched, 0, back, 0);
  }
  const convertLocals = (locals: Float32Array) => localsInGltfSpace(locals, skeleton, to);
  const convertClip = (clip: Clip): Clip => {
    const transforms = new Float32Array(clip.transforms.length);
    for (let m = 0; m < transforms.length; m += MATRIX_STRIDE) {
      multiply34(transforms, m, to.matrix, 0, clip.transforms, m);
      multiply34(transforms, m, transforms, m, back, 0);
    }
    return { ...clip, transforms, locals: clip.locals && convertLocals(clip.locals) };
  };
  return {
    ...model,
    mesh: meshInGltfSpace(model.mesh),
    skeleton: { ...skeleton, inverseBind, restLocals: convertLocals(skeleton.restLocals) },
    clips: model.clips.map(convertClip),
    morphs: model.morphs?.map(({ name, positions }) => ({ name, positions: transformVectors(positions, to.matrix) })),
  };
}

/** Local poses of any number of frames: translations grow by s; roots turn as well. */
function localsInGltfSpace(locals: Float32Array, { parents }: Skeleton, to: Conversion): Float32Array {
  const out = locals.slice();
  for (let l = 0; l < out.length; l += LOCAL_STRIDE) {
    if (parents[(l / LOCAL_STRIDE) % parents.length] >= 0) {
      for (let c = l; c < l + 3; c++) out[c] *= to.scale;
    } else {
      transformPoint34(out, l, to.matrix, 0, locals, l);
      multiplyQuaternions(out, l + 3, to.rotation, 0, locals, l + 3);
    }
  }
  return out;
}
