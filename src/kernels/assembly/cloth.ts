// The inner loops of the cloth simulation: src/cloth/strain.ts, air.ts, bending.ts and the integration of solver.ts. Every
// number is made by the same operations in the same order as there, so that results are the same to the last bit. x and y
// of a vertex go together; roots and quotients of two springs or triangles do.

import { ClothTable } from './cloth-table';

/** The address of vertex i of a u32 list, in an array of three numbers each. */
@inline
function vertex(array: usize, list: usize, i: usize): usize {
  return array + <usize>load<u32>(list + (i << 2)) * 24;
}

@inline
function number(array: usize, i: usize): f64 {
  return load<f64>(array + (i << 3));
}

@inline
function pair(x: f64, y: f64): v128 {
  return f64x2.replace_lane(f64x2.splat(x), 1, y);
}

@inline
function firsts(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 0, 2);
}

@inline
function seconds(a: v128, b: v128): v128 {
  return v128.shuffle<f64>(a, b, 1, 3);
}

/** Adds s · (xy, z) to the vector at p. */
@inline
function addTo(p: usize, s: f64, xy: v128, z: f64): void {
  v128.store(p, f64x2.add(v128.load(p), f64x2.mul(f64x2.splat(s), xy)));
  store<f64>(p, load<f64>(p, 16) + s * z, 16);
}

@inline
function takeFrom(p: usize, s: f64, xy: v128, z: f64): void {
  v128.store(p, f64x2.sub(v128.load(p), f64x2.mul(f64x2.splat(s), xy)));
  store<f64>(p, load<f64>(p, 16) - s * z, 16);
}

/** Verlet, with kick · dt². */
export function clothIntegrate(table: ClothTable, dt2: f64): void {
  const x = table.x, previous = table.previous, acceleration = table.acceleration;
  const bytes = <usize>table.vertices * 24;
  const kick = f64x2.splat(dt2), two = f64x2.splat(2);
  // To a multiple of two numbers: arrays end on cache lines.
  for (let o: usize = 0; o < bytes; o += 16) {
    const now = v128.load(x + o);
    const free = f64x2.sub(f64x2.mul(two, now), v128.load(previous + o));
    v128.store(x + o, f64x2.add(free, f64x2.mul(v128.load(acceleration + o), kick)));
    v128.store(previous + o, now);
  }
}

/** A sweep over all springs: `both` · strain + `stretchOnly` · |strain|. */
export function clothStrain(table: ClothTable, both: f64, stretchOnly: f64): void {
  const x = table.x, correction = table.correction, a = table.a, b = table.b, length = table.length;
  const shareA = table.shareA, shareB = table.shareB;
  const count = <usize>table.springs;
  const bytes = <usize>table.vertices * 24;
  memory.fill(correction, 0, bytes);
  const one = f64x2.splat(1), tiny = f64x2.splat(5e-324), relaxed = f64x2.splat(both), also = f64x2.splat(stretchOnly);
  for (let e: usize = 0; e < count; e += 2) {
    // The last one of an odd number is looked at twice, and added once.
    const f = min<usize>(e + 1, count - 1);
    const a0 = vertex(x, a, e), b0 = vertex(x, b, e), a1 = vertex(x, a, f), b1 = vertex(x, b, f);
    const xy0 = f64x2.sub(v128.load(b0), v128.load(a0)), xy1 = f64x2.sub(v128.load(b1), v128.load(a1));
    const z0 = load<f64>(b0, 16) - load<f64>(a0, 16), z1 = load<f64>(b1, 16) - load<f64>(a1, 16);
    const dx = firsts(xy0, xy1), dy = seconds(xy0, xy1), dz = pair(z0, z1);
    const now = f64x2.sqrt(f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz)));
    const rest = pair(number(length, e), number(length, f));
    const strain = f64x2.sub(one, f64x2.div(rest, f64x2.add(now, tiny)));
    const s = f64x2.add(f64x2.mul(relaxed, strain), f64x2.mul(also, f64x2.abs(strain)));
    const s0 = f64x2.extract_lane(s, 0), s1 = f64x2.extract_lane(s, 1);
    addTo(correction + (a0 - x), s0 * number(shareA, e), xy0, z0);
    takeFrom(correction + (b0 - x), s0 * number(shareB, e), xy0, z0);
    if (f === e) break;
    addTo(correction + (a1 - x), s1 * number(shareA, f), xy1, z1);
    takeFrom(correction + (b1 - x), s1 * number(shareB, f), xy1, z1);
  }
  for (let o: usize = 0; o < bytes; o += 16) v128.store(x + o, f64x2.add(v128.load(x + o), v128.load(correction + o)));
}

/** Adds the accelerations of the hinges of a flat sheet. */
export function clothBending(table: ClothTable): void {
  const x = table.x, acceleration = table.acceleration, inverseMass = table.inverseMass;
  const vertices = table.hingeVertices, weights = table.hingeWeights, stiffness = table.hingeStiffness;
  const count = <usize>table.hinges;
  for (let h: usize = 0; h < count; h++) {
    const w = h << 2;
    const p0 = vertex(x, vertices, w), p1 = vertex(x, vertices, w + 1), p2 = vertex(x, vertices, w + 2), p3 = vertex(x, vertices, w + 3);
    const k0 = number(weights, w), k1 = number(weights, w + 1), k2 = number(weights, w + 2), k3 = number(weights, w + 3);
    const xy = f64x2.add(
      f64x2.add(
        f64x2.add(f64x2.mul(f64x2.splat(k0), v128.load(p0)), f64x2.mul(f64x2.splat(k1), v128.load(p1))),
        f64x2.mul(f64x2.splat(k2), v128.load(p2)),
      ),
      f64x2.mul(f64x2.splat(k3), v128.load(p3)),
    );
    const z = k0 * load<f64>(p0, 16) + k1 * load<f64>(p1, 16) + k2 * load<f64>(p2, 16) + k3 * load<f64>(p3, 16);
    const s = -number(stiffness, h);
    const to = acceleration - x;
    addTo(p0 + to, s * k0 * number(inverseMass, (p0 - x) / 24), xy, z);
    addTo(p1 + to, s * k1 * number(inverseMass, (p1 - x) / 24), xy, z);
    addTo(p2 + to, s * k2 * number(inverseMass, (p2 - x) / 24), xy, z);
    addTo(p3 + to, s * k3 * number(inverseMass, (p3 - x) / 24), xy, z);
  }
}

/** Adds internal friction. */
export function clothViscosity(table: ClothTable, viscosity: f64, dt: f64): void {
  const x = table.x, previous = table.previous, acceleration = table.acceleration;
  const a = table.a, b = table.b, length = table.length, share = table.share, mass = table.mass, inverseMass = table.inverseMass;
  const count = <usize>table.springs;
  for (let e: usize = 0; e < count; e++) {
    const i = <usize>load<u32>(a + (e << 2)), j = <usize>load<u32>(b + (e << 2));
    const io = i * 24, jo = j * 24;
    const l = number(length, e);
    const rate = (4 * viscosity * number(share, e)) / (l * l * dt);
    const mi = number(mass, i), mj = number(mass, j);
    const m = (2 * rate * mi * mj) / (mi + mj);
    const way = f64x2.add(
      f64x2.sub(f64x2.sub(v128.load(x + jo), v128.load(previous + jo)), v128.load(x + io)),
      v128.load(previous + io),
    );
    const wayZ = load<f64>(x + jo, 16) - load<f64>(previous + jo, 16) - load<f64>(x + io, 16) + load<f64>(previous + io, 16);
    const xy = f64x2.mul(f64x2.splat(m), way), z = m * wayZ;
    addTo(acceleration + io, number(inverseMass, i), xy, z);
    takeFrom(acceleration + jo, number(inverseMass, j), xy, z);
  }
}

/** The sum of three coordinates. */
@inline
function sum3(a: usize, b: usize, c: usize): v128 {
  return f64x2.add(f64x2.add(v128.load(a), v128.load(b)), v128.load(c));
}

@inline
function sumZ(a: usize, b: usize, c: usize): f64 {
  return load<f64>(a, 16) + load<f64>(b, 16) + load<f64>(c, 16);
}

/** Adds what the air does: perStep is 1 / (3 dt). */
export function clothAir(table: ClothTable, perStep: f64, quarterDensity: f64, normalDrag: f64, tangentDrag: f64): void {
  const x = table.x, previous = table.previous, acceleration = table.acceleration, wind = table.wind;
  const triangles = table.triangles, inverseMass = table.inverseMass;
  const count = <usize>table.faces * 3;
  for (let t: usize = 0; t < count; t += 3) {
    const i = <usize>load<u32>(triangles + (t << 2)), j = <usize>load<u32>(triangles + (t << 2), 4), k = <usize>load<u32>(triangles + (t << 2), 8);
    const ao = i * 24, bo = j * 24, co = k * 24;
    const a = x + ao, b = x + bo, c = x + co;
    const ax = load<f64>(a), ay = load<f64>(a, 8), az = load<f64>(a, 16);
    const ux = load<f64>(b) - ax, uy = load<f64>(b, 8) - ay, uz = load<f64>(b, 16) - az;
    const vx = load<f64>(c) - ax, vy = load<f64>(c, 8) - ay, vz = load<f64>(c, 16) - az;
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    const doubleArea = sqrt(nx * nx + ny * ny + nz * nz);
    if (doubleArea === 0) continue;
    const pa = previous + ao, pb = previous + bo, pc = previous + co;
    const moved = f64x2.sub(f64x2.sub(f64x2.sub(sum3(a, b, c), v128.load(pa)), v128.load(pb)), v128.load(pc));
    const movedZ = sumZ(a, b, c) - load<f64>(pa, 16) - load<f64>(pb, 16) - load<f64>(pc, 16);
    const blown = f64x2.div(sum3(wind + ao, wind + bo, wind + co), f64x2.splat(3));
    const r = f64x2.sub(blown, f64x2.mul(moved, f64x2.splat(perStep)));
    const rx = f64x2.extract_lane(r, 0), ry = f64x2.extract_lane(r, 1);
    const rz = sumZ(wind + ao, wind + bo, wind + co) / 3 - movedZ * perStep;
    const across = (rx * nx + ry * ny + rz * nz) / (doubleArea * doubleArea);
    const tx = rx - across * nx, ty = ry - across * ny, tz = rz - across * nz;
    const speed = sqrt(tx * tx + ty * ty + tz * tz);
    const scale = quarterDensity * doubleArea * (1.0 / 3.0);
    const sn = scale * normalDrag * abs(across) * doubleArea * across;
    const st = scale * tangentDrag * speed;
    const xy = pair(sn * nx + st * tx, sn * ny + st * ty), z = sn * nz + st * tz;
    addTo(acceleration + ao, number(inverseMass, i), xy, z);
    addTo(acceleration + bo, number(inverseMass, j), xy, z);
    addTo(acceleration + co, number(inverseMass, k), xy, z);
  }
}
