import { PliantError } from '../error.ts';
import type { Report } from '../model/report.ts';
import { plural } from '../model/wording.ts';
import type { FitOptions } from './fit-options.ts';
import { worstDistance } from './frames.ts';
import { type FitContext, type Found, solveFor } from './solve.ts';
import { type Decomposition, decompose } from './solver/decompose.ts';

/**
 * The number of bones for a target error or size. Errors fall nearly as a power of the number of bones, and sizes rise
 * nearly along a line: quick fits bracket the target and these laws name the next number to try, up to MOST_BONES. Full fits
 * confirm, with a few more (or fewer) bones where they must.
 */

/** What quick fits of the search do without. */
const QUICK: Partial<FitOptions> = { iterations: 15, tolerance: 1e-4, moves: 0, steadiness: 0, sample: 2000 };
/** The search ends when the bracket is this narrow, as a fraction of the number of bones. */
const BRACKET = 0.04;
const KINDS = ['rigid', 'trs', 'affine'] as const;
const MAX_CORRECTIONS = 6;
/** Errors that differ by less, in % of the diagonal, are as good: the simpler kind of bone is taken. */
const AS_GOOD = 1e-4;
/** By so much more every correction goes on than the one before: errors of neighbouring numbers differ by some per cent. */
const FURTHER = 1.05;
/** A search goes no further: the time of a fit grows with the cube of the bones. More can be asked for by number. */
const MOST_BONES = 400;
/** A bone has as many numbers per frame as three vertices: more than a third as many are no gain, but for tiny meshes. */
const ALWAYS_ALLOWED = 64;

const mostBones = (vertexCount: number): number =>
  Math.min(vertexCount, MOST_BONES, Math.max(ALWAYS_ALLOWED, Math.ceil(vertexCount / 3)));

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
  const { maxError } = options;
  const most = mostBones(problem.vertexCount);
  const errorOf = options.errorMeasure === 'rmse' ? errorPercent : worstPercent;
  const quickly = async (bones: number): Promise<number> => {
    const found = await decompose(problem, neighbours, { ...options, ...QUICK, bones }, run);
    // The full fit ends 5–15 % lower than the quick one.
    return errorOf(context, found) / 1.1;
  };
  let bones = await smallest(most, maxError, quickly);
  let tooFew = 0;
  let reached: Found | undefined;
  for (let correction = 1; ; correction++) {
    const found = await solveFor(context, { ...options, bones });
    const error = errorOf(context, found.decomposition);
    const { boneCount } = found.decomposition;
    // Errors fall by less than the square of the number of bones, so that this does not go too far.
    const better = bones * Math.sqrt(error / maxError);
    if (error <= maxError) {
      const fewer = Math.floor(better);
      if (fewer <= tooFew || fewer >= boneCount * (1 - BRACKET) || correction >= MAX_CORRECTIONS) {
        return reaching(found, maxError, report);
      }
      reached = found;
      bones = fewer;
      continue;
    }
    if (reached) return reaching(reached, maxError, report);
    // Fewer bones than asked for came out: more would have nothing to do, or no place.
    const noMore = bones >= most || boneCount < bones;
    if (noMore || correction >= MAX_CORRECTIONS) {
      const cause = `${error.toPrecision(3)} % with ${plural(boneCount, 'bone')}`;
      report.notes.push(`the target of ${maxError} % is ${noMore ? 'out of reach' : 'not reached'}: ${cause}`);
      return { ...found, missed: true };
    }
    tooFew = bones;
    bones = Math.min(most, Math.max(bones + 1, Math.ceil(better * FURTHER ** (correction - 1))));
  }
}

function reaching(found: Found, maxError: number, report: Report): Found {
  const { boneCount } = found.decomposition;
  const bones = boneCount === 1 ? '1 bone reaches' : `${boneCount} bones reach`;
  report.notes.push(`${bones} the target of ${maxError} %`);
  return found;
}

/** Largest distance of a vertex from its place, in % of the diagonal. */
function worstPercent({ problem }: FitContext, found: Decomposition): number {
  return 100 * worstDistance(problem, found.support, found.frames);
}

/**
 * About the smallest count in 1 … most whose error is at most `limit`, taking errors to fall; `most` when none is. The
 * number doubles until that is so; then the power law through the two sides names the next to try.
 */
async function smallest(most: number, limit: number, errorAt: (count: number) => Promise<number>): Promise<number> {
  let low = { count: 0, error: Infinity };
  let high = { count: Math.min(4, most), error: await errorAt(Math.min(4, most)) };
  while (high.error > limit) {
    if (high.count === most) return most;
    const count = Math.min(most, 2 * high.count);
    [low, high] = [high, { count, error: await errorAt(count) }];
  }
  for (;;) {
    const narrow = Math.max(1, Math.floor(BRACKET * high.count));
    if (high.count - low.count <= narrow) return high.count;
    const share = Math.log(low.error / limit) / Math.log(low.error / high.error);
    const guess = low.count > 0 && high.error > 0 ? low.count * (high.count / low.count) ** share : high.count / 2;
    const count = Math.round(Math.max(low.count + narrow, Math.min(high.count - narrow, guess)));
    const error = await errorAt(count);
    if (error <= limit) high = { count, error };
    else low = { count, error };
  }
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
  const most = mostBones(context.problem.vertexCount);
  const sized = async (settings: FitOptions): Promise<Sized> => {
    const found = await solveFor(context, settings);
    const { boneCount } = found.decomposition;
    const enough = boneCount < Math.min(settings.bones, most);
    return { bones: boneCount, enough, found, size: await sizeOf(found.model) };
  };

  let best: { kind: FitOptions['kind']; bones: number; error: number; one: Sized } | undefined;
  let least = Infinity;
  for (const kind of kinds) {
    const quickly = (bones: number) => sized({ ...options, ...QUICK, kind, bones });
    const one = await quickly(1);
    least = Math.min(least, one.size);
    if (one.size > maxSize) continue;
    const { bones, found } = await mostWithin(maxSize, most, quickly, [one, await quickly(Math.min(most, 16))]);
    const error = errorPercent(context, found.decomposition);
    if (!best || error < best.error - AS_GOOD) best = { kind, bones, error, one };
  }
  if (!best) {
    const cause = `target size (got ${maxSize} bytes, expected at least ${least}: the size with 1 bone)`;
    throw new PliantError('bad-option', 'fit', cause);
  }

  const { kind, one } = best;
  const fully = (bones: number) => sized({ ...options, kind, bones });
  let full = await fully(best.bones);
  const tooLarge: Sized[] = [];
  // A full fit can be larger than the quick one by a little.
  while (full.size > maxSize && full.bones > 1) {
    tooLarge.unshift(full);
    full = await fully(Math.max(1, full.bones - Math.max(1, Math.round(full.bones * (1 - maxSize / full.size)))));
  }
  if (full.bones > 1 && !full.found.decomposition.explained)
    full = await mostWithin(maxSize, most, fully, [one, full, ...tooLarge.slice(0, 1)], FULL_FITS);
  report.notes.push(`${plural(full.bones, `${kind} bone`)}: ${whyNoMore(full, maxSize, most, kinds.length > 1)}`);
  return full.found;
}

/** Why a model for a size has no more bones. */
function whyNoMore({ bones, enough, found }: Sized, maxSize: number, most: number, ofAllKinds: boolean): string {
  if (found.decomposition.explained) return 'enough to explain the motion';
  const all = bones >= most ? 'as many as a search goes to' : `as many as ${maxSize / 1000} kB hold`;
  return `${enough ? 'there is no place for more' : all}${ofAllKinds ? ', and of all kinds tried the least error' : ''}`;
}

/** A model and its bytes. */
interface Sized {
  bones: number;
  /** Fewer bones than it was allowed came out: more would have nothing to do, or no place. */
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
