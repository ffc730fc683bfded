/**
 * Normalised radial basis functions: α_l = φ_l / Σφ, φ_l = exp(−d_l²/2σ²), for squared distances d². Widths are not given in
 * print, and hardly matter. Here σ is `NRBF_WIDTH` times the distance that the members of a group have from each other. The sum is 1 however far a
 * pose is.
 */
const NRBF_WIDTH = 0.5;

/** σ² of a group: `members` are places in the P × P squared distances. */
export function nrbfVariance(squared: Float64Array, members: Uint32Array, width = NRBF_WIDTH): number {
  const p = Math.sqrt(squared.length);
  let [sum, pairs] = [0, 0];
  for (const a of members) {
    for (const b of members) {
      if (a >= b) continue;
      sum += squared[a * p + b];
      pairs++;
    }
  }
  return pairs > 0 ? (width * width * sum) / pairs : 0;
}

/** The weights of members by a pose's squared distances (P) from all poses, to `out`. Members that are all alike weigh the same. */
export function nrbfWeights(
  squared: ArrayLike<number>,
  members: Uint32Array,
  variance: number,
  out: Float64Array,
): Float64Array {
  // Measured from the nearest: nothing underflows where all are far.
  let nearest = Infinity;
  for (const p of members) nearest = Math.min(nearest, squared[p]);
  let sum = 0;
  for (let l = 0; l < members.length; l++) {
    const beyond = squared[members[l]] - nearest;
    out[l] = beyond === 0 ? 1 : Math.exp(-beyond / (2 * variance));
    sum += out[l];
  }
  for (let l = 0; l < members.length; l++) out[l] /= sum;
  return out;
}
