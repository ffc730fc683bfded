import { frameMatrices } from '../decompose/bones/bone-frames.ts';
import { decompose } from '../decompose/decompose.ts';
import type { Coarse, Decomposition } from '../decompose/decomposition.ts';
import { transformsForWeights, weightsForTransforms } from '../decompose/locked.ts';
import { type FitProblem, isExact } from '../decompose/problem.ts';
import { skinWeightsOf } from '../decompose/skin-weights.ts';
import type { WatchedRun } from '../decompose/so-far.ts';
import type { Mesh } from '../model/mesh.ts';
import type { Note } from '../model/note.ts';
import { checkpoint } from '../model/run.ts';
import { frameTimes, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { morphWeightsAt } from '../skin/poses.ts';
import { splitClips } from './clips.ts';
import type { FitContext, FitRun } from './context.ts';
import type { FitOptions } from './fit-options.ts';
import { type InBetweenFigures, withInBetweenKeys } from './proxy/in-between.ts';
import type { ProxyModelInput } from './proxy/proxy-model.ts';
import { applyCorrections } from './thesis/corrections/correct.ts';
import type { EigenSkin } from './thesis/corrections/eigen-skin.ts';
import { decimateProblem } from './thesis/decimated.ts';
import type { ProxyJoints } from './thesis/proxy-joints.ts';
import { decomposeThesis } from './thesis/thesis.ts';

/** A decomposition, with the joints and regions that it began with where it did not split clusters. */
export interface Begun extends Decomposition {
  proxies?: ProxyJoints;
}

/** A model for a fixed number and kind of bones. */
export interface Found {
  model: SkinnedModel;
  decomposition: Begun;
  kind: FitOptions['kind'];
  inBetween: InBetweenFigures;
  /** Whether a target was asked for that this does not reach. */
  missed?: boolean;
  notes: Note[];
}

/** Bones and weights, corrections, and the model that engines play. */
export async function solveFor(context: FitContext, options: FitOptions): Promise<Found> {
  const { fitted, problem, run } = context;
  const { decomposition, notes } = await bonesAndWeights(context, options);
  const corrects = options.correctWeights || options.correctRestPose || options.eigenSkin > 0;
  const corrected = corrects
    ? applyCorrections(problem, decomposition.support, decomposition.frames, options, run)
    : { ...decomposition, problem };
  await checkpoint(run, 'fit', 0, 1, 'building nodes');
  const input: ProxyModelInput = {
    name: fitted.sequence.name,
    mesh: options.correctRestPose ? correctedRest(fitted.sequence.rest, corrected.problem) : fitted.sequence.rest,
    weights: skinWeightsOf(corrected.support),
    kind: options.kind,
    transforms: frameMatrices(problem, corrected.frames),
    axes: decomposition.axes,
    times: fitted.sequence.times,
  };
  const { model, figures } = await withInBetweenKeys(input, options.inBetween, problem.clipStarts, run);
  const skin = 'eigenSkin' in corrected ? corrected.eigenSkin : undefined;
  return {
    model: splitClips(skin ? withEigenSkin(model, skin, problem.diagonal) : model, fitted.clips),
    decomposition: { ...decomposition, error: corrected.error },
    kind: options.kind,
    inBetween: figures,
    notes,
  };
}

async function bonesAndWeights(
  context: FitContext,
  options: FitOptions,
): Promise<Pick<Found, 'decomposition' | 'notes'>> {
  const { fitted, problem, neighbours } = context;
  const run = { ...context.run, onSolution: onSolution(problem, context.run) };
  const { start } = options;
  const { given } = run;
  if (given?.weights) {
    return { decomposition: await transformsForWeights(problem, neighbours, given.weights, options, run), notes: [] };
  }
  if (given?.transforms) {
    const { transforms } = given;
    return { decomposition: await weightsForTransforms(problem, neighbours, transforms, options, run), notes: [] };
  }
  if (start === 'split') {
    const coarse = options.decimate > 0 ? await decimated(context, options) : undefined;
    const decomposition = await decompose(problem, neighbours, { ...options, coarse }, run);
    return { decomposition, notes: coarse?.notes ?? [] };
  }
  const { notes, ...begun } = await decomposeThesis(fitted.sequence, problem, neighbours, { ...options, start }, run);
  // As printed there is nothing to refine, and affine bones stay as they are.
  if (options.iterations === 0 && options.kind === 'affine') {
    const explained = isExact(problem, begun.error - problem.discarded);
    return { decomposition: { ...begun, explained, iterations: 0, moves: { tries: 0, accepted: 0 } }, notes };
  }
  const settings = { ...options, bones: begun.boneCount };
  const refined = await decompose(problem, neighbours, settings, run, begun);
  return { decomposition: { ...refined, proxies: begun.proxies }, notes };
}

/** What the search knows, as models have it. */
const onSolution = (problem: FitProblem, { onSoFar }: FitRun): WatchedRun['onSolution'] =>
  onSoFar &&
  ((_, look) =>
    onSoFar(() => {
      const { frames, support, rmse } = look();
      const transforms = Float32Array.from(frameMatrices(problem, frames));
      const bones = transforms.length / (MATRIX_STRIDE * problem.frameCount);
      return { bones, weights: skinWeightsOf(support), transforms, rmsePercent: 100 * rmse };
    }));

/** The problem with fewer vertices (Antonopoulos 2010, chapter 4). */
async function decimated(
  { fitted, problem, neighbours, run }: FitContext,
  options: FitOptions,
): Promise<Coarse & { notes: Note[] }> {
  const { triangles } = fitted.sequence.rest;
  const { level, ...coarse } = await decimateProblem(problem, triangles, neighbours, {}, options, run);
  return { ...coarse, cellOf: level.vertexOf };
}

/** The rest mesh at the positions of a problem. Its normals belong to the old positions, and to small corrections as well. */
function correctedRest(rest: Mesh, { rest: positions, centre, diagonal }: FitProblem): Mesh {
  const moved = rest.positions.map((_, c) => positions[4 * Math.floor(c / 3) + (c % 3)] * diagonal + centre[c % 3]);
  return { ...rest, positions: moved };
}

/** EigenSkin's fields as morphs, its coefficients as their weights. */
function withEigenSkin(model: SkinnedModel, skin: EigenSkin, diagonal: number): SkinnedModel {
  const size = skin.fields.length / skin.fieldCount;
  const morphs = Array.from({ length: skin.fieldCount }, (_, f) => ({
    name: `correction ${f}`,
    positions: Float32Array.from(skin.fields.subarray(f * size, (f + 1) * size), (x) => x * diagonal),
  }));
  const [clip] = model.clips;
  // Frames have their coefficients; keys between them, what lies between.
  const frames = { ...clip, times: frameTimes(clip), morphWeights: Float32Array.from(skin.coefficients) };
  const morphWeights = new Float32Array(skin.fieldCount * clip.times.length);
  clip.times.forEach((time, key) => {
    morphWeights.set(morphWeightsAt(frames, time)!, skin.fieldCount * key);
  });
  return { ...model, morphs, clips: [{ ...clip, morphWeights }] };
}
