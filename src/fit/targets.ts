import { PliantError } from '../error.ts';
import type { Report } from '../model/report.ts';
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
      report.notes.push(`${bones} bones reach the target of ${options.maxError} %`);
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
  const most = Math.min(context.problem.vertexCount, 4096);
  const tooLarge = (size: number, bones: number) =>
    new PliantError(
      'bad-option',
      'fit',
      `target size (got ${options.maxSize} bytes, expected at least ${size}: the size with ${bones} bone)`,
    );

  let best: { kind: FitOptions['kind']; bones: number; error: number } | undefined;
  let least = Infinity;
  for (const kind of kinds) {
    const quickly = async (bones: number) => solveFor(context, { ...options, ...QUICK, kind, bones });
    const measure = async (bones: number) => sizeOf((await quickly(bones)).model);
    // Bytes are nearly linear in the number of bones: two points give the line.
    const [few, many] = [1, Math.min(most, 16)];
    const [sizeFew, sizeMany] = [await measure(few), await measure(many)];
    least = Math.min(least, sizeFew);
    if (sizeFew > options.maxSize) continue;
    const perBone = many > few ? Math.max(1, (sizeMany - sizeFew) / (many - few)) : 1;
    let bones = Math.max(1, Math.min(most, Math.floor(few + (options.maxSize - sizeFew) / perBone)));
    let found = await quickly(bones);
    while (bones > 1 && (await sizeOf(found.model)) > options.maxSize) {
      bones = Math.max(1, Math.min(bones - 1, Math.floor(bones * 0.97)));
      found = await quickly(bones);
    }
    const error = errorPercent(context, found.decomposition);
    if (!best || error < best.error) best = { kind, bones, error };
  }
  if (!best) throw tooLarge(least, 1);

  let { bones } = best;
  for (;;) {
    const found = await solveFor(context, { ...options, kind: best.kind, bones });
    const size = await sizeOf(found.model);
    if (size <= options.maxSize || bones === 1) {
      report.notes.push(`${bones} ${best.kind} bones have the least error within ${options.maxSize} bytes`);
      return found;
    }
    bones = Math.max(1, bones - Math.max(1, Math.round(bones * (1 - options.maxSize / size))));
  }
}
