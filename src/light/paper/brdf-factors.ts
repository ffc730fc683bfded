import { evaluateSh, shCount } from '../../math/spherical-harmonics.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import { BRDF_TERMS, VIEW_MAP_SIDE } from '../../model/light-samples.ts';
import { acrossAxes } from '../hemisphere-rays.ts';

/**
 * A BRDF as the product of a view map H and a light map G (§5.5): B = H Gᵀ, by the singular vectors of B. A row of B is what a
 * direction of view takes of light, f(v, s) max(0, n·s), in spherical harmonics; the normal is z. Views lie on a square over
 * the upper half of an octahedron, so that neighbours in the map are neighbours as directions.
 */
export interface BrdfFactors {
  /** 32² × K: H. */
  viewMap: Float32Array;
  /** K × C: Gᵀ, orthonormal rows. */
  lightMap: Float64Array;
  /** Part of B, as a sum of squares, that the K terms leave out. */
  lost: number;
}

/** How a glossy surface reflects. */
export type Brdf = 'phong' | 'cook-torrance';

/** `parameter`: the exponent of Phong's lobe, of integral 1 as in gloss.ts, or the roughness m of Cook & Torrance 1982. */
export function brdfFactors(order: number, brdf: Brdf, parameter: number, terms = BRDF_TERMS): BrdfFactors {
  const size = shCount(order);
  const kept = Math.min(terms, size);
  const views = VIEW_MAP_SIDE ** 2;
  const matrix = new Float64Array(views * size);
  for (let at = 0; at < views; at++) {
    const view = mappedView(at % VIEW_MAP_SIDE, Math.floor(at / VIEW_MAP_SIDE));
    (brdf === 'phong' ? phongRow : cookTorranceRow)(
      order,
      view,
      parameter,
      matrix.subarray(at * size, (at + 1) * size),
    );
  }
  const gram = new Float64Array(size * size);
  for (let at = 0; at < matrix.length; at += size) {
    for (let r = 0; r < size; r++) for (let c = 0; c < size; c++) gram[r * size + c] += matrix[at + r] * matrix[at + c];
  }
  const { values, vectors } = symmetricEigen(gram, size);
  const lightMap = vectors.slice(0, kept * size);
  const viewMap = new Float32Array(views * kept);
  for (let at = 0; at < views; at++) {
    for (let k = 0; k < kept; k++) {
      let sum = 0;
      for (let c = 0; c < size; c++) sum += matrix[at * size + c] * lightMap[k * size + c];
      viewMap[at * kept + k] = sum;
    }
  }
  const total = values.reduce((sum, x) => sum + x, 0);
  return { viewMap, lightMap, lost: 1 - values.slice(0, kept).reduce((sum, x) => sum + x, 0) / total };
}

/** K numbers: the row of a view map for a direction of view (local, of length 1), between its four nearest. */
export function viewTerms(viewMap: Float32Array, x: number, y: number, z: number, out: Float64Array): Float64Array {
  const terms = viewMap.length / VIEW_MAP_SIDE ** 2;
  const reach = Math.abs(x) + Math.abs(y) + Math.max(0, z);
  const last = VIEW_MAP_SIDE - 1;
  const place = [(x + y) / reach, (x - y) / reach].map((u) => Math.min(last, Math.max(0, ((u + 1) / 2) * last)));
  const [column, row] = place.map((u) => Math.min(last - 1, Math.floor(u)));
  const [u, v] = [place[0] - column, place[1] - row];
  out.fill(0);
  for (const [dx, dy, weight] of [
    [0, 0, (1 - u) * (1 - v)],
    [1, 0, u * (1 - v)],
    [0, 1, (1 - u) * v],
    [1, 1, u * v],
  ]) {
    const at = ((row + dy) * VIEW_MAP_SIDE + column + dx) * terms;
    for (let k = 0; k < terms; k++) out[k] += weight * viewMap[at + k];
  }
  return out;
}

function mappedView(column: number, row: number): Direction {
  const [u, v] = [column, row].map((at) => (2 * at) / (VIEW_MAP_SIDE - 1) - 1);
  const [x, y] = [(u + v) / 2, (u - v) / 2];
  const z = Math.max(0, 1 - Math.abs(x) - Math.abs(y));
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

type Direction = readonly [number, number, number];

/** Strata of the two numbers that a lobe is sampled by. */
const STRATA = 24;

/** Calls `visit` with numbers in 0 … 1, in the middle of all strata. */
function eachSample(visit: (a: number, angle: number) => void): void {
  for (let r = 0; r < STRATA; r++) {
    for (let c = 0; c < STRATA; c++) {
      // Rows are turned against each other: no direction stands out.
      visit((r + 0.5) / STRATA, (2 * Math.PI * (c + r / STRATA)) / STRATA);
    }
  }
}

const y = new Float64Array(shCount(6));

/** (s + 1)/2π cosˢ θ around the mirrored view, what is above the horizon. */
function phongRow(order: number, [vx, vy, vz]: Direction, exponent: number, out: Float64Array): void {
  const axis: Direction = [-vx, -vy, vz];
  eachSample((a, angle) => {
    const s = around(axis, a ** (1 / (exponent + 1)), angle);
    if (s[2] <= 0) return;
    evaluateSh(order, s[0], s[1], s[2], y);
    for (let c = 0; c < out.length; c++) out[c] += y[c] / STRATA ** 2;
  });
}

/** Reflectance of a metal seen along its normal. */
const METAL = 0.9;

/** D F G / (4 n·v), D of Beckmann, F of Schlick; half vectors are drawn from D. */
function cookTorranceRow(order: number, [vx, vy, vz]: Direction, roughness: number, out: Float64Array): void {
  const nv = Math.max(0.02, vz);
  eachSample((a, angle) => {
    const h = around([0, 0, 1], 1 / Math.sqrt(1 - roughness ** 2 * Math.log(1 - a)), angle);
    const vh = vx * h[0] + vy * h[1] + vz * h[2];
    const [sx, sy, sz] = [2 * vh * h[0] - vx, 2 * vh * h[1] - vy, 2 * vh * h[2] - vz];
    if (vh <= 0 || sz <= 0) return;
    const fresnel = METAL + (1 - METAL) * (1 - vh) ** 5;
    const shaded = Math.min(1, (2 * h[2] * nv) / vh, (2 * h[2] * sz) / vh);
    const weight = (fresnel * shaded * vh) / (nv * h[2] * STRATA ** 2);
    evaluateSh(order, sx, sy, sz, y);
    for (let c = 0; c < out.length; c++) out[c] += weight * y[c];
  });
}

/** A direction at an angle of this cosine from the axis. */
function around([ax, ay, az]: Direction, cosine: number, angle: number): Direction {
  const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
  const [tx, ty, tz, bx, by, bz] = acrossAxes(ax, ay, az);
  const [p, q] = [sine * Math.cos(angle), sine * Math.sin(angle)];
  return [p * tx + q * bx + cosine * ax, p * ty + q * by + cosine * ay, p * tz + q * bz + cosine * az];
}
