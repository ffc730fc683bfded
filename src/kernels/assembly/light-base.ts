// Light that spheres block: src/light/base-twin.ts, where the formulas are explained.

import { LightTable } from './light-table';
import { add, column0, column1, column2, column3, mul, sub } from './simd';

const SEEN: usize = 32;
const SHRINK_FROM: f32 = 0.4;
const SHRINK_OVER: f32 = 0.45;
const HALF_PI: f32 = 1.5707963267948966;

/** sin x, 0 ≤ x ≤ ½π, to a few units in the last place: its series. */
@inline
function sine(x: f32): f32 {
  const y = x * x;
  return x * (1 + y * (-1.6666667e-1 + y * (8.3333333e-3 + y * (-1.9841270e-4 + y * (2.7557319e-6 - y * 2.5052108e-8)))));
}

@inline
function cosine(x: f32): f32 {
  return sine(HALF_PI - x);
}

@inline
function sines(x: v128): v128 {
  const y = mul(x, x);
  let p = add(f32x4.splat(2.7557319e-6), mul(y, f32x4.splat(-2.5052108e-8)));
  p = add(f32x4.splat(-1.9841270e-4), mul(y, p));
  p = add(f32x4.splat(8.3333333e-3), mul(y, p));
  p = add(f32x4.splat(-1.6666667e-1), mul(y, p));
  return mul(x, add(f32x4.splat(1), mul(y, p)));
}

/** Radii as they count where the middles are `height` above the tangent plane. */
@inline
function shrunk(radius: v128, height: v128): v128 {
  const zero = f32x4.splat(0);
  const share = f32x4.div(add(height, mul(f32x4.splat(SHRINK_FROM), radius)), mul(f32x4.splat(-SHRINK_OVER), radius));
  const t = f32x4.pmin(f32x4.splat(1), f32x4.pmax(zero, share));
  return sub(radius, mul(f32x4.pmax(zero, add(radius, height)), t));
}

/** Writes the spheres that a vertex sees, and returns how many bytes they take. */
@inline
function see(
  table: LightTable, spheres: i32, cell: f32, sinCell: f32, cosCell: f32, sinMargin: f32, cosMargin: f32, p: usize, n: usize,
): usize {
  const px = v128.load32_splat(p), py = v128.load32_splat(p, 4), pz = v128.load32_splat(p, 8);
  const nx = v128.load32_splat(n), ny = v128.load32_splat(n, 4), nz = v128.load32_splat(n, 8);
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  const perCell = f32x4.splat(1 / (1 - cosCell)), sinRho = f32x4.splat(sinCell), cosRho = f32x4.splat(cosCell);
  const sinM = f32x4.splat(sinMargin), cosM = f32x4.splat(cosMargin);
  const row = <usize>table.spheres << 2, balls = table.balls, lanes = table.lanes;
  let out = table.seen;
  for (let s: usize = 0; s < <usize>spheres << 2; s += 16) {
    const x = sub(v128.load(balls + s), px);
    const y = sub(v128.load(balls + row + s), py);
    const z = sub(v128.load(balls + 2 * row + s), pz);
    const height = add(add(mul(nx, x), mul(ny, y)), mul(nz, z));
    const radius = shrunk(v128.load(balls + 3 * row + s), height), opacity = v128.load(table.opacities + s);
    const square = add(add(mul(x, x), mul(y, y)), mul(z, z));
    const distance = f32x4.sqrt(square);
    const inverse = f32x4.div(one, f32x4.pmax(f32x4.splat(1e-20), distance));
    const outside = f32x4.gt(distance, radius);
    let sinTheta = mul(radius, inverse);
    let cosTheta = mul(f32x4.sqrt(f32x4.pmax(zero, sub(square, mul(radius, radius)))), inverse);
    const highest = add(mul(sinTheta, cosM), mul(cosTheta, sinM));
    const up = mul(height, inverse);
    const below = v128.and(
      v128.and(outside, f32x4.gt(mul(cosTheta, cosM), mul(sinTheta, sinM))), f32x4.le(up, f32x4.neg(highest)),
    );
    let mask = i32x4.bitmask(v128.andnot(f32x4.gt(opacity, zero), below));
    if (mask == 0) continue;
    if (!i32x4.all_true(outside)) {
      const angle = f32x4.pmax(f32x4.splat(cell), f32x4.div(mul(f32x4.splat(HALF_PI), distance), radius));
      sinTheta = v128.bitselect(sinTheta, sines(angle), outside);
      cosTheta = v128.bitselect(cosTheta, f32x4.neg(sines(sub(f32x4.splat(HALF_PI), angle))), outside);
    }
    const scale = f32x4.div(f32x4.splat(0.5), mul(sinTheta, sinRho));
    const w = mul(opacity, f32x4.pmin(one, mul(sub(one, cosTheta), perCell)));
    const way = mul(inverse, scale);
    const b = mul(sub(mul(sinTheta, sinRho), mul(cosTheta, cosRho)), scale);
    const ax = mul(x, way), ay = mul(y, way), az = mul(z, way);
    // As rows of one sphere each.
    v128.store(lanes, column0(ax, ay, az, b));
    v128.store(lanes, column1(ax, ay, az, b), 32);
    v128.store(lanes, column2(ax, ay, az, b), 64);
    v128.store(lanes, column3(ax, ay, az, b), 96);
    const w3 = mul(f32x4.splat(3), w), w2 = mul(f32x4.splat(2), w);
    v128.store(lanes, column0(w3, w2, zero, zero), 16);
    v128.store(lanes, column1(w3, w2, zero, zero), 48);
    v128.store(lanes, column2(w3, w2, zero, zero), 80);
    v128.store(lanes, column3(w3, w2, zero, zero), 112);
    while (mask != 0) {
      const lane = lanes + (<usize>ctz(mask) << 5);
      mask &= mask - 1;
      v128.store(out, v128.load(lane));
      v128.store(out, v128.load(lane, 16), 16);
      out += SEEN;
    }
  }
  return out - table.seen;
}

/** Collects the directions above the horizon; returns how many. Four more with no weight follow. */
@inline
function look(table: LightTable, cell: f32, axes: usize, n: usize): usize {
  const k = <usize>table.directions, row = (k << 2) + 16;
  const nx = load<f32>(n), ny = load<f32>(n, 4), nz = load<f32>(n, 8);
  const x = axes, y = x + (k << 2), z = y + (k << 2), active = table.active;
  const vx = f32x4.splat(nx), vy = f32x4.splat(ny), vz = f32x4.splat(nz);
  const quarter: f32 = 1 / (4 * cell), half: f32 = 1 / (2 * cell);
  let to: usize = 0;
  for (let q: usize = 0; q < k << 2; q += 16) {
    const lanes = add(add(mul(vx, v128.load(x + q)), mul(vy, v128.load(y + q))), mul(vz, v128.load(z + q)));
    let mask = i32x4.bitmask(f32x4.gt(lanes, f32x4.splat(-cell)));
    if (mask == 0) continue;
    v128.store(active + 6 * row - 16, lanes);
    while (mask != 0) {
      const lane = <usize>ctz(mask) << 2;
      mask &= mask - 1;
      const c = load<f32>(active + 6 * row - 16 + lane);
      const from = q + lane, at = active + to;
      store<f32>(at, load<f32>(x + from));
      store<f32>(at + row, load<f32>(y + from));
      store<f32>(at + 2 * row, load<f32>(z + from));
      const above = c + cell;
      const low = c < cell;
      store<f32>(at + 3 * row, low ? above * above * quarter : c);
      store<f32>(at + 4 * row, low ? above * half : 1);
      store<i32>(at + 5 * row, <i32>(from >> 2));
      to += 4;
    }
  }
  const zero = f32x4.splat(0);
  for (let r: usize = 0; r < 5; r++) v128.store(active + r * row + to, zero);
  v128.store(active + 5 * row + to, zero);
  return to;
}

/** V of four directions at `at`, in place of their x. */
@inline
function seeFour(at: usize, row: usize, seen: usize, bytes: usize): void {
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  const x = v128.load(at), y = v128.load(at + row), z = v128.load(at + 2 * row);
  let visible = one;
  for (let s = seen; s < seen + bytes; s += SEEN) {
    let t = add(mul(v128.load32_splat(s), x), mul(v128.load32_splat(s, 4), y));
    t = add(t, add(mul(v128.load32_splat(s, 8), z), v128.load32_splat(s, 12)));
    t = f32x4.pmin(one, f32x4.pmax(zero, t));
    const smooth = mul(mul(t, t), sub(v128.load32_splat(s, 16), mul(v128.load32_splat(s, 20), t)));
    visible = mul(visible, sub(one, smooth));
  }
  v128.store(at, visible);
}

/** The same of eight. A number of a sphere is loaded once for both fours, and used at once: registers are few. */
@inline
function seeEight(at: usize, row: usize, seen: usize, bytes: usize): void {
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  const x0 = v128.load(at), y0 = v128.load(at + row), z0 = v128.load(at + 2 * row);
  const x1 = v128.load(at, 16), y1 = v128.load(at + row, 16), z1 = v128.load(at + 2 * row, 16);
  let v0 = one, v1 = one;
  for (let s = seen; s < seen + bytes; s += SEEN) {
    let a = v128.load32_splat(s, 12);
    let t0 = a, t1 = a;
    a = v128.load32_splat(s);
    t0 = add(t0, mul(a, x0));
    t1 = add(t1, mul(a, x1));
    a = v128.load32_splat(s, 4);
    t0 = add(t0, mul(a, y0));
    t1 = add(t1, mul(a, y1));
    a = v128.load32_splat(s, 8);
    t0 = f32x4.pmin(one, f32x4.pmax(zero, add(t0, mul(a, z0))));
    t1 = f32x4.pmin(one, f32x4.pmax(zero, add(t1, mul(a, z1))));
    a = v128.load32_splat(s, 20);
    let s0 = mul(a, t0), s1 = mul(a, t1);
    a = v128.load32_splat(s, 16);
    s0 = mul(mul(t0, t0), sub(a, s0));
    s1 = mul(mul(t1, t1), sub(a, s1));
    v0 = mul(v0, sub(one, s0));
    v1 = mul(v1, sub(one, s1));
  }
  v128.store(at, v0);
  v128.store(at, v1, 16);
}

/** Adds a · the row of a direction to a row. */
@inline
function addRow(to: usize, row: usize, bytes: usize, a: v128): void {
  for (let c: usize = 0; c < bytes; c += 16) v128.store(to + c, add(v128.load(to + c), mul(a, v128.load(row + c))));
}

/** Σ a · row of 28 numbers, those of order 5, over directions: `scaled` has their a, `numbers` their rows. */
@inline
function sumRows(to: usize, scaled: usize, numbers: usize, count: usize, harmonics: usize): void {
  let s0 = f32x4.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0;
  for (let q: usize = 0; q < count; q += 4) {
    const a = v128.load32_splat(scaled + q);
    const from = harmonics + <usize>load<i32>(numbers + q) * 112;
    s0 = add(s0, mul(a, v128.load(from)));
    s1 = add(s1, mul(a, v128.load(from, 16)));
    s2 = add(s2, mul(a, v128.load(from, 32)));
    s3 = add(s3, mul(a, v128.load(from, 48)));
    s4 = add(s4, mul(a, v128.load(from, 64)));
    s5 = add(s5, mul(a, v128.load(from, 80)));
    s6 = add(s6, mul(a, v128.load(from, 96)));
  }
  v128.store(to, s0);
  v128.store(to, s1, 16);
  v128.store(to, s2, 32);
  v128.store(to, s3, 48);
  v128.store(to, s4, 64);
  v128.store(to, s5, 80);
  v128.store(to, s6, 96);
}

/** What `spheres` spheres block of the light at every vertex. */
export function lightBlock(table: LightTable, spheres: i32, cell: f32, withHidden: bool): void {
  const n = <usize>table.vertices, k = <usize>table.directions, row = (k << 2) + 16;
  const width = <usize>table.width << 2;
  const sinCell = sine(cell), cosCell = cosine(cell);
  // asin ρ by its series: ρ ≤ ½.
  const asin = cell * (1 + cell * cell * (1.6666667e-1 + cell * cell * (7.5e-2 + cell * cell * 4.464286e-2)));
  const margin = min<f32>(HALF_PI, cell + asin * 1.001);
  const sinMargin = sine(margin), cosMargin = cosine(margin);
  const blockedScale = f32x4.splat(4 / <f32>table.directions);
  const hiddenScale = f32x4.splat(<f32>(4 * 3.141592653589793) / <f32>table.directions);
  const active = table.active, seen = table.seen;
  const weights = active + 3 * row;
  for (let i: usize = 0; i < n; i++) {
    const blocked = table.blocked + i * width, hidden = table.hidden + i * width;
    for (let c: usize = 0; c < width; c += 16) v128.store(blocked + c, f32x4.splat(0));
    if (withHidden) for (let c: usize = 0; c < width; c += 16) v128.store(hidden + c, f32x4.splat(0));
    const normal = table.normals + 12 * i;
    const bytes = see(table, spheres, cell, sinCell, cosCell, sinMargin, cosMargin, table.positions + 12 * i, normal);
    if (bytes == 0) continue;
    const axes = table.turned + 12 * k * <usize>load<u32>(table.groupOf + (i << 2));
    const count = look(table, cell, axes, normal);
    let done: usize = 0;
    for (; done + 16 < count; done += 32) seeEight(active + done, row, seen, bytes);
    if (done < count) seeFour(active + done, row, seen, bytes);
    for (let q: usize = 0; q < count; q += 16) {
      const at = active + q;
      const dark = sub(f32x4.splat(1), v128.load(at));
      v128.store(at, mul(mul(blockedScale, dark), v128.load(weights + q)));
      v128.store(at + row, mul(mul(hiddenScale, dark), v128.load(weights + row + q)));
    }
    if (width == 112) {
      sumRows(blocked, active, active + 5 * row, count, table.harmonics);
      if (withHidden) sumRows(hidden, active + row, active + 5 * row, count, table.harmonics);
      continue;
    }
    for (let q: usize = 0; q < count; q += 4) {
      const a = load<f32>(active + q);
      const from = table.harmonics + <usize>load<i32>(active + 5 * row + q) * width;
      if (a != 0) addRow(blocked, from, width, f32x4.splat(a));
      if (withHidden) {
        const b = load<f32>(active + row + q);
        if (b != 0) addRow(hidden, from, width, f32x4.splat(b));
      }
    }
  }
}
