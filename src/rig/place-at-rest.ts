import { invert34, multiply34 } from '../math/matrix34.ts';
import { transformMesh, transformVectors } from '../mesh/transform-mesh.ts';
import type { Mesh } from '../model/mesh.ts';
import { boneCount, type Clip, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { ModelOrigin, SkinnedModel } from '../model/skinned-model.ts';
import { BonePose } from '../skin/bones.ts';
import { restClip } from '../skin/poses.ts';

/**
 * Some rigs keep their mesh mirrored, or in another unit, and let every bone make up for it, so that all bones scale or
 * mirror all the time. Operators that know rigid motions only, and the stretches of those that know more, need the mesh
 * as it stands in the scene: it is moved by G, the matrix at rest of the bone with the most weight, and the bones undo
 * it, (C·G⁻¹)·(G·v) = C·v. Every pose stays the same.
 */
export interface Placed {
  model: SkinnedModel;
  /** A clip of the given model's skeleton, on the placed one. */
  place(clip: Clip): Clip;
}

/** How far G may be from a rigid motion before the mesh is moved. */
const RIGID = 1e-3;

export function placeAtRest(model: SkinnedModel): Placed {
  const { skeleton, weights } = model;
  const totals = new Float64Array(boneCount(skeleton));
  for (let s = 0; s < weights.joints.length; s++) totals[weights.joints[s]] += weights.weights[s];
  const heaviest = totals.reduce((best, total, j) => (total > totals[best] ? j : best), 0);
  const rest = new BonePose(skeleton);
  rest.set(restClip(skeleton, 'rest').transforms);
  const g = rest.matrices.slice(MATRIX_STRIDE * heaviest, MATRIX_STRIDE * (heaviest + 1));
  const undo = new Float64Array(MATRIX_STRIDE);
  const stretch = stretchOf(rest.stretches, MATRIX_STRIDE * heaviest);
  if (stretch <= RIGID || !invert34(undo, 0, g, 0)) return { model, place: (clip) => clip };

  const undone = (matrices: Float32Array): Float32Array => {
    const out = matrices.slice();
    for (let m = 0; m < out.length; m += MATRIX_STRIDE) {
      multiply34(out, m, matrices, m, undo, 0);
    }
    return out;
  };
  const place = (clip: Clip): Clip => ({ ...clip, transforms: undone(clip.transforms) });
  const mesh = transformMesh(model.mesh, g);
  const placed: SkinnedModel = {
    ...model,
    mesh,
    origin: model.origin && movedOrigin(model.origin, mesh, g),
    skeleton: { ...skeleton, inverseBind: undone(skeleton.inverseBind) },
    clips: model.clips.map(place),
    ...(model.morphs && {
      morphs: model.morphs.map(({ name, positions }) => ({ name, positions: transformVectors(positions, g) })),
    }),
  };
  return { model: placed, place };
}

/** The file still has the mesh as it was. */
function movedOrigin(origin: ModelOrigin, mesh: Mesh, g: Float64Array): ModelOrigin {
  const place = g.slice();
  if (origin.place) multiply34(place, 0, g, 0, origin.place, 0);
  return { ...origin, place, read: { ...origin.read, mesh } };
}

/** The largest entry of S − 1. */
export function stretchOf(s: Float64Array, o: number): number {
  let most = 0;
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(s[o + 4 * r + c] - (r === c ? 1 : 0)));
  }
  return most;
}
