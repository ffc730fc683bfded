import { PliantError } from '../../error.ts';
import { measureSequences } from '../../measure/measure.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import { vertexCount } from '../../model/mesh.ts';
import { note } from '../../model/note.ts';
import { type OptionsOf, type RunOptions, resolveOptions } from '../../model/options.ts';
import { emptyReport, type Report } from '../../model/report.ts';
import { type SkinnedModel, type SkinWeights, validateModel } from '../../model/skinned-model.ts';
import { posedSequence } from '../../skin/posed-sequence.ts';
import { INFLUENCE_OPTIONS } from './bind-options.ts';

/** Fewer influences per vertex, and what that costs over the clips: a loss that exporters and engines keep quiet about. */

const OPERATION = 'trim';

/** Weights that differ by less are equal up to rounding. */
const TIE = 1e-5;
/** Vertices that lose more of their weight are counted. */
const NOTABLE = 0.01;

/**
 * The `influences` largest weights of each vertex, scaled to a sum of 1, and per vertex (N) how much weight was lost.
 * `evenly` also drops weights equal to one that is dropped, while others remain: of two bones left and right of the middle
 * neither is then preferred, and symmetric weights stay so.
 */
export function trimInfluences(
  skin: SkinWeights,
  influences: number,
  evenly = false,
): { weights: SkinWeights; lost: Float64Array<ArrayBuffer> } {
  const k = skin.influences;
  const n = skin.weights.length / k;
  const lost = new Float64Array(n);
  if (influences >= k) return { weights: skin, lost };
  const joints = new Uint16Array(n * influences);
  const weights = new Float32Array(n * influences);
  for (let i = 0; i < n; i++) {
    const dropped = skin.weights[i * k + influences];
    let slots = influences;
    if (evenly && dropped > 0) while (slots > 0 && skin.weights[i * k + slots - 1] - dropped < TIE) slots--;
    if (slots === 0) slots = influences;
    let kept = 0;
    for (let s = 0; s < slots; s++) kept += skin.weights[i * k + s];
    for (let s = slots; s < k; s++) lost[i] += skin.weights[i * k + s];
    for (let s = 0; s < slots; s++) {
      joints[i * influences + s] = skin.joints[i * k + s];
      // Divided anew only where something is lost: what is whole stays as it is to the bit.
      weights[i * influences + s] = lost[i] > 0 ? skin.weights[i * k + s] / kept : skin.weights[i * k + s];
    }
  }
  return { weights: { influences, joints, weights }, lost };
}

/** What trimming does to a clip. Per cent are of the diagonal of the rest pose. */
export interface TrimError {
  clip: string;
  frames: number;
  rmsePercent: number;
  maxErrorPercent: number;
  maxErrorFrame: number;
  maxErrorVertex: number;
  /** The vertices that suffer most over the clip, the worst first. */
  worst: { vertex: number; rmsePercent: number; lostWeight: number }[];
}

/** A model with fewer influences, and what that costs. */
export interface TrimResult {
  model: SkinnedModel;
  /** One per clip. */
  errors: TrimError[];
  report: Report;
}

/** Vertices that are named per clip. */
const WORST = 5;

/** The model with at most `influences` bones per vertex, measured over its clips against the model as it was. */
export async function trimModel(
  model: SkinnedModel,
  options: Partial<OptionsOf<typeof INFLUENCE_OPTIONS>> & RunOptions & { evenly?: boolean } = {},
): Promise<TrimResult> {
  const { influences } = resolveOptions(INFLUENCE_OPTIONS, options, OPERATION);
  validateModel(model, OPERATION);
  const started = performance.now();
  const { weights, lost } = trimInfluences(model.weights, influences, options.evenly);
  const trimmed: SkinnedModel = { ...model, weights };
  const report = emptyReport(OPERATION);
  const touched = lost.reduce((sum, x) => sum + (x > NOTABLE ? 1 : 0), 0);
  const most = lost.reduce((max, x) => Math.max(max, x), 0);
  const mean = lost.reduce((sum, x) => sum + x, 0) / Math.max(1, lost.length);
  report.figures = { trimmedVertices: touched, meanWeightLost: mean, maxWeightLost: most };
  const errors: TrimError[] = [];
  if (diagonalOf(model.mesh.positions) > 0) {
    for (const c of model.clips.keys()) errors.push(await clipError(model, trimmed, c, lost, options));
  }
  if (most > 0 && model.clips.length === 0) {
    report.notes.push(note('trim-unmeasured', {}));
  }
  report.seconds.trim = (performance.now() - started) / 1000;
  return { model: trimmed, errors, report };
}

async function clipError(
  model: SkinnedModel,
  trimmed: SkinnedModel,
  clip: number,
  lost: Float64Array,
  run: RunOptions,
): Promise<TrimError> {
  const before = posedSequence(model, clip);
  const after = posedSequence(trimmed, clip);
  try {
    const found = await measureSequences(before, after, { ...run, surfaceDistance: false });
    const { rmsePercent, maxErrorPercent, maxErrorFrame, maxErrorVertex, perVertex } = found;
    if (rmsePercent === undefined || maxErrorPercent === undefined || !perVertex) {
      throw new PliantError('internal', OPERATION, `${vertexCount(model.mesh)} vertices were not compared`);
    }
    const worst = Array.from(perVertex.rmsePercent.keys())
      .filter((i) => lost[i] > 0)
      .sort((a, b) => perVertex.rmsePercent[b] - perVertex.rmsePercent[a])
      .slice(0, WORST)
      .map((vertex) => ({ vertex, rmsePercent: perVertex.rmsePercent[vertex], lostWeight: lost[vertex] }));
    return {
      clip: model.clips[clip].name,
      frames: before.frameCount,
      rmsePercent,
      maxErrorPercent,
      maxErrorFrame: maxErrorFrame ?? 0,
      maxErrorVertex: maxErrorVertex ?? 0,
      worst,
    };
  } finally {
    await before.close?.();
    await after.close?.();
  }
}
