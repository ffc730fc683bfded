import type { SkinWeights } from '../model/skinned-model.ts';
import type { Samples } from './samples.ts';

/** The most bones that are tried for a vertex of a level. */
export const CANDIDATES = 8;

/** The bones that the original follows around each vertex of a level, n of them. */
export interface Candidates {
  /** n: how many. */
  counts: Uint8Array;
  /** 8n. */
  joints: Uint16Array;
  /** 8n: how much the original follows each, sum 1. */
  shares: Float64Array;
}

/** Bones of a vertex at hand while weights are added up. */
const ROOM = 32;

/** Adds up the original's weights under the hat function of every vertex, and keeps the 8 largest. */
export function gatherCandidates(
  samples: Samples,
  triangles: Uint32Array,
  n: number,
  originalTriangles: Uint32Array,
  original: SkinWeights,
  start: SkinWeights,
): Candidates {
  const joints = new Int32Array(ROOM * n).fill(-1);
  const sums = new Float64Array(ROOM * n);
  const k = original.influences;
  const addTo = (i: number, joint: number, amount: number): void => {
    let least = ROOM * i;
    for (let s = ROOM * i; s < ROOM * (i + 1); s++) {
      if (joints[s] === joint || joints[s] < 0) {
        joints[s] = joint;
        sums[s] += amount;
        return;
      }
      if (sums[s] < sums[least]) least = s;
    }
    if (sums[least] >= amount) return;
    joints[least] = joint;
    sums[least] = amount;
  };
  for (let s = 0; s < samples.count; s++) {
    const corner = [samples.u[s], samples.v[s], 1 - samples.u[s] - samples.v[s]];
    const hat = [samples.a[s], samples.b[s], 1 - samples.a[s] - samples.b[s]];
    for (let c = 0; c < 3; c++) {
      const v = originalTriangles[3 * samples.face[s] + c];
      for (let q = k * v; q < k * (v + 1); q++) {
        const amount = samples.share[s] * corner[c] * original.weights[q];
        if (!(amount > 0)) continue;
        for (let h = 0; h < 3; h++) {
          addTo(triangles[3 * samples.triangle[s] + h], original.joints[q], amount * Math.max(0, hat[h]));
        }
      }
    }
  }

  const out: Candidates = {
    counts: new Uint8Array(n),
    joints: new Uint16Array(CANDIDATES * n),
    shares: new Float64Array(CANDIDATES * n),
  };
  for (let i = 0; i < n; i++) {
    // What it follows at the start is always among them, with a trace of weight at least.
    let total = 0;
    for (let s = ROOM * i; s < ROOM * (i + 1); s++) total += sums[s];
    for (let s = start.influences * i; s < start.influences * (i + 1); s++) {
      if (start.weights[s] > 0) addTo(i, start.joints[s], Math.max(total, Number.MIN_VALUE) * 1e-2 * start.weights[s]);
    }
    const order = Array.from({ length: ROOM }, (_, s) => ROOM * i + s)
      .filter((s) => joints[s] >= 0 && sums[s] > 0)
      .sort((a, b) => sums[b] - sums[a])
      .slice(0, CANDIDATES);
    const sum = order.reduce((all, s) => all + sums[s], 0);
    out.counts[i] = order.length;
    order.forEach((s, c) => {
      out.joints[CANDIDATES * i + c] = joints[s];
      out.shares[CANDIDATES * i + c] = sums[s] / sum;
    });
  }
  return out;
}
