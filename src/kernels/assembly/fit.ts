// The weight step of `fit`, for a range of vertices: the twin of src/fit/solver/weights.ts and simplex-solver.ts, which has the derivation. All arrays
// are f64 unless said otherwise; addresses are bytes.

/** Most influences a vertex may have, plus the one being tried. */
const MAX: i32 = 9;
const EXCHANGES: i32 = 10;
const IMPROVEMENT: f64 = 1e-6;

// Small arrays inside the caller's scratch memory: instances share one memory, so each needs its own.
let inverse: usize = 0;
let xs: usize = 0;
let us: usize = 0;
let uu: usize = 0;
let trial: usize = 0;
let mu: usize = 0;
let joints: usize = 0;
let w: usize = 0;
let candidateJoints: usize = 0;
let candidateW: usize = 0;

/** Bytes of the small arrays. */
const SMALL: usize = 2048;

function layOut(scratch: usize): void {
  mu = scratch;
  xs = scratch + 80;
  us = xs + 80;
  trial = us + 80;
  w = trial + 80;
  candidateW = w + 80;
  joints = candidateW + 80;
  candidateJoints = joints + 48;
  uu = candidateJoints + 48;
  inverse = uu + 160;
}

let bones: i32 = 0;
let stride: i32 = 0; // bones rounded up to even: rows of the pair table
let pairs: usize = 0;
let h: usize = 0;
let diagonal: usize = 0;
let g: usize = 0;
let z2: f64 = 0;
let value: f64 = 0;
let size: i32 = 0;
let candidateSize: i32 = 0;
let limit: i32 = 0;
/** Whether `inverse` and `xs` belong to the present support: spares every other inversion. */
let fresh: bool = false;

// @ts-ignore: decorator
@inline function ld(p: usize, i: i32): f64 { return load<f64>(p + ((<usize>i) << 3)); }
// @ts-ignore: decorator
@inline function st(p: usize, i: i32, v: f64): void { store<f64>(p + ((<usize>i) << 3), v); }
// @ts-ignore: decorator
@inline function li(p: usize, i: i32): i32 { return load<i32>(p + ((<usize>i) << 2)); }
// @ts-ignore: decorator
@inline function si(p: usize, i: i32, v: i32): void { store<i32>(p + ((<usize>i) << 2), v); }

/**
 * h_b = Σ_c ṽ_c (M_b,c · z) for four vertices and all bones. `packed` holds the bones as B panels of rank × 4, so that one
 * panel is one bone. Row v of `out` (stride numbers) belongs to vertex v.
 */
function project4(z0: usize, z1: usize, z2: usize, z3: usize, rest: usize, packed: usize, rank: i32, out: usize): void {
  let panel = packed;
  const v0 = rest, v1 = rest + 32, v2 = rest + 64, v3 = rest + 96;
  const r0a = v128.load(v0), r0b = v128.load(v0, 16);
  const r1a = v128.load(v1), r1b = v128.load(v1, 16);
  const r2a = v128.load(v2), r2b = v128.load(v2, 16);
  const r3a = v128.load(v3), r3b = v128.load(v3, 16);
  const row = <usize>stride << 3;
  const bytes = <usize>rank << 3;
  for (let b = 0; b < bones; b++) {
    let a00 = f64x2.splat(0), a01 = a00, a10 = a00, a11 = a00, a20 = a00, a21 = a00, a30 = a00, a31 = a00;
    for (let k: usize = 0; k < bytes; k += 8) {
      const m0 = v128.load(panel), m1 = v128.load(panel, 16);
      panel += 32;
      let s = v128.load64_splat(z0 + k);
      a00 = f64x2.add(a00, f64x2.mul(s, m0));
      a01 = f64x2.add(a01, f64x2.mul(s, m1));
      s = v128.load64_splat(z1 + k);
      a10 = f64x2.add(a10, f64x2.mul(s, m0));
      a11 = f64x2.add(a11, f64x2.mul(s, m1));
      s = v128.load64_splat(z2 + k);
      a20 = f64x2.add(a20, f64x2.mul(s, m0));
      a21 = f64x2.add(a21, f64x2.mul(s, m1));
      s = v128.load64_splat(z3 + k);
      a30 = f64x2.add(a30, f64x2.mul(s, m0));
      a31 = f64x2.add(a31, f64x2.mul(s, m1));
    }
    const o = out + (<usize>b << 3);
    let d = f64x2.add(f64x2.mul(a00, r0a), f64x2.mul(a01, r0b));
    store<f64>(o, f64x2.extract_lane(d, 0) + f64x2.extract_lane(d, 1));
    d = f64x2.add(f64x2.mul(a10, r1a), f64x2.mul(a11, r1b));
    store<f64>(o + row, f64x2.extract_lane(d, 0) + f64x2.extract_lane(d, 1));
    d = f64x2.add(f64x2.mul(a20, r2a), f64x2.mul(a21, r2b));
    store<f64>(o + 2 * row, f64x2.extract_lane(d, 0) + f64x2.extract_lane(d, 1));
    d = f64x2.add(f64x2.mul(a30, r3a), f64x2.mul(a31, r3b));
    store<f64>(o + 3 * row, f64x2.extract_lane(d, 0) + f64x2.extract_lane(d, 1));
  }
}

/** Σ_m K_bc,m·μ_m; the pair table is B × 10 × stride: for bone b, monomial m, all c in a row. */
// @ts-ignore: decorator
@inline function fold(b: i32, c: i32): f64 {
  let p = pairs + ((<usize>(b * 10 * stride + c)) << 3);
  const step = <usize>stride << 3;
  let s: f64 = 0;
  for (let m = 0; m < 10; m++, p += step) s += load<f64>(p) * ld(mu, m);
  return s;
}

// @ts-ignore: decorator
@inline function entry(b: i32, c: i32): f64 {
  return b == c ? ld(diagonal, b) : z2 - ld(h, b) - ld(h, c) + fold(b, c);
}

/** G_bb for all bones; selfPairs is 10 × stride. */
function loadDiagonal(selfPairs: usize): void {
  let smallest: f64 = Infinity;
  const z = f64x2.splat(z2);
  const step = <usize>stride << 3;
  for (let b = 0; b < bones; b += 2) {
    const o = <usize>b << 3;
    const hb = v128.load(h + o);
    let s = f64x2.sub(z, f64x2.add(hb, hb));
    let p = selfPairs + o;
    for (let m = 0; m < 10; m++, p += step) s = f64x2.add(s, f64x2.mul(v128.load64_splat(mu + (<usize>m << 3)), v128.load(p)));
    v128.store(diagonal + o, s);
    smallest = min(smallest, f64x2.extract_lane(s, 0));
    if (b + 1 < bones) smallest = min(smallest, f64x2.extract_lane(s, 1));
  }
  const ridge = 1e-10 * max<f64>(0, smallest) + 1e-15 * z2 + 1e-30;
  const r = f64x2.splat(ridge);
  const zero = f64x2.splat(0);
  for (let b = 0; b < bones; b += 2) {
    const o = diagonal + (<usize>b << 3);
    v128.store(o, f64x2.add(f64x2.max(v128.load(o), zero), r));
  }
}

function invert(js: usize, n: i32): bool {
  fresh = false;
  for (let s = 0; s < n; s++) {
    for (let t = 0; t <= s; t++) {
      const v = entry(li(js, s), li(js, t));
      st(inverse, s * MAX + t, v);
      st(inverse, t * MAX + s, v);
    }
  }
  for (let p = 0; p < n; p++) {
    const pivot = ld(inverse, p * MAX + p);
    if (!(pivot > 0)) return false;
    const inv = 1 / pivot;
    st(inverse, p * MAX + p, 1);
    for (let t = 0; t < n; t++) st(inverse, p * MAX + t, ld(inverse, p * MAX + t) * inv);
    for (let s = 0; s < n; s++) {
      if (s == p) continue;
      const f = ld(inverse, s * MAX + p);
      if (f == 0) continue;
      st(inverse, s * MAX + p, 0);
      for (let t = 0; t < n; t++) st(inverse, s * MAX + t, ld(inverse, s * MAX + t) - f * ld(inverse, p * MAX + t));
    }
  }
  for (let s = 0; s < n; s++) {
    let sum: f64 = 0;
    for (let t = 0; t < n; t++) sum += ld(inverse, s * MAX + t);
    st(xs, s, sum);
  }
  return true;
}

function dropSmallest(count: i32): i32 {
  let smallest = 0;
  for (let s = 1; s < count; s++) if (ld(candidateW, s) < ld(candidateW, smallest)) smallest = s;
  const rest = 1 - ld(candidateW, smallest);
  const last = count - 1;
  si(candidateJoints, smallest, li(candidateJoints, last));
  st(candidateW, smallest, ld(candidateW, last));
  for (let s = 0; s < last; s++) st(candidateW, s, rest > 0 ? ld(candidateW, s) / rest : 1 / <f64>last);
  return last;
}

function solveOn(count: i32): f64 {
  while (true) {
    if (!invert(candidateJoints, count)) {
      count = dropSmallest(count);
      if (count > 1) continue;
      invert(candidateJoints, 1);
    }
    let sum: f64 = 0;
    for (let s = 0; s < count; s++) sum += ld(xs, s);
    let step: f64 = 1;
    let blocking = -1;
    for (let s = 0; s < count; s++) {
      const t = ld(xs, s) / sum;
      st(trial, s, t);
      if (t <= 0) {
        const ws = ld(candidateW, s);
        const d = ws > 0 ? ws / (ws - t) : 0;
        if (d < step || blocking < 0) {
          step = min(step, d);
          blocking = s;
        }
      }
    }
    if (blocking < 0) {
      for (let s = 0; s < count; s++) st(candidateW, s, ld(trial, s));
      candidateSize = count;
      return 1 / sum;
    }
    for (let s = 0; s < count; s++) st(candidateW, s, ld(candidateW, s) + step * (ld(trial, s) - ld(candidateW, s)));
    count--;
    si(candidateJoints, blocking, li(candidateJoints, count));
    st(candidateW, blocking, ld(candidateW, count));
  }
  return 0;
}

function keepIfBetter(v: f64): void {
  if (!(v < value * (1 - IMPROVEMENT) || value == Infinity)) return;
  value = v;
  size = candidateSize;
  memory.copy(joints, candidateJoints, size << 2);
  memory.copy(w, candidateW, size << 3);
  fresh = true;
}

function propose(j: i32, e: i32): i32 {
  let count = 0;
  let rest: f64 = 0;
  for (let s = 0; s < size; s++) {
    if (s == j) continue;
    si(candidateJoints, count, li(joints, s));
    st(candidateW, count++, ld(w, s));
    rest += ld(w, s);
  }
  for (let s = 0; s < count; s++) st(candidateW, s, rest > 0 ? ld(candidateW, s) / rest : 1 / <f64>count);
  si(candidateJoints, count, e);
  st(candidateW, count, count == 0 ? 1 : 0);
  return count + 1;
}

function feasible(j: i32, alpha: f64): bool {
  for (let s = 0; s < size; s++) {
    if (s == j) continue;
    let x = ld(xs, s);
    let u = ld(us, s);
    if (j < size) {
      const f = ld(inverse, s * MAX + j) / ld(inverse, j * MAX + j);
      x -= f * ld(xs, j);
      u -= f * ld(us, j);
    }
    if (x - alpha * u < 0) return false;
  }
  return true;
}

/** Where an exact fit leaves nothing but rounding, a bone may seem to gain from itself. */
function inSupport(bone: i32, n: i32): bool {
  for (let s = 0; s < n; s++) if (li(joints, s) == bone) return true;
  return false;
}

function exchangeOnce(): bool {
  if (!fresh && !invert(joints, size)) return false;
  const n = size;
  let sumX: f64 = 0;
  for (let s = 0; s < n; s++) sumX += ld(xs, s);
  const step = <usize>stride << 3;

  // Rows G_Se for all e.
  for (let s = 0; s < n; s++) {
    const js = li(joints, s);
    const base = f64x2.splat(z2 - ld(h, js));
    const table = pairs + ((<usize>(js * 10 * stride)) << 3);
    const row = g + <usize>s * step;
    const m0 = v128.load64_splat(mu), m1 = v128.load64_splat(mu, 8), m2 = v128.load64_splat(mu, 16);
    const m3 = v128.load64_splat(mu, 24), m4 = v128.load64_splat(mu, 32), m5 = v128.load64_splat(mu, 40);
    const m6 = v128.load64_splat(mu, 48), m7 = v128.load64_splat(mu, 56), m8 = v128.load64_splat(mu, 64);
    const m9 = v128.load64_splat(mu, 72);
    for (let o: usize = 0; o < step; o += 16) {
      let p = table + o;
      let a = f64x2.sub(base, v128.load(h + o));
      a = f64x2.add(a, f64x2.mul(m0, v128.load(p))); p += step;
      let b = f64x2.mul(m1, v128.load(p)); p += step;
      a = f64x2.add(a, f64x2.mul(m2, v128.load(p))); p += step;
      b = f64x2.add(b, f64x2.mul(m3, v128.load(p))); p += step;
      a = f64x2.add(a, f64x2.mul(m4, v128.load(p))); p += step;
      b = f64x2.add(b, f64x2.mul(m5, v128.load(p))); p += step;
      a = f64x2.add(a, f64x2.mul(m6, v128.load(p))); p += step;
      b = f64x2.add(b, f64x2.mul(m7, v128.load(p))); p += step;
      a = f64x2.add(a, f64x2.mul(m8, v128.load(p))); p += step;
      b = f64x2.add(b, f64x2.mul(m9, v128.load(p)));
      v128.store(row + o, f64x2.add(a, b));
    }
  }

  const threshold = 1 / (value * (1 - IMPROVEMENT));
  let best = threshold;
  let bestSlot = -1, bestBone = -1;
  let worse = threshold;
  let worseSlot = -1, worseBone = -1;
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
        const x = ld(xs, j);
        const inv = 1 / ld(inverse, j * MAX + j);
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
        const value = lane == 0 ? f64x2.extract_lane(score, 0) : f64x2.extract_lane(score, 1);
        if (!(value > best) || e + lane >= bones || inSupport(e + lane, n)) continue;
        const r = lane == 0 ? f64x2.extract_lane(positive, 0) : f64x2.extract_lane(positive, 1);
        if (r <= 0) continue;
        const alpha = r / (lane == 0 ? f64x2.extract_lane(s2, 0) : f64x2.extract_lane(s2, 1));
        for (let s = 0; s < n; s++) st(us, s, load<f64>(uu + (<usize>s << 4) + (<usize>lane << 3)));
        if (feasible(j, alpha)) {
          best = value;
          bestSlot = j;
          bestBone = e + lane;
        } else if (value > worse) {
          worse = value;
          worseSlot = j;
          worseBone = e + lane;
        }
      }
    }
  }
  const before = value;
  if (worseBone >= 0 && worse > best) {
    const v = solveOn(propose(worseSlot, worseBone));
    if (v < 1 / best) {
      keepIfBetter(v);
      return value < before;
    }
  }
  if (bestBone < 0) return false;
  keepIfBetter(solveOn(propose(bestSlot, bestBone)));
  return value < before;
}

function takeSupport(from: i32, counts: usize, allJoints: usize, allWeights: usize): i32 {
  const count = <i32>load<u8>(counts + <usize>from);
  const o = from * limit;
  for (let s = 0; s < count; s++) {
    si(candidateJoints, s, li(allJoints, o + s));
    st(candidateW, s, ld(allWeights, o + s));
  }
  return count;
}

function sameAsCurrent(count: i32): bool {
  if (count != size) return false;
  for (let s = 0; s < count; s++) {
    let found = false;
    for (let t = 0; t < count; t++) if (li(candidateJoints, s) == li(joints, t)) found = true;
    if (!found) return false;
  }
  return true;
}

/**
 * Vertices start … end − 1. Supports are read from the "old" arrays (own and neighbours') and written to the new ones, so
 * that the result does not depend on how the range is divided. scratch: (4·stride + stride·(1 + influences + 1))·8 bytes.
 */
export function fitWeights(
  start: i32, end: i32, rank: i32, boneCount: i32, influences: i32,
  z: usize, zNorm2: usize, rest: usize, monomials: usize,
  packed: usize, pairTable: usize, selfPairs: usize,
  oldCounts: usize, oldJoints: usize, oldWeights: usize,
  counts: usize, allJoints: usize, allWeights: usize, errors: usize,
  offsets: usize, neighbours: usize, exchange: i32, scratch: usize,
): void {
  bones = boneCount;
  stride = (boneCount + 1) & ~1;
  pairs = pairTable;
  limit = influences;
  const rowBytes = <usize>stride << 3;
  layOut(scratch);
  const hs = scratch + SMALL;
  diagonal = hs + 4 * rowBytes;
  g = diagonal + rowBytes;
  const zRow = <usize>rank << 3;
  for (let i = start; i < end; i++) {
    const lane = (i - start) & 3;
    if (lane == 0) {
      // The last block repeats its last vertex.
      const i1 = min(i + 1, end - 1), i2 = min(i + 2, end - 1), i3 = min(i + 3, end - 1);
      project4(z + <usize>i * zRow, z + <usize>i1 * zRow, z + <usize>i2 * zRow, z + <usize>i3 * zRow, rest + (<usize>i << 5), packed, rank, hs);
    }
    h = hs + <usize>lane * rowBytes;
    z2 = ld(zNorm2, i);
    memory.copy(mu, monomials + <usize>i * 80, 80);
    loadDiagonal(selfPairs);
    const count = takeSupport(i, oldCounts, oldJoints, oldWeights);
    if (count == 0) {
      let b0 = 0;
      for (let b = 1; b < bones; b++) if (ld(diagonal, b) < ld(diagonal, b0)) b0 = b;
      size = 1;
      fresh = false;
      si(joints, 0, b0);
      st(w, 0, 1);
      value = ld(diagonal, b0);
    } else {
      value = Infinity;
      keepIfBetter(solveOn(count));
      if (offsets) {
        const stop = load<u32>(offsets + (<usize>(i + 1) << 2));
        for (let c = load<u32>(offsets + (<usize>i << 2)); c < stop; c++) {
          const other = takeSupport(load<u32>(neighbours + (<usize>c << 2)), oldCounts, oldJoints, oldWeights);
          if (other > 0 && !sameAsCurrent(other)) keepIfBetter(solveOn(other));
        }
      }
    }
    if (exchange) for (let round = 0; round < EXCHANGES; round++) if (!exchangeOnce()) break;
    store<u8>(counts + <usize>i, <u8>size);
    const o = i * limit;
    for (let s = 0; s < limit; s++) {
      si(allJoints, o + s, s < size ? li(joints, s) : 0);
      st(allWeights, o + s, s < size ? ld(w, s) : 0);
    }
    st(errors, i, max<f64>(0, value));
  }
}

/** Each vertex to the bone that predicts it best: joints (i32) and squared errors. */
export function fitAssign(
  start: i32, end: i32, rank: i32, boneCount: i32,
  z: usize, zNorm2: usize, rest: usize, monomials: usize, packed: usize, selfPairs: usize,
  assignment: usize, errors: usize, scratch: usize,
): void {
  bones = boneCount;
  stride = (boneCount + 1) & ~1;
  const rowBytes = <usize>stride << 3;
  const zRow = <usize>rank << 3;
  layOut(scratch);
  const hs = scratch + SMALL;
  const step = rowBytes;
  for (let i = start; i < end; i++) {
    const lane = (i - start) & 3;
    if (lane == 0) {
      const i1 = min(i + 1, end - 1), i2 = min(i + 2, end - 1), i3 = min(i + 3, end - 1);
      project4(z + <usize>i * zRow, z + <usize>i1 * zRow, z + <usize>i2 * zRow, z + <usize>i3 * zRow, rest + (<usize>i << 5), packed, rank, hs);
    }
    const hRow = hs + <usize>lane * rowBytes;
    memory.copy(mu, monomials + <usize>i * 80, 80);
    const zz = ld(zNorm2, i);
    let best: f64 = Infinity;
    let bone = 0;
    for (let b = 0; b < bones; b++) {
      let s = zz - 2 * ld(hRow, b);
      let p = selfPairs + (<usize>b << 3);
      for (let m = 0; m < 10; m++, p += step) s += load<f64>(p) * ld(mu, m);
      if (s < best) { best = s; bone = b; }
    }
    si(assignment, i, bone);
    st(errors, i, max<f64>(0, best));
  }
}

/** Adds vertices start … end − 1 to the pair sums (B × B × 10, at smaller, larger) and to R (4B × rank). */
export function fitSums(
  start: i32, end: i32, rank: i32, boneCount: i32, influences: i32,
  z: usize, rest: usize, monomials: usize, mass: usize,
  counts: usize, allJoints: usize, allWeights: usize, pairSums: usize, r: usize,
): void {
  const zRow = <usize>rank << 3;
  for (let i = start; i < end; i++) {
    const count = <i32>load<u8>(counts + <usize>i);
    const mi = ld(mass, i);
    const zi = z + <usize>i * zRow;
    for (let s = 0; s < count; s++) {
      const js = li(allJoints, i * influences + s);
      const ws = mi * ld(allWeights, i * influences + s);
      const w0 = f64x2.splat(ws * ld(rest, 4 * i)), w1 = f64x2.splat(ws * ld(rest, 4 * i + 1));
      const w2 = f64x2.splat(ws * ld(rest, 4 * i + 2)), w3 = f64x2.splat(ws * ld(rest, 4 * i + 3));
      const r0 = r + <usize>(4 * js) * zRow;
      const r1 = r0 + zRow, r2 = r1 + zRow, r3 = r2 + zRow;
      let c: usize = 0;
      for (; c + 8 < zRow; c += 16) {
        const v = v128.load(zi + c);
        v128.store(r0 + c, f64x2.add(v128.load(r0 + c), f64x2.mul(w0, v)));
        v128.store(r1 + c, f64x2.add(v128.load(r1 + c), f64x2.mul(w1, v)));
        v128.store(r2 + c, f64x2.add(v128.load(r2 + c), f64x2.mul(w2, v)));
        v128.store(r3 + c, f64x2.add(v128.load(r3 + c), f64x2.mul(w3, v)));
      }
      for (; c < zRow; c += 8) {
        const v = load<f64>(zi + c);
        store<f64>(r0 + c, load<f64>(r0 + c) + f64x2.extract_lane(w0, 0) * v);
        store<f64>(r1 + c, load<f64>(r1 + c) + f64x2.extract_lane(w1, 0) * v);
        store<f64>(r2 + c, load<f64>(r2 + c) + f64x2.extract_lane(w2, 0) * v);
        store<f64>(r3 + c, load<f64>(r3 + c) + f64x2.extract_lane(w3, 0) * v);
      }
      for (let t = 0; t <= s; t++) {
        const jt = li(allJoints, i * influences + t);
        const f = f64x2.splat(ws * ld(allWeights, i * influences + t));
        const o = pairSums + <usize>((js < jt ? js * boneCount + jt : jt * boneCount + js) * 80);
        const m = monomials + <usize>i * 80;
        for (let c: usize = 0; c < 80; c += 16) v128.store(o + c, f64x2.add(v128.load(o + c), f64x2.mul(f, v128.load(m + c))));
      }
    }
  }
}
