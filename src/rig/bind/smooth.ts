import { type Lists, meshEdges, vertexNeighbours } from '../../mesh/adjacency.ts';
import { countingWeights } from '../../model/influences.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';

/**
 * Rounds of smoothing: the weights of every point (n·D) move halfway to the mean of its neighbours. Sums stay 1. How far
 * this reaches depends on how fine the mesh is. The input is not changed.
 *
 * @param rounds for all points, or for each (n); a fraction is a smaller step in the last round.
 */
export function smoothWeights(
  weights: Float64Array,
  columns: number,
  { offsets, items }: Lists,
  rounds: number | Float64Array,
): Float64Array {
  const roundsOf = (i: number): number => (typeof rounds === 'number' ? rounds : rounds[i]);
  const most = typeof rounds === 'number' ? rounds : rounds.reduce((max, x) => Math.max(max, x), 0);
  if (most === 0) return weights;
  let now = weights.slice();
  let next = weights.slice();
  for (let round = 0; round < most; round++) {
    for (let i = 0; i + 1 < offsets.length; i++) {
      const degree = offsets[i + 1] - offsets[i];
      if (degree === 0) continue;
      const step = 0.5 * Math.min(1, Math.max(0, roundsOf(i) - round));
      for (let c = 0; c < columns; c++) {
        let sum = 0;
        for (let q = offsets[i]; q < offsets[i + 1]; q++) sum += now[items[q] * columns + c];
        next[i * columns + c] = (1 - step) * now[i * columns + c] + (step * sum) / degree;
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
