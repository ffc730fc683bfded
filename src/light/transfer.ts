import { cosineLobe, evaluateSh, hemisphereLobe, shCount } from '../math/spherical-harmonics.ts';
import {
  booleanOption,
  integerOption,
  type OptionSpecs,
  type OptionsOf,
  resolveOptions,
  seedOption,
} from '../model/options.ts';
import { TracedBounces } from './bounces-traced.ts';
import { type LightSurface, requireSurface, SurfaceRays } from './surface-rays.ts';

/**
 * Transfer of light, traced: the truth that everything else is measured by (Sloan, Kautz & Snyder 2002; Feng 2010, chapter
 * 5). Diffuse, with albedo 1 at the receiver: t_v = (1/π) ∫ V(ω) max(0, n·ω) y(ω) dω, plus bounces; visibility for gloss:
 * h_v = ∫ V(ω) [n·ω > 0] y(ω) dω. The backs of faces are black: light passes from outside only.
 *
 * What is summed over rays is the smaller part, blocked or visible: the whole, without anything in the way, is known in
 * closed form. A point that sees all of the sky has no noise, nor one that sees none of it.
 */

export const TRANSFER_OPTIONS = {
  order: integerOption(5, { min: 1, max: 6 }, 'bands of spherical harmonics: 5 are 25 coefficients'),
  rays: integerOption(512, { min: 16, max: 65_536 }, 'rays per vertex'),
  bounces: integerOption(2, { min: 0, max: 64 }, 'times that light is reflected between parts of the surface'),
  visibility: booleanOption(false, 'also where the sky is seen, for reflections'),
  seed: seedOption('random seed'),
} as const satisfies OptionSpecs;

/** How light is traced. */
export type TransferOptions = OptionsOf<typeof TRANSFER_OPTIONS>;

/** N vertices, C coefficients, in the space of the surface. */
export interface Transfer {
  /** N × C; with an albedo in colours red, green and blue one after the other, 3 × N × C. */
  transfer: Float32Array;
  /** N × C, if asked for. */
  visibility?: Float32Array;
  /** N: 1 where a vertex is inside another part, sees no sky, and what was traced means nothing. */
  inside: Uint8Array;
  report: TransferReport;
}

/** What `traceTransfer` did. */
export interface TransferReport {
  /** How many rays were traced, and the part of them that met the surface. */
  rays: number;
  blocked: number;
  /** How many vertices are inside. */
  inside: number;
}

/** A vertex that sees less of the sky, and more often the backs of faces than their fronts, is inside. */
const LEAST_SKY = 0.02;

/** Traces the transfer of a surface in a pose. The same surface, options and seed give the same bytes. */
export function traceTransfer(surface: LightSurface, options: Partial<TransferOptions> = {}): Transfer {
  const { order, rays: count, bounces, visibility, seed } = resolveOptions(TRANSFER_OPTIONS, options, 'traceTransfer');
  requireSurface(surface, 'traceTransfer');
  const { positions, normals, triangles, albedo } = surface;
  const n = positions.length / 3;
  const size = shCount(order);
  const inside = new Uint8Array(n);
  const direct = new Float32Array(n * size);
  const seen = visibility ? new Float32Array(n * size) : undefined;
  const reflected = new TracedBounces(triangles, n);
  const point = new PointTransfer(surface, order, count);
  let blocked = 0;

  for (let i = 0; i < n; i++) {
    const { hits, rays } = point.trace(positions, normals, i, seed);
    let sky = 0;
    let behind = 0;
    for (let q = 0; q < count; q++) {
      if (hits.faces[q] < 0) sky += rays.cosines[q];
      else if (point.fromBehind(q)) behind++;
      else if (bounces > 0) reflected.add(hits.faces[q], hits.us[q], hits.vs[q], (2 * rays.cosines[q]) / count);
    }
    reflected.nextVertex();
    blocked += point.blocked;
    inside[i] = (2 * sky) / count < LEAST_SKY && behind > point.blocked / 2 ? 1 : 0;
    point.diffuse(direct, i * size);
    if (seen) point.visibility(seen, i * size);
  }

  const colours = typeof albedo !== 'number' && albedo.length === 3 * n ? 3 : 1;
  const transfer = colours === 3 ? new Float32Array(3 * n * size) : undefined;
  let last: Float32Array = direct;
  for (let c = 0; c < colours; c++) {
    const ofVertex = (i: number) => (typeof albedo === 'number' ? albedo : albedo[colours * i + c]);
    last = reflected.run(direct, size, bounces, ofVertex, inside);
    transfer?.set(last, c * n * size);
  }
  return {
    transfer: transfer ?? last,
    ...(seen && { visibility: seen }),
    inside,
    report: {
      rays: n * count,
      blocked: n > 0 ? blocked / (n * count) : 0,
      inside: inside.reduce((sum, x) => sum + x, 0),
    },
  };
}

/** Transfer at points that need not be of the surface: a floor below it. M points. */
export interface TracedPoints {
  /** 3M. */
  points: Float32Array;
  /** 3M, of length 1. */
  normals: Float32Array;
}

/** M × C: diffuse transfer of points that a surface shades, without light that the surface reflects. */
export function tracePoints(
  surface: LightSurface,
  { points, normals }: TracedPoints,
  options: Partial<Pick<TransferOptions, 'order' | 'rays' | 'seed'>> = {},
): Float32Array {
  const { order, rays, seed } = resolveOptions(TRANSFER_OPTIONS, options, 'tracePoints');
  requireSurface(surface, 'tracePoints');
  const size = shCount(order);
  const out = new Float32Array((points.length / 3) * size);
  const point = new PointTransfer(surface, order, rays);
  for (let i = 0; i < points.length / 3; i++) {
    point.trace(points, normals, i, seed);
    point.diffuse(out, i * size);
  }
  return out;
}

/** The rays of one point after another, as integrals. */
class PointTransfer {
  /** How many rays of the point at hand are blocked. */
  blocked = 0;
  readonly #order: number;
  readonly #surface: SurfaceRays;
  readonly #normal = new Float64Array(3);
  readonly #y: Float64Array;
  readonly #sum: Float64Array;

  constructor(surface: LightSurface, order: number, rays: number) {
    this.#order = order;
    this.#surface = new SurfaceRays(surface, rays);
    this.#y = new Float64Array(shCount(order));
    this.#sum = new Float64Array(shCount(order));
  }

  trace(points: Float32Array, normals: Float32Array, i: number, seed: number): SurfaceRays {
    this.#surface.trace(points, normals, i, seed);
    for (let c = 0; c < 3; c++) this.#normal[c] = normals[3 * i + c];
    this.blocked = 0;
    for (const face of this.#surface.hits.faces) if (face >= 0) this.blocked++;
    return this.#surface;
  }

  fromBehind(q: number): boolean {
    return this.#surface.fromBehind(q);
  }

  /** t of the point, without bounces: (1/π) ∫ = 2 · mean of V cos θ y over directions that are uniform in the hemisphere. */
  diffuse(out: Float32Array, at: number): void {
    cosineLobe(this.#order, this.#normal, this.#sum);
    this.#addSmallerPart(2 / this.#surface.rays.count, this.#surface.rays.cosines, out, at);
  }

  /** h of the point: ∫ = 2π · mean of V y. */
  visibility(out: Float32Array, at: number): void {
    hemisphereLobe(this.#order, this.#normal, this.#sum);
    this.#addSmallerPart((2 * Math.PI) / this.#surface.rays.count, undefined, out, at);
  }

  /** Of the whole in `#sum`, what rays leave of it: less the blocked ones, or the visible ones alone. */
  #addSmallerPart(scale: number, cosines: Float32Array | undefined, out: Float32Array, at: number): void {
    const { rays, hits } = this.#surface;
    const { directions } = rays;
    const sum = this.#sum;
    const y = this.#y;
    const takeBlocked = 2 * this.blocked < rays.count;
    if (!takeBlocked) sum.fill(0);
    const sign = takeBlocked ? -scale : scale;
    for (let q = 0; q < rays.count; q++) {
      if (hits.faces[q] >= 0 !== takeBlocked) continue;
      evaluateSh(this.#order, directions[3 * q], directions[3 * q + 1], directions[3 * q + 2], y);
      const factor = cosines ? sign * cosines[q] : sign;
      for (let c = 0; c < sum.length; c++) sum[c] += factor * y[c];
    }
    for (let c = 0; c < sum.length; c++) out[at + c] = sum[c];
  }
}
