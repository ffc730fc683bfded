import { MATRIX_STRIDE } from '../model/skeleton.ts';
import { inQuads } from './quads.ts';
import type { SkinJob } from './skin-job.ts';
import { dualMatrix, linearDual } from './twin-dual.ts';
import { iterativeDual } from './twin-iterative.ts';
import { type TwinJob, twinJob } from './twin-job.ts';

/**
 * The TypeScript twins of the skinning kernels: the same memory, no SIMD. They run where WebAssembly with SIMD is missing,
 * and `dib`, whose time goes into sines and arc tangents, everywhere. Blends are summed in double precision; every
 * operator ends in a 3 × 4 matrix Φ (see operators.ts), which is applied to vertex and normal.
 */

/** Φ of the vertex at hand. Module state: a thread works on one vertex at a time. */
const phi = new Float64Array(MATRIX_STRIDE);
const other = new Float64Array(MATRIX_STRIDE);

/** What sets Φ of vertex v. */
const TWIN_BLENDS: Record<SkinJob['kernel'], (job: TwinJob, v: number) => void> = {
  lbs: (job, v) => linearMatrix(phi, job, v),
  dqs(job, v) {
    linearDual(job, v, job.k);
    dualMatrix(phi);
  },
  sdqs(job, v) {
    linearDual(job, v, job.k);
    dualMatrix(other);
    linearMatrix(phi, job, v);
    multiplyBy(other);
  },
  mix(job, v) {
    linearDual(job, v, job.k);
    dualMatrix(other);
    linearMatrix(phi, job, v);
    const omega = job.f[job.mix + v];
    for (let c = 0; c < MATRIX_STRIDE; c++) phi[c] += omega * (other[c] - phi[c]);
  },
  dib(job, v) {
    iterativeDual(job, v);
    dualMatrix(phi);
  },
};

/** Poses the vertices `begin` to `end` of a job. */
export function twinTask(skinJob: SkinJob): (begin: number, end: number) => void {
  const job = twinJob(skinJob);
  const { f, restPositions, restNormals, positions, normals } = job;
  const blend = TWIN_BLENDS[skinJob.kernel];
  return (begin, end) => {
    for (let v = begin; v < end; v++) {
      blend(job, v);
      storePosition(f, positions + 3 * v, restPositions + inQuads(v, 0));
      if (restNormals !== 0) storeNormal(f, normals + 3 * v, restNormals + inQuads(v, 0));
    }
  };
}

/** out (12) = Σ w·C of vertex v. */
function linearMatrix(out: Float64Array, job: TwinJob, v: number): void {
  const { f, u, k, matrices, stride } = job;
  const joints = job.joints + k * v;
  const weights = job.weights + k * v;
  let m0 = 0,
    m1 = 0,
    m2 = 0,
    m3 = 0,
    m4 = 0,
    m5 = 0,
    m6 = 0,
    m7 = 0,
    m8 = 0,
    m9 = 0,
    m10 = 0,
    m11 = 0;
  for (let s = 0; s < k; s++) {
    const w = f[weights + s];
    const b = matrices + stride * u[joints + s];
    m0 += w * f[b];
    m1 += w * f[b + 1];
    m2 += w * f[b + 2];
    m3 += w * f[b + 3];
    m4 += w * f[b + 4];
    m5 += w * f[b + 5];
    m6 += w * f[b + 6];
    m7 += w * f[b + 7];
    m8 += w * f[b + 8];
    m9 += w * f[b + 9];
    m10 += w * f[b + 10];
    m11 += w * f[b + 11];
  }
  out[0] = m0;
  out[1] = m1;
  out[2] = m2;
  out[3] = m3;
  out[4] = m4;
  out[5] = m5;
  out[6] = m6;
  out[7] = m7;
  out[8] = m8;
  out[9] = m9;
  out[10] = m10;
  out[11] = m11;
}

/** phi ← a · phi. */
function multiplyBy(a: Float64Array): void {
  for (let c = 0; c < 4; c++) {
    const x = phi[c];
    const y = phi[4 + c];
    const z = phi[8 + c];
    const t = c === 3 ? 1 : 0;
    phi[c] = a[0] * x + a[1] * y + a[2] * z + t * a[3];
    phi[4 + c] = a[4] * x + a[5] * y + a[6] * z + t * a[7];
    phi[8 + c] = a[8] * x + a[9] * y + a[10] * z + t * a[11];
  }
}

function storePosition(f: Float32Array, out: number, rest: number): void {
  const x = f[rest];
  const y = f[rest + 4];
  const z = f[rest + 8];
  f[out] = phi[0] * x + phi[1] * y + phi[2] * z + phi[3];
  f[out + 1] = phi[4] * x + phi[5] * y + phi[6] * z + phi[7];
  f[out + 2] = phi[8] * x + phi[9] * y + phi[10] * z + phi[11];
}

/** The inverse transpose of Φ by its cofactors, at length 1; the rest normal where it vanishes (see plain.ts). */
function storeNormal(f: Float32Array, out: number, rest: number): void {
  const nx = f[rest];
  const ny = f[rest + 4];
  const nz = f[rest + 8];
  const m00 = phi[0],
    m01 = phi[1],
    m02 = phi[2];
  const m10 = phi[4],
    m11 = phi[5],
    m12 = phi[6];
  const m20 = phi[8],
    m21 = phi[9],
    m22 = phi[10];
  const c00 = m11 * m22 - m12 * m21;
  const c01 = m12 * m20 - m10 * m22;
  const c02 = m10 * m21 - m11 * m20;
  const x = c00 * nx + c01 * ny + c02 * nz;
  const y = (m02 * m21 - m01 * m22) * nx + (m00 * m22 - m02 * m20) * ny + (m01 * m20 - m00 * m21) * nz;
  const z = (m01 * m12 - m02 * m11) * nx + (m02 * m10 - m00 * m12) * ny + (m00 * m11 - m01 * m10) * nz;
  const length = Math.sqrt(x * x + y * y + z * z);
  const usable = length > 0 && length < Infinity;
  const scale = (m00 * c00 + m01 * c01 + m02 * c02 < 0 ? -1 : 1) / length;
  f[out] = usable ? scale * x : nx;
  f[out + 1] = usable ? scale * y : ny;
  f[out + 2] = usable ? scale * z : nz;
}
