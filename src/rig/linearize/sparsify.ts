import type { Fit } from './algorithm.ts';
import { totalOf } from './vertex-weights.ts';

/**
 * Least squares spends influences on the last bit of error, and each costs a player time. Takes away those that are
 * missed least, one at a time over all vertices, as long as the enveloping error rises by no more than `share` of itself.
 */
export function sparsify(fit: Fit, share: number): void {
  const { solver, state } = fit;
  let budget = ((1 + share) ** 2 - 1) * totalOf(state.errors);
  const losses = Array.from(state.errors, (_, i) => cheapestLoss(fit, i));
  for (;;) {
    const cheapest = losses.filter((loss) => loss !== undefined && loss.cost <= budget) as Loss[];
    cheapest.sort((a, b) => a.cost - b.cost || a.i - b.i);
    let taken = 0;
    for (const { i, slot, cost } of cheapest) {
      if (cost > budget) break;
      solver.errorWithout(state, i, slot, true);
      losses[i] = cheapestLoss(fit, i);
      budget -= Math.max(0, cost);
      taken++;
    }
    if (taken === 0) return;
  }
}

/** What an influence of a vertex is worth. */
interface Loss {
  i: number;
  slot: number;
  cost: number;
}

/** The influence of a vertex whose loss costs least; only its two lightest are considered. */
function cheapestLoss({ solver, state }: Fit, i: number): Loss | undefined {
  const { k, columns, errors } = state;
  let used = 0;
  while (used < k && columns[i * k + used] >= 0) used++;
  let best: Loss | undefined;
  for (let slot = Math.max(0, used - 2); used > 1 && slot < used; slot++) {
    const cost = solver.errorWithout(state, i, slot) - errors[i];
    if (!best || cost < best.cost) best = { i, slot, cost };
  }
  return best;
}
