import { evaluateSh, shCount } from '../math/spherical-harmonics.ts';
import { resolveOptions } from '../model/options.ts';
import { type LightSurface, requireSurface, SurfaceRays } from './surface-rays.ts';
import { TRANSFER_OPTIONS, type TransferOptions, traceTransfer } from './transfer.ts';

/**
 * Transfer matrices for gloss, as the chapter has them (Sloan, Kautz & Snyder 2002; Feng 2010, (5.5)): from light to the
 * light that arrives at a point, T_ij = ∫ [n·ω > 0] y_i(ω) (V(ω) y_j(ω) + (1 − V(ω)) ρ t_j(hit)) dω. A BRDF is then applied to
 * T L. In the space of the surface: with D(R) turning to a point's own frame, D(R)ᵀ T. They cost 25 times the bytes of
 * visibility and are worse for all but dull materials: gloss.ts.
 */

/** N × C × C, a row per coefficient of the light that arrives; and what is inside, as with `traceTransfer`. */
export interface TransferMatrices {
  matrices: Float32Array;
  inside: Uint8Array;
}

/** Traces the matrices of a surface in a pose; of an albedo in colours the mean counts. */
export function traceMatrices(
  surface: LightSurface,
  options: Partial<Omit<TransferOptions, 'visibility'>> = {},
): TransferMatrices {
  const { order, rays: count, bounces, seed } = resolveOptions(TRANSFER_OPTIONS, options, 'traceMatrices');
  requireSurface(surface, 'traceMatrices');
  const n = surface.positions.length / 3;
  const size = shCount(order);
  const albedo = greyAlbedo(surface, n);
  // What others send: their own light after one bounce less.
  const sent = traceTransfer({ ...surface, albedo }, { order, rays: count, seed, bounces: Math.max(0, bounces - 1) });
  const { transfer, inside } = sent;
  const around = new SurfaceRays(surface, count);
  const { hits, rays } = around;
  const matrices = new Float32Array(n * size * size);
  const sum = new Float64Array(size * size);
  const y = new Float64Array(size);
  const arriving = new Float64Array(size);
  for (let i = 0; i < n; i++) {
    around.trace(surface.positions, surface.normals, i, seed);
    sum.fill(0);
    for (let q = 0; q < count; q++) {
      evaluateSh(order, rays.directions[3 * q], rays.directions[3 * q + 1], rays.directions[3 * q + 2], y);
      if (hits.faces[q] < 0) arriving.set(y);
      else if (bounces === 0 || around.fromBehind(q)) continue;
      else sentFrom(surface.triangles, 3 * hits.faces[q], hits.us[q], hits.vs[q], transfer, albedo, arriving);
      for (let a = 0; a < size; a++) {
        for (let b = 0; b < size; b++) sum[a * size + b] += y[a] * arriving[b];
      }
    }
    for (let c = 0; c < sum.length; c++) matrices[i * sum.length + c] = (sum[c] * 2 * Math.PI) / count;
  }
  return { matrices, inside };
}

/** ρ t at a point of a face: weights u and v of its second and third corner. */
function sentFrom(
  triangles: Uint32Array,
  corner: number,
  u: number,
  v: number,
  transfer: Float32Array,
  albedo: Float32Array,
  out: Float64Array,
): void {
  const [a, b, c] = [triangles[corner], triangles[corner + 1], triangles[corner + 2]];
  const size = out.length;
  const fromA = (1 - u - v) * albedo[a];
  const fromB = u * albedo[b];
  const fromC = v * albedo[c];
  for (let q = 0; q < size; q++) {
    out[q] = fromA * transfer[a * size + q] + fromB * transfer[b * size + q] + fromC * transfer[c * size + q];
  }
}

/** N. */
function greyAlbedo({ albedo }: LightSurface, n: number): Float32Array {
  if (typeof albedo === 'number') return new Float32Array(n).fill(albedo);
  if (albedo.length === n) return albedo;
  return Float32Array.from({ length: n }, (_, i) => (albedo[3 * i] + albedo[3 * i + 1] + albedo[3 * i + 2]) / 3);
}
