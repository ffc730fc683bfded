import { shCount } from '../math/spherical-harmonics.ts';
import { integerOption, type OptionSpecs, type OptionsOf, resolveOptions, seedOption } from '../model/options.ts';
import { scatterMany } from './scatter-many.ts';
import { scatterOnce } from './scatter-once.ts';
import { type LightSurface, requireSurface } from './surface-rays.ts';
import { traceTransfer } from './transfer.ts';
import { Dipole, requireTranslucent, type Translucent } from './translucent.ts';

/**
 * Translucent surfaces (Feng 2010, §5.5, after Wang, Tran & Luebke 2005): radiance that leaves a vertex in direction ω is
 * y(ω)ᵀ S L + m·L, once scattered and many times scattered light.
 */

export const SCATTERING_OPTIONS = {
  order: integerOption(5, { min: 1, max: 6 }, 'bands of spherical harmonics: 5 are 25 coefficients'),
  rays: integerOption(512, { min: 16, max: 65_536 }, 'rays per vertex that find the light that enters'),
  views: integerOption(32, { min: 4, max: 4096 }, 'directions that light leaves in'),
  inner: integerOption(32, { min: 4, max: 4096 }, 'rays within, per direction that light leaves in'),
  seed: seedOption('random seed'),
} as const satisfies OptionSpecs;

/** How scattering is traced. */
export type ScatteringOptions = OptionsOf<typeof SCATTERING_OPTIONS>;

/** N vertices, C coefficients. */
export interface Scattering {
  /** N × C × C: from light to the directions it leaves in after one scattering. */
  once: Float32Array;
  /** N × C: radiance after many, the same in all directions. */
  many: Float32Array;
  /** N, as with `traceTransfer`. */
  inside: Uint8Array;
}

/** Traces what a closed surface of a translucent material sends out. Its albedo does not matter. */
export function traceScattering(
  surface: LightSurface,
  material: Translucent,
  options: Partial<ScatteringOptions> = {},
): Scattering {
  const { order, rays, views, inner, seed } = resolveOptions(SCATTERING_OPTIONS, options, 'traceScattering');
  requireSurface(surface, 'traceScattering');
  requireTranslucent(material, 'traceScattering');
  const { transfer, inside } = traceTransfer({ ...surface, albedo: 0 }, { order, rays, seed, bounces: 0 });
  return {
    once: scatterOnce(surface, material, { order, views, rays: inner, seed }),
    many: scatterMany(surface, transfer, shCount(order), new Dipole(material)),
    inside,
  };
}
