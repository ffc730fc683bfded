import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { transpose } from '../../math/dense.ts';
import { type Edges, edgeCount } from '../../mesh/adjacency.ts';
import type { TranslationMode, TranslationSolve } from '../../model/predictor.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';

/**
 * Where the bones' translations come from. `predicted`: from the regression alone. `poisson`: (2.11) of Feng 2010, new
 * translations that make skinned vertices agree with skinned edges, and control points with their goals. `control-points`:
 * the predicted ones, moved as little as possible in the same sense so that the control points arrive.
 *
 * Linear blending makes every vertex Σ w_b(R_b v + t_b), so with A the edges' differences of weights (n_e × B), A_c the
 * control points' weights and g = (tr AᵀA / B)·γ both solve with the same matrix
 *
 *   N = AᵀA + β·A_cᵀA_c + g·I,
 *
 * whose last term holds parts of a mesh that no edge connects near their predictions; without it N is singular there.
 */
/** How hard control points pull, β = pull·n_e/n_c, and how firmly predictions hold, γ = hold. */
interface Strength {
  pull: number;
  hold: number;
}

/**
 * What Feng 2010 leaves open. How far predicted translations can be trusted differs from model to model (cows flail,
 * γ = 0.01; cloth hangs, γ = 1), so (2.11) comes in several strengths for leaving one out to choose from.
 */
const STRENGTHS: Record<Exclude<TranslationMode, 'predicted'>, readonly Strength[]> = {
  poisson: [0.01, 0.03, 0.1, 0.3, 1, 3].map((hold) => ({ pull: 0.1, hold })),
  'control-points': [{ pull: 0.01, hold: 1e-2 }],
};

/** What the operators are made of. */
export interface TranslationInput {
  /** 3N rest positions. */
  positions: Float32Array;
  edges: Edges;
  skin: SkinWeights;
  /** For `poisson`: weights of edges (2.10). */
  edgeSkin?: SkinWeights;
  points: Uint32Array;
  bones: number;
}

/** The operators of these modes: those of `poisson` in several strengths. */
export function translationSolves(modes: readonly TranslationMode[], input: TranslationInput): TranslationSolve[] {
  const known = knownOf(input, modes.includes('poisson'));
  return modes.flatMap((mode): TranslationSolve[] => {
    if (mode === 'predicted') return [{ mode, pull: new Float64Array(0) }];
    return STRENGTHS[mode].map((strength) => solveOf(mode, input, known, strength));
  });
}

/** The operators of (2.11) in one strength. */
export const poissonSolve = (input: TranslationInput, strength: Strength): TranslationSolve =>
  solveOf('poisson', input, knownOf(input, true), strength);

/** What the operators of all modes and strengths share. */
interface Known {
  agreement: Float64Array;
  control: Float64Array;
  forces?: Float64Array;
}

const knownOf = (input: TranslationInput, poisson: boolean): Known => ({
  agreement: edgeAgreement(input),
  control: controlWeights(input),
  ...(poisson && { forces: rotationsToForces(input) }),
});

function solveOf(
  mode: Exclude<TranslationMode, 'predicted'>,
  input: TranslationInput,
  { agreement, control, forces }: Known,
  { pull, hold }: Strength,
): TranslationSolve {
  const { bones, points, edges } = input;
  let trace = 0;
  for (let b = 0; b < bones; b++) trace += agreement[b * bones + b];
  const beta = (pull * edgeCount(edges)) / points.length;
  const g = Math.max((hold * trace) / bones, 1e-12 * beta);
  const solver = new TranslationSolver(agreement, control, bones, beta, g);
  if (mode === 'control-points') return { mode, pull: solver.pull() };
  return { mode, pull: solver.pull(), hold: solver.hold(), turn: solver.turn(forces!, input) };
}

/** N = AᵀA + β·A_cᵀA_c + g·I, factored. */
class TranslationSolver {
  readonly #factor: Float64Array;
  readonly #control: Float64Array;
  readonly #bones: number;
  readonly #beta: number;
  readonly #g: number;

  constructor(agreement: Float64Array, control: Float64Array, bones: number, beta: number, g: number) {
    const n = agreement.slice();
    for (let l = 0; l < control.length; l += bones) {
      for (let a = 0; a < bones; a++) {
        const share = beta * control[l + a];
        if (share !== 0) for (let b = 0; b < bones; b++) n[a * bones + b] += share * control[l + b];
      }
    }
    for (let b = 0; b < bones; b++) n[b * bones + b] += g;
    choleskyFactor(n, bones); // positive definite: g > 0
    this.#factor = n;
    this.#control = control;
    this.#bones = bones;
    this.#beta = beta;
    this.#g = g;
  }

  /** B × n_c: N⁻¹·β·A_cᵀ. */
  pull(): Float64Array {
    const bones = this.#bones;
    const pc = this.#control.length / bones;
    const pull = transpose(new Float64Array(bones * pc), this.#control, pc, bones).map((x) => this.#beta * x);
    choleskySolve(this.#factor, bones, pull, pc);
    return pull;
  }

  /** B × B: g·N⁻¹. */
  hold(): Float64Array {
    const bones = this.#bones;
    const hold = new Float64Array(bones * bones);
    for (let b = 0; b < bones; b++) hold[b * bones + b] = this.#g;
    choleskySolve(this.#factor, bones, hold, bones);
    return hold;
  }

  /**
   * B × 3B, to be multiplied by `hold`: N⁻¹ has no zeros, but what it is multiplied with has hardly anything else, so
   * t = g·N⁻¹·(t_predicted + turn·R) + pull·c. Control points have a share of their own, −β·A_cᵀ·Σ_b w_b R_b v.
   */
  turn(forces: Float64Array, { skin, points, positions }: TranslationInput): Float64Array {
    const bones = this.#bones;
    const turn = forces.slice();
    points.forEach((i, l) => {
      for (let s = i * skin.influences; s < (i + 1) * skin.influences; s++) {
        for (let a = 0; a < bones; a++) {
          const share = this.#beta * this.#control[l * bones + a] * skin.weights[s];
          if (share === 0) continue;
          for (let c = 0; c < 3; c++) turn[a * 3 * bones + 3 * skin.joints[s] + c] -= share * positions[3 * i + c];
        }
      }
    });
    for (let at = 0; at < turn.length; at++) turn[at] /= this.#g;
    return turn;
  }
}

/** AᵀA, B × B. */
function edgeAgreement(input: TranslationInput): Float64Array {
  const { skin, bones } = input;
  const out = new Float64Array(bones * bones);
  const row = new SparseRow();
  forEdges(input, (p, q) => {
    row.clear();
    row.addWeights(skin, p, 1);
    row.addWeights(skin, q, -1);
    row.addOuter(out, bones);
  });
  return out;
}

/** A_c, n_c × B. */
function controlWeights({ skin, points, bones }: TranslationInput): Float64Array {
  const control = new Float64Array(points.length * bones);
  points.forEach((i, l) => {
    for (let s = i * skin.influences; s < (i + 1) * skin.influences; s++) {
      control[l * bones + skin.joints[s]] += skin.weights[s];
    }
  });
  return control;
}

/** B × 3B: Aᵀ times what the edges ask for, Σ_b R_b (ŵ_b e − w_b,p v_p + w_b,q v_q), as a function of rotations. */
function rotationsToForces(input: TranslationInput): Float64Array {
  const { skin, edgeSkin, positions: v, bones } = input;
  const forces = new Float64Array(bones * 3 * bones);
  const differences = new SparseRow();
  const wish = [new SparseRow(), new SparseRow(), new SparseRow()];
  forEdges(input, (p, q, e) => {
    differences.clear();
    differences.addWeights(skin, p, 1);
    differences.addWeights(skin, q, -1);
    for (let c = 0; c < 3; c++) {
      wish[c].clear();
      wish[c].addWeights(edgeSkin!, e, v[3 * p + c] - v[3 * q + c]);
      wish[c].addWeights(skin, p, -v[3 * p + c]);
      wish[c].addWeights(skin, q, v[3 * q + c]);
    }
    differences.forEach((a, difference) => {
      for (let c = 0; c < 3; c++) {
        wish[c].forEach((b, amount) => {
          forces[a * 3 * bones + 3 * b + c] += difference * amount;
        });
      }
    });
  });
  return forces;
}

function forEdges({ edges }: TranslationInput, visit: (p: number, q: number, e: number) => void): void {
  for (let e = 0; e < edgeCount(edges); e++) visit(edges.vertices[2 * e], edges.vertices[2 * e + 1], e);
}

/** A row with few entries, summed up as they come. */
class SparseRow {
  readonly #bones: number[] = [];
  readonly #values: number[] = [];

  clear(): void {
    this.#bones.length = 0;
    this.#values.length = 0;
  }

  /** Adds scale times the weights of vertex or edge i. */
  addWeights({ influences, joints, weights }: SkinWeights, i: number, scale: number): void {
    for (let s = i * influences; s < (i + 1) * influences; s++) {
      if (weights[s] === 0) continue;
      const at = this.#bones.indexOf(joints[s]);
      if (at >= 0) this.#values[at] += scale * weights[s];
      else {
        this.#bones.push(joints[s]);
        this.#values.push(scale * weights[s]);
      }
    }
  }

  forEach(visit: (bone: number, value: number) => void): void {
    for (let s = 0; s < this.#bones.length; s++) visit(this.#bones[s], this.#values[s]);
  }

  /** out (n × n) += row·rowᵀ. */
  addOuter(out: Float64Array, n: number): void {
    this.forEach((a, x) => {
      this.forEach((b, y) => {
        out[a * n + b] += x * y;
      });
    });
  }
}
