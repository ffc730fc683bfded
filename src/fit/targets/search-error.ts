import { type Decomposition, decompose } from '../../decompose/decompose.ts';
import { worstDistance } from '../../decompose/frames.ts';
import type { FitProblem } from '../../decompose/problem.ts';
import type { Report } from '../../model/report.ts';
import { plural } from '../../model/wording.ts';
import type { FitOptions } from '../fit-options.ts';
import { type FitContext, type Found, solveFor } from '../solve.ts';
import { type FewestBones, fewestBones, MOST_FULL_FITS } from './fewest-bones.ts';
import { mostBones, QUICK, rmsePercent } from './limits.ts';
import { type QuickErrors, QuickFits } from './quick-fits.ts';

/** About as few bones as a target error takes, and a note on what was found. */
export async function searchError(context: FitContext, options: FitOptions, report: Report): Promise<Found> {
  const { problem, neighbours, run } = context;
  const { maxError, errorMeasure } = options;
  const errorsOf = (found: Decomposition): QuickErrors => {
    const rmse = rmsePercent(problem, found);
    return { rmse, error: errorMeasure === 'rmse' ? rmse : worstPercent(problem, found) };
  };
  const quick = new QuickFits(mostBones(problem.vertexCount), async (bones) =>
    errorsOf(await decompose(problem, neighbours, { ...options, ...QUICK, bones }, run)),
  );
  const result = await fewestBones(maxError, quick, async (bones) => {
    const found = await solveFor(context, { ...options, bones });
    return { ...errorsOf(found.decomposition), found, boneCount: found.decomposition.boneCount };
  });
  report.notes.push(outcome(result, options, quick.most));
  const { found } = result.full;
  return result.ended === 'reached' ? found : { ...found, missed: true };
}

/** What a search found, in words. */
export function outcome({ full, ended, leastRmse }: FewestBones<unknown>, options: FitOptions, most: number): string {
  const { boneCount, error } = full;
  const target = `the target of ${options.maxError} %`;
  if (ended === 'reached') return `${boneCount === 1 ? '1 bone reaches' : `${boneCount} bones reach`} ${target}`;
  const got = `${target} is ${ended}: ${error.toPrecision(3)} % with ${plural(boneCount, 'bone')}`;
  if (ended === 'not reached') return `${got} after ${MOST_FULL_FITS} full fits`;
  if (boneCount === most) return `${got}, as many as a search goes to`;
  if (leastRmse === undefined) return got;
  const bound = options.errorMeasure === 'rmse' ? 'hardly' : 'an RMSE hardly';
  return `${got}, and ${bound} below ${leastRmse.toPrecision(2)} % with ${most}`;
}

/** Largest distance of a vertex from its place, in % of the diagonal. */
const worstPercent = (problem: FitProblem, { support, frames }: Decomposition): number =>
  100 * worstDistance(problem, support, frames);
