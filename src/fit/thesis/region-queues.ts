import type { Contractor } from '../../mesh/decimation/contractor.ts';
import { membersOf } from '../../mesh/dual-graph.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { largestDeformation } from './clustering/facets.ts';

/**
 * One queue per region, Antonopoulos 2010, §4.3.3 and Algorithm 4.2: quadrics order the contractions within a region,
 * its deformation decides how many it contributes per round, idI_j · shuffling ratio · |PQ_j| (4.6).
 *
 * Departures. (4.5) interpolates between the extremes of the mean deformations D_j; the indicator is built from avg_max_j,
 * the mean of the largest values, which is beyond the largest D_j in most regions: they would all get 0. The extremes here
 * are those of avg_max_j itself. Rounds repeat until the amount is reached, so that the most deformed region, of indicator
 * 0, would never take part while the least deformed one is contracted to nothing (measured: up to twice the error, from
 * joints left with hardly a vertex of their own). The text wants neither: indicators are raised to at least LEAST_RATE, and
 * a region that has any contraction contributes one per round.
 */

/** Share of its queue that the least deformed region contracts per round. */
const SHUFFLING_RATIO = 0.1;
/** Rate at which the most deformed region is contracted, relative to the least deformed one. */
const LEAST_RATE = 0.25;
/** A region counts as deforming at least this fraction of the most deformed one: bounds 1/avg_max. */
const LEAST = 1e-3;

/**
 * (4.4): the inverse deformation indicators idI of all regions, 1 where a region deforms least and 0 where most.
 *
 * @param regionOf F.
 * @param deformation F: mean deformation of each facet, D_Σ of (3.20).
 */
export function inverseDeformationIndicators(regionOf: Int32Array, deformation: ArrayLike<number>): Float64Array {
  const averages = membersOf(regionOf).map((region) => largestDeformation(deformation, region));
  const most = averages.reduce((a, b) => Math.max(a, b), 0);
  if (most === 0) return new Float64Array(averages.length).fill(1);
  const inverse = averages.map((x) => 1 / Math.max(x, LEAST * most));
  const low = 1 / most;
  const high = inverse.reduce((a, b) => Math.max(a, b), low);
  return Float64Array.from(inverse, (x) => (high > low ? (x - low) / (high - low) : 1));
}

/** Algorithm 4.2: rounds over the regions' queues until `amount` contractions are done or all queues are empty. */
export async function contractByRegions(
  contractor: Contractor,
  amount: number,
  indicators: Float64Array,
  run: RunOptions = {},
): Promise<void> {
  for (let busy = true; busy && contractor.count < amount; ) {
    await checkpoint(run, 'decimate', contractor.count, amount, 'decimating');
    busy = false;
    for (let region = 0; region < contractor.queueCount && contractor.count < amount; region++) {
      const rate = LEAST_RATE + (1 - LEAST_RATE) * indicators[region];
      const share = rate * SHUFFLING_RATIO * contractor.queueSize(region);
      const due = Math.min(Math.max(1, Math.round(share)), amount - contractor.count);
      for (let done = 0; done < due && contractor.contractNext(region); done++) busy = true;
    }
  }
}
