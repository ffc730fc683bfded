import type { Mesh } from '../model/mesh.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { TrainedCloth } from '../model/trained-cloth.ts';
import { Embedding } from './embedding.ts';

/**
 * Trained cloth for players that know nothing of it: the fine mesh skinned to one joint per coarse vertex, which only moves,
 * with the barycentric weights β. Joints that move as a coarse simulation show its embedding.
 */
export function clothModel({ name, coarse, fine }: TrainedCloth, clips: Clip[] = []): SkinnedModel {
  const { hats, weights: beta, count } = new Embedding(coarse, fine);
  const joints = new Uint16Array(3 * count);
  const weights = new Float32Array(3 * count);
  for (let o = 0; o < 3 * count; o += 3) {
    const order = [o, o + 1, o + 2].sort((a, b) => beta[b] - beta[a]);
    order.forEach((h, s) => {
      if (beta[h] > 0) joints[o + s] = hats[h];
      weights[o + s] = Math.max(0, beta[h]);
    });
  }
  const skinWeights = { influences: 3, joints, weights };
  return { name, mesh: fine, weights: skinWeights, skeleton: pointSkeleton(coarse), clips, operator: 'lbs' };
}

/** The motion of a coarse mesh as a clip of its joints, of at most `most` frames. */
export async function coarseClip(motion: MeshSequence, most = Infinity): Promise<Clip> {
  const { rest, name } = motion;
  const frames = Math.min(most, motion.frameCount);
  const bones = rest.positions.length / 3;
  const transforms = new Float32Array(MATRIX_STRIDE * bones * frames);
  const locals = new Float32Array(LOCAL_STRIDE * bones * frames);
  for (let k = 0; k < frames; k++) {
    const x = await motion.readFrame(k);
    for (let b = 0; b < bones; b++) {
      const [px, py, pz] = x.subarray(3 * b, 3 * b + 3);
      const [rx, ry, rz] = rest.positions.subarray(3 * b, 3 * b + 3);
      transforms.set([1, 0, 0, px - rx, 0, 1, 0, py - ry, 0, 0, 1, pz - rz], MATRIX_STRIDE * (k * bones + b));
      locals.set([px, py, pz, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * (k * bones + b));
    }
  }
  return { name, times: motion.times.slice(0, frames), transforms, locals };
}

/** A joint at each vertex. */
function pointSkeleton({ positions }: Mesh): Skeleton {
  const bones = positions.length / 3;
  const skeleton: Skeleton = {
    names: Array.from({ length: bones }, (_, b) => `coarse ${b}`),
    parents: new Int32Array(bones).fill(-1),
    restLocals: new Float32Array(LOCAL_STRIDE * bones),
    inverseBind: new Float32Array(MATRIX_STRIDE * bones),
  };
  for (let b = 0; b < bones; b++) {
    const [x, y, z] = positions.subarray(3 * b, 3 * b + 3);
    skeleton.restLocals.set([x, y, z, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * b);
    skeleton.inverseBind.set([1, 0, 0, -x, 0, 1, 0, -y, 0, 0, 1, -z], MATRIX_STRIDE * b);
  }
  return skeleton;
}
