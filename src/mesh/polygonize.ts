/**
 * Implicit function → closed triangle mesh, by surface nets (Gibson 1998, "Constrained elastic surface nets"): one
 * vertex per grid cell that the surface crosses, one quad per grid edge that it crosses. Afterwards vertices slide along
 * the surface towards the middle of their neighbours, which turns the stair-stepped quads into nearly even ones.
 *
 * Marching cubes was not taken because its triangles follow the grid: slivers wherever the surface passes near a grid
 * point, which a cloth simulator would have to carry at every step.
 */
import { PliantError } from '../error.ts';
import type { Mesh } from '../model/mesh.ts';
import type { Bounds } from './bounds.ts';
import type { ImplicitFunction } from './implicit.ts';

/** Rounds of smoothing along the surface, each followed by a projection back onto it. */
const RELAX_ROUNDS = 20;
/** How far a vertex moves towards the centre of its surroundings in one round. */
const RELAX_STEP = 1;
/** The vertex count asked for is met this closely when the surface allows it. */
const COUNT_TOLERANCE = 0.03;
/** How often the cell size is corrected before the nearest result is taken. */
const COUNT_TRIES = 8;

/** A quad mesh: 3N positions, 4Q corners, counter-clockwise from outside. */
interface QuadMesh {
  /** Edge length of the grid's cells. */
  cell: number;
  positions: Float64Array;
  quads: number[];
}

/**
 * The surface f = 0 inside `bounds` with about `vertices` vertices. The bounds must enclose it. Throws `bad-option` when
 * the cells are too coarse for the surface to stay a manifold.
 */
export function polygonize(f: ImplicitFunction, bounds: Bounds, vertices: number): Mesh {
  const [dx, dy, dz] = [0, 1, 2].map((c) => bounds.max[c] - bounds.min[c]);
  // First guess: the box's own surface; each further guess corrects by what came out, as counts go with 1/cell².
  let net = surfaceNet(f, bounds, Math.sqrt((dx * dy + dy * dz + dz * dx) / vertices));
  let best = net;
  const count = ({ positions }: QuadMesh) => positions.length / 3;
  const miss = (candidate: QuadMesh) => Math.abs(count(candidate) / vertices - 1);
  for (let n = 0; n < COUNT_TRIES && miss(best) > COUNT_TOLERANCE; n++) {
    net = surfaceNet(f, bounds, net.cell * Math.sqrt(Math.max(count(net), 8) / vertices));
    if (miss(net) < miss(best)) best = net;
  }
  checkManifold(best, vertices);
  relax(best, f);
  return { positions: Float32Array.from(best.positions), triangles: splitQuads(best) };
}

/** The unrelaxed net. The grid is centred in the bounds, one cell wider on each side. */
function surfaceNet(f: ImplicitFunction, bounds: Bounds, cell: number): QuadMesh {
  const size = [0, 1, 2].map((c) => Math.ceil((bounds.max[c] - bounds.min[c]) / cell) + 3);
  const origin = [0, 1, 2].map((c) => (bounds.min[c] + bounds.max[c] - (size[c] - 1) * cell) / 2);
  const [nx, ny, nz] = size;
  const stride = [1, nx, nx * ny];

  // (1) The function at all grid points.
  const values = new Float64Array(nx * ny * nz);
  for (let z = 0, g = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++, g++) {
        values[g] = f(origin[0] + x * cell, origin[1] + y * cell, origin[2] + z * cell);
      }
    }
  }

  // (2) A vertex in each cell whose corners differ in sign: the mean of the crossings on its edges.
  const vertexOf = new Int32Array(values.length).fill(-1);
  const positions: number[] = [];
  for (let z = 0; z < nz - 1; z++) {
    for (let y = 0; y < ny - 1; y++) {
      for (let x = 0; x < nx - 1; x++) {
        const g = x + nx * (y + ny * z);
        let crossings = 0;
        const sum = [0, 0, 0];
        for (let axis = 0; axis < 3; axis++) {
          const u = (axis + 1) % 3;
          const v = (axis + 2) % 3;
          for (let corner = 0; corner < 4; corner++) {
            const du = corner & 1;
            const dv = corner >> 1;
            const a = g + du * stride[u] + dv * stride[v];
            const fa = values[a];
            const fb = values[a + stride[axis]];
            if (fa < 0 === fb < 0) continue;
            crossings++;
            sum[axis] += fa / (fa - fb);
            sum[u] += du;
            sum[v] += dv;
          }
        }
        if (crossings === 0) continue;
        vertexOf[g] = positions.length / 3;
        const at = [x, y, z];
        for (let c = 0; c < 3; c++) positions.push(origin[c] + (at[c] + sum[c] / crossings) * cell);
      }
    }
  }

  // (3) A quad around each grid edge that the surface crosses, facing outwards.
  const quads: number[] = [];
  for (let z = 1; z < nz - 1; z++) {
    for (let y = 1; y < ny - 1; y++) {
      for (let x = 1; x < nx - 1; x++) {
        const g = x + nx * (y + ny * z);
        for (let axis = 0; axis < 3; axis++) {
          const inside = values[g] < 0;
          if (inside === values[g + stride[axis]] < 0) continue;
          const u = stride[(axis + 1) % 3];
          const v = stride[(axis + 2) % 3];
          const ring = [vertexOf[g - u - v], vertexOf[g - v], vertexOf[g], vertexOf[g - u]];
          if (!inside) ring.reverse();
          quads.push(...ring);
        }
      }
    }
  }
  return { cell, positions: Float64Array.from(positions), quads };
}

/** Throws where the quads around a vertex are not one closed fan: a limb thinner than the grid can show. */
function checkManifold({ positions, quads }: QuadMesh, vertices: number): void {
  const n = positions.length / 3;
  const previous = new Map<number, number>(); // (vertex, next corner of a quad there) → corner of that quad before it
  const first = new Int32Array(n).fill(-1);
  const degrees = new Uint8Array(n);
  for (let c = 0; c < quads.length; c++) {
    const next = quads[c % 4 === 3 ? c - 3 : c + 1];
    previous.set(quads[c] * n + next, quads[c % 4 === 0 ? c + 3 : c - 1]);
    first[quads[c]] = next;
    degrees[quads[c]]++;
  }
  const isFan = (i: number): boolean => {
    let at: number | undefined = first[i];
    for (let steps = 1; steps <= degrees[i]; steps++) {
      at = previous.get(i * n + at);
      if (at === undefined) return false;
      if (at === first[i]) return steps === degrees[i];
    }
    return false;
  };
  for (let i = 0; i < n; i++) {
    if (isFan(i)) continue;
    throw new PliantError('bad-option', 'polygonize', `too coarse for this surface (got ${vertices} vertices)`);
  }
}

/**
 * Moves each vertex along the surface towards the mean of the centres of its quads, weighted by their areas, in place:
 * large quads shrink, small ones grow. With equal weights small quads at tight bends shrink to slivers in time.
 */
function relax({ cell, positions, quads }: QuadMesh, f: ImplicitFunction): void {
  const n = positions.length / 3;
  const sums = new Float64Array(3 * n);
  const weights = new Float64Array(n);
  for (let round = 0; round < RELAX_ROUNDS; round++) {
    sums.fill(0);
    weights.fill(0);
    for (let q = 0; q < quads.length; q += 4) {
      const area = quadArea(positions, quads, q);
      for (let d = 0; d < 3; d++) {
        let center = 0;
        for (let c = q; c < q + 4; c++) center += positions[3 * quads[c] + d] / 4;
        for (let c = q; c < q + 4; c++) sums[3 * quads[c] + d] += area * center;
      }
      for (let c = q; c < q + 4; c++) weights[quads[c]] += area;
    }
    for (let i = 0; i < n; i++) {
      for (let d = 0; d < 3; d++) {
        positions[3 * i + d] += RELAX_STEP * (sums[3 * i + d] / weights[i] - positions[3 * i + d]);
      }
      project(positions, 3 * i, f, cell);
    }
  }
}

/** Half the cross product of the diagonals. */
function quadArea(p: Float64Array, quads: readonly number[], q: number): number {
  const [a, b, c, d] = [3 * quads[q], 3 * quads[q + 1], 3 * quads[q + 2], 3 * quads[q + 3]];
  const ux = p[c] - p[a];
  const uy = p[c + 1] - p[a + 1];
  const uz = p[c + 2] - p[a + 2];
  const vx = p[d] - p[b];
  const vy = p[d + 1] - p[b + 1];
  const vz = p[d + 2] - p[b + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
}

/** One Newton step onto f = 0, at most half a cell long: where limbs meet, the gradient is short. */
function project(p: Float64Array, o: number, f: ImplicitFunction, cell: number): void {
  const e = cell * 0.01;
  const [x, y, z] = [p[o], p[o + 1], p[o + 2]];
  const gx = (f(x + e, y, z) - f(x - e, y, z)) / (2 * e);
  const gy = (f(x, y + e, z) - f(x, y - e, z)) / (2 * e);
  const gz = (f(x, y, z + e) - f(x, y, z - e)) / (2 * e);
  const g2 = gx * gx + gy * gy + gz * gz;
  if (g2 === 0) return;
  const limit = (0.5 * cell) / Math.sqrt(g2);
  const step = Math.max(-limit, Math.min(limit, f(x, y, z) / g2));
  p[o] -= step * gx;
  p[o + 1] -= step * gy;
  p[o + 2] -= step * gz;
}

/** Each quad by its shorter diagonal. */
function splitQuads({ positions, quads }: QuadMesh): Uint32Array {
  const triangles = new Uint32Array((quads.length / 4) * 6);
  const distance2 = (a: number, b: number): number => {
    let sum = 0;
    for (let c = 0; c < 3; c++) sum += (positions[3 * a + c] - positions[3 * b + c]) ** 2;
    return sum;
  };
  for (let q = 0, t = 0; q < quads.length; q += 4, t += 6) {
    const [a, b, c, d] = quads.slice(q, q + 4);
    triangles.set(distance2(a, c) <= distance2(b, d) ? [a, b, c, a, c, d] : [b, c, d, b, d, a], t);
  }
  return triangles;
}
