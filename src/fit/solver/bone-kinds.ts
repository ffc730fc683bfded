import { IDENTITY3, polar3 } from '../../math/svd3.ts';
import type { FitProblem } from '../problem.ts';
import { type BoneProducts, boneProducts } from './bone-products.ts';
import { blockOf, type NormalEquations } from './normal-equations.ts';
import { pullTowardsRotations } from './rigidity.ts';
import { pullTowardsNeighbours } from './steadiness.ts';
import { solveAffine } from './transforms-affine.ts';
import {
  expandToFrames,
  type LinearPartSolver,
  projectToBasis,
  quadraticValue,
  solvePerFrame,
} from './transforms-per-frame.ts';
import { jointDiagonalization } from './trs-axes.ts';

/** What fitting asks of a kind of bones: affine, rigid or TRS. `Bones` is how the kind keeps them. */
export interface BoneKind<Bones> {
  readonly name: 'affine' | 'rigid' | 'trs';
  count(problem: FitProblem, bones: Bones): number;
  /** Inner products for the weight step. */
  products(problem: FitProblem, bones: Bones): BoneProducts;
  /**
   * The best bones of this kind for the current weights, starting from, and slightly pulled towards, `near`; with
   * `steadiness`, errors half-way between frames count that much (steadiness.ts).
   */
  solve(problem: FitProblem, equations: NormalEquations, near: Bones, pull: number, steadiness?: number): Bones;
  /** to + beta·(to − from), for the weight step only: it may leave the kind. */
  extrapolate(problem: FitProblem, from: Bones, to: Bones, beta: number): Bones;
  /** From affine bones in reduced coordinates (4B × r). */
  fromAffine(problem: FitProblem, bones: Float64Array): Bones;
  /** The bones in reduced coordinates (4B × r). */
  reduced(problem: FitProblem, bones: Bones): Float64Array;
  /** The bones in frames (4B × 3P). */
  frames(problem: FitProblem, bones: Bones): Float64Array;
  /** The listed bones, in that order, followed by all of `more`. */
  select(problem: FitProblem, bones: Bones, keep: readonly number[], more?: Bones): Bones;
}

/** Affine bones live in reduced coordinates: 4B × r. `rigidity` pulls them towards rotations. */
export const affineKind = (rigidity: number): BoneKind<Float64Array> => ({
  name: 'affine',
  count: (problem, bones) => bones.length / (4 * problem.rank),
  products: (problem, bones) => boneProducts(bones, problem.rank),
  solve(problem, equations, near, pull, steadiness = 0) {
    const rigid = rigidity > 0 ? pullTowardsRotations(problem, equations, near, rigidity) : equations;
    const steady = steadiness > 0 ? pullTowardsNeighbours(problem, rigid, near, steadiness) : rigid;
    return solveAffine(steady, near, pull);
  },
  extrapolate: (_, from, to, beta) => blend(from, to, beta),
  fromAffine: (_, bones) => bones,
  reduced: (_, bones) => bones,
  frames: (problem, bones) => expandToFrames(problem, bones),
  select: (problem, bones, keep, more) => selectBlocks(bones, 4 * problem.rank, keep, more),
});

export const AFFINE = affineKind(0);

/** Rigid bones live in frames: 4B × 3P. */
export const RIGID: BoneKind<Float64Array> = {
  name: 'rigid',
  count: (problem, bones) => bones.length / (12 * problem.frameCount),
  products: (problem, bones) => boneProducts(projectToBasis(problem, bones), problem.rank, bones),
  solve: (problem, equations, near, _, steadiness) =>
    solvePerFrame(problem, equations, near, nearestRotation, steadiness),
  extrapolate: (_, from, to, beta) => blend(from, to, beta),
  fromAffine: (problem, bones) => mapLinearParts(problem, expandToFrames(problem, bones), makeRotation),
  reduced: (problem, bones) => projectToBasis(problem, bones),
  frames: (_, bones) => bones,
  select: (problem, bones, keep, more) => selectBlocks(bones, 12 * problem.frameCount, keep, more),
};

/** TRS bones: A = R(t)·S(t)·Vᵀ with scale axes V that are constant over time, so that one node of an engine can play them. */
export interface TrsBones {
  /** 4B × 3P. */
  frames: Float64Array;
  /** 9B: V, row-major, axes in columns. */
  axes: Float64Array;
  /** Steps since axes were last looked for. */
  age?: number;
}

/** The axes come from affine bones, held this strongly to the present ones: alone they run wild where data are thin. */
const AXES_PULL = 0.1;
/** Axes move slowly: they are looked for in every second step (in all: a fifth slower, and no better). */
const AXES_EVERY = 2;

/** `rigidity` pulls scales towards 1, as it pulls affine bones towards rotations. */
export const trsKind = (rigidity: number): BoneKind<TrsBones> => ({
  name: 'trs',
  count: (_, bones) => bones.axes.length / 9,
  products: (problem, { frames }) => boneProducts(projectToBasis(problem, frames), problem.rank, frames),
  solve(problem, equations, near, _, steadiness) {
    const { age = 0 } = near;
    const withAxes = (axes: Float64Array): TrsBones => {
      const solver = nearestAlongAxes(axes, rigidity);
      return { frames: solvePerFrame(problem, equations, near.frames, solver, steadiness), axes, age: age + 1 };
    };
    if (steadiness || age % AXES_EVERY !== 0) return withAxes(near.axes);
    const free = solveAffine(equations, projectToBasis(problem, near.frames), AXES_PULL);
    const axes = jointDiagonalization(problem.frameCount, expandToFrames(problem, free));
    keepIdleAxes(axes, near.axes, equations);
    const turned = withAxes(axes);
    // New axes are a guess; the old ones cannot make it worse.
    const value = (bones: TrsBones) => quadraticValue(problem, equations, bones.frames);
    return value(turned) <= value(near) ? turned : withAxes(near.axes);
  },
  extrapolate: (_, from, to, beta) => ({ ...to, frames: blend(from.frames, to.frames, beta) }),
  fromAffine(problem, bones) {
    const full = expandToFrames(problem, bones);
    const axes = jointDiagonalization(problem.frameCount, full);
    const frames = mapLinearParts(problem, full, (a, b) => nearestTrs(a, a.slice(), IDENTITY3, axes, 9 * b, 0, 0));
    return { frames, axes };
  },
  reduced: (problem, { frames }) => projectToBasis(problem, frames),
  frames: (_, { frames }) => frames,
  select: (problem, bones, keep, more) => ({
    frames: selectBlocks(bones.frames, 12 * problem.frameCount, keep, more?.frames),
    axes: selectBlocks(bones.axes, 9, keep, more?.axes),
  }),
});

export const TRS = trsKind(0);

/** A bone that no vertex follows is not solved, and keeps its axes with its frames. */
function keepIdleAxes(axes: Float64Array, before: Float64Array, equations: NormalEquations): void {
  for (let b = 0; b < equations.boneCount; b++) {
    if (!(blockOf(equations, b).eta > 0)) axes.set(before.subarray(9 * b, 9 * b + 9), 9 * b);
  }
}

/** Copies blocks of `stride` numbers in the order of `keep`, then all of `more`. */
function selectBlocks(from: Float64Array, stride: number, keep: readonly number[], more?: Float64Array): Float64Array {
  const out = new Float64Array(keep.length * stride + (more?.length ?? 0));
  keep.forEach((block, index) => {
    out.set(from.subarray(block * stride, (block + 1) * stride), index * stride);
  });
  if (more) out.set(more, keep.length * stride);
  return out;
}

const blend = (from: Float64Array, to: Float64Array, beta: number): Float64Array =>
  to.map((x, c) => x + beta * (x - from[c]));

const rotation = new Float64Array(9);
const stretch = new Float64Array(9);

/** a ← the rotation that maximises tr(aᵀ·d): K does not matter, since tr(A·K·Aᵀ) is the same for all rotations. */
export function nearestRotation(a: Float64Array, d: Float64Array): void {
  polar3(rotation, stretch, d);
  a.set(rotation);
}

function makeRotation(a: Float64Array): void {
  nearestRotation(a, a);
}

/**
 * Most alternations between rotation and scale; both halves are exact, so the error never rises. With two, the scales of
 * flat supports lag behind, and weights in 8 bits cost 13 % more error on cloth instead of 1 %.
 */
const TRS_ALTERNATIONS = 8;
/** They end when no scale changes by more than this: sweeps and rounds repeat them. */
const SCALE_TOLERANCE = 1e-3;
/** Pull of the scales towards 1, as a fraction of the trace of K and of the bone's mass: decides what data leave open. */
const SCALE_PULL = 1e-6;
const POINT_PULL = 1e-9;
/**
 * Across a flat support data are noise, and scales that follow it run from 0 to 80 on a flag: neither shading nor the way
 * between keys survives that. Where less than FLAT of the trace of K lies along an axis the pull grows up to FLAT_PULL.
 */
const FLAT = 1e-1;
const FLAT_PULL = 2e-2;

/** For TRS bones with the axes V (9B). */
export const nearestAlongAxes =
  (axes: Float64Array, rigidity: number): LinearPartSolver =>
  (a, d, k, b, eta) =>
    nearestTrs(a, d, k, axes, 9 * b, eta, rigidity);

const dv = new Float64Array(9);
const turned = new Float64Array(9);
const spread = new Float64Array(3);
const scales = new Float64Array(3);
const pulls = new Float64Array(3);

/** a ← R·diag(s)·Vᵀ that minimises tr(A·K·Aᵀ) − 2·tr(Aᵀ·D), starting from the scales of `a`. */
function nearestTrs(
  a: Float64Array,
  d: Float64Array,
  k: Float64Array,
  axes: Float64Array,
  v: number,
  eta: number,
  rigidity: number,
): void {
  // D·V, the diagonal of Vᵀ·K·V, and the lengths of the columns of A·V.
  for (let axis = 0; axis < 3; axis++) {
    let norm2 = 0;
    let along = 0;
    for (let r = 0; r < 3; r++) {
      let dr = 0;
      let kr = 0;
      let ar = 0;
      for (let c = 0; c < 3; c++) {
        const vc = axes[v + 3 * c + axis];
        dr += d[3 * r + c] * vc;
        kr += k[3 * r + c] * vc;
        ar += a[3 * r + c] * vc;
      }
      dv[3 * r + axis] = dr;
      along += axes[v + 3 * r + axis] * kr;
      norm2 += ar * ar;
    }
    spread[axis] = Math.max(0, along);
    scales[axis] = norm2 > 0 ? Math.sqrt(norm2) : 1;
  }
  const trace = k[0] + k[4] + k[8];
  for (let axis = 0; axis < 3; axis++) {
    const flatness = trace > 0 ? Math.max(0, 1 - spread[axis] / (FLAT * trace)) : 0;
    pulls[axis] = (SCALE_PULL + rigidity + FLAT_PULL * flatness) * trace + POINT_PULL * eta + 1e-30;
  }
  for (let round = 0; round < TRS_ALTERNATIONS; round++) {
    for (let c = 0; c < 9; c++) turned[c] = dv[c] * scales[c % 3];
    polar3(rotation, stretch, turned);
    let change = 0;
    for (let axis = 0; axis < 3; axis++) {
      let rd = 0;
      for (let r = 0; r < 3; r++) rd += rotation[3 * r + axis] * dv[3 * r + axis];
      const scale = (rd + pulls[axis]) / (spread[axis] + pulls[axis]);
      change = Math.max(change, Math.abs(scale - scales[axis]));
      scales[axis] = scale;
    }
    if (change < SCALE_TOLERANCE) break;
  }
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let axis = 0; axis < 3; axis++) sum += rotation[3 * r + axis] * scales[axis] * axes[v + 3 * c + axis];
      a[3 * r + c] = sum;
    }
  }
}

/** Applies `map` to the 3 × 3 linear part of every bone in every frame (4B × 3P); translations stay. */
function mapLinearParts(
  problem: FitProblem,
  bones: Float64Array,
  map: (a: Float64Array, bone: number) => void,
): Float64Array {
  const columns = 3 * problem.frameCount;
  const count = bones.length / (4 * columns);
  const out = bones.slice();
  const a = new Float64Array(9);
  for (let b = 0; b < count; b++) {
    for (let frame = 0; frame < problem.frameCount; frame++) {
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) a[3 * r + c] = out[(4 * b + c) * columns + 3 * frame + r];
      map(a, b);
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[(4 * b + c) * columns + 3 * frame + r] = a[3 * r + c];
    }
  }
  return out;
}
