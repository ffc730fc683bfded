import type { Report } from '../../model/report.ts';
import { plural } from '../../model/wording.ts';
import type { FitOptions } from '../fit-options.ts';
import { worstDistance } from '../frames.ts';
import type { FitProblem } from '../problem.ts';
import { type FitContext, type Found, solveFor } from '../solve.ts';
import { type Decomposition, decompose } from '../solver/decompose.ts';
import { BRACKET, mostBones, QUICK, rmsePercent } from './limits.ts';

const MAX_CORRECTIONS = 6;
/** By so much more every correction goes on than the one before: errors of neighbouring numbers differ by some per cent. */
const FURTHER = 1.05;

/**
 * About as few bones as a target error takes. Errors fall nearly as a power of the number of bones: quick fits bracket the
 * target, and full ones confirm, with a few more (or fewer) bones where they must.
 */
export async function searchError(context: FitContext, options: FitOptions, report: Report): Promise<Found> {
  const { problem, neighbours, run } = context;
  const { maxError } = options;
  const most = mostBones(problem.vertexCount);
  const errorOf = options.errorMeasure === 'rmse' ? rmsePercent : worstPercent;
  const quickly = async (bones: number): Promise<number> => {
    const found = await decompose(problem, neighbours, { ...options, ...QUICK, bones }, run);
    // The full fit ends 5–15 % lower than the quick one.
    return errorOf(problem, found) / 1.1;
  };
  let bones = await smallest(most, maxError, quickly);
  let tooFew = 0;
  let reached: Found | undefined;
  for (let correction = 1; ; correction++) {
    const found = await solveFor(context, { ...options, bones });
    const error = errorOf(problem, found.decomposition);
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
const worstPercent = (problem: FitProblem, { support, frames }: Decomposition): number =>
  100 * worstDistance(problem, support, frames);

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
