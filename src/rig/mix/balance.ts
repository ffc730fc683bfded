import type { RunOptions } from '../../model/options.ts';
import { contenderJudge, fieldsToBeat, type MixContender } from './contenders.ts';
import { MixEnergy, type MixWeights } from './energy.ts';
import type { MixSurface } from './mix-surface.ts';
import type { PosePair } from './pose-pairs.ts';
import { solveMix, usualStart } from './solve-mix.ts';
import type { TotalMeasure } from './total-measure.ts';

/**
 * How much the volume of a motion should count against the areas of its faces. Where dual quaternions lose volume,
 * as at joints off the middle of their limb, a mix can give most of it back; where they keep it already, pressing for the
 * rest only distorts faces. So every motion tries several weights by itself, and takes the one that is best by volume,
 * surface and distortion together.
 */
export interface MixBalance {
  motion: string;
  /** λg. */
  total: number;
  /** The solved mix over dual quaternions, of this motion alone: errors of volume and of surface, local distortion. */
  ratios: { volume: number; surface: number; local: number };
}

/** The usual weight first. Others are taken if they gain, and cost no volume to speak of. */
const TRIED = [1000, 100, 10_000];
const LOST = 1.02;
/** A rough solution tells weights apart. */
const ROUGHLY = { tolerance: 1e-3, maxIterations: 8 };

/** Of every motion in which the operators differ. */
export async function balanceMotions(
  surface: MixSurface,
  pairs: readonly PosePair[],
  weights: Omit<MixWeights, 'total'>,
  total: TotalMeasure,
  run: RunOptions,
): Promise<MixBalance[]> {
  const out: MixBalance[] = [];
  for (const motion of new Set(pairs.map((pair) => pair.motion))) {
    const own = pairs.filter((pair) => pair.motion === motion);
    const share = own.reduce((sum, { weight }) => sum + weight, 0);
    const alone = own.map((pair) => ({ ...pair, weight: pair.weight / share }));
    const balances: MixBalance[] = [];
    for (const tried of TRIED) {
      const energy = new MixEnergy(surface, alone, { ...weights, total: tried }, total);
      if (energy.judged.faces.length === 0) break;
      const judge = contenderJudge(alone, energy, total);
      const dqs = judge(fieldsToBeat(energy.size).find(({ name }) => name === 'DQS')!);
      const { mix } = await solveMix(energy, usualStart(energy), ROUGHLY, { signal: run.signal });
      balances.push({ motion, total: tried, ratios: ratiosOf(judge({ name: 'solved', mix }), dqs) });
    }
    if (balances.length > 0) out.push(balances.reduce((best, next) => (gains(next, best) ? next : best)));
  }
  return out;
}

function ratiosOf(solved: MixContender, dqs: MixContender): MixBalance['ratios'] {
  const over = (a = 0, b = 0): number => (b > 0 ? a / b : 1);
  return {
    volume: over(solved.totalErrorPercent, dqs.totalErrorPercent),
    surface: over(solved.surfaceErrorPercent, dqs.surfaceErrorPercent),
    local: over(solved.localRms, dqs.localRms),
  };
}

const gains = (next: MixBalance, best: MixBalance): boolean =>
  cost(next) < cost(best) && next.ratios.volume <= LOST * best.ratios.volume;

/** The product of the three; what is worse than dual quaternions counts three times. */
function cost({ ratios }: MixBalance): number {
  return Object.values(ratios).reduce((product, ratio) => product * (ratio > 1 ? ratio ** 3 : ratio), 1);
}
