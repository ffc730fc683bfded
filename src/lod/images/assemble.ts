import { gatherRows } from '../../math/rows.ts';
import type { GeometryImages } from '../../model/geometry-images.ts';
import { samplesPerPatch } from './base-complex.ts';
import { patchBoxes } from './boxes.ts';
import type { FittedPatches } from './fit-patches.ts';
import { type PatchLevel, packLevel, quantisation } from './pack.ts';
import type { PatchErrors } from './patch-errors.ts';
import type { Patches } from './patches.ts';
import { sampleValues } from './sample-patches.ts';

/** Images of all levels; patches whose error is within `tolerance` (in the surface's unit) get no finer levels. */
export function assembleImages(
  patches: Patches,
  levels: readonly FittedPatches[],
  errors: readonly PatchErrors[],
  tolerance: number,
): GeometryImages {
  const { surface, level: faces } = patches;
  const { mesh } = surface;
  const count = faces.faces.length;

  // (1) How fine each patch gets, and the order that follows.
  const wanted = Uint8Array.from({ length: count }, (_, p) => {
    const enough = errors.findIndex(({ max }) => max[p] <= tolerance);
    return enough < 0 ? levels.length - 1 : enough;
  });
  const order = Uint32Array.from({ length: count }, (_, p) => p).sort((a, b) => wanted[b] - wanted[a] || a - b);
  const depths = wanted.map((_, p) => wanted[order[p]]);
  const deepest = depths[0] + 1;

  // (2) The levels as they are stored.
  const data = levels.slice(0, deepest).map(({ sampled, rest, weights, normals }, d): PatchLevel => {
    const per = samplesPerPatch(d);
    const mine = order.subarray(0, depths.filter((depth) => depth >= d).length);
    return {
      of: gatherRows(sampled.of, per, mine),
      positions: rest,
      normals: gatherRows(normals, 3 * per, mine),
      ...(mesh.uvs && { uvs: gatherRows(sampleValues(patches, d, mesh.uvs, 2), 2 * per, mine) }),
      ...(weights && { joints: weights.joints, weights: weights.weights }),
    };
  });
  const scale = quantisation(data);

  // (3) Boxes around the finest that each patch has.
  const finest = order.map((_, p) => depths[p]);
  const boxes = boxesOf(patches, levels, order, finest);
  const groups = mesh.groups?.map(({ name, material }) => ({ name, ...(material !== undefined && { material }) }));
  return {
    ...(mesh.name !== undefined && { name: mesh.name }),
    corners: gatherRows(patches.base.corners, 3, order),
    depths,
    levels: data.map((level, d) => packLevel(d, level, scale)),
    ...scale,
    ...(groups && { groups, groupOf: Uint16Array.from(order, (p) => patches.groupOf[p]) }),
    errors: storedErrors(errors.slice(0, deepest), order, depths),
    boxes,
  };
}

/** P × levels, falling: a level counts for as bad as the worst that is finer. */
function storedErrors(errors: readonly PatchErrors[], order: Uint32Array, depths: Uint8Array): Float32Array {
  const out = new Float32Array(order.length * errors.length);
  order.forEach((patch, p) => {
    let worst = 0;
    for (let d = errors.length - 1; d >= 0; d--) {
      const own = errors[Math.min(d, depths[p])].max[patch];
      worst = Math.max(worst, own);
      out[p * errors.length + d] = worst;
    }
  });
  return out;
}

function boxesOf(
  { surface }: Patches,
  levels: readonly FittedPatches[],
  order: Uint32Array,
  finest: Uint8Array | Uint32Array,
): GeometryImages['boxes'] {
  const skin = surface.skin;
  const points = new Float32Array(12 * order.length);
  const joints = new Uint16Array(16 * order.length);
  const weights = new Float32Array(16 * order.length);
  levels.forEach(({ sampled, rest, weights: skinWeights }, d) => {
    const per = samplesPerPatch(d);
    const mine = [...order.keys()].filter((p) => finest[p] === d);
    const boxes = patchBoxes(
      mine.map((p) => sampled.of.subarray(order[p] * per, (order[p] + 1) * per)),
      {
        positions: rest,
        ...(skin && skinWeights && { joints: skinWeights.joints, weights: skinWeights.weights, bones: skin.bones }),
      },
    );
    mine.forEach((p, q) => {
      points.set(boxes.points.subarray(12 * q, 12 * q + 12), 12 * p);
      if (boxes.joints) joints.set(boxes.joints.subarray(16 * q, 16 * q + 16), 16 * p);
      if (boxes.weights) weights.set(boxes.weights.subarray(16 * q, 16 * q + 16), 16 * p);
    });
  });
  return { points, ...(skin && { joints, weights }) };
}
