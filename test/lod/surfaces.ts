import { posedBy } from '../../src/lod/pose.ts';
import type { PosedSurface } from '../../src/lod/surface.ts';
import { identity34 } from '../../src/math/matrix34.ts';
import { gatherRows } from '../../src/math/rows.ts';
import { weldVertices } from '../../src/mesh/seams.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { torus } from '../mesh/shapes.ts';

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
    poses: poses.map((_, p) => Float32Array.from(posedBy(surface, p, positions, model.weights, model.morphs ?? []))),
  };
}

/** The elastic tube: a uv seam along it, poles of uvs at its ends. */
export const tube = (vertices: number): PosedSurface => posedSurface(sampleTube(vertices, 5, 24), [2, 4]);

/** Squares of the atlas of `patchwork`, along its side. */
export const ATLAS = 9;

/** A torus cut into 72 charts of four squares each, which have their places in an atlas of 9 × 9. */
export function patchwork(): PosedSurface {
  const [around, across] = [24, 12];
  const mesh = torus(around, across);
  const uvs: number[] = [];
  // A quad is two triangles: corners (a, b), (a + 1, b), (a + 1, b + 1), and (a, b), (a + 1, b + 1), (a, b + 1).
  for (let q = 0; q < around * across; q++) {
    const [a, b] = [Math.floor(q / across), q % across];
    const chart = Math.floor(a / 2) * (across / 2) + Math.floor(b / 2);
    for (const [u, v] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
      [1, 1],
      [0, 1],
    ]) {
      const [x, y] = [chart % ATLAS, Math.floor(chart / ATLAS)];
      uvs.push((x + 0.25 + ((a % 2) + u) / 4) / ATLAS, (y + 0.25 + ((b % 2) + v) / 4) / ATLAS);
    }
  }
  const corners = Uint32Array.from(mesh.triangles.keys());
  const { mesh: welded } = weldVertices({
    positions: gatherRows(mesh.positions, 3, mesh.triangles),
    triangles: corners,
    uvs: Float32Array.from(uvs),
  });
  return still(welded);
}
