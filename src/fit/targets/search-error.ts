import { decompose } from '../../decompose/decompose.ts';
import type { Decomposition } from '../../decompose/decomposition.ts';
import { worstDistance } from '../../decompose/frames.ts';
import type { FitProblem } from '../../decompose/problem.ts';
import { type Note, note } from '../../model/note.ts';
import type { FitContext } from '../context.ts';
import type { FitOptions } from '../fit-options.ts';
import { type Found, solveFor } from '../solve.ts';
import { type FewestBones, fewestBones, MOST_FULL_FITS } from './fewest-bones.ts';
import { mostBones, QUICK, rmsePercent } from './limits.ts';
import { type QuickErrors, QuickFits } from './quick-fits.ts';

/** About as few bones as a target error takes, and a note on what was found. */
export async function searchError(context: FitContext, options: FitOptions): Promise<Found> {
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
  const { found } = result.full;
  const notes = [...found.notes, outcome(result, options, quick.most)];
  return { ...found, notes, missed: result.ended !== 'reached' };
}

/** What a search found. */
export function outcome({ full, ended, leastRmse }: FewestBones<unknown>, options: FitOptions, most: number): Note {
  const { boneCount: bones, error: errorPercent } = full;
  const { maxError: targetPercent, errorMeasure } = options;
  if (ended === 'reached') return note('target-reached', { bones, targetPercent });
  const data = { bones, targetPercent, errorPercent };
  if (ended === 'not reached') return note('target-missed', { ...data, fullFits: MOST_FULL_FITS });
  if (bones === most) return note('target-missed', { ...data, mostBones: most });
  const least = leastRmse === undefined ? {} : { least: { rmsePercent: leastRmse, bones: most, errorMeasure } };
  return note('target-missed', { ...data, ...least });
}

/** Largest distance of a vertex from its place, in % of the diagonal. */
const worstPercent = (problem: FitProblem, { support, frames }: Decomposition): number =>
  100 * worstDistance(problem, support, frames);
