/**
 * Jacobi strain limiting (Feng 2010, §3.5): every spring, independently of the others, says how its ends should move
 * to have its rest length; each vertex then moves by the average of what its springs say.
 *
 * Departure: the average is taken per spring, over the larger number of springs at its two ends, and not per vertex.
 * Both ends then still move by opposite momenta, so that cloth in free fall keeps its momentum exactly.
 *
 * One sweep carries a correction over one edge. With one or two sweeps in each of many small sub-steps a disturbance
 * travels at a fixed number of edges per sub-step, so sub-steps as long as an edge is make the cloth equally stiff at
 * every resolution (`subStepsFor`).
 */
import { straightDistance } from '../mesh/graph-distance.ts';
import type { ClothBody } from './body.ts';

/**
 * Over-relaxation of the average. An even sheet's stiffest mode has an eigenvalue of about a half per sweep, so that
 * twice the average is still a stable step; a sheet crumpled into a line has 1, and 4/3 is where Verlet breaks. Rather
 * than at the edge of either we stay between.
 */
const RELAXATION = 1.3;

/**
 * How far stretch travels per sub-step, in edges, with one sweep. In an even triangle mesh the averaged correction of a
 * wave of wave number q is λ = ½ · ⅙ · 3 · ⅜ · (q·edge)² = 0.094 (q·edge)², and a wave of frequency √λ per sub-step
 * travels √0.094 edges in it.
 */
const EDGES_PER_STEP = Math.sqrt(0.094 * RELAXATION);

/**
 * Sub-steps of a frame of `seconds`, such that stretch travels at `waveSpeed` (m/s): cloth of length L that hangs under
 * gravity g stretches by about g·L/waveSpeed².
 */
export function subStepsFor(seconds: number, edge: number, waveSpeed: number, sweeps: number): number {
  return Math.max(1, Math.ceil((seconds * waveSpeed) / (EDGES_PER_STEP * Math.sqrt(sweeps) * edge)));
}

/** Strain · (1 or `compression`, by its sign), relaxed, is both · strain + stretchOnly · |strain|: no branch to foresee. */
export const strainShares = (compression: number): { both: number; stretchOnly: number } => ({
  both: (RELAXATION * (1 + compression)) / 2,
  stretchOnly: (RELAXATION * (1 - compression)) / 2,
});

/** One sweep over all springs. `correction` is 3N of scratch. */
export function limitStrain(body: ClothBody, compression: number, correction: Float64Array): void {
  const { x } = body;
  const { a, b, length, shareA, shareB } = body.springs;
  const { both, stretchOnly } = strainShares(compression);
  correction.fill(0);
  for (let e = 0; e < a.length; e++) {
    const i = 3 * a[e];
    const j = 3 * b[e];
    const dx = x[j] - x[i];
    const dy = x[j + 1] - x[i + 1];
    const dz = x[j + 2] - x[i + 2];
    const now = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const strain = 1 - length[e] / (now + Number.MIN_VALUE); // ends that coincide have no direction: · 0 below
    const s = both * strain + stretchOnly * Math.abs(strain);
    const si = s * shareA[e];
    const sj = s * shareB[e];
    correction[i] += si * dx;
    correction[i + 1] += si * dy;
    correction[i + 2] += si * dz;
    correction[j] -= sj * dx;
    correction[j + 1] -= sj * dy;
    correction[j + 2] -= sj * dz;
  }
  for (let c = 0; c < x.length; c++) x[c] += correction[c];
}

/** How far springs are from their rest lengths, as fractions of it. */
export interface Strain {
  /** Mean over springs of |length / rest − 1|. */
  mean: number;
  maxStretch: number;
  maxCompression: number;
}

export function strainOf({ x, springs }: Pick<ClothBody, 'x' | 'springs'>): Strain {
  const { a, b, length } = springs;
  let sum = 0;
  let maxStretch = 0;
  let maxCompression = 0;
  for (let e = 0; e < a.length; e++) {
    const strain = straightDistance(x, a[e], b[e]) / length[e] - 1;
    sum += Math.abs(strain);
    maxStretch = Math.max(maxStretch, strain);
    maxCompression = Math.max(maxCompression, -strain);
  }
  return { mean: sum / a.length, maxStretch, maxCompression };
}
