import { PliantError } from '../error.ts';
import { ShRotation, shCount, shRotation } from '../math/spherical-harmonics.ts';
import { BRDF_TERMS } from '../model/light-samples.ts';
import {
  booleanOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
  seedOption,
} from '../model/options.ts';
import type { PartPose } from '../skin/choose-poses.ts';
import { askedBrdf, BRDF_OPTIONS, type BrdfOptions } from './paper/brdf-options.ts';
import { knownFactors, traceGlossVectors } from './paper/gloss-vectors.ts';
import type { LightScene } from './scene.ts';
import { traceTransfer } from './transfer.ts';

/** Light on a scene in one pose, traced: what is baked, and what everything else is measured by. */

export const TRACE_OPTIONS = {
  order: integerOption(5, { min: 1, max: 6 }, 'bands of spherical harmonics: 5 are 25 coefficients'),
  rays: integerOption(512, { min: 16, max: 65_536 }, 'rays per vertex and pose'),
  bounces: integerOption(2, { min: 0, max: 8 }, 'times that light is reflected between parts of the surface'),
  albedo: numberOption(0.6, { min: 0, max: 1 }, 'part of the light that the surface reflects'),
  gloss: booleanOption(false, 'also where the sky is seen, for reflections'),
  ...BRDF_OPTIONS,
  seed: seedOption('random seed'),
} as const satisfies OptionSpecs;

/** How light is traced. */
export type TraceOptions = Omit<OptionsOf<typeof TRACE_OPTIONS>, keyof BrdfOptions> & Partial<BrdfOptions>;

/** N vertices, C coefficients, in the frames of the vertices' bones. */
export interface TracedPose {
  /** N × C: diffuse transfer. */
  transfer: Float32Array;
  /** N × C: visibility, where it was asked for. */
  visibility?: Float32Array;
  /** N × K × C: what a glossy surface sends, where a BRDF was asked for (paper/gloss-vectors.ts). */
  glossy?: Float32Array;
  /** N: 1 where the vertex is inside another part: what is there means nothing. */
  inside: Uint8Array;
}

/** Seeds of poses are apart: rays of two poses have nothing in common. */
const poseSeed = (seed: number, pose: number): number => (seed + 0x9e3779b1 * (pose + 1)) >>> 0;

export function tracePose(
  scene: LightScene,
  parts: readonly PartPose[],
  options: TraceOptions,
  pose: number,
): TracedPose {
  const { order, rays, bounces, albedo, gloss } = options;
  const posed = scene.pose(parts);
  const { positions, normals, frames } = posed;
  const seed = poseSeed(options.seed, pose);
  const surface = { positions, normals, triangles: scene.triangles, albedo };
  const traced = traceTransfer(surface, { order, rays, bounces, visibility: gloss, seed });
  const asked = askedBrdf(options);
  const glossy =
    asked &&
    traceGlossVectors(
      scene,
      posed,
      surface,
      { order, rays, bounces, seed },
      knownFactors(order, asked.brdf, asked.parameter),
    );
  const size = shCount(order);
  const turns = Array.from({ length: scene.groups }, (_, g) =>
    shRotation(order, frames.subarray(9 * g, 9 * g + 9), new ShRotation(order)),
  );
  const turnBack = (vectors: Float32Array): Float32Array => {
    for (let i = 0; i < scene.vertices; i++) turns[scene.groupOf[i]].applyInverse(vectors, vectors, i * size, i * size);
    return vectors;
  };
  return {
    transfer: turnBack(traced.transfer),
    ...(traced.visibility && { visibility: turnBack(traced.visibility) }),
    ...(glossy && { glossy }),
    inside: traced.inside,
  };
}

/** One array after the other. */
export function tracedBytes({ transfer, visibility, glossy, inside }: TracedPose): Uint8Array {
  const arrays = [transfer, ...(visibility ? [visibility] : []), ...(glossy ? [glossy] : []), inside];
  const out = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    out.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return out;
}

export function tracedOf(
  bytes: Uint8Array,
  vertices: number,
  { order, gloss, brdf }: Pick<TraceOptions, 'order' | 'gloss' | 'brdf'>,
): TracedPose {
  const size = vertices * shCount(order);
  const plain = gloss ? 2 * size : size;
  const glossy = brdf === undefined || brdf === 'none' ? 0 : BRDF_TERMS * size;
  const expected = 4 * (plain + glossy) + vertices;
  if (bytes.length !== expected) {
    throw new PliantError('internal', 'light', `a traced pose has ${bytes.length} bytes (expected ${expected})`);
  }
  const floats = (at: number, count = size) => new Float32Array(bytes.slice(4 * at, 4 * (at + count)).buffer);
  return {
    transfer: floats(0),
    ...(gloss && { visibility: floats(size) }),
    ...(glossy > 0 && { glossy: floats(plain, glossy) }),
    inside: bytes.slice(expected - vertices),
  };
}
