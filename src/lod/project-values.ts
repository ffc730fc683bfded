import { meshEdges } from '../mesh/adjacency.ts';
import type { Samples } from './samples.ts';

/** Values of a surface, of so many numbers each. */
export interface SurfaceValues {
  size: number;
  /** 3F: corner of a face → where its values are. */
  corners: Uint32Array;
  values: ArrayLike<number>;
  /** Per sample: a factor of the surface's value there; 1 when absent. */
  factors?: Float64Array;
}

/** Pull to the start, relative to what the samples say. */
const DAMPING = 1e-3;

/**
 * Values of a level whose interpolation is nearest to that of the original in the mean square: Σ_s w_s ‖Σ_c b_sc v_c −
 * V_s‖² least, with the mass matrix of the samples. `corners` (3f): corner of the level → its value; `start` has as many
 * values as there are, `size` numbers each.
 */
export function projectValues(
  samples: Samples,
  corners: Uint32Array,
  start: ArrayLike<number>,
  surface: SurfaceValues,
): Float64Array {
  const { size, factors } = surface;
  const count = start.length / size;
  const edges = meshEdges(corners, count);
  const ends = edges.vertices;
  const mass = new Float64Array(count);
  const cross = new Float64Array(ends.length / 2);
  const b = new Float64Array(start.length);
  const weights = new Float64Array(3);
  for (let s = 0; s < samples.count; s++) {
    const share = samples.share[s];
    if (share === 0) continue;
    const t = 3 * samples.triangle[s];
    weights[0] = samples.a[s];
    weights[1] = samples.b[s];
    weights[2] = 1 - weights[0] - weights[1];
    for (let c = 0; c < 3; c++) {
      const next = (c + 1) % 3;
      mass[corners[t + c]] += share * weights[c] * weights[c];
      cross[edges.edgeOf[t + c]] += share * weights[c] * weights[next];
    }
    const factor = factors ? share * factors[s] : share;
    for (let k = 0; k < size; k++) {
      const value = factor * sampledValue(samples, s, surface, k);
      for (let c = 0; c < 3; c++) b[size * corners[t + c] + k] += weights[c] * value;
    }
  }
  // Values that no sample reaches stay as they are.
  for (let i = 0; i < count; i++) {
    const pull = DAMPING * mass[i] || 1;
    mass[i] += pull;
    for (let k = 0; k < size; k++) b[size * i + k] += pull * start[size * i + k];
  }
  const x = Float64Array.from(start);
  solve(x, b, mass, cross, ends, size);
  return x;
}

/** Number k of the surface's value at a sample. */
function sampledValue({ face, u, v }: Samples, s: number, { size, corners, values }: SurfaceValues, k: number): number {
  const f = 3 * face[s];
  return (
    u[s] * values[size * corners[f] + k] +
    v[s] * values[size * corners[f + 1] + k] +
    (1 - u[s] - v[s]) * values[size * corners[f + 2] + k]
  );
}

/**
 * Keeps projected values, in place, between the least and the largest of the samples around each and `own`, a value that
 * it may have in any case: where values jump, what is nearest in the mean square overshoots.
 */
export function keepWithin(
  found: Float64Array,
  own: ArrayLike<number>,
  samples: Samples,
  corners: Uint32Array,
  surface: SurfaceValues,
): void {
  const { size } = surface;
  const least = Float64Array.from(own);
  const largest = Float64Array.from(own);
  for (let s = 0; s < samples.count; s++) {
    if (samples.share[s] === 0) continue;
    for (let k = 0; k < size; k++) {
      const value = sampledValue(samples, s, surface, k);
      for (let c = 0; c < 3; c++) {
        const i = size * corners[3 * samples.triangle[s] + c] + k;
        least[i] = Math.min(least[i], value);
        largest[i] = Math.max(largest[i], value);
      }
    }
  }
  for (let i = 0; i < found.length; i++) found[i] = Math.min(largest[i], Math.max(least[i], found[i]));
}

/** Conjugate gradients with the diagonal as preconditioner, all numbers of a value at once. */
function solve(
  x: Float64Array,
  b: Float64Array,
  mass: Float64Array,
  cross: Float64Array,
  ends: Uint32Array,
  size: number,
): void {
  const r = new Float64Array(x.length);
  const p = new Float64Array(x.length);
  const q = new Float64Array(x.length);
  const multiply = (out: Float64Array, v: Float64Array): void => {
    for (let c = 0; c < v.length; c++) out[c] = mass[Math.floor(c / size)] * v[c];
    for (let e = 0; e < cross.length; e++) {
      const i = size * ends[2 * e];
      const j = size * ends[2 * e + 1];
      for (let k = 0; k < size; k++) {
        out[i + k] += cross[e] * v[j + k];
        out[j + k] += cross[e] * v[i + k];
      }
    }
  };
  const scaled = (): number => {
    let sum = 0;
    for (let c = 0; c < r.length; c++) sum += (r[c] * r[c]) / mass[Math.floor(c / size)];
    return sum;
  };
  multiply(q, x);
  for (let c = 0; c < r.length; c++) {
    r[c] = b[c] - q[c];
    p[c] = r[c] / mass[Math.floor(c / size)];
  }
  let rr = scaled();
  const enough = 1e-12 * rr;
  for (let step = 0; step < 200 && rr > enough; step++) {
    multiply(q, p);
    let pq = 0;
    for (let c = 0; c < p.length; c++) pq += p[c] * q[c];
    const alpha = rr / pq;
    for (let c = 0; c < x.length; c++) {
      x[c] += alpha * p[c];
      r[c] -= alpha * q[c];
    }
    const next = scaled();
    const beta = next / rr;
    rr = next;
    for (let c = 0; c < p.length; c++) p[c] = r[c] / mass[Math.floor(c / size)] + beta * p[c];
  }
}
