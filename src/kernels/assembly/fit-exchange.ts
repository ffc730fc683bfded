// The best exchange of one bone of a support over all bones: the twin of src/math/simplex-exchange.ts, two bones at a time.
import { bones, diagonal, gramRow, stride } from './fit-gram';
import {
  candidateJoints, candidateW, fresh, IMPROVEMENT, inverse, invert, joints, keepIfBetter, limit, MAX, size, solveOn, value, w, xs,
} from './fit-simplex';
import { at, intAt, put, putInt } from './memory';

/** u = G_SS⁻¹·G_Se of one bone, and of two bones side by side. */
let us: usize = 0;
let uu: usize = 0;
/** Rows G_Se, influences × stride. */
let g: usize = 0;

/** Takes the arrays from `p` on. */
export function beginExchanges(p: usize): void {
  us = p;
  uu = us + 80;
  g = uu + 160;
}

/** Candidate = the support without slot j, plus bone e at weight 0 (a feasible start for the active set). Returns its size. */
function propose(j: i32, e: i32): i32 {
  let count = 0;
  let rest: f64 = 0;
  for (let s = 0; s < size; s++) {
    if (s == j) continue;
    putInt(candidateJoints, count, intAt(joints, s));
    put(candidateW, count++, at(w, s));
    rest += at(w, s);
  }
  for (let s = 0; s < count; s++) put(candidateW, s, rest > 0 ? at(candidateW, s) / rest : 1 / <f64>count);
  putInt(candidateJoints, count, e);
  put(candidateW, count, count == 0 ? 1 : 0);
  return count + 1;
}

/** Whether x_T − α·u_T ≥ 0 after leaving out slot j (`us` belongs to the bone being tried). */
function feasible(j: i32, alpha: f64): bool {
  for (let s = 0; s < size; s++) {
    if (s == j) continue;
    let x = at(xs, s);
    let u = at(us, s);
    if (j < size) {
      const f = at(inverse, s * MAX + j) / at(inverse, j * MAX + j);
      x -= f * at(xs, j);
      u -= f * at(us, j);
    }
    if (x - alpha * u < 0) return false;
  }
  return true;
}

/** Whether the support holds a bone. Where an exact fit leaves nothing but rounding, a bone may seem to gain from itself. */
function inSupport(bone: i32, n: i32): bool {
  for (let s = 0; s < n; s++) if (intAt(joints, s) == bone) return true;
  return false;
}

// What `scan` found: the best exchange that keeps all weights ≥ 0, and the best that does not but promises more. Scores are
// 1/value: larger is better. A slot that is the size of the support leaves nothing out; bone −1 is none.
let best: f64 = 0;
let exchangeSlot: i32 = -1, exchangeBone: i32 = -1;
let infeasible: f64 = 0;
let infeasibleSlot: i32 = -1, infeasibleBone: i32 = -1;

/** Takes the best exchange if it is an improvement, and says whether it was. */
export function exchangeOnce(): bool {
  if (!fresh && !invert(joints, size)) return false;
  scan(1 / (value * (1 - IMPROVEMENT)));
  const before = value;
  if (infeasibleBone >= 0 && infeasible > best) {
    const v = solveOn(propose(infeasibleSlot, infeasibleBone));
    if (v < 1 / best) {
      keepIfBetter(v);
      return value < before;
    }
  }
  if (exchangeBone < 0) return false;
  keepIfBetter(solveOn(propose(exchangeSlot, exchangeBone)));
  return value < before;
}

/** Looks for exchanges of the inverted support that score more than `threshold`. */
function scan(threshold: f64): void {
  const n = size;
  let sumX: f64 = 0;
  for (let s = 0; s < n; s++) sumX += at(xs, s);
  const step = <usize>stride << 3;

  for (let s = 0; s < n; s++) gramRow(g + <usize>s * step, intAt(joints, s));

  best = infeasible = threshold;
  exchangeBone = infeasibleBone = -1;
  const last = n < limit ? n : n - 1;
  const one = f64x2.splat(1);
  const zero = f64x2.splat(0);
  const tiny = f64x2.splat(1e-12);
  for (let e = 0; e < bones; e += 2) {
    const o = <usize>e << 3;
    const d = v128.load(diagonal + o);
    let sigma = d;
    let sumU = zero;
    for (let s = 0; s < n; s++) {
      let u = zero;
      for (let t = 0; t < n; t++) u = f64x2.add(u, f64x2.mul(v128.load64_splat(inverse + (<usize>(s * MAX + t) << 3)), v128.load(g + <usize>t * step + o)));
      v128.store(uu + (<usize>s << 4), u);
      sumU = f64x2.add(sumU, u);
      sigma = f64x2.sub(sigma, f64x2.mul(u, v128.load(g + <usize>s * step + o)));
    }
    const floor = f64x2.mul(tiny, d);
    for (let j = last; j >= 0; j--) {
      let s2 = sigma;
      let su = sumU;
      let sx = f64x2.splat(sumX);
      if (j < n) {
        const x = at(xs, j);
        const inv = 1 / at(inverse, j * MAX + j);
        const u = v128.load(uu + (<usize>j << 4));
        const ud = f64x2.mul(u, f64x2.splat(inv));
        s2 = f64x2.add(s2, f64x2.mul(u, ud));
        su = f64x2.sub(su, f64x2.mul(ud, f64x2.splat(x)));
        sx = f64x2.sub(sx, f64x2.splat(x * x * inv));
      }
      s2 = f64x2.max(s2, floor);
      const room = f64x2.sub(one, su);
      const positive = f64x2.max(room, zero);
      const score = f64x2.add(sx, f64x2.div(f64x2.mul(positive, positive), s2));
      if (!v128.any_true(f64x2.gt(score, f64x2.splat(best)))) continue;
      for (let lane = 0; lane < 2; lane++) {
        const found = lane == 0 ? f64x2.extract_lane(score, 0) : f64x2.extract_lane(score, 1);
        if (!(found > best) || e + lane >= bones || inSupport(e + lane, n)) continue;
        const r = lane == 0 ? f64x2.extract_lane(positive, 0) : f64x2.extract_lane(positive, 1);
        if (r <= 0) continue;
        const alpha = r / (lane == 0 ? f64x2.extract_lane(s2, 0) : f64x2.extract_lane(s2, 1));
        for (let s = 0; s < n; s++) put(us, s, load<f64>(uu + (<usize>s << 4) + (<usize>lane << 3)));
        if (feasible(j, alpha)) {
          best = found;
          exchangeSlot = j;
          exchangeBone = e + lane;
        } else if (found > infeasible) {
          infeasible = found;
          infeasibleSlot = j;
          infeasibleBone = e + lane;
        }
      }
    }
  }
}
