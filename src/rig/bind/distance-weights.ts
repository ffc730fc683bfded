/**
 * Weights from distances. The lecture on geometric surface deformation, "Skinning weights": α_j = d_j⁻¹ / Σ d⁻¹, where
 * bones whose 1/d is not above ε are left out. Two departures: the power of 1/d is free, since 1 lets every bone pull
 * at every vertex; and the threshold is relative to the nearest bone and subtracted, so that weights neither depend on
 * the unit nor jump where a bone drops out.
 */

/** n·D weights, rows that sum to 1, from n·D distances ≥ 0, at least one of each row finite. */
export function inverseDistanceWeights(
  distances: Float64Array,
  columns: number,
  exponent: number,
  cutoff: number,
): Float64Array {
  const out = new Float64Array(distances.length);
  for (let row = 0; row < out.length; row += columns) {
    let least = Infinity;
    for (let c = 0; c < columns; c++) least = Math.min(least, distances[row + c]);
    let sum = 0;
    for (let c = 0; c < columns; c++) {
      // 1 for the nearest bone; a vertex that lies on bones belongs to them alone.
      const share = distances[row + c] === least ? 1 : (least / distances[row + c]) ** exponent;
      out[row + c] = Math.max(0, share - cutoff);
      sum += out[row + c];
    }
    for (let c = 0; c < columns; c++) out[row + c] /= sum;
  }
  return out;
}

/** "Rigid skinning" of the lecture: each vertex follows its nearest bone, the first of those that are equally near. */
export function rigidWeights(distances: Float64Array, columns: number): Float64Array {
  const out = new Float64Array(distances.length);
  for (let row = 0; row < out.length; row += columns) {
    let nearest = 0;
    for (let c = 1; c < columns; c++) if (distances[row + c] < distances[row + nearest]) nearest = c;
    out[row + nearest] = 1;
  }
  return out;
}
