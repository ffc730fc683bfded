import { PliantError } from '../error.ts';
import { evaluateSh, hemisphereLobe, shCount } from '../math/spherical-harmonics.ts';
import type { EnvironmentMap } from '../model/environment.ts';
import { environmentAt } from './environment.ts';
import { lobeDirections, pointSeed } from './hemisphere-rays.ts';
import { type LightSurface, requireSurface, surfaceTracer } from './surface-rays.ts';

/**
 * Gloss: a reflection takes what a map of the surroundings has in a lobe around the mirrored direction r, times the part
 * of that lobe that sees the sky. By the visibility h of a point, 25 numbers, that part is Σ_l z_l Σ_m h_lm y_lm(r), z_l the
 * factors of the lobe. Few bands blur the horizon itself, though: an open point would lose 14 % straight up (exponent 32). So
 * the sum is divided by that of an open point, and multiplied by the part of the lobe above the horizon, which is known.
 * docs/notes/light.md has the figures. Matrices of 625 numbers (transfer-matrices.ts) are worse from exponent 8 on.
 */

/** Phong's lobe, cosˢ θ, of integral 1. */
export interface GlossLobe {
  /** s. */
  exponent: number;
  /** Per band what the lobe keeps of a function. */
  factors: Float64Array;
}

/** z₀ = 1, z₁ = (s + 1)/(s + 2), z_l = z_{l−2} (s − l + 2)/(s + l + 1). Exponent 1 is the cosine of diffuse light. */
export function phongLobe(order: number, exponent: number): GlossLobe {
  if (!(exponent >= 0)) {
    throw new PliantError('bad-option', 'phongLobe', `(got ${exponent}, expected ≥ 0)`, { option: 'exponent' });
  }
  const factors = new Float64Array(order);
  factors[0] = 1;
  if (order > 1) factors[1] = (exponent + 1) / (exponent + 2);
  for (let l = 2; l < order; l++) factors[l] = (factors[l - 2] * (exponent - l + 2)) / (exponent + l + 1);
  return { exponent, factors };
}

/**
 * The part of a lobe around the unit direction `r` that sees the sky, 0 … 1, at a point with this normal and visibility
 * (order² numbers from `at` on).
 */
export function glossVisibility(
  visibility: Float32Array,
  at: number,
  normal: ArrayLike<number>,
  r: ArrayLike<number>,
  lobe: GlossLobe,
): number {
  const { factors } = lobe;
  const order = factors.length;
  evaluateSh(order, r[0], r[1], r[2], y);
  hemisphereLobe(order, normal, hemisphere);
  let seen = 0;
  let open = 0;
  for (let l = 0; l < order; l++) {
    for (let c = l * l; c < (l + 1) ** 2; c++) {
      seen += factors[l] * visibility[at + c] * y[c];
      open += factors[l] * hemisphere[c] * y[c];
    }
  }
  const cosine = normal[0] * r[0] + normal[1] * r[1] + normal[2] * r[2];
  return aboveHorizon(cosine, lobe.exponent) * Math.min(1, Math.max(0, seen / Math.max(open, 1e-3)));
}

const y = new Float64Array(shCount(6));
const hemisphere = new Float64Array(shCount(6));

/** Of a lobe: nearly a Gaussian of width 1/√(s + 1), cut by the horizon; its integral as a logistic function. Off by ≤ 0.03. */
const aboveHorizon = (cosine: number, exponent: number): number =>
  1 / (1 + Math.exp(-1.7 * Math.sqrt(exponent + 1) * Math.asin(Math.min(1, Math.max(-1, cosine)))));

/** Reflections to trace: M vertices, and M mirrored directions of length 1 (3M). */
export interface Reflections {
  vertices: ArrayLike<number>;
  directions: Float32Array;
}

/** M × red, green, blue. */
export interface TracedGloss {
  /** What is seen: light of the map where nothing is in the way. */
  seen: Float32Array;
  /** The map alone, blurred by the lobe: `seen` if there were no surface. */
  open: Float32Array;
}

/** Direct light of a map in Phong's lobe around mirrored directions, by rays: what `open` × `glossVisibility` is measured by. */
export function traceGloss(
  surface: LightSurface,
  map: EnvironmentMap,
  { vertices, directions }: Reflections,
  { exponent }: GlossLobe,
  { rays = 1024, seed = 1 }: { rays?: number; seed?: number } = {},
): TracedGloss {
  requireSurface(surface, 'traceGloss');
  const count = vertices.length;
  const seen = new Float32Array(3 * count);
  const open = new Float32Array(3 * count);
  const { tracer, offset } = surfaceTracer(surface);
  const { positions, normals } = surface;
  const origins = new Float32Array(3 * rays);
  const lobe = new Float32Array(3 * rays);
  const blocked = new Uint8Array(rays);
  const light = new Float64Array(3);
  for (let m = 0; m < count; m++) {
    const i = 3 * vertices[m];
    lobeDirections(directions, m, exponent, pointSeed(seed, m), lobe);
    for (let q = 0; q < rays; q++) {
      for (let c = 0; c < 3; c++) origins[3 * q + c] = positions[i + c] + offset * normals[i + c];
    }
    tracer.any(origins, lobe, rays, blocked);
    for (let q = 0; q < rays; q++) {
      const [x, y, z] = [lobe[3 * q], lobe[3 * q + 1], lobe[3 * q + 2]];
      environmentAt(map, x, y, z, light);
      const above = x * normals[i] + y * normals[i + 1] + z * normals[i + 2] > 0;
      for (let c = 0; c < 3; c++) {
        open[3 * m + c] += light[c] / rays;
        if (above && !blocked[q]) seen[3 * m + c] += light[c] / rays;
      }
    }
  }
  return { seen, open };
}
