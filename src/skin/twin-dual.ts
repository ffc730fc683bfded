import { DUAL_STRIDE } from '../math/dual-quaternion.ts';
import { CANCELLED } from './operators.ts';
import type { TwinJob } from './twin-job.ts';

/** Dual quaternions in the TypeScript twins: Ψ = Σ ±w·q̂ from single-precision memory, and its matrix. */

/** Ψ (8) of the vertex at hand, of any length. */
export const psi = new Float64Array(DUAL_STRIDE);

/** −1 where antipodality turns influence i to the side of the first, else 1. */
function signOf(f: Float32Array, pivot: number, i: number, antipodality: boolean): number {
  if (!antipodality) return 1;
  const dot = f[pivot] * f[i] + f[pivot + 1] * f[i + 1] + f[pivot + 2] * f[i + 2] + f[pivot + 3] * f[i + 3];
  return dot < 0 ? -1 : 1;
}

/** psi = Σ ±w·q̂ over the first `used` influences of vertex v; the job keeps the signs. */
export function linearDual(job: TwinJob, v: number, used: number): void {
  const { f, u, k, duals, stride, antipodality, signs } = job;
  const joints = job.joints + k * v;
  const weights = job.weights + k * v;
  const pivot = duals + stride * u[joints];
  let rx = 0,
    ry = 0,
    rz = 0,
    rw = 0,
    tx = 0,
    ty = 0,
    tz = 0,
    tw = 0;
  for (let s = 0; s < used; s++) {
    const i = duals + stride * u[joints + s];
    signs[s] = signOf(f, pivot, i, antipodality);
    const w = f[weights + s] * signs[s];
    rx += w * f[i];
    ry += w * f[i + 1];
    rz += w * f[i + 2];
    rw += w * f[i + 3];
    tx += w * f[i + 4];
    ty += w * f[i + 5];
    tz += w * f[i + 6];
    tw += w * f[i + 7];
  }
  if (rx * rx + ry * ry + rz * rz + rw * rw < CANCELLED) {
    for (let c = 0; c < DUAL_STRIDE; c++) psi[c] = f[pivot + c];
    return;
  }
  psi[0] = rx;
  psi[1] = ry;
  psi[2] = rz;
  psi[3] = rw;
  psi[4] = tx;
  psi[5] = ty;
  psi[6] = tz;
  psi[7] = tw;
}

/** out (12) = M(psi)/|psi₀|²: `matrix34FromDual` for this one kind of array. */
export function dualMatrix(out: Float64Array): void {
  const x = psi[0],
    y = psi[1],
    z = psi[2],
    w = psi[3];
  const tx = psi[4],
    ty = psi[5],
    tz = psi[6],
    tw = psi[7];
  const s = 2 / (x * x + y * y + z * z + w * w);
  out[0] = 1 - s * (y * y + z * z);
  out[1] = s * (x * y - w * z);
  out[2] = s * (x * z + w * y);
  out[3] = s * (w * tx - tw * x + y * tz - z * ty);
  out[4] = s * (x * y + w * z);
  out[5] = 1 - s * (x * x + z * z);
  out[6] = s * (y * z - w * x);
  out[7] = s * (w * ty - tw * y + z * tx - x * tz);
  out[8] = s * (x * z - w * y);
  out[9] = s * (y * z + w * x);
  out[10] = 1 - s * (x * x + y * y);
  out[11] = s * (w * tz - tw * z + x * ty - y * tx);
}
