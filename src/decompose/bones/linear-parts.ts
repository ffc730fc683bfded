import { polar3 } from '../../math/svd3.ts';

/**
 * The best linear part A of one bone in one frame, its translation eliminated (transforms-per-frame.ts): of the kind, and
 * with the least
 *
 *   tr(A·K·Aᵀ) − 2·tr(Aᵀ·D).
 */
interface LinearPartProblem {
  /** 9, row-major: D. */
  d: Float64Array;
  /** 9: K. */
  k: Float64Array;
  /** η: the mass of the vertices that follow the bone. */
  eta: number;
}

/** Finds A (9, row-major), which holds the previous one, for a bone. */
export type LinearPartSolver = (a: Float64Array, problem: LinearPartProblem, bone: number) => void;

const rotation = new Float64Array(9);
const stretch = new Float64Array(9);

/** a ← the rotation that maximises tr(aᵀ·d): K does not matter, since tr(A·K·Aᵀ) is the same for all rotations. */
export const nearestRotation: LinearPartSolver = (a, { d }) => {
  polar3(rotation, stretch, d);
  a.set(rotation);
};

/** Share of a bone's mass: less inertia than that is rounding. */
const NO_INERTIA = 1e-9;

/**
 * The same, held to the previous rotation by a share of the bone's inertia, so that a bone which few vertices follow does
 * not turn about them at will. Vertices on one spot say nothing about a rotation: it stays.
 */
export const heldRotation =
  (share: number): LinearPartSolver =>
  (a, { d, k, eta }) => {
    const inertia = k[0] + k[4] + k[8];
    if (!(inertia > NO_INERTIA * eta)) return;
    for (let c = 0; c < 9; c++) d[c] += share * inertia * a[c];
    polar3(rotation, stretch, d);
    a.set(rotation);
  };

/** a ← the rotation nearest to it. */
export function toRotation(a: Float64Array): void {
  polar3(rotation, stretch, a);
  a.set(rotation);
}

/**
 * Most alternations between rotation and scale; both halves are exact, so the error never rises. With two, the scales of
 * flat supports lag behind, and weights in 8 bits cost 13 % more error on cloth instead of 1 %.
 */
const TRS_ALTERNATIONS = 8;
/** They end when no scale changes by more than this: sweeps and rounds repeat them. */
const SCALE_TOLERANCE = 1e-3;
/** Pull of the scales towards 1, as a fraction of the trace of K and of the bone's mass: decides what data leave open. */
const SCALE_PULL = 1e-6;
const POINT_PULL = 1e-9;
/**
 * Across a flat support data are noise, and scales that follow it run from 0 to 80 on a flag: neither shading nor the way
 * between keys survives that. Where less than FLAT of the trace of K lies along an axis the pull grows up to FLAT_PULL.
 */
const FLAT = 1e-1;
const FLAT_PULL = 2e-2;

/**
 * For TRS bones, A = R·diag(s)·Vᵀ with given axes V (9 per bone, axes in columns). `rigidity` adds to the pull of the
 * scales towards 1.
 */
export function nearestAlongAxes(axes: Float64Array, rigidity: number): LinearPartSolver {
  const axesOf = Array.from({ length: axes.length / 9 }, (_, b) => axes.subarray(9 * b, 9 * b + 9));
  return (a, problem, bone) => nearestTrs(a, problem, axesOf[bone], rigidity);
}

const dv = new Float64Array(9);
const turned = new Float64Array(9);
const spread = new Float64Array(3);
const scales = new Float64Array(3);
const pulls = new Float64Array(3);

/** a ← R·diag(s)·Vᵀ, starting from the scales of `a`: R and s in turn, each the best for the other. */
function nearestTrs(a: Float64Array, problem: LinearPartProblem, v: Float64Array, rigidity: number): void {
  alongAxes(a, problem, v);
  pullsOf(problem, rigidity);
  for (let round = 0; round < TRS_ALTERNATIONS; round++) {
    for (let c = 0; c < 9; c++) turned[c] = dv[c] * scales[c % 3];
    polar3(rotation, stretch, turned);
    let change = 0;
    for (let axis = 0; axis < 3; axis++) {
      let rd = 0;
      for (let r = 0; r < 3; r++) rd += rotation[3 * r + axis] * dv[3 * r + axis];
      const scale = (rd + pulls[axis]) / (spread[axis] + pulls[axis]);
      change = Math.max(change, Math.abs(scale - scales[axis]));
      scales[axis] = scale;
    }
    if (change < SCALE_TOLERANCE) break;
  }
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let axis = 0; axis < 3; axis++) sum += rotation[3 * r + axis] * scales[axis] * v[3 * c + axis];
      a[3 * r + c] = sum;
    }
  }
}

/** Sets dv = D·V, spread = the diagonal of Vᵀ·K·V, and scales = the lengths of the columns of A·V. */
function alongAxes(a: Float64Array, { d, k }: LinearPartProblem, v: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    let norm2 = 0;
    let along = 0;
    for (let r = 0; r < 3; r++) {
      let dr = 0;
      let kr = 0;
      let ar = 0;
      for (let c = 0; c < 3; c++) {
        const vc = v[3 * c + axis];
        dr += d[3 * r + c] * vc;
        kr += k[3 * r + c] * vc;
        ar += a[3 * r + c] * vc;
      }
      dv[3 * r + axis] = dr;
      along += v[3 * r + axis] * kr;
      norm2 += ar * ar;
    }
    spread[axis] = Math.max(0, along);
    scales[axis] = norm2 > 0 ? Math.sqrt(norm2) : 1;
  }
}

/** Sets the pulls of the scales towards 1 from `spread`. */
function pullsOf({ k, eta }: LinearPartProblem, rigidity: number): void {
  const trace = k[0] + k[4] + k[8];
  for (let axis = 0; axis < 3; axis++) {
    const flatness = trace > 0 ? Math.max(0, 1 - spread[axis] / (FLAT * trace)) : 0;
    pulls[axis] = (SCALE_PULL + rigidity + FLAT_PULL * flatness) * trace + POINT_PULL * eta + 1e-30;
  }
}
