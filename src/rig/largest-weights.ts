import type { SkinWeights } from '../model/skinned-model.ts';

/**
 * The k largest of B weights per vertex (N·B, ≥ 0, at least one > 0), sorted and scaled to a sum of 1. Of equal weights
 * the bone that comes first wins.
 */
export function largestWeights(dense: Float64Array, bones: number, influences: number): SkinWeights {
  const n = dense.length / bones;
  const joints = new Uint16Array(n * influences);
  const weights = new Float32Array(n * influences);
  for (let i = 0; i < n; i++) {
    const row = dense.subarray(i * bones, (i + 1) * bones);
    const order = Array.from(row.keys()).sort((a, b) => row[b] - row[a] || a - b);
    const kept = order.slice(0, influences).filter((j) => row[j] > 0);
    const sum = kept.reduce((total, j) => total + row[j], 0);
    kept.forEach((j, s) => {
      joints[i * influences + s] = j;
      weights[i * influences + s] = row[j] / sum;
    });
  }
  return { influences, joints, weights };
}
