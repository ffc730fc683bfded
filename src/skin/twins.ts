import { bufferOf } from '../kernels/load.ts';
import { DUAL_STRIDE, matrix34FromDual } from '../math/dual-quaternion.ts';
import { cofactors34, multiply34 } from '../math/matrix34.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import { boneLayout } from './bone-layout.ts';
import { CANCELLED } from './operators.ts';
import { inQuads } from './quads.ts';
import type { SkinJob } from './skin-job.ts';
import { type DualInfluences, moveToMean } from './twin-iterative.ts';

/**
 * The TypeScript twins of the skinning kernels: the same memory, no SIMD. They run where WebAssembly with SIMD is missing,
 * and `dib`, whose time goes into sines and arc tangents, everywhere. Blends are summed in double precision; every
 * operator ends in a 3 × 4 matrix Φ (see operators.ts), which is applied to vertex and normal.
 */

/** The vertex at hand. */
interface TwinVertex extends DualInfluences {
  antipodality: boolean;
  /** The weight of dual quaternions in a mix. */
  omega: number;
}

/** Module state: a thread works on one vertex at a time. */
const phi = new Float64Array(MATRIX_STRIDE);
const rigid = new Float64Array(MATRIX_STRIDE);
const psi = new Float64Array(DUAL_STRIDE);
const cofactors = new Float64Array(9);

/** What sets Φ of a vertex. */
const TWIN_BLENDS: Record<SkinJob['kernel'], (vertex: TwinVertex) => void> = {
  lbs: (vertex) => linearMatrix(vertex),
  dqs(vertex) {
    linearDual(vertex);
    matrix34FromDual(phi, 0, psi, 0);
  },
  sdqs(vertex) {
    linearDual(vertex);
    matrix34FromDual(rigid, 0, psi, 0);
    linearMatrix(vertex);
    multiply34(phi, 0, rigid, 0, phi, 0);
  },
  mix(vertex) {
    linearDual(vertex);
    matrix34FromDual(rigid, 0, psi, 0);
    linearMatrix(vertex);
    for (let c = 0; c < MATRIX_STRIDE; c++) phi[c] += vertex.omega * (rigid[c] - phi[c]);
  },
  dib(vertex) {
    linearDual(vertex);
    if (vertex.used > 1) moveToMean(psi, vertex);
    matrix34FromDual(phi, 0, psi, 0);
  },
};

/** Poses the vertices `begin` to `end` of a job. */
export function twinTask({ memory, kernel, k, antipodality, at }: SkinJob): (begin: number, end: number) => void {
  const f = new Float32Array(bufferOf(memory));
  const u = new Uint16Array(bufferOf(memory));
  const { stride, dual } = boneLayout(kernel);
  const vertex: TwinVertex = {
    f,
    used: 0,
    bones: new Uint32Array(k),
    dual,
    weights: new Float64Array(k),
    antipodality,
    signed: new Float64Array(k),
    omega: 0,
  };
  const blend = TWIN_BLENDS[kernel];
  const floats = (bytes: number): number => bytes / f.BYTES_PER_ELEMENT;
  const joints = at.joints / u.BYTES_PER_ELEMENT;
  const weights = floats(at.weights);
  const bones = floats(at.bones);
  const mix = floats(at.mix);
  const [positions, restPositions] = [floats(at.positions), floats(at.restPositions)];
  const [normals, restNormals] = [floats(at.normals), floats(at.restNormals)];
  return (begin, end) => {
    for (let v = begin; v < end; v++) {
      let used = k;
      while (used > 1 && f[weights + k * v + used - 1] === 0) used--; // weights are sorted
      vertex.used = used;
      for (let s = 0; s < used; s++) {
        vertex.weights[s] = f[weights + k * v + s];
        vertex.bones[s] = bones + stride * u[joints + k * v + s];
      }
      if (mix > 0) vertex.omega = f[mix + v];
      blend(vertex);
      storePosition(f, positions + 3 * v, restPositions + inQuads(v, 0));
      if (restNormals > 0) storeNormal(f, normals + 3 * v, restNormals + inQuads(v, 0));
    }
  };
}

/** phi = Σ w·C. */
const linearMatrix = (vertex: TwinVertex): void => sumOf(phi, vertex, vertex.weights, 0);

/** psi = Σ ±w·q̂, of any length. */
function linearDual(vertex: TwinVertex): void {
  const { f, used, bones, dual, weights, signed } = vertex;
  const p = bones[0] + dual;
  for (let s = 0; s < used; s++) {
    const q = bones[s] + dual;
    const dot = f[p] * f[q] + f[p + 1] * f[q + 1] + f[p + 2] * f[q + 2] + f[p + 3] * f[q + 3];
    signed[s] = vertex.antipodality && dot < 0 ? -weights[s] : weights[s];
  }
  sumOf(psi, vertex, signed, dual);
  if (psi[0] * psi[0] + psi[1] * psi[1] + psi[2] * psi[2] + psi[3] * psi[3] < CANCELLED) {
    for (let c = 0; c < DUAL_STRIDE; c++) psi[c] = f[p + c];
  }
}

/** out = Σ w·(what the bones have from `offset` on), four numbers at a time. */
function sumOf(out: Float64Array, { f, used, bones }: TwinVertex, weights: Float64Array, offset: number): void {
  for (let c = 0; c < out.length; c += 4) {
    let x = 0;
    let y = 0;
    let z = 0;
    let t = 0;
    for (let s = 0; s < used; s++) {
      const w = weights[s];
      const b = bones[s] + offset + c;
      x += w * f[b];
      y += w * f[b + 1];
      z += w * f[b + 2];
      t += w * f[b + 3];
    }
    out[c] = x;
    out[c + 1] = y;
    out[c + 2] = z;
    out[c + 3] = t;
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
  cofactors34(cofactors, phi, 0);
  const x = cofactors[0] * nx + cofactors[1] * ny + cofactors[2] * nz;
  const y = cofactors[3] * nx + cofactors[4] * ny + cofactors[5] * nz;
  const z = cofactors[6] * nx + cofactors[7] * ny + cofactors[8] * nz;
  const length = Math.sqrt(x * x + y * y + z * z);
  const usable = length > 0 && length < Infinity;
  const mirrored = phi[0] * cofactors[0] + phi[1] * cofactors[1] + phi[2] * cofactors[2] < 0;
  const scale = (mirrored ? -1 : 1) / length;
  f[out] = usable ? scale * x : nx;
  f[out + 1] = usable ? scale * y : ny;
  f[out + 2] = usable ? scale * z : nz;
}
