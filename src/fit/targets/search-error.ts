import type { Report } from '../../model/report.ts';
import { plural } from '../../model/wording.ts';
import type { FitOptions } from '../fit-options.ts';
import { worstDistance } from '../frames.ts';
import type { FitProblem } from '../problem.ts';
import { type FitContext, type Found, solveFor } from '../solve.ts';
import { type Decomposition, decompose } from '../solver/decompose.ts';
import { BRACKET, mostBones, QUICK, rmsePercent } from './limits.ts';
import { QuickFits } from './quick-fits.ts';

/** The error of a full fit, as a share of the quick one's: what is usual, until a full fit has told. */
const USUAL_GAIN = 1 / 1.1;
/** A full fit gains no more than this. */
const BEST_GAIN = 0.8;
const MOST_FULL_FITS = 6;

/**
 * About as few bones as a target error takes. Quick fits bracket the target, full ones confirm; what a full fit gains over
 * the quick one tells where to look next. A target that the quick fits show to be out of reach is given up, with the fewest
 * bones that are nearly as good as many.
 */
export async function searchError(context: FitContext, options: FitOptions, report: Report): Promise<Found> {
  const { problem, neighbours, run } = context;
  const { maxError } = options;
  const most = mostBones(problem.vertexCount);
  const errorOf = options.errorMeasure === 'rmse' ? rmsePercent : worstPercent;
  const quick = new QuickFits(most, async (bones) => {
    const found = await decompose(problem, neighbours, { ...options, ...QUICK, bones }, run);
    return { error: errorOf(problem, found), rmse: rmsePercent(problem, found) };
  });
  const fully = async (bones: number): Promise<Full> => {
    const found = await solveFor(context, { ...options, bones });
    return { found, boneCount: found.decomposition.boneCount, error: errorOf(problem, found.decomposition) };
  };

  let gain = USUAL_GAIN;
  const first = await quick.smallest(maxError / gain);
  const least = quick.leastRmse();
  if (first === undefined && BEST_GAIN * least > maxError) {
    const full = await fully(quick.nearlyBest());
    return missing(full, maxError, `, and not below ${(BEST_GAIN * least).toPrecision(2)} % with ${most}`, report);
  }
  let bones = first ?? most;
  let tooFew = 0;
  let reached: Full | undefined;
  for (let fits = 1; ; fits++) {
    const full = await fully(bones);
    if (full.error <= maxError) reached = full;
    else if (reached) return reaching(reached, maxError, report);
    else tooFew = bones;
    // Fewer bones than asked for came out: more would have nothing to do, or no place.
    const noMore = bones >= most || full.boneCount < bones;
    if (!reached && (noMore || fits === MOST_FULL_FITS)) return missing(full, maxError, '', report);

    const { error } = await quick.at(bones);
    if (error > 0) gain = full.error / error;
    const next = (await quick.smallest(maxError / gain)) ?? most;
    if (!reached) {
      // Errors of neighbouring numbers differ by some per cent: what was too few is left well behind.
      bones = Math.min(most, Math.max(next, bones + Math.ceil(BRACKET * bones)));
    } else {
      const fewer = next > tooFew && next < (1 - BRACKET) * reached.boneCount;
      if (!fewer || fits === MOST_FULL_FITS) return reaching(reached, maxError, report);
      bones = next;
    }
  }
}

/** A finished fit, its error in %. */
interface Full {
  found: Found;
  boneCount: number;
  error: number;
}

function reaching({ found, boneCount }: Full, maxError: number, report: Report): Found {
  const bones = boneCount === 1 ? '1 bone reaches' : `${boneCount} bones reach`;
  report.notes.push(`${bones} the target of ${maxError} %`);
  return found;
}

function missing({ found, boneCount, error }: Full, maxError: number, more: string, report: Report): Found {
  const cause = `${error.toPrecision(3)} % with ${plural(boneCount, 'bone')}${more}`;
  report.notes.push(`the target of ${maxError} % is out of reach: ${cause}`);
  return { ...found, missed: true };
}

/** Largest distance of a vertex from its place, in % of the diagonal. */
const worstPercent = (problem: FitProblem, { support, frames }: Decomposition): number =>
  100 * worstDistance(problem, support, frames);
