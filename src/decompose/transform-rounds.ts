import type { BoneKind } from './bones/bone-kinds.ts';
import type { NormalEquations } from './bones/normal-equations.ts';
import { quadraticValue } from './bones/transforms-per-frame.ts';
import type { FitProblem } from './problem.ts';
import { MAX_MOMENTUM, PULL } from './refine.ts';

/** They end when the squared error, relative to that of no motion at all, falls by less than this. */
const TOLERANCE = 1e-11;

/** Bones for given weights. */
export interface Tried<Bones> {
  bones: Bones;
  /** `quadraticValue` of the bones. */
  value: number;
}

/** Rounds of the transform step with momentum, which is reset when it leads astray. */
export function momentumRounds<Bones>(
  problem: FitProblem,
  equations: NormalEquations,
  kind: BoneKind<Bones>,
  start: Tried<Bones>,
  most: number,
): Tried<Bones> {
  let best = start;
  let previous = start.bones;
  let momentum = 0;
  for (let round = 0; round < most; round++) {
    const beta = Math.min(MAX_MOMENTUM, momentum / (momentum + 3));
    const ahead = beta > 0 ? kind.extrapolate(problem, previous, best.bones, beta) : best.bones;
    const bones = kind.solve(problem, equations, ahead, PULL);
    const value = quadraticValue(problem, equations, kind.frames(problem, bones));
    const gain = best.value - value;
    previous = best.bones;
    if (gain > 0) best = { bones, value };
    const hardly = gain <= TOLERANCE * Math.abs(value);
    if (hardly && momentum === 0) break;
    momentum = hardly ? 0 : momentum + 1;
  }
  return best;
}
