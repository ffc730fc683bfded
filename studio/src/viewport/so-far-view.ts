import { LOCAL_STRIDE, MATRIX_STRIDE, type SkinnedModel, vertexCount } from '../../../src/index.ts';
import { reposed } from '../../../src/mesh/normals.ts';
import { frameOf, type SequenceData } from '../core/content/content.ts';
import type { SoFarBones } from '../core/fit/fit-results.ts';
import { SkinnedSurface } from './skinned-surface.ts';

/** The best bones that a running job has found, on the stage. */
export class SoFarView {
  readonly found: SoFarBones;
  readonly surfaces: readonly SkinnedSurface[];

  constructor(found: SoFarBones, sequences: readonly SequenceData[]) {
    this.found = found;
    let first = 0;
    this.surfaces = sequences.map((sequence) => {
      const from = first;
      first += vertexCount(sequence.rest);
      return new SkinnedSurface(partOf(found, sequence, from, first), found.operator);
    });
  }

  /** The pose of frame k of the original, or of the nearest frame that has transforms. */
  pose(k: number): void {
    const { transforms, bones, frames } = this.found;
    const length = MATRIX_STRIDE * bones;
    const gap = (frame: number): number => Math.abs(frame - k);
    const at = frames.reduce((best, frame, p) => (gap(frame) < gap(frames[best]) ? p : best), 0);
    for (const surface of this.surfaces) surface.pose(transforms.subarray(at * length, (at + 1) * length));
  }

  dispose(): void {
    for (const surface of this.surfaces) {
      surface.object.removeFromParent();
      surface.dispose();
    }
  }
}

/** Vertices from `from` to `to` as a model: matrices are all that its bones are drawn by. */
function partOf(found: SoFarBones, sequence: SequenceData, from: number, to: number): SkinnedModel {
  const { weights, bones, operator, restFrame } = found;
  const { influences } = weights;
  const [begin, end] = [from * influences, to * influences];
  return {
    name: 'so far',
    mesh: restFrame < 0 ? sequence.rest : reposed(sequence.rest, frameOf(sequence, restFrame)),
    weights: {
      influences,
      joints: weights.joints.subarray(begin, end),
      weights: weights.weights.subarray(begin, end),
    },
    skeleton: {
      names: Array.from({ length: bones }, (_, j) => `bone ${j}`),
      parents: new Int32Array(bones).fill(-1),
      restLocals: new Float32Array(LOCAL_STRIDE * bones),
      inverseBind: new Float32Array(MATRIX_STRIDE * bones),
    },
    clips: [],
    operator,
  };
}
