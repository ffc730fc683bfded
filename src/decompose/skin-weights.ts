import { PliantError } from '../error.ts';
import type { SkinWeights } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';
import { emptySupport, type Support } from './problem.ts';

/**
 * A fit's convex weights as a model keeps them: by falling weight (then by joint), in float32, with a sum of 1 to the last
 * bit that float32 has. Weights that are 0 in float32 free their slot.
 */
export function skinWeightsOf(support: Support): SkinWeights {
  const { influences, count } = support;
  const n = count.length;
  const joints = new Uint16Array(n * influences);
  const weights = new Float32Array(n * influences);
  for (let i = 0; i < n; i++) {
    const at = i * influences;
    const slots = Array.from({ length: count[i] }, (_, s) => ({
      joint: support.joints[at + s],
      weight: Math.fround(support.weights[at + s]),
    }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight || a.joint - b.joint);
    if (slots.length === 0) {
      throw new PliantError('internal', 'skinWeightsOf', `vertex ${i} follows no bone (expected at least one)`);
    }
    let others = 0;
    slots.forEach(({ joint, weight }, s) => {
      if (joint > 65535) {
        throw new PliantError('too-large', 'skinWeightsOf', `bone ${joint} (expected at most 65535)`);
      }
      joints[at + s] = joint;
      weights[at + s] = weight;
      if (s > 0) others += weight;
    });
    // The largest weight takes what rounding left: at most a few units in its last place.
    weights[at] = Math.max(1 - others, slots[1]?.weight ?? 0);
  }
  return { influences, joints, weights };
}

/** The way back. */
export function supportOfWeights(skin: SkinWeights, vertexCount: number): Support {
  const k = skin.influences;
  if (skin.weights.length !== vertexCount * k) {
    throw new PliantError(
      'bad-input',
      'fit',
      `weights of ${plural(skin.weights.length / k, 'vertex', 'vertices')} (expected ${vertexCount} like the sequence)`,
    );
  }
  const support = emptySupport(vertexCount, k);
  for (let i = 0; i < vertexCount; i++) {
    for (let s = i * k; s < (i + 1) * k && skin.weights[s] > 0; s++) {
      support.joints[s] = skin.joints[s];
      support.weights[s] = skin.weights[s];
      support.count[i]++;
    }
  }
  return support;
}
