import { boundsOf } from '../../mesh/bounds.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';

/** 3B: centroids of the vertices by squared weights; the mesh's own centre for a bone without any. */
export function boneCentroids(positions: Float32Array, skin: SkinWeights, bones: number): Float64Array {
  const centroids = new Float64Array(3 * bones);
  const mass = new Float64Array(bones);
  skin.weights.forEach((w, s) => {
    const i = Math.floor(s / skin.influences);
    mass[skin.joints[s]] += w * w;
    for (let c = 0; c < 3; c++) centroids[3 * skin.joints[s] + c] += w * w * positions[3 * i + c];
  });
  const { min, max } = boundsOf(positions);
  for (let b = 0; b < bones; b++) {
    for (let c = 0; c < 3; c++) {
      centroids[3 * b + c] = mass[b] > 0 ? centroids[3 * b + c] / mass[b] : (min[c] + max[c]) / 2;
    }
  }
  return centroids;
}
