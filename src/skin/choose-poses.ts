import { squaredDifference } from '../math/dense.ts';
import { FarthestPoints } from '../math/farthest-points.ts';
import { gatherRows } from '../math/rows.ts';
import { vertexCount } from '../model/mesh.ts';
import { integerOption, type OptionsOf, resolveOptions, seedOption } from '../model/options.ts';
import { boneCount, type Clip, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { ClipSampler, restClip } from './poses.ts';
import { rangeOfMotion } from './range-of-motion.ts';
import { Skinner } from './skinner.ts';

/** Which poses of models results are made for, and by which they are judged: of levels, of light. */

const POSE_OPTIONS = {
  poses: integerOption(
    16,
    { min: 1, max: 1000 },
    'poses of all clips that levels are made for, the default pose included',
  ),
  held: integerOption(8, { min: 0, max: 1000 }, 'further poses by which levels are judged only'),
  seed: seedOption('random seed of the range of motion of rigs without clips'),
} as const;

/** Options of `choosePoses`. */
export type PoseChoice = OptionsOf<typeof POSE_OPTIONS>;

/** Models of one file in a pose. */
export interface Pose {
  /** The clip, `default pose`, `range of motion` or the name of a morph. */
  name: string;
  /** Seconds into the clip. */
  time: number;
  /** Of each model. */
  parts: PartPose[];
}

/** A model in a pose. */
export interface PartPose {
  /** 12B: rest → pose. */
  transforms: Float32Array;
  /** M; absent for a model without morphs. */
  morphWeights?: Float32Array;
}

/** The name of the pose that comes first. */
export const DEFAULT_POSE = 'default pose';

/** Poses to look at for each that is chosen. */
const CANDIDATES = 4;
/** Vertices that tell poses apart. */
const WITNESSES = 150;

/**
 * The poses to fit, the default pose first, and those held out. Both are spread over all clips, in turn: a moment that is
 * fitted, the next one held. Of the former each is as far as can be from those before it (Gonzalez 1985): few poses then
 * show what a motion does. Rigs that no clip moves go through a generated range of motion; morphs that no clip dials are
 * shown one by one.
 */
export function choosePoses(
  models: readonly SkinnedModel[],
  options: Partial<PoseChoice> = {},
): { poses: Pose[]; held: Pose[] } {
  const { poses: count, held: heldCount, seed } = resolveOptions(POSE_OPTIONS, options, 'choosePoses');
  const first: Pose = {
    name: DEFAULT_POSE,
    time: 0,
    parts: models.map((model) => partPose(model, restClip(model.skeleton, DEFAULT_POSE), 0)),
  };
  const morphs = models.flatMap((model, m) => morphPoses(model, m, first));
  const isStill = (model: SkinnedModel) => keepsShape(model) && !model.clips.some(dialsMorphs);
  if (models.every(isStill)) return { poses: [first, ...morphs].slice(0, count), held: [] };
  const { fitted, others } = models.some(({ clips }) => clips.length > 0)
    ? clipMoments(models, count + heldCount)
    : exercises(models, count, heldCount, seed);
  const all = [first, ...morphs, ...fitted];
  return { poses: farthestFirst(models, all, count).map((p) => all[p]), held: evenly(others, heldCount) };
}

const dialsMorphs = ({ morphWeights }: Clip): boolean => morphWeights?.some((weight) => weight !== 0) ?? false;

/** Whether every pose has the same shape, but for morphs: all vertices follow one bone, which no clip scales. */
export function keepsShape({ weights: { joints, weights }, skeleton, clips }: SkinnedModel): boolean {
  if (!joints.every((joint, s) => weights[s] === 0 || joint === joints[0])) return false;
  const bones = boneCount(skeleton);
  const sizes2 = [restClip(skeleton, DEFAULT_POSE), ...clips].flatMap(({ times, transforms }) =>
    Array.from(times, (_, k) => size2(transforms, MATRIX_STRIDE * (bones * k + joints[0]))),
  );
  const largest = sizes2.reduce((a, b) => Math.max(a, b), 0);
  return !sizes2.some((size) => size < SAME_SIZE * largest);
}

/** Share of the largest, in squares, from which on a size is the same. */
const SAME_SIZE = 0.99;

/** Sum of the squares of what turns and scales. */
const size2 = (m: Float32Array, o: number): number =>
  [0, 1, 2, 4, 5, 6, 8, 9, 10].reduce((sum, c) => sum + m[o + c] ** 2, 0);

function partPose({ skeleton, morphs }: SkinnedModel, clip: Clip, time: number): PartPose {
  const sampler = new ClipSampler(skeleton, clip);
  return {
    transforms: sampler.poseAt(time, new Float32Array(skeleton.inverseBind.length)),
    ...(morphs && { morphWeights: sampler.morphWeightsAt(time, new Float32Array(morphs.length)) }),
  };
}

/** The names of all clips of models, each once. */
export const clipNames = (models: readonly SkinnedModel[]): string[] => [
  ...new Set(models.flatMap(({ clips }) => clips.map(({ name }) => name))),
];

/** A clip of several models: when it starts and how long it lasts, and its pose at a time. */
export function clipOf(models: readonly SkinnedModel[], name: string) {
  const own = models.map((model) => model.clips.find((clip) => clip.name === name));
  const times = own.flatMap((clip) => (clip ? [clip.times[0], clip.times[clip.times.length - 1]] : []));
  const start = times.reduce((a, b) => Math.min(a, b));
  return {
    name,
    start,
    seconds: times.reduce((a, b) => Math.max(a, b)) - start,
    // A model that the clip does not move stays at rest.
    poseAt: (time: number): Pose => ({
      name,
      time,
      parts: models.map((model, m) => partPose(model, own[m] ?? restClip(model.skeleton, name), time)),
    }),
  };
}

/** Models in a clip, at a time in seconds. */
export const poseOfClip = (models: readonly SkinnedModel[], name: string, time: number): Pose =>
  clipOf(models, name).poseAt(time);

/** Poses of a clip of models at even steps of time, none at its ends; one of a clip that does not last. */
export function clipPoses(models: readonly SkinnedModel[], name: string, count: number): Pose[] {
  const { start, seconds, poseAt } = clipOf(models, name);
  const steps = seconds > 0 ? count : 1;
  return Array.from({ length: steps }, (_, s) => poseAt(start + ((s + 0.5) / steps) * seconds));
}

/** Moments of clips at even steps of time, at least two of each that lasts. */
function clipMoments(models: readonly SkinnedModel[], wanted: number): { fitted: Pose[]; others: Pose[] } {
  const clips = clipNames(models).map((name) => clipOf(models, name));
  const total = clips.reduce((sum, { seconds }) => sum + seconds, 0);
  const [fitted, others]: [Pose[], Pose[]] = [[], []];
  for (const { name, seconds } of clips) {
    const steps = seconds > 0 ? Math.max(2, Math.round((CANDIDATES * wanted * seconds) / total)) : 1;
    for (const [s, pose] of clipPoses(models, name, steps).entries()) (s % 2 === 0 ? fitted : others).push(pose);
  }
  return { fitted, others };
}

function exercises(
  models: readonly SkinnedModel[],
  count: number,
  held: number,
  seed: number,
): { fitted: Pose[]; others: Pose[] } {
  const motions = models.map((model) => rangeOfMotion(model, { poses: count + held, seed }));
  const all = motions[0].poses.map((k): Pose => {
    const { name, times } = motions[0].clip;
    const parts = models.map((model, m) => partPose(model, motions[m].clip, times[k]));
    return { name, time: times[k], parts };
  });
  return { fitted: all.slice(0, count), others: all.slice(count) };
}

/** Each morph alone, of those that no clip dials. */
function morphPoses({ morphs = [], clips }: SkinnedModel, m: number, first: Pose): Pose[] {
  const isDialled = (each: number) =>
    clips.some(({ morphWeights = [] }) => morphWeights.some((weight, w) => w % morphs.length === each && weight !== 0));
  return morphs.flatMap(({ name }, each): Pose[] => {
    if (isDialled(each)) return [];
    const morphWeights = new Float32Array(morphs.length);
    morphWeights[each] = 1;
    return [{ ...first, name, parts: first.parts.with(m, { ...first.parts[m], morphWeights }) }];
  });
}

/** The indices of `count` poses, the first one first. Where a model stands does not tell poses apart. */
function farthestFirst(models: readonly SkinnedModel[], poses: readonly Pose[], count: number): number[] {
  const witnesses = models.map((model, m) => {
    if (keepsShape(model) && !model.morphs) return undefined;
    const skinner = new Skinner(model, { operator: 'lbs', normals: false });
    const n = vertexCount(model.mesh);
    const rows = Uint32Array.from({ length: Math.min(n, WITNESSES) }, (_, v) =>
      Math.floor((v * n) / Math.min(n, WITNESSES)),
    );
    return ({ parts }: Pose): Float64Array => {
      const { positions } = skinner.pose(parts[m].transforms, undefined, parts[m].morphWeights);
      return centred(Float64Array.from(gatherRows(positions, 3, rows)));
    };
  });
  const shapes = poses.map((pose) => witnesses.map((shapeOf) => shapeOf?.(pose)));
  const distance = (a: number, b: number): number =>
    shapes[a].reduce((sum, shape, m) => sum + (shape ? squaredDifference(shape, shapes[b][m]!) : 0), 0);
  const far = new FarthestPoints(poses.length, distance);
  far.choose(0);
  while (far.chosen.length < Math.min(count, poses.length)) far.choose(far.farthest());
  return far.chosen;
}

function centred(points: Float64Array): Float64Array {
  for (let c = 0; c < 3; c++) {
    let sum = 0;
    for (let p = c; p < points.length; p += 3) sum += points[p];
    for (let p = c; p < points.length; p += 3) points[p] -= (3 * sum) / points.length;
  }
  return points;
}

/** `count` of a list at even steps. */
const evenly = <T>(list: readonly T[], count: number): T[] =>
  count >= list.length
    ? [...list]
    : Array.from({ length: count }, (_, k) => list[Math.floor(((k + 0.5) / count) * list.length)]);
