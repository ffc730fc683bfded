import { posedBy } from '../../src/lod/pose.ts';
import type { PosedSurface } from '../../src/lod/surface.ts';
import { identity34 } from '../../src/math/matrix34.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';

/** A mesh that does not move. */
export const still = (mesh: Mesh): PosedSurface => ({ mesh, poses: [mesh.positions] });

/** A model at rest and in the frames `frames` of all its clips. */
function posedSurface(model: SkinnedModel, frames: readonly number[]): PosedSurface {
  const bones = boneCount(model.skeleton);
  const poses = [identity34(bones)];
  for (const { transforms } of model.clips) {
    for (const k of frames) poses.push(transforms.slice(12 * bones * k, 12 * bones * (k + 1)));
  }
  const surface: PosedSurface = {
    mesh: model.mesh,
    poses: [],
    skin: { weights: model.weights, bones: poses },
    ...(model.morphs && { morphs: model.morphs }),
  };
  const { positions } = model.mesh;
  return {
    ...surface,
    poses: poses.map((_, p) => posedBy(surface, p, positions, model.weights, model.morphs ?? [])),
  };
}

/** The elastic tube: a uv seam along it, poles of uvs at its ends. */
export const tube = (vertices: number): PosedSurface => posedSurface(sampleTube(vertices, 5, 24), [2, 4]);
