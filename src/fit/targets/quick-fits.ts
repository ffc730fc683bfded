import { BRACKET } from './limits.ts';

/**
 * How errors fall with the number of bones, by quick fits. Each number of bones is fitted once, whatever is asked.
 *
 * Errors fall nearly as a power of the number of bones: the law through two numbers names the next to try. And every
 * further bone gains less than the ones before: a line through two squared errors falls below what more bones can reach. It
 * tells a target out of reach (noise, say, of which a bone explains no more than 4 vertices' worth) long before as many
 * bones are tried as a search goes to.
 */
export class QuickFits {
  readonly most: number;
  readonly #fit: (bones: number) => Promise<QuickErrors>;
  readonly #known = new Map<number, QuickErrors>();

  constructor(most: number, fit: (bones: number) => Promise<QuickErrors>) {
    this.most = most;
    this.#fit = fit;
  }

  async at(bones: number): Promise<QuickErrors> {
    const errors = this.#known.get(bones) ?? (await this.#fit(bones));
    this.#known.set(bones, errors);
    return errors;
  }

  /** About the smallest number in 1 … most whose error is at most `limit`, taking errors to fall; undefined when none is. */
  async smallest(limit: number): Promise<number | undefined> {
    let bones = Math.min(FIRST, this.most);
    while ((await this.at(bones)).error > limit) {
      if (bones === this.most || this.leastRmse() > limit) return undefined;
      bones = Math.min(this.most, 2 * bones);
    }
    for (;;) {
      const known = this.#counts().map((count) => ({ count, error: this.#known.get(count)!.error }));
      const met = known.findIndex(({ error }) => error <= limit);
      const high = known[met];
      const low = known[met - 1] ?? { count: 0, error: Infinity };
      const narrow = Math.max(1, Math.floor(BRACKET * high.count));
      if (high.count - low.count <= narrow) return high.count;
      const share = Math.log(low.error / limit) / Math.log(low.error / high.error);
      const guess = low.count > 0 && high.error > 0 ? low.count * (high.count / low.count) ** share : high.count / 2;
      await this.at(Math.round(Math.max(low.count + narrow, Math.min(high.count - narrow, guess))));
    }
  }

  /** What the root mean square error with the most bones cannot be below, as far as the numbers that were tried tell. */
  leastRmse(): number {
    const counts = this.#counts();
    if (counts[counts.length - 1] === this.most) return this.#known.get(this.most)!.rmse;
    if (counts[counts.length - 1] < SURE) return 0;
    const squared = (bones: number): number => this.#known.get(bones)!.rmse ** 2;
    // Fits are not perfect: of the last two slopes the steeper one counts.
    const [a, b, c] = counts.slice(-3);
    const slope = Math.max((squared(a) - squared(b)) / (b - a), (squared(b) - squared(c)) / (c - b));
    return Math.sqrt(Math.max(0, squared(c) - slope * (this.most - c)));
  }

  /** The smallest number tried that is nearly as good as the best. */
  nearlyBest(): number {
    const counts = this.#counts();
    const least = Math.min(...counts.map((bones) => this.#known.get(bones)!.error));
    return counts.find((bones) => this.#known.get(bones)!.error <= NEARLY * least)!;
  }

  #counts(): number[] {
    return [...this.#known.keys()].sort((a, b) => a - b);
  }
}

/** Errors in % of the diagonal. */
export interface QuickErrors {
  /** What the target bounds. */
  error: number;
  rmse: number;
}

/** The first number of bones that is tried; it doubles until the target is met. */
const FIRST = 4;
/** With fewer bones, chance has too much to say in how errors fall. */
const SURE = 32;
/** An error this many times the least is nearly as good. */
const NEARLY = 1.1;
