import { LOCAL_STRIDE, MATRIX_STRIDE, type SkinnedModel, vertexCount } from '../../../src/index.ts';
import { reposed } from '../../../src/mesh/normals.ts';
import { frameOf, type SequenceData } from '../core/content/content.ts';
import type { SoFarFit } from '../core/fit/fit-results.ts';
import { SkinnedSurface } from './skinned-surface.ts';

/** The best that a running fit has found, on the stage. */
export class SoFarView {
  readonly found: SoFarFit;
  readonly surfaces: readonly SkinnedSurface[];

  constructor(found: SoFarFit, sequences: readonly SequenceData[]) {
    this.found = found;
    let first = 0;
    this.surfaces = sequences.map((sequence) => {
      const from = first;
      first += vertexCount(sequence.rest);
      return new SkinnedSurface(partOf(found, sequence, from, first), 'lbs');
    });
  }

  /** The pose of frame k of the original, or of the nearest frame that is fitted. */
  pose(k: number): void {
    const { transforms, bones, options } = this.found;
    const { firstFrame = 0, frameStep = 1 } = options;
    const length = MATRIX_STRIDE * bones;
    const last = transforms.length / length - 1;
    const at = Math.max(0, Math.min(last, Math.round((k - firstFrame) / frameStep)));
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
function partOf({ weights, bones, options }: SoFarFit, sequence: SequenceData, from: number, to: number): SkinnedModel {
  const { influences } = weights;
  const [begin, end] = [from * influences, to * influences];
  const { restFrame = -1 } = options;
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
    operator: 'lbs',
  };
}
