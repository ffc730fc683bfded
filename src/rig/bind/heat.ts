import { PliantError } from '../../error.ts';
import { SparseCholesky } from '../../math/sparse-cholesky.ts';
import { type SparseMatrix, scaledPlusDiagonal } from '../../math/sparse-matrix.ts';
import { cotangentLaplacian } from '../../mesh/laplacian.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { assignByDistance, type NearestBones } from './nearest-bones.ts';
import { pointCount, type Surface } from './surface.ts';

/**
 * Weights as the equilibrium of heat (Baran & Popović 2007, "Automatic rigging and animation of 3D characters", §4): bone c
 * is kept at temperature 1, all others at 0, and every point takes heat from its nearest bone and from its neighbours,
 *
 *     −Δw_c + H·w_c = H·p_c,    H = k·c/d²,
 *
 * with d the distance to the nearest bone, k the number of equally near ones, p_c = 1/k for them, and H = 0 where no bone is
 * seen. With linear elements: (S + M·H)·w_c = M·H·p_c, one factorisation for all bones. Rows of w sum to 1 by themselves.
 * On a tube of radius r the other side's weight falls as ½·exp(−√c·x/r).
 */

/** Points without an area, which no triangle holds: a little of the mean, so that their own bone decides. */
const LEAST_MASS = 1e-9;
/** A point on a bone is as far as this fraction of the mean distance: hotter makes no difference. */
const LEAST_DISTANCE = 1e-4;

/**
 * n·D weights, rows ≥ 0 that sum to 1. Points that heat cannot reach go to their nearest bones, in `nearest` too; `cold` says
 * how many.
 *
 * @param distances n·D, of `boneDistances`.
 */
export async function heatWeights(
  surface: Surface,
  nearest: NearestBones,
  distances: Float64Array,
  heat: number,
  run: RunOptions,
): Promise<{ weights: Float64Array; cold: number }> {
  const n = pointCount(surface);
  const columns = distances.length / n;
  const { stiffness, mass } = cotangentLaplacian(surface.positions, surface.triangles);
  const cold = coldPoints(stiffness, nearest.distance);
  assignByDistance(nearest, distances, columns, cold);
  const floor = LEAST_MASS * (mass.reduce((sum, m) => sum + m, 0) / n || 1);

  // (1) M·H: how strongly a point is tied to its bones.
  const tie = new Float64Array(n);
  const seen = nearest.distance.filter((d) => d < Infinity);
  const leastDistance = LEAST_DISTANCE * (seen.reduce((sum, d) => sum + d, 0) / seen.length || 1);
  for (let i = 0; i < n; i++) {
    if (nearest.distance[i] === Infinity) continue;
    let bones = 0;
    for (let c = 0; c < columns; c++) if (nearest.shares[i * columns + c] > 0) bones++;
    tie[i] = (Math.max(mass[i], floor) * bones * heat) / Math.max(nearest.distance[i], leastDistance) ** 2;
  }

  // (2) One factorisation, one right-hand side per bone.
  const system = scaledPlusDiagonal(stiffness, 1, tie);
  const solver = new SparseCholesky(system);
  await checkpoint(run, 'bind', 0, columns, 'diffusing heat');
  if (!solver.factor(system)) throw new PliantError('internal', 'bind', 'heat: the system is not positive definite');
  const out = new Float64Array(n * columns);
  const right = new Float64Array(n);
  for (let c = 0; c < columns; c++) {
    await checkpoint(run, 'bind', c, columns, 'diffusing heat');
    let any = false;
    for (let i = 0; i < n; i++) {
      right[i] = tie[i] * nearest.shares[i * columns + c];
      any ||= right[i] > 0;
    }
    if (!any) continue;
    solver.solve(right, right);
    // Obtuse triangles have negative cotangents: where they let a weight fall below 0, it is 0.
    for (let i = 0; i < n; i++) out[i * columns + c] = Math.max(0, right[i]);
  }
  for (let row = 0; row < out.length; row += columns) {
    let sum = 0;
    for (let c = 0; c < columns; c++) sum += out[row + c];
    for (let c = 0; c < columns; c++) out[row + c] /= sum;
  }
  return { weights: out, cold: cold.length };
}

/** Points that no chain of triangles with an area joins to one that sees a bone: no heat would reach them. */
function coldPoints({ offsets, columns, values }: SparseMatrix, distance: Float64Array): number[] {
  const warm = Uint8Array.from(distance, (d) => (d < Infinity ? 1 : 0));
  const queue = Array.from(warm.keys()).filter((i) => warm[i]);
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (let q = offsets[next]; q < offsets[next + 1]; q++) {
      if (values[q] === 0 || warm[columns[q]]) continue;
      warm[columns[q]] = 1;
      queue.push(columns[q]);
    }
  }
  return Array.from(warm.keys()).filter((i) => !warm[i]);
}
