// Physics of cloth's detail: the passes of src/cloth/detail-passes.ts, where the steps are explained. A vertex is one vector
// of four floats; edges are worked on in quads that share no vertex.

import { DetailTable } from './detail-table';
import { add, column0, column1, column2, dot3, mul, sub } from './simd';

@inline
function at(p: usize, i: usize): v128 {
  return v128.load(p + (i << 4));
}

@inline
function word(p: usize, i: usize): usize {
  return <usize>load<u32>(p + (i << 2));
}

@inline
function splat(p: usize, i: usize): v128 {
  return v128.load32_splat(p + (i << 2));
}

/** The sum of one vector of three frames, weighted. */
@inline
function blend(a: usize, b: usize, c: usize, wa: v128, wb: v128, wc: v128): v128 {
  return add(add(mul(wa, v128.load(a)), mul(wb, v128.load(b))), mul(wc, v128.load(c)));
}

@inline
function splatX(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 0, 0, 0, 0);
}

@inline
function splatY(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 1, 1, 1);
}

@inline
function splatZ(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 2, 2, 2);
}

@inline
function splatW(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 3, 3, 3, 3);
}

/** The matrix with three columns times a vector. */
@inline
function times(x: v128, y: v128, z: v128, v: v128): v128 {
  return dot3(x, splatX(v), y, splatY(v), z, splatZ(v));
}

/** base = Σ β (R p + origin), carried = keep Q d, u ← Q u. */
export function detailCarry(table: DetailTable, keep: f32): void {
  const n = <usize>table.vertices, coarse = table.coarse, weights = table.weights, points = table.points, frames = table.frames;
  const base = table.base, carried = table.carried, d = table.d, u = table.u;
  const kept = f32x4.splat(keep);
  for (let j: usize = 0; j < n; j++) {
    const o = j * 3;
    const a = frames + (word(coarse, o) << 7), b = frames + (word(coarse, o + 1) << 7), c = frames + (word(coarse, o + 2) << 7);
    const wa = splat(weights, o), wb = splat(weights, o + 1), wc = splat(weights, o + 2);
    const turned = times(
      blend(a, b, c, wa, wb, wc), blend(a + 16, b + 16, c + 16, wa, wb, wc), blend(a + 32, b + 32, c + 32, wa, wb, wc),
      at(points, j),
    );
    v128.store(base + (j << 4), add(turned, blend(a + 48, b + 48, c + 48, wa, wb, wc)));
    const qx = blend(a + 64, b + 64, c + 64, wa, wb, wc);
    const qy = blend(a + 80, b + 80, c + 80, wa, wb, wc);
    const qz = blend(a + 96, b + 96, c + 96, wa, wb, wc);
    v128.store(carried + (j << 4), mul(kept, times(qx, qy, qz, at(d, j))));
    v128.store(u + (j << 4), times(qx, qy, qz, at(u, j)));
  }
}

/** target = base + what the offsets are at t of the frame. */
export function detailTarget(table: DetailTable, t: f32): void {
  const n = <usize>table.vertices, base = table.base, target = table.target, from = table.offsetsFrom, to = table.offsetsTo;
  const share = f32x4.splat(t);
  for (let j: usize = 0; j < n; j++) {
    const before = at(from, j);
    v128.store(target + (j << 4), add(at(base, j), add(before, mul(share, sub(at(to, j), before)))));
  }
}

/** x = origin + carried + left (u + even (mean of the neighbours' u − u)). */
export function detailLaunch(table: DetailTable, origin: usize, even: f32, left: f32): void {
  const n = <usize>table.vertices, starts = table.starts, neighbours = table.neighbours;
  const carried = table.carried, u = table.u, x = table.x;
  const own = f32x4.splat(left * (1 - even));
  for (let j: usize = 0; j < n; j++) {
    const begin = word(starts, j), end = word(starts, j + 1);
    let sum = f32x4.splat(0);
    for (let q = begin; q < end; q++) sum = add(sum, at(u, word(neighbours, q)));
    const share = f32x4.splat((left * even) / <f32>max<usize>(1, end - begin));
    const speed = add(mul(own, at(u, j)), mul(share, sum));
    v128.store(x + (j << 4), add(add(at(origin, j), at(carried, j)), speed));
  }
}

/** Edges to their rest lengths, quad by quad. */
export function detailEdges(table: DetailTable, backwards: bool): void {
  const count = table.edgeQuads, ends = table.edgeEnds, lengths = table.edgeLengths, shares = table.edgeShares, x = table.x;
  const one = f32x4.splat(1), tiny = f32x4.splat(1e-9); // m: squares of floats underflow long before lengths do
  for (let g = 0; g < count; g++) {
    const q = <usize>(backwards ? count - 1 - g : g);
    const p = ends + (q << 5);
    const a0 = x + (word(p, 0) << 4), a1 = x + (word(p, 1) << 4), a2 = x + (word(p, 2) << 4), a3 = x + (word(p, 3) << 4);
    const b0 = x + (word(p, 4) << 4), b1 = x + (word(p, 5) << 4), b2 = x + (word(p, 6) << 4), b3 = x + (word(p, 7) << 4);
    const xa0 = v128.load(a0), xa1 = v128.load(a1), xa2 = v128.load(a2), xa3 = v128.load(a3);
    const xb0 = v128.load(b0), xb1 = v128.load(b1), xb2 = v128.load(b2), xb3 = v128.load(b3);
    const d0 = sub(xb0, xa0), d1 = sub(xb1, xa1), d2 = sub(xb2, xa2), d3 = sub(xb3, xa3);
    const dx = column0(d0, d1, d2, d3), dy = column1(d0, d1, d2, d3), dz = column2(d0, d1, d2, d3);
    const now = f32x4.sqrt(dot3(dx, dx, dy, dy, dz, dz));
    const strain = sub(one, f32x4.div(at(lengths, q), add(now, tiny)));
    const sa = mul(strain, at(shares, 2 * q)), sb = mul(strain, at(shares, 2 * q + 1));
    v128.store(a0, add(xa0, mul(splatX(sa), d0)));
    v128.store(a1, add(xa1, mul(splatY(sa), d1)));
    v128.store(a2, add(xa2, mul(splatZ(sa), d2)));
    v128.store(a3, add(xa3, mul(splatW(sa), d3)));
    v128.store(b0, sub(xb0, mul(splatX(sb), d0)));
    v128.store(b1, sub(xb1, mul(splatY(sb), d1)));
    v128.store(b2, sub(xb2, mul(splatZ(sb), d2)));
    v128.store(b3, sub(xb3, mul(splatW(sb), d3)));
  }
}

/** Each hinge by itself: x_i −= stiffness · k_i / Σ k² · (K·x − R K·r). */
export function detailHinges(table: DetailTable, backwards: bool, stiffness: f32): void {
  const count = table.hinges, vertices = table.hingeVertices, weights = table.hingeWeights, parts = table.hingeParts;
  const rest = table.hingeRest, coarse = table.hingeCoarse, frames = table.frames, x = table.x;
  const curved = table.curved;
  const share = f32x4.splat(stiffness);
  for (let g = 0; g < count; g++) {
    const h = <usize>(backwards ? count - 1 - g : g);
    const p = vertices + (h << 4);
    const p0 = x + (word(p, 0) << 4), p1 = x + (word(p, 1) << 4), p2 = x + (word(p, 2) << 4), p3 = x + (word(p, 3) << 4);
    const x0 = v128.load(p0), x1 = v128.load(p1), x2 = v128.load(p2), x3 = v128.load(p3);
    const k = at(weights, h);
    let bend = add(add(mul(splatX(k), x0), mul(splatY(k), x1)), add(mul(splatZ(k), x2), mul(splatW(k), x3)));
    if (curved) {
      const r = frames + (word(coarse, h) << 7);
      bend = sub(bend, times(v128.load(r), v128.load(r, 16), v128.load(r, 32), at(rest, h)));
    }
    bend = mul(share, bend);
    const part = at(parts, h);
    v128.store(p0, sub(x0, mul(splatX(part), bend)));
    v128.store(p1, sub(x1, mul(splatY(part), bend)));
    v128.store(p2, sub(x2, mul(splatZ(part), bend)));
    v128.store(p3, sub(x3, mul(splatW(part), bend)));
  }
}

/** Takes back what the hats see of the way to the target on average, at one rate, and the way itself, at another. */
export function detailFollow(table: DetailTable, target: usize, hatRate: f32, pullRate: f32): void {
  const n = <usize>table.vertices, hatCount = <usize>table.hatCount, hats = table.hats, weights = table.hatWeights;
  const shares = table.hatShares, means = table.hatMeans, x = table.x;
  memory.fill(means, 0, hatCount << 4);
  for (let j: usize = 0; j < n; j++) {
    const way = sub(at(target, j), at(x, j));
    for (let h = j * 3; h < j * 3 + 3; h++) {
      const m = means + (word(hats, h) << 4);
      v128.store(m, add(v128.load(m), mul(splat(weights, h), way)));
    }
  }
  const rate = f32x4.splat(hatRate);
  for (let h: usize = 0; h < hatCount; h++) {
    v128.store(means + (h << 4), mul(rate, mul(splat(shares, h), at(means, h))));
  }
  const pull = f32x4.splat(pullRate);
  for (let j: usize = 0; j < n; j++) {
    const o = j * 3;
    const mean = blend(
      means + (word(hats, o) << 4), means + (word(hats, o + 1) << 4), means + (word(hats, o + 2) << 4),
      splat(weights, o), splat(weights, o + 1), splat(weights, o + 2),
    );
    const moved = add(at(x, j), mean);
    v128.store(x + (j << 4), add(moved, mul(pull, sub(at(target, j), moved))));
  }
}

/** d = x − origin, u = d − carried. */
export function detailSettle(table: DetailTable, origin: usize): void {
  const n = <usize>table.vertices, carried = table.carried, d = table.d, u = table.u, x = table.x;
  for (let j: usize = 0; j < n; j++) {
    const detail = sub(at(x, j), at(origin, j));
    v128.store(d + (j << 4), detail);
    v128.store(u + (j << 4), sub(detail, at(carried, j)));
  }
}

/** world = x + place. */
export function detailToWorld(table: DetailTable, px: f64, py: f64, pz: f64): void {
  const n = <usize>table.vertices, x = table.x, world = table.world;
  const xy = f64x2.replace_lane(f64x2.splat(px), 1, py);
  for (let j: usize = 0; j < n; j++) {
    const v = at(x, j), o = world + j * 24;
    v128.store(o, f64x2.add(f64x2.promote_low_f32x4(v), xy));
    store<f64>(o, <f64>f32x4.extract_lane(v, 2) + pz, 16);
  }
}

/** x = world − place. */
export function detailFromWorld(table: DetailTable, px: f64, py: f64, pz: f64): void {
  const n = <usize>table.vertices, x = table.x, world = table.world;
  const xy = f64x2.replace_lane(f64x2.splat(px), 1, py);
  for (let j: usize = 0; j < n; j++) {
    const o = world + j * 24;
    const v = f32x4.demote_f64x2_zero(f64x2.sub(v128.load(o), xy));
    v128.store(x + (j << 4), f32x4.replace_lane(v, 2, <f32>(load<f64>(o, 16) - pz)));
  }
}
