import { quaternionFromRotation } from '../math/quaternion.ts';
import type { Predictor } from '../model/predictor.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

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

/** B joints without a hierarchy, one at each centroid (3B). */
function freeSkeleton(centroids: Float64Array): Skeleton {
  const bones = centroids.length / 3;
  const skeleton: Skeleton = {
    names: Array.from({ length: bones }, (_, b) => `bone ${b}`),
    parents: new Int32Array(bones).fill(-1),
    restLocals: new Float32Array(LOCAL_STRIDE * bones),
    inverseBind: new Float32Array(MATRIX_STRIDE * bones),
  };
  for (let b = 0; b < bones; b++) {
    const c = centroids.subarray(3 * b, 3 * b + 3);
    skeleton.restLocals.set([...c, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * b);
    skeleton.inverseBind.set([1, 0, 0, -c[0], 0, 1, 0, -c[1], 0, 0, 1, -c[2]], MATRIX_STRIDE * b);
  }
  return skeleton;
}

/** Rigid transforms (P·B·12) as a clip that engines can interpolate: quaternions keep their side from frame to frame. */
export function rigidClip(name: string, times: Float64Array, transforms: Float32Array, centroids: Float64Array): Clip {
  const bones = centroids.length / 3;
  const locals = new Float32Array(LOCAL_STRIDE * bones * times.length);
  const q = new Float64Array(4);
  for (let k = 0; k < times.length; k++) {
    for (let b = 0; b < bones; b++) {
      const m = MATRIX_STRIDE * (k * bones + b);
      const o = LOCAL_STRIDE * (k * bones + b);
      quaternionFromRotation(q, 0, transforms, m, 4);
      const before = o - LOCAL_STRIDE * bones + 3;
      let dot = 0;
      if (k > 0) for (let c = 0; c < 4; c++) dot += q[c] * locals[before + c];
      for (let r = 0; r < 3; r++) {
        let x = transforms[m + 4 * r + 3];
        for (let c = 0; c < 3; c++) x += transforms[m + 4 * r + c] * centroids[3 * b + c];
        locals[o + r] = x;
        locals[o + 7 + r] = 1;
      }
      for (let c = 0; c < 4; c++) locals[o + 3 + c] = dot < 0 ? -q[c] : q[c];
    }
  }
  return { name, times, transforms, locals };
}
