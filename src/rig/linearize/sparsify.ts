import type { Fit } from './algorithm.ts';
import { totalOf } from './vertex-weights.ts';

/**
 * Least squares spends influences on the last bit of error, and each costs a player time. Takes away those that are
 * missed least, one at a time over all vertices, as long as the enveloping error rises by no more than `share` of itself.
 */
export function sparsify(fit: Fit, share: number): void {
  const { solver, state } = fit;
  let budget = ((1 + share) ** 2 - 1) * totalOf(state.errors);
  for (;;) {
    const cheapest: { i: number; slot: number; cost: number }[] = [];
    for (let i = 0; i < state.errors.length; i++) {
      const found = cheapestLoss(fit, i);
      if (found && found.cost <= budget) cheapest.push({ i, ...found });
    }
    cheapest.sort((a, b) => a.cost - b.cost || a.i - b.i);
    let taken = 0;
    for (const { i, slot, cost } of cheapest) {
      if (cost > budget) break;
      solver.errorWithout(state, i, slot, true);
      budget -= Math.max(0, cost);
      taken++;
    }
    if (taken === 0) return;
  }
}

/** The influence of a vertex whose loss costs least; only its two lightest are considered. */
function cheapestLoss({ solver, state }: Fit, i: number): { slot: number; cost: number } | undefined {
  const { k, columns, errors } = state;
  let used = 0;
  while (used < k && columns[i * k + used] >= 0) used++;
  let best: { slot: number; cost: number } | undefined;
  for (let slot = Math.max(0, used - 2); used > 1 && slot < used; slot++) {
    const cost = solver.errorWithout(state, i, slot) - errors[i];
    if (!best || cost < best.cost) best = { slot, cost };
  }
  return best;
}
