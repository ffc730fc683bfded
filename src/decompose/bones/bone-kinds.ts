import { IDENTITY3 } from '../../math/svd3.ts';
import { type BoneProducts, boneProducts } from '../engine/bone-products.ts';
import type { FitProblem } from '../problem.ts';
import { boneLength, expandToFrames, mapLinearParts, projectToBasis, selectBones } from './bone-frames.ts';
import { nearestAlongAxes, nearestRotation, toRotation } from './linear-parts.ts';
import { blockOf, type NormalEquations } from './normal-equations.ts';
import { pullTowardsNeighbours } from './steadiness.ts';
import { pullTowardsRotations, solveAffine } from './transforms-affine.ts';
import { quadraticValue, solvePerFrame } from './transforms-per-frame.ts';
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
  /** From affine bones in reduced coordinates (4B × r); bone-frames.ts has both forms. */
  fromAffine(problem: FitProblem, bones: Float64Array): Bones;
  /** The bones in reduced coordinates (4B × r). */
  reduced(problem: FitProblem, bones: Bones): Float64Array;
  /** The bones in frames (4B × 3P). */
  frames(problem: FitProblem, bones: Bones): Float64Array;
  /** The listed bones, in that order, followed by all of `more`. */
  select(problem: FitProblem, bones: Bones, keep: readonly number[], more?: Bones): Bones;
  /** 9B: the constant scale axes, where the kind has some. */
  axes?(bones: Bones): Float64Array;
  /** Bones (4B × 3P) of a kind that this one has room for, as they are; none where no kind is poorer. */
  fromPoorer?(problem: FitProblem, frames: Float64Array): Bones;
  /** Whether a search should also place bones of this kind, beside those of a poorer one that it begins with. */
  readonly placedToo?: boolean;
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
  select: (problem, bones, keep, more) => selectBones(bones, 4 * problem.rank, keep, more),
  // What leaves the span of the basis only adds to the error.
  fromPoorer: (problem, frames) => projectToBasis(problem, frames),
  // They are solved for all frames at once: their own places are often better (cat-poses, 20 bones: by 7 %).
  placedToo: true,
});

/** Rigid bones live in frames: 4B × 3P. */
export const RIGID: BoneKind<Float64Array> = {
  name: 'rigid',
  count: (problem, bones) => bones.length / boneLength(problem),
  products: (problem, bones) => boneProducts(projectToBasis(problem, bones), problem.rank, bones),
  solve: (problem, equations, near, _, steadiness) =>
    solvePerFrame(problem, equations, near, nearestRotation, steadiness),
  extrapolate: (_, from, to, beta) => blend(from, to, beta),
  fromAffine: (problem, bones) => mapLinearParts(problem, expandToFrames(problem, bones), toRotation),
  reduced: (problem, bones) => projectToBasis(problem, bones),
  frames: (_, bones) => bones,
  select: (problem, bones, keep, more) => selectBones(bones, boneLength(problem), keep, more),
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
    const nearest = nearestAlongAxes(axes, 0);
    const frames = mapLinearParts(problem, full, (a, b) => nearest(a, { d: a.slice(), k: IDENTITY3, eta: 0 }, b));
    return { frames, axes };
  },
  reduced: (problem, { frames }) => projectToBasis(problem, frames),
  frames: (_, { frames }) => frames,
  select: (problem, bones, keep, more) => ({
    frames: selectBones(bones.frames, boneLength(problem), keep, more?.frames),
    axes: selectBones(bones.axes, 9, keep, more?.axes),
  }),
  axes: ({ axes }) => axes,
  fromPoorer: ({ frameCount }, frames) => ({ frames, axes: jointDiagonalization(frameCount, frames) }),
});

/** A bone that no vertex follows is not solved, and keeps its axes with its frames. */
function keepIdleAxes(axes: Float64Array, before: Float64Array, equations: NormalEquations): void {
  for (let b = 0; b < equations.boneCount; b++) {
    if (!(blockOf(equations, b).eta > 0)) axes.set(before.subarray(9 * b, 9 * b + 9), 9 * b);
  }
}

const blend = (from: Float64Array, to: Float64Array, beta: number): Float64Array =>
  to.map((x, c) => x + beta * (x - from[c]));
