// The weights of a vertex on a given support: the twin of src/math/simplex-qp.ts, which has the derivation. The
// support in force and a candidate for it are kept here; arrays are f64 but for joints (i32), addresses are bytes.
import { bestBone, diagonal, entry } from './fit-gram';
import { at, intAt, put, putInt } from './memory';

/** Most influences a vertex may have, plus the one being tried: the stride of `inverse`. */
export const MAX: i32 = 9;
/** A change of the support must lower the error by this fraction, or rounding would exchange forever. */
export const IMPROVEMENT: f64 = 1e-6;

/** Most influences of the pass. */
export let limit: i32 = 0;

// The support in force: its bones, their weights, their number and the value wᵀGw.
export let joints: usize = 0;
export let w: usize = 0;
export let size: i32 = 0;
export let value: f64 = 0;

// The candidate: where `solveOn` starts and ends.
export let candidateJoints: usize = 0;
export let candidateW: usize = 0;
let candidateSize: i32 = 0;

/** G_SS⁻¹, and its product with 1, of the support that was inverted last. */
export let inverse: usize = 0;
export let xs: usize = 0;
let trial: usize = 0;
/** Whether `inverse` and `xs` belong to the support in force: spares every other inversion. */
export let fresh: bool = false;

/** Takes the small arrays from `p` on and returns where they end. */
export function beginSupports(influences: i32, p: usize): usize {
  limit = influences;
  xs = p;
  trial = xs + 80;
  w = trial + 80;
  candidateW = w + 80;
  joints = candidateW + 80;
  candidateJoints = joints + 48;
  inverse = candidateJoints + 48;
  return inverse + 656;
}

/** The best single bone. */
export function startFromBestBone(): void {
  const bone = bestBone();
  size = 1;
  fresh = false;
  putInt(joints, 0, bone);
  put(w, 0, 1);
  value = at(diagonal, bone);
}

/** The first `count` candidates, whatever their value. */
export function startFromCandidate(count: i32): void {
  value = Infinity;
  keepIfBetter(solveOn(count));
}

/** inverse = G_SS⁻¹ and xs = inverse·1 of n joints (Gauss–Jordan); false where rounding made G indefinite. */
export function invert(js: usize, n: i32): bool {
  fresh = false;
  for (let s = 0; s < n; s++) {
    for (let t = 0; t <= s; t++) {
      const v = entry(intAt(js, s), intAt(js, t));
      put(inverse, s * MAX + t, v);
      put(inverse, t * MAX + s, v);
    }
  }
  for (let p = 0; p < n; p++) {
    const pivot = at(inverse, p * MAX + p);
    if (!(pivot > 0)) return false;
    const inv = 1 / pivot;
    put(inverse, p * MAX + p, 1);
    for (let t = 0; t < n; t++) put(inverse, p * MAX + t, at(inverse, p * MAX + t) * inv);
    for (let s = 0; s < n; s++) {
      if (s == p) continue;
      const f = at(inverse, s * MAX + p);
      if (f == 0) continue;
      put(inverse, s * MAX + p, 0);
      for (let t = 0; t < n; t++) put(inverse, s * MAX + t, at(inverse, s * MAX + t) - f * at(inverse, p * MAX + t));
    }
  }
  for (let s = 0; s < n; s++) {
    let sum: f64 = 0;
    for (let t = 0; t < n; t++) sum += at(inverse, s * MAX + t);
    put(xs, s, sum);
  }
  return true;
}

/** Removes the candidate of least weight; its weight goes to the others in proportion. */
function dropSmallest(count: i32): i32 {
  let smallest = 0;
  for (let s = 1; s < count; s++) if (at(candidateW, s) < at(candidateW, smallest)) smallest = s;
  const rest = 1 - at(candidateW, smallest);
  const last = count - 1;
  putInt(candidateJoints, smallest, intAt(candidateJoints, last));
  put(candidateW, smallest, at(candidateW, last));
  for (let s = 0; s < last; s++) put(candidateW, s, rest > 0 ? at(candidateW, s) / rest : 1 / <f64>last);
  return last;
}

/**
 * Value of the optimum on the first `count` candidates, starting from their weights (feasible): when the unconstrained
 * optimum has a weight ≤ 0, go as far as the boundary, drop that bone, and solve again.
 */
export function solveOn(count: i32): f64 {
  while (true) {
    if (!invert(candidateJoints, count)) {
      count = dropSmallest(count);
      if (count > 1) continue;
      invert(candidateJoints, 1);
    }
    let sum: f64 = 0;
    for (let s = 0; s < count; s++) sum += at(xs, s);
    let step: f64 = 1;
    let blocking = -1;
    for (let s = 0; s < count; s++) {
      const t = at(xs, s) / sum;
      put(trial, s, t);
      if (t <= 0) {
        const ws = at(candidateW, s);
        const d = ws > 0 ? ws / (ws - t) : 0;
        if (d < step || blocking < 0) {
          step = min(step, d);
          blocking = s;
        }
      }
    }
    if (blocking < 0) {
      for (let s = 0; s < count; s++) put(candidateW, s, at(trial, s));
      candidateSize = count;
      return 1 / sum;
    }
    for (let s = 0; s < count; s++) put(candidateW, s, at(candidateW, s) + step * (at(trial, s) - at(candidateW, s)));
    count--;
    putInt(candidateJoints, blocking, intAt(candidateJoints, count));
    put(candidateW, blocking, at(candidateW, count));
  }
  return 0;
}

/** The candidate, of value v, becomes the support if it is an improvement. */
export function keepIfBetter(v: f64): void {
  if (!(v < value * (1 - IMPROVEMENT) || value == Infinity)) return;
  value = v;
  size = candidateSize;
  memory.copy(joints, candidateJoints, size << 2);
  memory.copy(w, candidateW, size << 3);
  fresh = true;
}

/** Whether the first `count` candidates are the bones of the support. */
export function sameAsCurrent(count: i32): bool {
  if (count != size) return false;
  for (let s = 0; s < count; s++) {
    let found = false;
    for (let t = 0; t < count; t++) if (intAt(candidateJoints, s) == intAt(joints, t)) found = true;
    if (!found) return false;
  }
  return true;
}
