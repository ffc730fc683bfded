/**
 * Implicit function → closed triangle mesh. A surface net is laid on a grid; then its vertices slide along the surface
 * towards the middle of their surroundings, which turns the stair-stepped quads into nearly even ones.
 *
 * Marching cubes was not taken because its triangles follow the grid: slivers wherever the surface passes near a grid
 * point, which a cloth simulator would have to carry at every step.
 */
import { PliantError } from '../../error.ts';
import { length3, squaredDistance } from '../../math/vector.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { Bounds } from '../bounds.ts';
import { inspectMesh } from '../inspect.ts';
import { crossOfEdges } from '../triangle.ts';
import type { ImplicitFunction } from './implicit.ts';
import { type QuadMesh, surfaceNet } from './surface-net.ts';

/** Rounds of smoothing along the surface, each followed by a projection back onto it. */
const RELAX_ROUNDS = 15;
/** How far a vertex moves towards the centre of its surroundings in one round. */
const RELAX_STEP = 1;
/** The vertex count asked for is met this closely when the surface allows it. */
const COUNT_TOLERANCE = 0.03;
/** How often the cell size is corrected before the nearest result is taken. */
const COUNT_TRIES = 8;
/** When the net is not what the surface is: cells smaller by this factor, so often; 20 % more vertices in the end. */
const FINER = 0.97;
const FINER_TRIES = 3;

/**
 * The surface f = 0 inside `bounds` with about `vertices` vertices. It must be one closed piece without handles, and the
 * bounds must enclose it. Throws `bad-option` when so few vertices cannot show it as such.
 */
export function polygonize(f: ImplicitFunction, bounds: Bounds, vertices: number): Mesh {
  const [dx, dy, dz] = [0, 1, 2].map((c) => bounds.max[c] - bounds.min[c]);
  // First guess: the box's own surface; each further guess corrects by what came out, as counts go with 1/cell².
  let net = surfaceNet(f, bounds, Math.sqrt((dx * dy + dy * dz + dz * dx) / vertices));
  let best = net;
  const count = ({ positions }: QuadMesh) => positions.length / 3;
  const miss = (candidate: QuadMesh) => Math.abs(count(candidate) / vertices - 1);
  for (let n = 0; n < COUNT_TRIES && miss(best) > COUNT_TOLERANCE; n++) {
    net = surfaceNet(f, bounds, net.cell * Math.max(0.5, Math.sqrt(count(net) / vertices)));
    if (miss(net) < miss(best)) best = net;
  }
  // Where a limb is hardly thicker than a cell it depends on the grid's position whether it is shown whole.
  for (let n = 0; n < FINER_TRIES && !isSphere(best); n++) best = surfaceNet(f, bounds, best.cell * FINER);
  if (!isSphere(best)) {
    const cause = `too coarse for this surface (got ${vertices} vertices, expected more)`;
    throw new PliantError('bad-option', 'polygonize', cause);
  }
  relax(best, f);
  return triangulated(best);
}

const triangulated = (net: QuadMesh): Mesh => ({
  positions: Float32Array.from(net.positions),
  triangles: splitQuads(net),
});

/** Whether a net is a closed manifold in one piece without handles. */
function isSphere(net: QuadMesh): boolean {
  const { components } = inspectMesh(triangulated(net));
  return components.length === 1 && components[0].genus === 0;
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

const normal = new Float64Array(3);

/** Half the cross product of the diagonals. */
function quadArea(p: Float64Array, quads: readonly number[], q: number): number {
  const [a, b, c, d] = [3 * quads[q], 3 * quads[q + 1], 3 * quads[q + 2], 3 * quads[q + 3]];
  return length3(crossOfEdges(normal, p, a, c, b, d)) / 2;
}

/** One Newton step onto f = 0, at most half a cell long: where limbs meet, the gradient is short. */
function project(p: Float64Array, o: number, f: ImplicitFunction, cell: number): void {
  const e = cell * 1e-3;
  const [x, y, z] = [p[o], p[o + 1], p[o + 2]];
  const value = f(x, y, z);
  const gx = (f(x + e, y, z) - value) / e;
  const gy = (f(x, y + e, z) - value) / e;
  const gz = (f(x, y, z + e) - value) / e;
  const g2 = gx * gx + gy * gy + gz * gz;
  if (g2 === 0) return;
  const limit = (0.5 * cell) / Math.sqrt(g2);
  const step = Math.max(-limit, Math.min(limit, value / g2));
  p[o] -= step * gx;
  p[o + 1] -= step * gy;
  p[o + 2] -= step * gz;
}

/** Each quad by its shorter diagonal. */
function splitQuads({ positions, quads }: QuadMesh): Uint32Array {
  const triangles = new Uint32Array((quads.length / 4) * 6);
  const length2 = (a: number, b: number): number => squaredDistance(positions, a, b);
  for (let q = 0, t = 0; q < quads.length; q += 4, t += 6) {
    const [a, b, c, d] = quads.slice(q, q + 4);
    triangles.set(length2(a, c) <= length2(b, d) ? [a, b, c, a, c, d] : [b, c, d, b, d, a], t);
  }
  return triangles;
}
