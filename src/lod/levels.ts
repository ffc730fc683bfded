/** Which levels are made: how many triangles each has. */

/** Half as many triangles from level to level. */
export const halves = (triangles: number, levels: number): number[] =>
  Array.from({ length: levels }, (_, l) => Math.max(1, Math.round(triangles / 2 ** (l + 1))));

/** A level that was tried: its triangles, and its largest distance in %. */
interface Tried {
  triangles: number;
  error: number;
}

/** Trials per error after the first guess. */
const TRIALS = 4;
/** Counts of triangles closer than this are the same. */
const NEAR = 1.04;

/**
 * For each error (%, rising) the fewest triangles found that keep it; undefined where even `most` triangles do not. Errors
 * fall about as a power of the triangles: coarser levels are tried one after the other, each half of the one before,
 * then between the two that bracket an error. `tryLevel` makes a level of at most so many triangles.
 */
export async function levelsByError(
  errors: readonly number[],
  most: number,
  least: number,
  tryLevel: (triangles: number) => Promise<Tried>,
): Promise<(number | undefined)[]> {
  const tried: Tried[] = [];
  const attempt = async (triangles: number): Promise<Tried> => {
    const made = await tryLevel(triangles);
    tried.push(made);
    return made;
  };

  // (1) Halves, until the largest error is exceeded.
  const largest = errors[errors.length - 1];
  for (let triangles = Math.round(most / 2); triangles >= least; triangles = Math.round(triangles / 2)) {
    if ((await attempt(triangles)).error > largest || triangles <= 1) break;
  }

  // (2) Between the coarsest level that keeps an error and the next one that does not.
  const found: (number | undefined)[] = [];
  for (const error of errors) {
    for (let trial = 0; trial < TRIALS; trial++) {
      const keeps = coarsest(tried, error);
      const fine = keeps ?? { triangles: most, error: 0 };
      const coarse = tried
        .filter((each) => each.error > error && each.triangles < fine.triangles)
        .sort((a, b) => b.triangles - a.triangles)[0];
      const low = coarse?.triangles ?? least;
      if (low * NEAR >= fine.triangles) break;
      await attempt(between(fine, coarse ?? { triangles: low, error: 2 * error }, error));
    }
    found.push(coarsest(tried, error)?.triangles);
  }
  return found;
}

const coarsest = (tried: readonly Tried[], error: number): Tried | undefined =>
  tried.filter((each) => each.error <= error).sort((a, b) => a.triangles - b.triangles)[0];

/** Where a power of the triangles through two levels has an error, not too near to either. */
function between(fine: Tried, coarse: Tried, error: number): number {
  const guess = fine.error > 0 ? Math.log(error / coarse.error) / Math.log(fine.error / coarse.error) : 0.5;
  const share = Math.min(0.85, Math.max(0.15, guess));
  return Math.round(Math.exp((1 - share) * Math.log(coarse.triangles) + share * Math.log(fine.triangles)));
}
