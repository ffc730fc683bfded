import type { Predictor } from '../model/predictor.ts';
import type { Clip } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { freeSkeleton, rigidClip } from './skinned.ts';

/**
 * The bones and weights of a predictor as a skinned model, with clips of its bones: what players show that know nothing of
 * control points. Residuals are not part of it, and dual quaternions become linear blending there.
 */
export function predictorModel(predictor: Predictor, clips: Clip[] = []): SkinnedModel {
  const { name, mesh, weights, centroids } = predictor;
  return { name, mesh, weights, skeleton: freeSkeleton(centroids), clips, operator: 'dqs' };
}

/** Seconds that each example is given in the clip of examples. */
const EXAMPLE_SECONDS = 0.5;

/** The examples one after the other. @param transforms E·B·12. */
export function examplesClip({ centroids }: Predictor, transforms: Float64Array): Clip {
  const examples = transforms.length / (4 * centroids.length);
  const times = Float64Array.from({ length: examples }, (_, k) => k * EXAMPLE_SECONDS);
  return rigidClip('examples', times, Float32Array.from(transforms), centroids);
}
