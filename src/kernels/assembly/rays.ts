// Rays against a hierarchy of four-wide nodes, one ray at a time: four boxes by slabs, then four triangles (Möller & Trumbore
// 1997), at once. The twin is src/mesh/ray-twins.ts, with the reasons.

import { RayTable } from './ray-table';
import { add, det2, dot3, mul, sub } from './simd';

/** Widens the far side of boxes by what rounding may have taken (Ize 2013). */
const WIDER: f32 = 1.0000004;
/** How far outside a triangle a hit may be, in units of its edges. */
const SLACK: f32 = 4e-6;
/** Directions closer to 0 are taken as this: 1 / x stays finite, and 0 · (1 / x) is 0. */
const TINY: f32 = 1e-18;

@inline
function inverse(x: f32): f32 {
  return <f32>1 / (abs(x) < TINY ? copysign(TINY, x) : x);
}

/** Traces ray i. With `any` it stops at the first hit, and only the face is written. */
@inline
function trace(table: RayTable, i: i32, any: bool): void {
  const nodes = table.nodes, leaves = table.leaves, stack = table.stack;
  const o = table.origins + <usize>i * 12, d = table.directions + <usize>i * 12;
  const ox = v128.load32_splat(o), oy = v128.load32_splat(o, 4), oz = v128.load32_splat(o, 8);
  const dx = load<f32>(d), dy = load<f32>(d, 4), dz = load<f32>(d, 8);
  const ix = f32x4.splat(inverse(dx)), iy = f32x4.splat(inverse(dy)), iz = f32x4.splat(inverse(dz));
  // Where in a node the near side of its boxes is; the far side is 16 bytes away.
  const nearX: usize = reinterpret<u32>(dx) >> 31 << 4;
  const nearY: usize = (reinterpret<u32>(dy) >> 31 << 4) + 32;
  const nearZ: usize = (reinterpret<u32>(dz) >> 31 << 4) + 64;
  const farX: usize = nearX ^ 16, farY: usize = nearY ^ 16, farZ: usize = nearZ ^ 16;
  const zero = f32x4.splat(0), wider = f32x4.splat(WIDER);

  let limit = load<f32>(table.limits + (<usize>i << 2));
  let limits = f32x4.splat(limit);
  let face: i32 = -1;
  let hitU: f32 = 0, hitV: f32 = 0;
  let top = stack;
  let current: i32 = table.root;
  while (true) {
    if (current >= 0) {
      const node = nodes + (<usize>current << 7);
      // Nothing here is NaN: pmax and pmin are one instruction each, max and min several.
      const near = f32x4.pmax(
        f32x4.pmax(mul(sub(v128.load(node + nearX), ox), ix), mul(sub(v128.load(node + nearY), oy), iy)),
        f32x4.pmax(mul(sub(v128.load(node + nearZ), oz), iz), zero));
      const far = f32x4.pmin(
        f32x4.pmin(mul(sub(v128.load(node + farX), ox), ix), mul(sub(v128.load(node + farY), oy), iy)),
        mul(sub(v128.load(node + farZ), oz), iz));
      let mask: i32 = i32x4.bitmask(f32x4.le(near, f32x4.pmin(mul(far, wider), limits)));
      if (mask != 0) {
        let lane: usize = <usize>ctz(mask);
        mask &= mask - 1;
        current = load<i32>(node + (lane << 2), 96);
        if (mask == 0) continue;
        // Several: the nearest goes first, the others are kept, the farthest lowest.
        v128.store(stack - 16, near);
        let distance = load<f32>(stack - 16 + (lane << 2));
        const bottom = top;
        do {
          lane = <usize>ctz(mask);
          mask &= mask - 1;
          let other = load<i32>(node + (lane << 2), 96);
          let otherDistance = load<f32>(stack - 16 + (lane << 2));
          if (otherDistance < distance) {
            const swap = current, swapDistance = distance;
            current = other;
            distance = otherDistance;
            other = swap;
            otherDistance = swapDistance;
          }
          if (!any) {
            // Into its place among those of this node.
            let at = top;
            while (at > bottom && load<f32>(at - 8, 4) < otherDistance) {
              store<u64>(at, load<u64>(at - 8));
              at -= 8;
            }
            store<i32>(at, other);
            store<f32>(at, otherDistance, 4);
          } else {
            store<i32>(top, other);
          }
          top += 8;
        } while (mask != 0);
        continue;
      }
    } else {
      const leaf = leaves + <usize>(~current) * 160;
      const e1x = v128.load(leaf, 48), e1y = v128.load(leaf, 64), e1z = v128.load(leaf, 80);
      const e2x = v128.load(leaf, 96), e2y = v128.load(leaf, 112), e2z = v128.load(leaf, 128);
      const vx = f32x4.splat(dx), vy = f32x4.splat(dy), vz = f32x4.splat(dz);
      const px = det2(vy, e2z, vz, e2y), py = det2(vz, e2x, vx, e2z), pz = det2(vx, e2y, vy, e2x);
      const scale = f32x4.div(f32x4.splat(1), dot3(e1x, px, e1y, py, e1z, pz));
      const tx = sub(ox, v128.load(leaf)), ty = sub(oy, v128.load(leaf, 16)), tz = sub(oz, v128.load(leaf, 32));
      const u = mul(dot3(tx, px, ty, py, tz, pz), scale);
      const qx = det2(ty, e1z, tz, e1y), qy = det2(tz, e1x, tx, e1z), qz = det2(tx, e1y, ty, e1x);
      const v = mul(dot3(vx, qx, vy, qy, vz, qz), scale);
      const t = mul(dot3(e2x, qx, e2y, qy, e2z, qz), scale);
      const slack = f32x4.splat(-SLACK);
      const inside = v128.and(v128.and(f32x4.ge(u, slack), f32x4.ge(v, slack)),
        f32x4.le(add(u, v), f32x4.splat(1 + SLACK)));
      let mask: i32 = i32x4.bitmask(v128.and(inside, v128.and(f32x4.gt(t, zero), f32x4.lt(t, limits))));
      if (mask != 0) {
        if (any) {
          store<i32>(table.faces + (<usize>i << 2), load<i32>(leaf + (<usize>ctz(mask) << 2), 144));
          return;
        }
        v128.store(stack - 16, t);
        v128.store(stack - 32, u);
        v128.store(stack - 48, v);
        do {
          const lane = <usize>ctz(mask) << 2;
          mask &= mask - 1;
          const distance = load<f32>(stack - 16 + lane);
          if (distance < limit) {
            limit = distance;
            face = load<i32>(leaf + lane, 144);
            hitU = load<f32>(stack - 32 + lane);
            hitV = load<f32>(stack - 48 + lane);
          }
        } while (mask != 0);
        limits = f32x4.splat(limit);
      }
    }
    // The next one that may still be nearer.
    if (any) {
      if (top == stack) break;
      top -= 8;
      current = load<i32>(top);
    } else {
      let found = false;
      while (top > stack) {
        top -= 8;
        if (load<f32>(top, 4) < limit) {
          found = true;
          break;
        }
      }
      if (!found) break;
      current = load<i32>(top);
    }
  }
  store<i32>(table.faces + (<usize>i << 2), face);
  if (!any) {
    store<f32>(table.limits + (<usize>i << 2), limit);
    store<f32>(table.us + (<usize>i << 2), hitU);
    store<f32>(table.vs + (<usize>i << 2), hitV);
  }
}

/** The first face that each of `count` rays meets. */
export function rayClosest(table: RayTable, count: i32): void {
  for (let i = 0; i < count; i++) trace(table, i, false);
}

/** Whether each of `count` rays meets a face: one of them. */
export function rayAny(table: RayTable, count: i32): void {
  for (let i = 0; i < count; i++) trace(table, i, true);
}
