import { squaredDifference } from '../../math/dense.ts';
import { kMeans } from '../../math/kmeans.ts';

/**
 * Examples of a motion (Feng 2010, §3.6): k-means on the dihedral angles, and of each cluster the pose nearest to its centre.
 *
 * @param angles P × H.
 * @returns the chosen rows, rising.
 */
export function chooseExamples(angles: Float64Array, h: number, wanted: number, seed: number): number[] {
  const p = angles.length / h;
  if (wanted >= p) return Array.from({ length: p }, (_, k) => k);
  const { count, centres, clusterOf } = kMeans(angles, h, wanted, { seed, maxIterations: 30 });
  const nearest = new Int32Array(count).fill(-1);
  const least = new Float64Array(count).fill(Infinity);
  for (let k = 0; k < p; k++) {
    const c = clusterOf[k];
    const d = squaredDifference(angles.subarray(k * h, (k + 1) * h), centres.subarray(c * h, (c + 1) * h));
    if (d >= least[c]) continue;
    least[c] = d;
    nearest[c] = k;
  }
  return [...nearest].sort((a, b) => a - b);
}
