/**
 * Bending by the quadratic energy of Bergou, Wardetzky, Harmon, Zorin and Grinspun 2006, "A quadratic bending model for
 * inextensible surfaces", (5): for each hinge ½ · stiffness / (A₀ + A₁) · |K·x|², where K·x is a weighted sum of the
 * hinge's four vertices with cotangent weights of the rest shape, zero when flat. Departure: the paper has another
 * factor of 3; without it an even mesh rolled into a cylinder of radius R has the plate's energy ½ · stiffness · area/R².
 *
 * Cloth whose rest shape is curved keeps it: instead of zero, K·x strives for the rest shape's signed length along the
 * hinge's present normal (as the cubic shells of Garg, Grinspun, Wardetzky and Zorin 2007 do).
 *
 * Springs between the two opposite vertices were weighed and left: near the flat state they shorten with the square of
 * the angle, so that shallow folds feel no stiffness at all and cloth crumples at the scale of the mesh.
 */
import { seededRandom } from '../math/rng.ts';
import { cross3, dot3, length3, vectorOf } from '../math/vector.ts';
import { faceArea } from '../mesh/triangle.ts';
import type { ClothBody } from './body.ts';

export interface Bending {
  /** 4H: the body's hinges. */
  vertices: Uint32Array;
  /** 4H: K. */
  weights: Float64Array;
  /** H: stiffness / (A₀ + A₁). */
  stiffness: Float64Array;
  /** H: rest length of K·x along the normal of the hinge; all zero for a flat sheet. */
  rest: Float64Array;
  flat: boolean;
}

/** The rest shape's bending coefficients; `body.x` must be the rest shape. */
export function bendingOf(body: ClothBody, stiffness: number): Bending {
  const { x, hinges: vertices } = body;
  const count = vertices.length / 4;
  const weights = hingeWeights(x, vertices);
  const scaled = new Float64Array(count);
  const rest = new Float64Array(count);
  for (let h = 0; h < count; h++) {
    const [v0, v1, v2, v3] = vertices.subarray(4 * h, 4 * h + 4);
    const area = faceArea(x, Uint32Array.of(v0, v1, v2), 0) + faceArea(x, Uint32Array.of(v1, v0, v3), 0);
    scaled[h] = stiffness / area;
  }
  soften(scaled, weights, vertices, body.mass);
  const bending: Bending = { vertices, weights, stiffness: scaled, rest, flat: true };
  for (let h = 0; h < count; h++) rest[h] = restCurvature(x, bending, h);
  bending.flat = rest.every((r) => r === 0);
  return bending;
}

/** 4H: K of every hinge in a rest shape. */
export function hingeWeights(x: Float64Array, vertices: Uint32Array): Float64Array {
  const weights = new Float64Array(vertices.length);
  for (let h = 0; h < vertices.length; h += 4) {
    const [v0, v1, v2, v3] = vertices.subarray(h, h + 4);
    // Cotangents of the four angles at the ends of the edge.
    const c0 = cotangent(x, v0, v1, v2);
    const c1 = cotangent(x, v1, v0, v2);
    const d0 = cotangent(x, v0, v1, v3);
    const d1 = cotangent(x, v1, v0, v3);
    weights.set([c1 + d1, c0 + d0, -c0 - c1, -d0 - d1], h);
  }
  return weights;
}

/** The squared frequency of a hinge may exceed the middle one of all hinges by this factor. */
const STIFFEST = 4;

/**
 * Softens, in place, the hinges of triangles much smaller than most: frequencies go with 1/size², and a handful of small
 * triangles would dictate the time step of all.
 */
function soften(stiffness: Float64Array, weights: Float64Array, vertices: Uint32Array, mass: Float64Array): void {
  const frequency2 = stiffness.map((s, h) => {
    let sum = 0;
    for (let c = 4 * h; c < 4 * h + 4; c++) sum += (weights[c] * weights[c]) / mass[vertices[c]];
    return s * sum;
  });
  const middle = frequency2.slice().sort()[frequency2.length >> 1];
  for (let h = 0; h < stiffness.length; h++) {
    if (frequency2[h] > STIFFEST * middle) stiffness[h] *= (STIFFEST * middle) / frequency2[h];
  }
}

/** Adds the accelerations that bending causes. */
export function addBending(body: ClothBody, bending: Bending): void {
  const { x, acceleration, inverseMass } = body;
  const { vertices, weights, stiffness, rest, flat } = bending;
  for (let h = 0; h < stiffness.length; h++) {
    const w = 4 * h;
    const o0 = 3 * vertices[w];
    const o1 = 3 * vertices[w + 1];
    const o2 = 3 * vertices[w + 2];
    const o3 = 3 * vertices[w + 3];
    const k0 = weights[w];
    const k1 = weights[w + 1];
    const k2 = weights[w + 2];
    const k3 = weights[w + 3];
    let bx = k0 * x[o0] + k1 * x[o1] + k2 * x[o2] + k3 * x[o3];
    let by = k0 * x[o0 + 1] + k1 * x[o1 + 1] + k2 * x[o2 + 1] + k3 * x[o3 + 1];
    let bz = k0 * x[o0 + 2] + k1 * x[o1 + 2] + k2 * x[o2 + 2] + k3 * x[o3 + 2];
    if (!flat) {
      hingeNormal(x, o0, o1, o2, o3);
      bx -= rest[h] * normal[0];
      by -= rest[h] * normal[1];
      bz -= rest[h] * normal[2];
    }
    const s = -stiffness[h];
    const s0 = s * k0 * inverseMass[vertices[w]];
    const s1 = s * k1 * inverseMass[vertices[w + 1]];
    const s2 = s * k2 * inverseMass[vertices[w + 2]];
    const s3 = s * k3 * inverseMass[vertices[w + 3]];
    acceleration[o0] += s0 * bx;
    acceleration[o0 + 1] += s0 * by;
    acceleration[o0 + 2] += s0 * bz;
    acceleration[o1] += s1 * bx;
    acceleration[o1 + 1] += s1 * by;
    acceleration[o1 + 2] += s1 * bz;
    acceleration[o2] += s2 * bx;
    acceleration[o2 + 1] += s2 * by;
    acceleration[o2 + 2] += s2 * bz;
    acceleration[o3] += s3 * bx;
    acceleration[o3 + 1] += s3 * by;
    acceleration[o3 + 2] += s3 * bz;
  }
}

/** Rounds of power iteration; the largest eigenvalue is then known to a few per cent. */
const POWER_ROUNDS = 40;

/** The squared frequency of the stiffest bending mode, 1/s², which limits the time step. */
export function bendingFrequency2(body: ClothBody, bending: Bending): number {
  const random = seededRandom(1);
  const mode: ClothBody = {
    ...body,
    x: body.x.map(() => random() - 0.5),
    acceleration: new Float64Array(body.x.length),
  };
  let growth = 0;
  for (let round = 0; round < POWER_ROUNDS; round++) {
    mode.acceleration.fill(0);
    addBending(mode, { ...bending, flat: true });
    growth = Math.sqrt(mode.acceleration.reduce((sum, a) => sum + a * a, 0));
    if (growth === 0) return 0;
    for (let c = 0; c < mode.x.length; c++) mode.x[c] = mode.acceleration[c] / growth;
  }
  return growth;
}

/** Scratch: the unit normal that `hingeNormal` found last. */
const normal = new Float64Array(3);

/** Sum of the normals of the two triangles of a hinge, scaled to 1. */
function hingeNormal(x: Float64Array, o0: number, o1: number, o2: number, o3: number): void {
  const ex = x[o1] - x[o0];
  const ey = x[o1 + 1] - x[o0 + 1];
  const ez = x[o1 + 2] - x[o0 + 2];
  // (x₁ − x₀) × (x₂ − x₀) + (x₃ − x₀) × (x₁ − x₀) = (x₁ − x₀) × (x₂ − x₃)
  const dx = x[o2] - x[o3];
  const dy = x[o2 + 1] - x[o3 + 1];
  const dz = x[o2 + 2] - x[o3 + 2];
  const nx = ey * dz - ez * dy;
  const ny = ez * dx - ex * dz;
  const nz = ex * dy - ey * dx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const s = length > 0 ? 1 / length : 0;
  normal[0] = s * nx;
  normal[1] = s * ny;
  normal[2] = s * nz;
}

/** K·x along the normal, and zero where it is only rounding. */
function restCurvature(x: Float64Array, { vertices, weights }: Bending, h: number): number {
  const [o0, o1, o2, o3] = vertices.subarray(4 * h, 4 * h + 4).map((v) => 3 * v);
  hingeNormal(x, o0, o1, o2, o3);
  let along = 0;
  let size = 0;
  for (let c = 0; c < 3; c++) {
    const offsets = [o0, o1, o2, o3].map((o, v) => weights[4 * h + v] * x[o + c]);
    along += normal[c] * (offsets[0] + offsets[1] + offsets[2] + offsets[3]);
    size += Math.abs(offsets[0]) + Math.abs(offsets[1]);
  }
  return Math.abs(along) < 1e-5 * size ? 0 : along;
}

/** Cotangent of the angle at p between q and r. */
function cotangent(x: Float64Array, p: number, q: number, r: number): number {
  const [u, v] = [q, r].map((end) => vectorOf((c) => x[3 * end + c] - x[3 * p + c]));
  return dot3(u, v) / length3(cross3(u, v));
}
