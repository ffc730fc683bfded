import { PliantError } from '../error.ts';

/** A material that light enters. Coefficients are per unit of length of the surface: 1 / mean free path. */
export interface Translucent {
  /** σ_s > 0. */
  scattering: number;
  /** σ_a ≥ 0. */
  absorption: number;
  /** Mean cosine of scattering, −1 … 1: 0 goes everywhere, towards 1 straight on. */
  anisotropy: number;
  /** Index of refraction, ≥ 1: 1.3 for skin and milk, 1.5 for marble and wax. */
  refraction: number;
}

export function requireTranslucent(material: Translucent, operation: string): void {
  const { scattering, absorption, anisotropy, refraction } = material;
  const ranges: [value: number, least: number, most: number, name: string][] = [
    [scattering, Number.MIN_VALUE, Number.MAX_VALUE, 'scattering'],
    [absorption, 0, Number.MAX_VALUE, 'absorption'],
    [anisotropy, -0.99, 0.99, 'anisotropy'],
    [refraction, 1, 4, 'refraction'],
  ];
  for (const [value, least, most, name] of ranges) {
    if (value >= least && value <= most) continue;
    throw new PliantError('bad-input', operation, `${name} of a material (got ${value}, expected ${least} … ${most})`);
  }
}

/** The part of light that goes through the surface, from outside at this cosine to the normal; not polarised. */
export function fresnelTransmittance(cosine: number, refraction: number): number {
  const inner = Math.sqrt(1 - (1 - cosine * cosine) / refraction ** 2);
  const across = (cosine - refraction * inner) / (cosine + refraction * inner);
  const along = (refraction * cosine - inner) / (refraction * cosine + inner);
  return 1 - (across * across + along * along) / 2;
}

/** The dipole of a material: Jensen, Marschner, Levoy & Hanrahan 2001, "A practical model for subsurface light transport". */
export class Dipole {
  /** α′/4π. */
  readonly #scale: number;
  /** σ_tr. */
  readonly #decay: number;
  /** Depth of the source, and height of its image. */
  readonly #real: number;
  readonly #virtual: number;
  /** Of light from everywhere, what enters. */
  readonly entering: number;

  constructor({ scattering, absorption, anisotropy, refraction }: Translucent) {
    const reduced = (1 - anisotropy) * scattering;
    const extinction = reduced + absorption;
    // Mean reflectance from within: a fit of Egan & Hilgeman; 1 − F of the outside follows by reciprocity.
    const within = Math.max(0, -1.44 / refraction ** 2 + 0.71 / refraction + 0.668 + 0.0636 * refraction);
    this.entering = Math.min(1, (1 - within) * refraction ** 2);
    this.#scale = reduced / extinction / (4 * Math.PI);
    this.#decay = Math.sqrt(3 * absorption * extinction);
    this.#real = 1 / extinction;
    this.#virtual = this.#real * (1 + (4 / 3) * ((1 + within) / (1 - within)));
  }

  /** R_d: what comes out per area at a distance from where light enters. */
  at(distance: number): number {
    return this.#scale * (this.#source(distance, this.#real) + this.#source(distance, this.#virtual));
  }

  #source(distance: number, depth: number): number {
    const d = Math.sqrt(distance * distance + depth * depth);
    return (depth * (1 + this.#decay * d) * Math.exp(-this.#decay * d)) / d ** 3;
  }

  /** ∫ R_d over a disc: 2π α′/4π Σ (e^{−σz} − z/d e^{−σd}). Of an infinite one, the albedo of a flat block. */
  onDisc(radius: number): number {
    const part = (depth: number): number => {
      const d = Math.sqrt(radius * radius + depth * depth);
      const far = d < Infinity ? (depth / d) * Math.exp(-this.#decay * d) : 0;
      return Math.exp(-this.#decay * depth) - far;
    };
    return 2 * Math.PI * this.#scale * (part(this.#real) + part(this.#virtual));
  }
}
