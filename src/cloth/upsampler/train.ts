/**
 * Pairs of coarse and fine cloth → an upsampler. The map: what patches see (features.ts), the shapes of their detail
 * (basis.ts), a few inputs each (inputs.ts), and a regression from inputs to shapes (regress.ts).
 */
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
import { emptyBasis, patchesOf, setPatchBasis } from './basis.ts';
import { LocalFeatures } from './features.ts';
import { featureScales } from './inputs.ts';
import { frameTotal, observe, observeCoefficients } from './observe.ts';
import { setPatchModel } from './patch-model.ts';

export const UPSAMPLER_OPTIONS = {
  kernel: choiceOption('gaussian', ['gaussian', 'linear'], 'regression: linear and Gaussian, or linear only'),
  modes: integerOption(8, { min: 1, max: 64 }, 'shapes per patch'),
  examples: integerOption(120, { min: 2, max: 1000 }, 'frames that shapes and Gaussians are taken from, evenly chosen'),
  ridge: numberOption(1, { min: 1e-6, max: 1e6 }, 'more: less detail where the training says little'),
} as const satisfies OptionSpecs;

/** Options of `trainUpsampler`. */
export type UpsamplerOptions = OptionsOf<typeof UPSAMPLER_OPTIONS>;

/** Inputs of the regression per patch. */
const INPUTS = 24;

/** All pairs are of the same two meshes. */
export async function trainUpsampler(
  pairs: readonly ClothPair[],
  options: Partial<UpsamplerOptions> & RunOptions = {},
): Promise<{ upsampler: UpsamplerModel; report: Report }> {
  const operation = 'train';
  const { kernel, modes, examples: wanted, ridge } = resolveOptions(UPSAMPLER_OPTIONS, options, operation);
  const report = emptyReport(operation);
  const lap = lapTimer(report.seconds);
  const [{ coarse, fine }] = pairs;
  const embedding = new Embedding(coarse.rest, fine.rest);
  const features = new LocalFeatures(coarse.rest);
  const { coarseCount: v } = embedding;
  const total = frameTotal(pairs);
  const count = Math.min(wanted, total);
  const examples = Uint32Array.from({ length: count }, (_, e) => Math.floor(((e + 0.5) * total) / count));

  // (1) What patches see in every frame, and the detail of the examples.
  const observed = await observe(pairs, embedding, features, examples, options);
  lap('read');

  // (2) The shapes of the detail, and how much of each is in every frame.
  const patches = patchesOf(embedding);
  const basis = emptyBasis(embedding, modes);
  for (let p = 0; p < v; p++) {
    await checkpoint(options, operation, p, v, 'finding shapes');
    const places = patches.items.subarray(patches.offsets[p], patches.offsets[p + 1]);
    setPatchBasis(basis, places, embedding, p, observed.examples);
  }
  lap('shapes');
  const coefficients = await observeCoefficients(pairs, embedding, basis, options);
  lap('coefficients');

  // (3) Inputs and regression.
  const scales = featureScales(observed.seen, features.offsets);
  const centres = kernel === 'linear' ? new Uint32Array(0) : examples;
  const e = centres.length;
  const upsampler: UpsamplerModel = {
    modes,
    inputs: INPUTS,
    centres: e,
    scales: [scales.position, scales.body],
    directions: new Int8Array(INPUTS * features.offsets[v]),
    directionScales: new Float32Array(v * INPUTS),
    limits: new Float32Array(2 * v * INPUTS),
    matrices: new Float32Array(v * (1 + INPUTS) * modes),
    points: new Int8Array(v * e * INPUTS),
    pointScales: new Float32Array(v * INPUTS),
    blends: new Int8Array(v * e * modes),
    blendScales: new Float32Array(v * modes),
    basis: basis.shapes,
  };
  const training = { seen: observed.seen, offsets: features.offsets, scales, coefficients, centres, ridge };
  for (let p = 0; p < v; p++) {
    await checkpoint(options, operation, p, v, 'learning');
    setPatchModel(upsampler, p, training);
  }
  lap('regression');
  report.figures = { frames: total, examples: count };
  return { upsampler, report };
}
