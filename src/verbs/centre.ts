import type { FitResult } from '../fit/fit.ts';
import { type FarPlace, farPlace } from '../mesh/far.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';

/** Clips far from the origin, where float32 has no digits left for bones, brought there to be fitted. */
export interface Centred {
  /** Where they stood. */
  origin: FarPlace['origin'];
  clips: MeshSequence[];
  /** Matrices rest → pose, where they stood. */
  matricesBack(matrices: Float32Array): Float32Array;
  /** What was fitted to them, where they stood. */
  back(result: FitResult): FitResult;
}

/** Undefined where clips, all of one mesh, are near enough. */
export function centred(clips: readonly MeshSequence[]): Centred | undefined {
  const far = farPlace(clips[0].rest.positions);
  if (!far) return undefined;
  const { origin } = far;
  const away = origin.map((x) => -x);
  return {
    origin,
    clips: clips.map((clip) => movedSequence(clip, away)),
    matricesBack: (matrices) => movedMatrices(matrices, origin, origin),
    back: (result) => ({
      ...result,
      model: movedModel(result.model, origin),
      fitted: { ...result.fitted, sequence: movedSequence(result.fitted.sequence, origin) },
    }),
  };
}

const movedPoints = (points: Float32Array, by: readonly number[]): Float32Array => points.map((x, c) => x + by[c % 3]);

const movedSequence = (sequence: MeshSequence, by: readonly number[]): MeshSequence => ({
  ...sequence,
  rest: { ...sequence.rest, positions: movedPoints(sequence.rest.positions, by) },
  async readFrame(k, out) {
    const frame = await sequence.readFrame(k, out);
    for (let c = 0; c < frame.length; c++) frame[c] += by[c % 3];
    return frame;
  },
});

/** T(after)·M·T(−by). */
const movedMatrices = (matrices: Float32Array, by: readonly number[], after: readonly number[]): Float32Array =>
  matrices.map((x, m) => {
    const c = m % 4;
    if (c < 3) return x;
    const [a, b, d] = matrices.subarray(m - 3, m);
    return x + after[((m % MATRIX_STRIDE) - 3) / 4] - (a * by[0] + b * by[1] + d * by[2]);
  });

/** Skin matrices are T(by)·M·T(−by) then, inverse binds M·T(−by). */
function movedModel(model: SkinnedModel, by: readonly number[]): SkinnedModel {
  const { mesh, skeleton } = model;
  const movedLocals = (locals: Float32Array): Float32Array =>
    locals.map((x, l) => {
      const isRoot = skeleton.parents[Math.floor(l / LOCAL_STRIDE) % skeleton.parents.length] < 0;
      return isRoot && l % LOCAL_STRIDE < 3 ? x + by[l % LOCAL_STRIDE] : x;
    });
  const movedClip = (clip: Clip): Clip => ({
    ...clip,
    transforms: movedMatrices(clip.transforms, by, by),
    locals: clip.locals && movedLocals(clip.locals),
  });
  return {
    ...model,
    mesh: { ...mesh, positions: movedPoints(mesh.positions, by) },
    skeleton: {
      ...skeleton,
      restLocals: movedLocals(skeleton.restLocals),
      inverseBind: movedMatrices(skeleton.inverseBind, by, [0, 0, 0]),
    },
    clips: model.clips.map(movedClip),
  };
}
