import { gatherRows } from '../../math/rows.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';

/** About `wanted` of the given vertices, at even steps. */
export function evenlyChosen(vertices: Uint32Array, wanted: number): Uint32Array {
  const stride = Math.max(1, Math.floor(vertices.length / wanted));
  return vertices.filter((_, a) => a % stride === 0);
}

/** A model of some of its vertices, without faces and clips. */
export function withVertices(model: SkinnedModel, chosen: Uint32Array): SkinnedModel {
  const { influences, joints, weights } = model.weights;
  return {
    name: model.name,
    mesh: { positions: gatherRows(model.mesh.positions, 3, chosen), triangles: new Uint32Array(0) },
    weights: {
      influences,
      joints: gatherRows(joints, influences, chosen),
      weights: gatherRows(weights, influences, chosen),
    },
    skeleton: model.skeleton,
    clips: [],
    operator: model.operator,
    ...(model.blendBones && { blendBones: model.blendBones }),
    ...(model.morphs && {
      morphs: model.morphs.map(({ name, positions }) => ({ name, positions: gatherRows(positions, 3, chosen) })),
    }),
  };
}
