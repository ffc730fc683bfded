import { transformPoint34 } from '../../math/matrix34.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import type { BonePose } from '../../skin/bones.ts';
import type { Blend } from '../../skin/operators.ts';
import type { BlendDerivative } from './blend-derivatives.ts';

/** The motion that blend bones are fitted to: F poses, and the operator Φ that they are to stand in for. */
export interface Training {
  /** F. */
  poses: BonePose[];
  /** F: the root of how much each pose counts; 1 is usual. All rows of a pose are multiplied by it. */
  roots: Float64Array;
  blend: Blend;
  derivative: BlendDerivative;
  antipodality: boolean;
}

/**
 * The least squares problem of Kavan 2009, (2): only vertices that follow more than one bone take part, since the
 * others are linear already. Vertices are counted 0 … n − 1 here; `vertexOf` says which of the mesh they are.
 */
export interface Problem {
  training: Training;
  /** B master bones, F frames, n vertices, at most k influences. */
  bones: number;
  frames: number;
  count: number;
  influences: number;
  vertexOf: Uint32Array;
  /** 4n: rest positions (x, y, z, 1), times the root of how many vertices each one speaks for (`thinned`). */
  rest: Float64Array;
  /** Vertex i follows masters[starts[i] … starts[i + 1]) with weights w, the largest first. */
  starts: Uint32Array;
  masters: Uint16Array;
  weights: Float64Array;
  /** 3·F·n: Φ(w_i)·v_i, frame after frame for each vertex, times the same root. */
  targets: Float64Array;
  /** B: the F matrices (12 each) of a master bone. */
  masterMatrices: Float64Array[];
  /** Σ_k Σ_i ‖Φ(w_i)·v_i − C_r·v_i‖² of the best rigid prediction: the denominator of the enveloping error. */
  rigidErrorSquared: number;
  /** ρ̂²: see `makeProblem`. */
  rho2: number;
}

/**
 * `regularization`: ρ of the rows ρ̂·(Σ w'_c·a_c − w_i) that every vertex gets beside those of its motion, where a_c are
 * the master weights of column c (a unit vector for a master, u_k for a blend bone). For small turns linear blending and
 * Φ agree, so that the effective weights Σ w'_c·a_c should stay w_i; without these rows joints that stand still in
 * training lose their weights, and motions that move them break. ρ̂² = ρ²·(mean denominator per vertex), so that ρ has no
 * unit and does not depend on the number of vertices or frames.
 */
export function makeProblem(
  model: SkinnedModel,
  training: Training,
  influences: number,
  regularization: number,
): Problem {
  const { positions } = model.mesh;
  const { joints, weights, influences: slots } = model.weights;
  const frames = training.poses.length;
  const bones = model.skeleton.parents.length;

  // (1) Which vertices, and what they follow.
  const chosen: number[] = [];
  const starts = [0];
  const masters: number[] = [];
  const w: number[] = [];
  for (let i = 0; i < positions.length / 3; i++) {
    if (!(slots > 1 && weights[i * slots + 1] > 0)) continue;
    chosen.push(i);
    for (let s = i * slots; s < (i + 1) * slots && weights[s] > 0; s++) {
      masters.push(joints[s]);
      w.push(weights[s]);
    }
    starts.push(masters.length);
  }
  const count = chosen.length;
  const vertexOf = Uint32Array.from(chosen);
  const rest = new Float64Array(4 * count).fill(1);
  for (let i = 0; i < count; i++) for (let c = 0; c < 3; c++) rest[4 * i + c] = positions[3 * vertexOf[i] + c];

  // (2) Where the bones are, and where Φ takes the vertices.
  const masterMatrices = Array.from({ length: bones }, (_, j) => {
    const out = new Float64Array(MATRIX_STRIDE * frames);
    training.poses.forEach(({ matrices }, k) => {
      const root = training.roots[k];
      for (let c = 0; c < MATRIX_STRIDE; c++) out[MATRIX_STRIDE * k + c] = root * matrices[MATRIX_STRIDE * j + c];
    });
    return out;
  });
  const motion: Motion = {
    training,
    bones,
    frames,
    count,
    influences,
    vertexOf,
    rest,
    starts: Uint32Array.from(starts),
    masters: Uint16Array.from(masters),
    weights: Float64Array.from(w),
    targets: new Float64Array(3 * frames * count),
    masterMatrices,
  };
  blendTargets(motion);
  const rigidErrorSquared = rigidError(motion);
  return { ...motion, rigidErrorSquared, rho2: (regularization ** 2 * rigidErrorSquared) / Math.max(1, count) };
}

/** The motion of a problem's vertices and bones. */
type Motion = Omit<Problem, 'rigidErrorSquared' | 'rho2'>;

function blendTargets({ training, count, frames, rest, starts, masters, weights, targets }: Motion): void {
  const { poses, roots, blend, antipodality } = training;
  const phi = new Float64Array(MATRIX_STRIDE);
  const at = { joints: masters, weights, start: 0, k: 0 };
  for (let i = 0; i < count; i++) {
    at.start = starts[i];
    at.k = starts[i + 1] - starts[i];
    for (let k = 0; k < frames; k++) {
      blend(phi, at, poses[k], antipodality);
      const o = 3 * (i * frames + k);
      transformPoint34(targets, o, phi, 0, rest, 4 * i);
      for (let c = o; c < o + 3; c++) targets[c] *= roots[k];
    }
  }
}

/** D_c (3F, at o) = M_c·v_i − Φ(w_i)·v_i: what a column is off by in every frame. */
export function differenceColumn(out: Float64Array, o: number, problem: Problem, i: number, m: Float64Array): void {
  const { rest, targets, frames } = problem;
  const x = rest[4 * i];
  const y = rest[4 * i + 1];
  const z = rest[4 * i + 2];
  const h = rest[4 * i + 3];
  const length = 3 * frames;
  const t = i * length;
  for (let row = 0; row < length; row++) {
    const at = 4 * row;
    out[o + row] = m[at] * x + m[at + 1] * y + m[at + 2] * z + m[at + 3] * h - targets[t + row];
  }
}

/** The product of two runs of 3F numbers. Three sums at once: one would wait for itself at every addition. */
export function dotOfRows(a: Float64Array, ai: number, b: Float64Array, bi: number, rows: number): number {
  let x = 0;
  let y = 0;
  let z = 0;
  for (let row = 0; row < rows; row += 3) {
    x += a[ai + row] * b[bi + row];
    y += a[ai + row + 1] * b[bi + row + 1];
    z += a[ai + row + 2] * b[bi + row + 2];
  }
  return x + y + z;
}

/** Σ over the vertices of the least Σ_k ‖D_j‖² of any bone that some vertex follows. */
function rigidError({ bones, count, frames, masters, masterMatrices, starts, rest, targets }: Motion): number {
  const follows = new Uint8Array(bones);
  for (const j of masters) follows[j] = 1;
  const others = [...follows.keys()].filter((j) => follows[j]);
  let total = 0;
  for (let i = 0; i < count; i++) {
    let least = Infinity;
    const x = rest[4 * i];
    const y = rest[4 * i + 1];
    const z = rest[4 * i + 2];
    const consider = (j: number): void => {
      const m = masterMatrices[j];
      let sum = 0;
      // Bones far off are worse than the best so far after a frame or two.
      for (let row = 0; row < 3 * frames && sum < least; row++) {
        const at = 4 * row;
        const d = m[at] * x + m[at + 1] * y + m[at + 2] * z + m[at + 3] - targets[3 * frames * i + row];
        sum += d * d;
      }
      least = Math.min(least, sum);
    };
    for (let s = starts[i]; s < starts[i + 1]; s++) consider(masters[s]);
    for (const j of others) consider(j);
    total += least;
  }
  return total;
}

/**
 * About `wanted` of the vertices, each speaking for as many as it stands for, so that sums over them are close to those
 * over all: blend bones are found on these. Vertices are taken at even steps along the sum of their shares, which are
 * half by number and half by error, so that those in need are dense and none stands for very many.
 */
export function thinned(problem: Problem, errors: Float64Array, wanted: number): Problem {
  const { count, frames } = problem;
  if (count <= wanted) return problem;
  const total = errors.reduce((sum, e) => sum + e, 0);
  const share = (i: number): number =>
    Math.min(1, (wanted / 2) * (1 / count + (total > 0 ? errors[i] / total : 1 / count)));
  const chosen: number[] = [];
  let sum = 0.5;
  for (let i = 0; i < count; i++) {
    sum += share(i);
    if (sum < 1) continue;
    sum -= 1;
    chosen.push(i);
  }
  const starts = [0];
  const slots: number[] = [];
  for (const i of chosen) {
    for (let s = problem.starts[i]; s < problem.starts[i + 1]; s++) slots.push(s);
    starts.push(slots.length);
  }
  const pick = (from: Float64Array, stride: number): Float64Array => {
    const out = new Float64Array(stride * chosen.length);
    chosen.forEach((i, at) => {
      const root = 1 / Math.sqrt(share(i));
      for (let c = 0; c < stride; c++) out[stride * at + c] = root * from[stride * i + c];
    });
    return out;
  };
  return {
    ...problem,
    count: chosen.length,
    vertexOf: Uint32Array.from(chosen, (i) => problem.vertexOf[i]),
    rest: pick(problem.rest, 4),
    starts: Uint32Array.from(starts),
    masters: Uint16Array.from(slots, (s) => problem.masters[s]),
    weights: Float64Array.from(slots, (s) => problem.weights[s]),
    targets: pick(problem.targets, 3 * frames),
  };
}

/** EE in % of a sum of squared errors over the problem's vertices; 0 where nothing deforms. */
export const envelopingPercent = ({ rigidErrorSquared }: Problem, errorSquared: number): number =>
  rigidErrorSquared > 0 ? 100 * Math.sqrt(Math.max(0, errorSquared) / rigidErrorSquared) : 0;
