import { PliantError } from '../error.ts';
import type { Report } from '../model/report.ts';
import { plural } from '../model/wording.ts';
import type { FitOptions } from './fit-options.ts';
import { worstDistance } from './frames.ts';
import { type FitContext, type Found, solveFor } from './solve.ts';
import { type Decomposition, decompose } from './solver/decompose.ts';

/**
 * The number of bones for a target error or size. Errors fall and sizes rise with the number of bones, nearly steadily:
 * quick fits bracket and halve, the full fit at the end confirms, with a few more (or fewer) bones where it must.
 */

/** What quick fits of the search do without. */
const QUICK: Partial<FitOptions> = { iterations: 15, tolerance: 1e-4, moves: 0, steadiness: 0, sample: 2000 };
/** The search ends when the bracket is this narrow, as a fraction of the number of bones. */
const BRACKET = 0.04;
const KINDS = ['rigid', 'trs', 'affine'] as const;
const MAX_CORRECTIONS = 6;
/** Errors that differ by less, in % of the diagonal, are as good: the simpler kind of bone is taken. */
const AS_GOOD = 1e-4;

export async function searchTarget(
  context: FitContext,
  options: FitOptions,
  chooseKind: boolean,
  report: Report,
): Promise<Found> {
  return options.maxSize > 0
    ? searchSize(context, options, chooseKind ? KINDS : [options.kind], report)
    : searchError(context, options, report);
}

/** RMSE or largest error, in % of the diagonal. */
function errorPercent(context: FitContext, found: Decomposition): number {
  const { vertexCount, frameCount } = context.problem;
  return 100 * Math.sqrt(found.error / (vertexCount * frameCount));
}

async function searchError(context: FitContext, options: FitOptions, report: Report): Promise<Found> {
  const { problem, neighbours, run } = context;
  const most = Math.min(problem.vertexCount, 4096);
  const errorOf = options.errorMeasure === 'rmse' ? errorPercent : worstPercent;
  const quickly = async (bones: number): Promise<boolean> => {
    const found = await decompose(problem, neighbours, { ...options, ...QUICK, bones }, run);
    // The full fit ends 5–15 % lower than the quick one.
    return errorOf(context, found) <= options.maxError * 1.1;
  };
  let bones = await smallest(most, quickly);
  for (let correction = 0; correction < MAX_CORRECTIONS; correction++) {
    const found = await solveFor(context, { ...options, bones });
    const error = errorOf(context, found.decomposition);
    if (error <= options.maxError) {
      report.notes.push(
        `${plural(found.decomposition.boneCount, 'bone')} ${found.decomposition.boneCount === 1 ? 'reaches' : 'reach'} the target of ${options.maxError} %`,
      );
      return found;
    }
    if (bones >= most) {
      report.notes.push(
        `the target of ${options.maxError} % is out of reach: ${error.toPrecision(3)} % with ${bones} bones`,
      );
      return { ...found, missed: true };
    }
    bones = Math.min(most, Math.max(bones + 1, Math.ceil(bones * Math.sqrt(error / options.maxError))));
  }
  throw new PliantError('internal', 'fit', `no number of bones settled for a target of ${options.maxError} %`);
}

/** Largest distance of a vertex from its place, in % of the diagonal. */
function worstPercent({ problem }: FitContext, found: Decomposition): number {
  return 100 * worstDistance(problem, found.support, found.frames);
}

/** The smallest count in 1 … most for which `good` holds, taking it to be monotone; `most` when none does. */
async function smallest(most: number, good: (count: number) => Promise<boolean>): Promise<number> {
  let low = 0; // not good
  let high = 4;
  while (high < most && !(await good(high))) {
    low = high;
    high = Math.min(most, 2 * high);
  }
  if (high > most) high = most;
  while (high - low > Math.max(1, Math.floor(BRACKET * high))) {
    const middle = (low + high) >> 1;
    if (await good(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** For each kind the most bones that fit into the size; of these the kind with the least error. */
async function searchSize(
  context: FitContext,
  options: FitOptions,
  kinds: readonly FitOptions['kind'][],
  report: Report,
): Promise<Found> {
  const { sizeOf } = context.run;
  if (!sizeOf) throw new PliantError('bad-option', 'fit', 'a target size needs to know how the model will be written');
  const { maxSize } = options;
  const most = Math.min(context.problem.vertexCount, 4096);
  const sized = async (settings: FitOptions): Promise<Sized> => {
    const found = await solveFor(context, settings);
    const { boneCount } = found.decomposition;
    const enough = boneCount < Math.min(settings.bones, most);
    return { bones: boneCount, enough, found, size: await sizeOf(found.model) };
  };

  let best: { kind: FitOptions['kind']; bones: number; enough: boolean; error: number; one: Sized } | undefined;
  let least = Infinity;
  for (const kind of kinds) {
    const quickly = (bones: number) => sized({ ...options, ...QUICK, kind, bones });
    const one = await quickly(1);
    least = Math.min(least, one.size);
    if (one.size > maxSize) continue;
    const { bones, enough, found } = await mostWithin(maxSize, most, quickly, [one, await quickly(Math.min(most, 16))]);
    const error = errorPercent(context, found.decomposition);
    if (!best || error < best.error - AS_GOOD) best = { kind, bones, enough, error, one };
  }
  if (!best) {
    const cause = `target size (got ${maxSize} bytes, expected at least ${least}: the size with 1 bone)`;
    throw new PliantError('bad-option', 'fit', cause);
  }

  const { kind, enough, one } = best;
  const fully = (bones: number) => sized({ ...options, kind, bones });
  let full = await fully(best.bones);
  const tooLarge: Sized[] = [];
  // A full fit can be larger than the quick one by a little.
  while (full.size > maxSize && full.bones > 1) {
    tooLarge.unshift(full);
    full = await fully(Math.max(1, full.bones - Math.max(1, Math.round(full.bones * (1 - maxSize / full.size)))));
  }
  if (full.bones > 1 && !enough)
    full = await mostWithin(maxSize, most, fully, [one, full, ...tooLarge.slice(0, 1)], FULL_FITS);
  const { bones, found } = full;
  const bestOf = kinds.length > 1 ? ', and of all kinds tried the least error' : '';
  const why = enough ? 'enough to explain the motion' : `as many as ${maxSize / 1000} kB hold${bestOf}`;
  report.notes.push(`${plural(bones, `${kind} bone`)}: ${why}`);
  return found;
}

/** A model and its bytes. */
interface Sized {
  bones: number;
  /** Fewer bones than it was allowed explain the motion. */
  enough: boolean;
  size: number;
  found: Found;
}

/** Search ends when this share of the size is used. */
const USED = 0.97;
/** Full fits take their time: so many at most are made to use a size better. */
const FULL_FITS = 2;

/**
 * The most bones whose model fits into `limit` bytes, as far as `tries` models more find it. Bytes are nearly linear in
 * the number of bones: the line through what is known names the next to try. The first of `known` counts as fitting.
 */
async function mostWithin(
  limit: number,
  most: number,
  make: (bones: number) => Promise<Sized>,
  known: readonly Sized[],
  tries = 6,
): Promise<Sized> {
  let low = known[0];
  let below: Sized | undefined;
  let high: Sized | undefined;
  const learn = (sized: Sized): void => {
    if (sized.size > limit) high = sized;
    else if (sized.bones > low.bones || sized.enough) [below, low] = [low, sized];
  };
  for (const sized of known.slice(1)) learn(sized);
  for (let k = 0; k < tries && !low.enough && low.bones < most && low.size < USED * limit; k++) {
    if (high && high.bones - low.bones <= Math.max(1, BRACKET * high.bones)) break;
    const other = high ?? below;
    const perBone = other ? (other.size - low.size) / (other.bones - low.bones) : limit;
    const guess = Math.floor(low.bones + (limit - low.size) / Math.max(1, perBone));
    const end = high ? high.bones - 1 : Math.min(most, 4 * low.bones);
    learn(await make(Math.max(low.bones + 1, Math.min(end, guess))));
  }
  return low;
}
