import type { Decomposition } from '../decompose/decompose.ts';
import { reduceSequence } from '../decompose/reduce.ts';
import { PliantError } from '../error.ts';
import { measureSequences, type SequenceErrors } from '../measure/measure.ts';
import { meshEdges, vertexNeighbours } from '../mesh/adjacency.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import { resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';
import { type FittedFrames, fittedSequence, framesToFit } from './clips.ts';
import { FIT_OPTIONS, FIT_PRESETS, type FitOptions } from './fit-options.ts';
import type { InBetweenFigures } from './proxy/in-between.ts';
import { type FitContext, type FitRun, solveFor } from './solve.ts';
import { searchTarget } from './targets/search-target.ts';
import { type ProxyJoints, vertexRegions } from './thesis/proxy-joints.ts';

/**
 * The map: a mesh animation becomes proxy bones, weights and transforms.
 *
 *   frames ─ reduce ─▶ problem ─ decompose ─▶ bones, weights ─ proxyModel ─▶ skinned model ─ measure ─▶ report
 *
 * `decompose` places bones, refines and moves them; with a target error or size `searchTarget` calls it until the number
 * of bones is found.
 */
export interface FitResult {
  model: SkinnedModel;
  /** Over all frames of all clips, of the finished model in single precision. */
  errors: SequenceErrors;
  /** The frames that were fitted, as one sequence, in the order of `errors.perFrame`. */
  fitted: FittedFrames;
  kind: FitOptions['kind'];
  bones: number;
  /** The proxy joints and regions that it began with, where it began by deformation or evenly. */
  proxies?: ProxyJoints;
  /** N: the region, or the cluster, of each vertex that it began with; not where weights or transforms were given. */
  regions?: Int32Array;
  /** Why it ended. */
  ended: FitEnding;
  /** Whether it ended because nothing more was to be gained. */
  converged: boolean;
  /** What is played between frames, and the keys that were added for it. */
  inBetween: InBetweenFigures;
  report: Report;
}

/** Nothing more to gain; no rounds left (usual, and a little less than the best); or no bones left to reach the target with. */
export type FitEnding = 'converged' | 'iterations' | 'target missed';

/** Bones when neither a number nor a target is given. */
const USUAL_BONES = 40;

/** Fits proxy bones, weights and transforms to a mesh animation: one sequence, or several clips of one mesh. */
export async function fit(
  input: MeshSequence | readonly MeshSequence[],
  given: Partial<FitOptions> & FitRun = {},
): Promise<FitResult> {
  const report = emptyReport('fit');
  const lap = lapTimer(report.seconds);
  const known = Object.keys(given.given ?? {}); // what half of the solution the caller has
  const options = resolveOptions(FIT_OPTIONS, given, 'fit', {
    ...FIT_PRESETS[given.preset ?? FIT_OPTIONS.preset.default],
    // Matrices that are given may be of any kind.
    ...(given.given?.transforms && { kind: 'affine' }),
  });
  report.given.push(...known);

  // (1) Frames → trajectories in a small basis.
  const fitted = await framesToFit(Array.isArray(input) ? input : [input as MeshSequence], options);
  const { sequence } = fitted;
  const n = vertexCount(sequence.rest);
  if (n === 0) throw new PliantError('bad-input', 'fit', `${sequence.name}: the mesh has no vertices`);
  if (!(diagonalOf(sequence.rest.positions) > 0)) {
    throw new PliantError('bad-input', 'fit', `${sequence.name}: the rest pose is a single point (expected an extent)`);
  }
  const boundsWorst = options.maxError > 0 && options.errorMeasure === 'max';
  const everyFrame = Array.from({ length: sequence.frameCount }, (_, k) => k);
  const problem = {
    ...(await reduceSequence(sequence, everyFrame, precisionFor(options), {
      ...given,
      ...(boundsWorst && { mayLose: MAY_DISCARD * (options.maxError / 100) }),
    })),
    clipStarts: fitted.clips.slice(1).map(({ first }) => first),
    ...(boundsWorst && { worst: (options.maxError / 100) ** 2 }),
  };
  const neighbours = vertexNeighbours(meshEdges(sequence.rest.triangles, n), n);
  lap('reduce');

  // (2) Bones and weights.
  const context: FitContext = { fitted, problem, neighbours, run: given };
  const wanted = known.length > 0 || options.bones > 0 || (options.maxError === 0 && options.maxSize === 0);
  const found = wanted
    ? await solveFor(context, { ...options, bones: options.bones || USUAL_BONES })
    : await searchTarget(context, options, given.kind === undefined, report);
  lap('solve');

  // (3) What came out, measured on the finished model.
  const { model, decomposition, kind, inBetween } = found;
  const errors = await measureFit(context, model);
  lap('measure');
  report.iterations = decomposition.iterations;
  const lost = boundsWorst && !wanted && !found.missed && lostInReduction(errors, options.maxError);
  if (lost) report.notes.push(lost);
  const ended = found.missed || lost ? 'target missed' : decomposition.converged ? 'converged' : 'iterations';
  const converged = ended === 'converged';
  report.converged = converged;
  report.figures = {
    rmsePercent: errors.rmsePercent,
    maxErrorPercent: errors.maxErrorPercent,
    bones: decomposition.boneCount,
    inBetweenErrorPercent: inBetween.after,
    inBetweenKeys: inBetween.added,
  };
  if (options.inBetween > 0 && inBetween.after > inBetween.tolerance) report.notes.push(missedBetween(kind, inBetween));
  const asked = known.length > 0 || !wanted ? 0 : options.bones || USUAL_BONES;
  if (decomposition.boneCount < asked) report.notes.push(fewerBones(decomposition, asked, n, errors));
  const { boneCount, proxies, clusters } = decomposition;
  const regions = proxies ? vertexRegions(proxies, sequence.rest.triangles) : clusters;
  return { model, errors, fitted, kind, bones: boneCount, proxies, regions, ended, converged, inBetween, report };
}

/** Says why there are fewer bones than could have been. */
function fewerBones(
  { boneCount, explained }: Decomposition,
  asked: number,
  vertices: number,
  { distortionPercent }: SequenceErrors,
): string {
  const onlyOne = distortionPercent === undefined ? 'nothing moves' : 'the mesh moves as one piece';
  const several = 'they explain the motion, and more would gain nothing';
  const noPlace = boneCount === vertices ? 'there are no more vertices' : 'there is no place for more';
  const reason = !explained || boneCount === vertices ? noPlace : boneCount === 1 ? onlyOne : several;
  return `${plural(boneCount, 'bone')} instead of ${asked}: ${reason}`;
}

/** What the reduction discards counts as error: this part of a target at most. */
const MAY_DISCARD = 0.1;

const precisionFor = ({ precision, maxError }: FitOptions): number =>
  maxError > 0 ? Math.min(precision, Math.max(FIT_OPTIONS.precision.min, MAY_DISCARD * (maxError / 100))) : precision;

/** Says, where a target for the worst vertex seemed to be reached, that the reduction had lost what misses it. */
function lostInReduction({ maxErrorPercent = 0, maxErrorFrame }: SequenceErrors, maxError: number): string | undefined {
  if (maxErrorPercent <= (1 + MAY_DISCARD) * maxError) return undefined;
  const what = `in frame ${maxErrorFrame} a vertex is off by ${maxErrorPercent.toPrecision(3)} %`;
  return `${what}: the reduction discarded a motion this short, which a smaller value for precision keeps`;
}

/** Says why the motion between frames is not what was asked for. */
function missedBetween(kind: FitOptions['kind'], { after, tolerance, nearest }: InBetweenFigures): string {
  const what = `between frames the motion is off by ${after.toPrecision(3)} % (expected ${Number(tolerance.toPrecision(2))} %)`;
  return nearest > tolerance
    ? `${what}: ${kind} bones cannot come nearer than ${nearest.toPrecision(3)} %, affine ones can`
    : `${what}: it would take more keys than are sensible; more frames help`;
}

/** The errors of a model over all fitted frames. */
async function measureFit({ fitted, run }: FitContext, model: SkinnedModel): Promise<SequenceErrors> {
  const approximation = fittedSequence(model, fitted);
  const { report, ...errors } = await measureSequences(fitted.sequence, approximation, {
    surfaceDistance: false,
    signal: run.signal,
    onProgress: run.onProgress,
  });
  await approximation.close?.();
  return errors;
}
