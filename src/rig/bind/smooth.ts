import { type Lists, meshEdges, vertexNeighbours } from '../../mesh/adjacency.ts';
import { countingWeights } from '../../model/influences.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';

/**
 * Rounds of smoothing: every point's weights (n·D) move halfway to the mean of its neighbours'. Sums stay 1. How far this
 * reaches depends on how fine the mesh is. The input is not changed.
 */
export function smoothWeights(
  weights: Float64Array,
  columns: number,
  { offsets, items }: Lists,
  rounds: number,
): Float64Array {
  if (rounds === 0) return weights;
  let now = weights.slice();
  let next = weights.slice();
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i + 1 < offsets.length; i++) {
      const degree = offsets[i + 1] - offsets[i];
      if (degree === 0) continue;
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let q = offsets[i]; q < offsets[i + 1]; q++) sum += now[items[q] * columns + c];
        next[i * columns + c] = (now[i * columns + c] + sum / degree) / 2;
      }
    }
    [now, next] = [next, now];
  }
  return now;
}

/** The same for the weights of a rig with B bones, from vertex to vertex of the mesh. They may get more influences. */
export function smoothSkin(mesh: Mesh, skin: SkinWeights, bones: number, rounds: number): SkinWeights {
  const n = vertexCount(mesh);
  const dense = new Float64Array(n * bones);
  for (let s = 0; s < skin.weights.length; s++) {
    dense[Math.floor(s / skin.influences) * bones + skin.joints[s]] += skin.weights[s];
  }
  const neighbours = vertexNeighbours(meshEdges(mesh.triangles, n), n);
  return countingWeights(smoothWeights(dense, bones, neighbours, rounds), bones);
}
