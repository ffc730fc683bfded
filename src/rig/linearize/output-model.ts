import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import { boneCount, type Clip } from '../../model/skeleton.ts';
import type { SkinnedModel, SkinWeights } from '../../model/skinned-model.ts';
import type { Fit } from './algorithm.ts';
import {
  atTimes,
  type Baking,
  bakeClip,
  bakeSkeleton,
  blendBonesOf,
  followedNode,
  splitKeys,
  steadyKeys,
} from './bake.ts';
import { blendParents } from './blend-parents.ts';
import { type Compared, fewVertices, halfWayError, keyError } from './clip-errors.ts';
import type { LinearizeOptions } from './linearize-options.ts';
import { pivotsOf } from './pivots.ts';

/** The linear model without its clips, and what these are baked by. */
export function linearModel(
  model: SkinnedModel,
  { columns, state }: Fit,
  { operator, antipodality }: LinearizeOptions,
): { linearized: SkinnedModel; baking: Baking } {
  const masters = boneCount(model.skeleton);
  const nodes = columns.blends.map((_, k) => followedNode(operator, masters, k));
  const weights = outputWeights(model.weights, { columns, state }, nodes);
  // Masters that have come to u = 0 drive nothing.
  const bones = columns.blends.map(({ masters: own, u }) => ({
    masters: own.filter((_, l) => u[l] > 0),
    u: u.filter((x) => x > 0),
  }));
  const parents = blendParents(model, bones);
  const pivots = pivotsOf(model.mesh.positions, weights, nodes, bones, parents, columns.problem.training);
  const baking: Baking = { operator, antipodality, bones, pivots, parents };
  const { mixWeights: _, ...kept } = model;
  const linearized: SkinnedModel = {
    ...kept,
    weights,
    skeleton: bakeSkeleton(model.skeleton, baking),
    clips: [],
    operator: 'lbs',
    ...(bones.length > 0 && { blendBones: blendBonesOf(baking, masters) }),
  };
  return { linearized, baking };
}

/** w' of all vertices: those of the problem, and those that follow one bone and stay as they are. As few slots as will do. */
function outputWeights(
  given: SkinWeights,
  { columns, state }: Omit<Fit, 'solver'>,
  nodes: readonly number[],
): SkinWeights {
  const { problem } = columns;
  let slots = 1;
  for (let s = 0; s < state.columns.length; s++) if (state.columns[s] >= 0) slots = Math.max(slots, (s % state.k) + 1);
  const n = given.joints.length / given.influences;
  const joints = new Uint16Array(n * slots);
  const weights = new Float32Array(n * slots);
  for (let i = 0; i < n; i++) {
    joints[i * slots] = given.joints[i * given.influences];
    weights[i * slots] = 1;
  }
  for (let a = 0; a < problem.count; a++) {
    const i = problem.vertexOf[a];
    for (let s = 0; s < slots; s++) {
      const c = state.columns[a * state.k + s];
      joints[i * slots + s] = c < 0 ? 0 : c < problem.bones ? c : nodes[c - problem.bones];
      weights[i * slots + s] = c < 0 ? 0 : state.weights[a * state.k + s];
    }
  }
  return { influences: slots, joints, weights };
}

/** Maximum parts that an interval between keys is cut into. */
const MOST_PARTS = 16;
/** Half-way errors may exceed those at keys by so much: as a factor, and in % of EE. */
const HALF_WAY = { factor: 1.02, percent: 0.05 };

/** The clips with the blend bones baked in. They have local poses; `vertexOf` are the vertices that follow several bones. */
export async function bakeClips(
  compared: Compared,
  clips: readonly Clip[],
  baking: Baking,
  vertexOf: Uint32Array,
  options: LinearizeOptions,
  run: RunOptions,
): Promise<Clip[]> {
  const few = fewVertices(compared, vertexOf, WITNESSES);
  const baked: Clip[] = [];
  for (const [c, clip] of clips.entries()) {
    await checkpoint(run, 'linearize', c, clips.length, 'baking clips');
    baked.push(await bakeKeys(few, clip, baking, options, run));
  }
  return baked;
}

/** A clip with the blend bones baked in, with keys as set in the options. `clip` has local poses. */
async function bakeKeys(
  compared: Compared,
  clip: Clip,
  baking: Baking,
  { keys, framesPerSecond }: LinearizeOptions,
  run: RunOptions,
): Promise<Clip> {
  const { original, linearized } = compared;
  const bake = (source: Clip): Clip => bakeClip(original, linearized.skeleton, source, baking);
  if (keys === 'steady') return bake(atTimes(original.skeleton, clip, steadyKeys(clip, framesPerSecond)));
  if (keys === 'given' || clip.times.length < 2 || baking.bones.length === 0) return bake(clip);
  for (let parts = 1; ; parts *= 2) {
    const split = splitKeys(original.skeleton, clip, parts);
    const baked = bake(split);
    if (parts === MOST_PARTS) return baked;
    const atKeys = (await keyError(compared, split, baked, run)) ?? 0;
    const between = (await halfWayError(compared, clip, baked, run)) ?? 0;
    if (between <= HALF_WAY.factor * atKeys + HALF_WAY.percent) return baked;
  }
}

/** Approximate number of vertices that decide how dense keys must be. */
const WITNESSES = 400;
