import { PliantError } from '../../error.ts';
import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { dot } from '../../math/dense.ts';
import type { SparseCholesky } from '../../math/sparse-cholesky.ts';
import type { SparseMatrix } from '../../math/sparse-matrix.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { MixContender } from './contenders.ts';
import type { MixEnergy, MixSystem } from './energy.ts';

/**
 * Projected Gauss–Newton for E(m) with 0 ≤ m ≤ 1. Where the operators never differ m stays what it is at the start. Variables at a bound whose gradient points outwards are frozen (the
 * active set); the others take the step of H·d = −g. H is sparse except for one rank-1 term per pose, which Woodbury's
 * formula adds back: (S + UUᵀ)⁻¹ = S⁻¹ − Z·(I + UᵀZ)⁻¹·Zᵀ with Z = S⁻¹U. The step is clipped to the bounds and halved until
 * it gains enough (Armijo).
 */
export interface MixSolution {
  /** N in 0…1. */
  mix: Float64Array;
  energy: number;
  iterations: number;
  converged: boolean;
}

export interface MixSolverOptions {
  /** An iteration that lowers the energy by less than this fraction is the last. */
  tolerance: number;
  maxIterations: number;
}

/** Neither operator, nearer to dual quaternions: every bound is free at first. */
const START = 0.9;

/**
 * The usual start. Where the operators never differ it is 1, dual quaternions: what was solved for one joint leaves the
 * others alone.
 */
export const usualStart = ({ judged: { differs } }: MixEnergy): Float64Array =>
  Float64Array.from(differs, (differ) => (differ ? START : 1));

/**
 * From the usual start; from the best rival, too, should that be better than where the first one ends. The lower wins, and is
 * never higher than a rival.
 */
export async function solveOverRivals(
  energy: MixEnergy,
  rivals: readonly MixContender[],
  settings: MixSolverOptions,
  run: RunOptions,
): Promise<MixSolution> {
  if (energy.judged.faces.length === 0) {
    return { mix: new Float64Array(energy.size).fill(1), energy: 0, iterations: 0, converged: true };
  }
  const solution = await solveMix(energy, usualStart(energy), settings, run);
  const best = rivals.reduce((least, rival) => (rival.terms.energy < least.terms.energy ? rival : least));
  if (solution.energy <= best.terms.energy) return solution;
  const again = await solveMix(energy, best.mix, settings, run);
  return again.energy < solution.energy ? again : solution;
}

/** Share of the gain that the gradient promises which a step must keep. */
const ENOUGH = 1e-4;
const HALVINGS = 12;

export async function solveMix(
  energy: MixEnergy,
  start: Float64Array,
  { tolerance, maxIterations }: MixSolverOptions,
  run: RunOptions = {},
): Promise<MixSolution> {
  let mix = start;
  let value = energy.terms(mix).energy;
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    await checkpoint(run, 'mix', iteration - 1, maxIterations, 'solving');
    const system = energy.system(mix);
    const step = newtonStep(system, frozen(energy, mix, system.gradient), energy.surface.factor);
    const next = lineSearch(energy, mix, value, system.gradient, step);
    if (!next) return { mix, energy: value, iterations: iteration, converged: true };
    const gain = value - next.value;
    mix = next.mix;
    value = next.value;
    if (gain <= tolerance * value) return { mix, energy: value, iterations: iteration, converged: true };
  }
  return { mix, energy: value, iterations: maxIterations, converged: false };
}

/** N: 1 where m is at a bound that the gradient pushes it against, or cannot be judged. */
const frozen = ({ judged: { differs } }: MixEnergy, mix: Float64Array, gradient: Float64Array): Uint8Array =>
  Uint8Array.from(mix, (m, i) => Number(!differs[i] || (m <= 0 && gradient[i] > 0) || (m >= 1 && gradient[i] < 0)));

/** d with H·d = −g on the free variables, 0 on the frozen ones. Overwrites the sparse part of H. */
function newtonStep(
  { gradient, sparse, ranks }: MixSystem,
  isFrozen: Uint8Array,
  factor: SparseCholesky,
): Float64Array {
  freeze(sparse, isFrozen);
  if (!factor.factor(sparse)) {
    throw new PliantError('internal', 'mix', 'the Hessian of the mix is not positive definite');
  }
  const free = (v: Float64Array): Float64Array => v.map((x, i) => (isFrozen[i] ? 0 : x));
  const step = factor.solve(free(gradient.map((x) => -x)));
  const u = ranks.map(free);
  const z = u.map((column) => factor.solve(column));
  const p = u.length;
  const capacitance = new Float64Array(p * p);
  const right = new Float64Array(p);
  for (let a = 0; a < p; a++) {
    for (let b = 0; b <= a; b++) capacitance[a * p + b] = dot(u[a], z[b]) + Number(a === b);
    right[a] = dot(u[a], step);
  }
  if (!choleskyFactor(capacitance, p)) {
    throw new PliantError('internal', 'mix', 'the rank-1 terms of the mix are not positive definite');
  }
  choleskySolve(capacitance, p, right, 1);
  for (let a = 0; a < p; a++) for (let i = 0; i < step.length; i++) step[i] -= right[a] * z[a][i];
  return step;
}

/** Makes rows and columns of frozen variables those of the identity. */
function freeze({ offsets, columns, values }: SparseMatrix, isFrozen: Uint8Array): void {
  for (let r = 0; r + 1 < offsets.length; r++) {
    for (let q = offsets[r]; q < offsets[r + 1]; q++) {
      if (isFrozen[r] || isFrozen[columns[q]]) values[q] = Number(columns[q] === r);
    }
  }
}

/** The first of the steps 1, ½, ¼ … that gains enough; undefined when none does: m is as good as it gets. */
function lineSearch(
  energy: MixEnergy,
  mix: Float64Array,
  value: number,
  gradient: Float64Array,
  step: Float64Array,
): { mix: Float64Array; value: number } | undefined {
  for (let halving = 0, size = 1; halving < HALVINGS; halving++, size /= 2) {
    const next = mix.map((m, i) => Math.min(1, Math.max(0, m + size * step[i])));
    let promised = 0;
    for (let i = 0; i < mix.length; i++) promised += gradient[i] * (mix[i] - next[i]);
    const reached = energy.terms(next).energy;
    if (promised > 0 && value - reached >= ENOUGH * promised) return { mix: next, value: reached };
  }
  return undefined;
}
