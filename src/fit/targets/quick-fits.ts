import { BRACKET } from './limits.ts';

/**
 * How errors fall with the number of bones, by quick fits. Each number of bones is fitted only once.
 *
 * Errors fall nearly as a power of the number of bones: the law through two numbers names the next to try. And a bone gains
 * no more than the ones before it: from one doubling of the bones to the next, the squared error falls by at most twice as
 * much (a hundred loose pieces), and by hardly more where there is but noise. That tells a target out of reach long before
 * as many bones are tried as a search goes to.
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

  /**
   * About the smallest number in 1 … most whose error is at most `limit`, taking errors to fall, or the most when none is.
   * Undefined when it is hopeless: the root mean square error with the most will hardly be as low as `within`.
   */
  async smallest(limit: number, within = limit): Promise<number | undefined> {
    let bones = Math.min(FIRST, this.most);
    while ((await this.at(bones)).error > limit) {
      if (this.leastRmse() > within) return undefined;
      if (bones === this.most) return bones;
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

  /** What the root mean square error with the most bones will hardly be below, as far as the numbers that were tried tell. */
  leastRmse(): number {
    const most = this.#known.get(this.most);
    if (most) return most.rmse;
    const bones = this.#counts().findLast((count) => this.#known.has(count / 2) && this.#known.has(count / 4)) ?? 0;
    if (bones < SURE) return 0;
    const [a, b, c] = [bones / 4, bones / 2, bones].map((count) => this.#known.get(count)!.rmse ** 2);
    const growth = Math.max(LEAST_GROWTH, Math.min(2, a > b ? (OPTIMISM * (b - c)) / (a - b) : 2));
    // The sum of (b − c)·growth^k over the doublings that are left, a fraction of one included.
    const sum = (growth * (growth ** Math.log2(this.most / bones) - 1)) / (growth - 1);
    return Math.sqrt(Math.max(0, c - Math.max(0, b - c) * sum));
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
/** Fits are not perfect, and errors fall unevenly: what a doubling gains may grow by so much more than it did last. */
const OPTIMISM = 1.25;
const LEAST_GROWTH = 1.5;
/** An error this many times the least is nearly as good. */
const NEARLY = 1.1;
