/**
 * Scale axes that are constant over time: per bone the rotation V that makes all its stretch tensors AᵀA as diagonal as
 * possible, by Jacobi rotations with the closed-form angle of Cardoso & Souloumiac 1996.
 */

const MAX_SWEEPS = 20;

/**
 * @param bones 4B × 3P.
 * @returns 9B: V per bone, row-major, axes in columns, det +1.
 */
export function jointDiagonalization(frameCount: number, bones: Float64Array): Float64Array {
  const columns = 3 * frameCount;
  const boneCount = bones.length / (4 * columns);
  const out = new Float64Array(9 * boneCount);
  const tensors = new Float64Array(9 * frameCount);
  for (let b = 0; b < boneCount; b++) {
    tensors.fill(0);
    for (let frame = 0; frame < frameCount; frame++) {
      for (let s = 0; s < 3; s++) {
        for (let t = 0; t < 3; t++) {
          for (let dim = 0; dim < 3; dim++) {
            const x = 3 * frame + dim;
            tensors[9 * frame + 3 * s + t] += bones[(4 * b + s) * columns + x] * bones[(4 * b + t) * columns + x];
          }
        }
      }
    }
    diagonalizeTogether(tensors, frameCount, out.subarray(9 * b, 9 * b + 9));
  }
  return out;
}

/** Turns `count` symmetric 3 × 3 matrices towards diagonal in place; v becomes the rotation with Vᵀ·T·V. */
export function diagonalizeTogether(tensors: Float64Array, count: number, v: Float64Array): void {
  v.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let largest = 0;
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      let on = 0;
      let off = 0;
      for (let k = 0; k < count; k++) {
        const g1 = tensors[9 * k + 4 * p] - tensors[9 * k + 4 * q];
        const g2 = 2 * tensors[9 * k + 3 * p + q];
        on += g1 * g1 - g2 * g2;
        off += 2 * g1 * g2;
      }
      const theta = 0.5 * Math.atan2(off, on + Math.hypot(on, off));
      if (Math.abs(theta) < 1e-10) continue;
      largest = Math.max(largest, Math.abs(theta));
      const c = Math.cos(theta);
      const s = Math.sin(theta);
      for (let k = 0; k < count; k++) {
        rotate(tensors, 9 * k, p, q, c, s);
        rotate(tensors, 9 * k, p, q, c, s, 1, 3);
      }
      rotate(v, 0, p, q, c, s);
    }
    if (largest < 1e-8) return;
  }
}

/** Turns columns p and q of a 3 × 3 matrix at o; with `row` = 1 and `column` = 3, rows p and q. */
function rotate(m: Float64Array, o: number, p: number, q: number, c: number, s: number, row = 3, column = 1): void {
  for (let r = o; r < o + 3 * row; r += row) {
    const x = m[r + column * p];
    const y = m[r + column * q];
    m[r + column * p] = c * x + s * y;
    m[r + column * q] = c * y - s * x;
  }
}
