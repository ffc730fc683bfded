import { type Numbers, quaternionFromRotation } from './quaternion.ts';

/** Rotations as vectors: the axis, as long as the angle in radians. Matrices are 3 × 3, row-major, 9 numbers. */

const q = new Float64Array(4);

/** The logarithm of a rotation, at `o`: a vector of length 0…π. At π the axis may point either way. */
export function rotationVector(out: Numbers, o: number, m: Numbers, mi: number): void {
  quaternionFromRotation(q, 0, m, mi, 3);
  const sine = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
  const angle = 2 * Math.atan2(sine, Math.abs(q[3]));
  // sin x ≈ x near 0, where both vanish.
  const scale = (q[3] < 0 ? -1 : 1) * (sine > 1e-12 ? angle / sine : 2);
  for (let c = 0; c < 3; c++) out[o + c] = scale * q[c];
}

/** The exponential of a vector: I + sin θ·K + (1 − cos θ)·K², with K the cross product with its axis (Rodrigues). */
export function rotationOfVector(out: Numbers, o: number, v: Numbers, vi: number): void {
  const x = v[vi];
  const y = v[vi + 1];
  const z = v[vi + 2];
  const angle = Math.sqrt(x * x + y * y + z * z);
  const s = angle > 1e-8 ? Math.sin(angle) / angle : 1;
  const half = angle > 1e-8 ? Math.sin(angle / 2) / angle : 0.5;
  const c = 2 * half * half; // (1 − cos θ) / θ²
  out[o] = 1 - c * (y * y + z * z);
  out[o + 1] = c * x * y - s * z;
  out[o + 2] = c * x * z + s * y;
  out[o + 3] = c * x * y + s * z;
  out[o + 4] = 1 - c * (x * x + z * z);
  out[o + 5] = c * y * z - s * x;
  out[o + 6] = c * x * z - s * y;
  out[o + 7] = c * y * z + s * x;
  out[o + 8] = 1 - c * (x * x + y * y);
}
