/**
 * Pairs of coarse and fine cloth → an upsampler. The map: what patches see (features.ts), the shapes of their detail
 * (basis.ts), a few inputs each (inputs.ts), and a regression from inputs to shapes (regress.ts).
 */

import { PliantError } from '../../error.ts';
import { vertexCount } from '../../model/mesh.ts';
import {
  choiceOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
  type RunOptions,
  resolveOptions,
} from '../../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../../model/report.ts';
import { checkpoint } from '../../model/run.ts';
import type { UpsamplerModel } from '../../model/trained-cloth.ts';
import { Embedding } from '../embedding.ts';
import type { ClothPair } from '../pairs.ts';
import { type Basis, emptyBasis, patchesOf, setPatchBasis } from './basis.ts';
import { LocalFeatures } from './features.ts';
import { featureScales } from './inputs.ts';
import { frameTotal, observe, observeCoefficients } from './observe.ts';
import { type PatchTraining, setPatchModel } from './patch-model.ts';

/** The options of `trainUpsampler`. */
export const UPSAMPLER_OPTIONS = {
  kernel: choiceOption('gaussian', ['gaussian', 'linear'], 'regression: linear and Gaussian, or linear only'),
  modes: integerOption(8, { min: 1, max: 64 }, 'shapes per patch'),
  examples: integerOption(120, { min: 2, max: 1000 }, 'frames that shapes are taken from, evenly chosen'),
  ridge: numberOption(0.3, { min: 1e-6, max: 1e6 }, 'larger values give less detail where the training says little'),
} as const satisfies OptionSpecs;

/** Options of `trainUpsampler`. */
export type UpsamplerOptions = OptionsOf<typeof UPSAMPLER_OPTIONS>;

/** Inputs of the regression per patch; 24 and 48 do as well. */
const INPUTS = 16;
/** Gaussians per patch, evenly chosen among the examples; twice and four times as many do as well. */
const CENTRES = 60;

/** What regressions with other kernels can share: everything but the kernel. */
export interface UpsamplerTraining extends Omit<PatchTraining, 'centres' | 'ridge'> {
  examples: Uint32Array;
  basis: Basis;
}

/** All pairs are of the same two meshes. `given` is of the same pairs, with the same modes and examples. */
export async function trainUpsampler(
  pairs: readonly ClothPair[],
  options: Partial<UpsamplerOptions> & RunOptions & { given?: UpsamplerTraining } = {},
): Promise<{ upsampler: UpsamplerModel; training: UpsamplerTraining; report: Report }> {
  const operation = 'train';
  const { kernel, modes, examples: wanted, ridge } = resolveOptions(UPSAMPLER_OPTIONS, options, operation);
  const report = emptyReport(operation);
  const lap = lapTimer(report.seconds);
  const { coarse } = pairs[0];
  const v = vertexCount(coarse.rest);
  const { given } = options;
  if (given && given.basis.modes !== modes) {
    const cause = `given shapes (got ${given.basis.modes} per patch, expected ${modes})`;
    throw new PliantError('bad-input', operation, cause);
  }
  const training = given ?? (await lookAt(pairs, modes, wanted, options, lap));
  const { seen, offsets, scales, coefficients, examples, basis } = training;

  // (3) Inputs and regression.
  const centres = kernel === 'linear' ? new Uint32Array(0) : evenly(CENTRES, examples.length).map((i) => examples[i]);
  const e = centres.length;
  const upsampler: UpsamplerModel = {
    modes,
    inputs: INPUTS,
    centres: e,
    scales: [scales.position, scales.body],
    directions: new Int8Array(INPUTS * offsets[v]),
    directionScales: new Float32Array(v * INPUTS),
    limits: new Float32Array(2 * v * INPUTS),
    matrices: new Float32Array(v * (1 + INPUTS) * modes),
    points: new Int8Array(v * e * INPUTS),
    pointScales: new Float32Array(v * INPUTS),
    blends: new Int8Array(v * e * modes),
    blendScales: new Float32Array(v * modes),
    basis: basis.shapes,
  };
  const regression = { seen, offsets, scales, coefficients, centres, ridge };
  for (let p = 0; p < v; p++) {
    await checkpoint(options, operation, p, v, 'learning');
    setPatchModel(upsampler, p, regression);
  }
  lap('regression');
  report.figures = { frames: seen.length, examples: examples.length };
  return { upsampler, training, report };
}

/** Up to `wanted` of `total` numbers from 0 on. */
function evenly(wanted: number, total: number): Uint32Array {
  const count = Math.min(wanted, total);
  return Uint32Array.from({ length: count }, (_, e) => Math.floor(((e + 0.5) * total) / count));
}

async function lookAt(
  pairs: readonly ClothPair[],
  modes: number,
  wanted: number,
  run: RunOptions,
  lap: (stage: string) => void,
): Promise<UpsamplerTraining> {
  const [{ coarse, fine }] = pairs;
  const embedding = new Embedding(coarse.rest, fine.rest);
  const features = new LocalFeatures(coarse.rest);
  const { offsets } = features;
  const total = frameTotal(pairs);
  const examples = evenly(wanted, total);

  // (1) What patches see in every frame, and the detail of the examples.
  const { seen, examples: details } = await observe(pairs, embedding, features, examples, run);
  lap('read');

  // (2) The shapes of the detail, and how much of each is in every frame.
  const patches = patchesOf(embedding);
  const basis = emptyBasis(embedding, modes);
  for (let p = 0; p < embedding.coarseCount; p++) {
    await checkpoint(run, 'train', p, embedding.coarseCount, 'finding shapes');
    const places = patches.items.subarray(patches.offsets[p], patches.offsets[p + 1]);
    setPatchBasis(basis, places, embedding, p, details);
  }
  lap('shapes');
  const coefficients = await observeCoefficients(pairs, embedding, basis, run);
  lap('coefficients');
  return { seen, offsets, scales: featureScales(seen, offsets), coefficients, examples, basis };
}
