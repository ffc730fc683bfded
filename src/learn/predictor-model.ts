import type { Predictor } from '../model/predictor.ts';
import type { Clip } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { freeSkeleton, rigidClip } from './skinned.ts';

/**
 * The bones and weights of a predictor as a skinned model, with clips of its bones: what players show that know nothing of
 * control points.
 *
 * Dual quaternions move each vertex rigidly, R·(v + ρ) + t, so that a residual ρ in local coordinates is a displacement of
 * the rest pose: with `withResidual` its mean and its shapes are the model's morphs.
 */
export function predictorModel(predictor: Predictor, clips: Clip[] = [], withResidual = false): SkinnedModel {
  const { name, mesh, weights, centroids, residual } = predictor;
  const model: SkinnedModel = { name, mesh, weights, skeleton: freeSkeleton(centroids), clips, operator: 'dqs' };
  if (!withResidual || !residual) return model;
  const size = mesh.positions.length;
  const shapes = Array.from({ length: residual.shapes.length / size }, (_, r) => ({
    name: `residual ${r}`,
    positions: residual.shapes.subarray(r * size, (r + 1) * size),
  }));
  return { ...model, morphs: [{ name: 'residual mean', positions: residual.mean }, ...shapes] };
}

/** Seconds that each example is given in the clip of examples. */
const EXAMPLE_SECONDS = 0.5;

/** The examples one after the other. @param transforms E·B·12. */
export function examplesClip({ centroids }: Predictor, transforms: Float64Array): Clip {
  const examples = transforms.length / (4 * centroids.length);
  const times = Float64Array.from({ length: examples }, (_, k) => k * EXAMPLE_SECONDS);
  return rigidClip('examples', times, Float32Array.from(transforms), centroids);
}
