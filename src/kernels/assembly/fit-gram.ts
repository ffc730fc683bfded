// One vertex's G_bc = |z|² − h_b − h_c + Σ_m K_bc,m·μ_m: the twin of src/decompose/weights/vertex-gram.ts, which has the derivation.
// Arrays are f64, addresses are bytes. The state belongs to one instance of the module, hence to one thread.
import { FitTable } from './fit-table';
import { at, sum } from './memory';

/** B, and B rounded up to even: the length of a row of numbers per bone. */
export let bones: i32 = 0;
export let stride: i32 = 0;
let rank: i32 = 0;

// Of all vertices: z (N × rank), |z|² (N), homogeneous rest positions (4N), monomials μ (10N).
let allZ: usize = 0;
let zNorms: usize = 0;
let rests: usize = 0;
let allMonomials: usize = 0;
// Of the bones: B panels of rank × 4; K as B × 10 × stride (for bone b and monomial m all c in a row); K_bb as 10 × stride.
let packed: usize = 0;
let pairs: usize = 0;
let selfPairs: usize = 0;

// Of the vertex that was loaded last: its ten monomials, |z|², h and the diagonal of G (stride each).
let mu: usize = 0;
let z2: f64 = 0;
let h: usize = 0;
export let diagonal: usize = 0;
/** h of four vertices, 4 × stride. */
let hs: usize = 0;

/** Takes over a pass: its data, and arrays from `p` on. Returns where they end. */
export function beginGram(table: FitTable, p: usize): usize {
  bones = table.bones;
  stride = (bones + 1) & ~1;
  rank = table.rank;
  allZ = table.z;
  zNorms = table.zNorm2;
  rests = table.rest;
  allMonomials = table.monomials;
  packed = table.packed;
  pairs = table.pairs;
  selfPairs = table.selfPairs;
  const row = <usize>stride << 3;
  mu = p;
  hs = mu + 80;
  diagonal = hs + 4 * row;
  return diagonal + row;
}

/** Loads vertex i of a range whose vertices are loaded in order: h comes for four at a time. */
export function loadVertex(i: i32, start: i32, end: i32): void {
  const lane = (i - start) & 3;
  if (lane == 0) {
    // The last block repeats its last vertex.
    const i1 = min(i + 1, end - 1), i2 = min(i + 2, end - 1), i3 = min(i + 3, end - 1);
    const row = <usize>rank << 3;
    project4(allZ + <usize>i * row, allZ + <usize>i1 * row, allZ + <usize>i2 * row, allZ + <usize>i3 * row, rests + (<usize>i << 5));
  }
  h = hs + <usize>lane * (<usize>stride << 3);
  z2 = at(zNorms, i);
  memory.copy(mu, allMonomials + <usize>i * 80, 80);
}

/** h_b = Σ_c ṽ_c (M_b,c · z) for four vertices and all bones: one panel is one bone, row v of `hs` belongs to vertex v. */
function project4(z0: usize, z1: usize, z2: usize, z3: usize, rest: usize): void {
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
    const o = hs + (<usize>b << 3);
    let d = f64x2.add(f64x2.mul(a00, r0a), f64x2.mul(a01, r0b));
    store<f64>(o, sum(d));
    d = f64x2.add(f64x2.mul(a10, r1a), f64x2.mul(a11, r1b));
    store<f64>(o + row, sum(d));
    d = f64x2.add(f64x2.mul(a20, r2a), f64x2.mul(a21, r2b));
    store<f64>(o + 2 * row, sum(d));
    d = f64x2.add(f64x2.mul(a30, r3a), f64x2.mul(a31, r3b));
    store<f64>(o + 3 * row, sum(d));
  }
}

/** Σ_m K_bc,m·μ_m. */
@inline
function fold(b: i32, c: i32): f64 {
  let p = pairs + ((<usize>(b * 10 * stride + c)) << 3);
  const step = <usize>stride << 3;
  let s: f64 = 0;
  for (let m = 0; m < 10; m++, p += step) s += load<f64>(p) * at(mu, m);
  return s;
}

/** G_bc. */
@inline
export function entry(b: i32, c: i32): f64 {
  return b == c ? at(diagonal, b) : z2 - at(h, b) - at(h, c) + fold(b, c);
}

/** |d_b|² = G_bb of every bone as it comes, which rounding may make negative. Returns the smallest. */
export function loadSelfErrors(): f64 {
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
  return smallest;
}

/** G_bb of every bone, with the ridge that keeps supports whose bones agree invertible. */
export function loadDiagonal(): void {
  const smallest = loadSelfErrors();
  const ridge = f64x2.splat(1e-10 * max<f64>(0, smallest) + 1e-15 * z2 + 1e-30);
  const zero = f64x2.splat(0);
  for (let b = 0; b < bones; b += 2) {
    const o = diagonal + (<usize>b << 3);
    v128.store(o, f64x2.add(f64x2.max(v128.load(o), zero), ridge));
  }
}

/** The bone with the smallest G_bb. */
export function bestBone(): i32 {
  let best = 0;
  for (let b = 1; b < bones; b++) if (at(diagonal, b) < at(diagonal, best)) best = b;
  return best;
}

/** Row G_be of bone b for all e: stride numbers. */
export function gramRow(row: usize, b: i32): void {
  const step = <usize>stride << 3;
  const base = f64x2.splat(z2 - at(h, b));
  const table = pairs + ((<usize>(b * 10 * stride)) << 3);
  const m0 = v128.load64_splat(mu), m1 = v128.load64_splat(mu, 8), m2 = v128.load64_splat(mu, 16);
  const m3 = v128.load64_splat(mu, 24), m4 = v128.load64_splat(mu, 32), m5 = v128.load64_splat(mu, 40);
  const m6 = v128.load64_splat(mu, 48), m7 = v128.load64_splat(mu, 56), m8 = v128.load64_splat(mu, 64);
  const m9 = v128.load64_splat(mu, 72);
  for (let o: usize = 0; o < step; o += 16) {
    let p = table + o;
    let a = f64x2.sub(base, v128.load(h + o));
    a = f64x2.add(a, f64x2.mul(m0, v128.load(p))); p += step;
    let c = f64x2.mul(m1, v128.load(p)); p += step;
    a = f64x2.add(a, f64x2.mul(m2, v128.load(p))); p += step;
    c = f64x2.add(c, f64x2.mul(m3, v128.load(p))); p += step;
    a = f64x2.add(a, f64x2.mul(m4, v128.load(p))); p += step;
    c = f64x2.add(c, f64x2.mul(m5, v128.load(p))); p += step;
    a = f64x2.add(a, f64x2.mul(m6, v128.load(p))); p += step;
    c = f64x2.add(c, f64x2.mul(m7, v128.load(p))); p += step;
    a = f64x2.add(a, f64x2.mul(m8, v128.load(p))); p += step;
    c = f64x2.add(c, f64x2.mul(m9, v128.load(p)));
    v128.store(row + o, f64x2.add(a, c));
  }
}
