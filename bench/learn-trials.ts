import { SurfaceStrain } from '../src/doors/measure.ts';
import { Skinner, SurfaceDriver } from '../src/index.ts';
import { controlInputs } from '../src/learn/control-points.ts';
import type { LearnResult } from '../src/learn/learn.ts';
import { predictorModel } from '../src/learn/predictor-model.ts';
import { quantile } from '../src/math/statistics.ts';
import { type Baseline, kernelRidgeToVertices, pcaBlendShapes, rbfToBones } from './learn-baselines.ts';

/** Predictors and what they are compared with, tried on frames that none of them was trained with. */

export const METHODS = ['PCA', 'RBF', 'PCA+RBF', 'paper', 'ridge', 'no limit', 'best'] as const;
export type Method = (typeof METHODS)[number];

/** At points that are chosen as the paper chooses them: blend shapes of as many modes as points, and of all modes. */
export const PAPER_METHODS = ['PCA', 'PCA, all modes', 'paper'] as const;
export type PaperMethod = (typeof PAPER_METHODS)[number];

/** Whose stretch is measured. */
export const STRETCHES = ['truth', 'no limit', 'best'] as const;
export type Stretch = (typeof STRETCHES)[number];

/** Sums of squared distances over vertices and frames. */
export class Tally {
  #sum = 0;
  #count = 0;

  add(a: Float32Array, b: Float32Array): void {
    for (let c = 0; c < a.length; c++) this.#sum += (a[c] - b[c]) ** 2;
    this.#count += a.length / 3;
  }

  get rms(): number {
    return Math.sqrt(this.#sum / this.#count);
  }
}

/** An empty tally for each name. */
export const talliesOf = <Name extends string>(names: readonly Name[]): Record<Name, Tally> =>
  Object.fromEntries(names.map((name) => [name, new Tally()])) as Record<Name, Tally>;

/** Their figures, as fractions of `side`. */
export const rmsOf = <Name extends string>(tallies: Record<Name, Tally>, side: number): Record<Name, number> =>
  Object.fromEntries(Object.entries<Tally>(tallies).map(([name, tally]) => [name, tally.rms / side])) as Record<
    Name,
    number
  >;

/** All methods at the points of `learned`. */
export function tryOn(
  learned: LearnResult,
  paper: LearnResult,
  poses: Float32Array[],
  test: number[],
  tallies: Record<Method, Tally>,
) {
  const { points, weights, centroids } = learned.predictor;
  const bones = { weights, centroids, transforms: learned.transforms };
  const free = { ...learned.predictor, limit: undefined };
  const drivers = [learned.predictor, paper.predictor, free].map((predictor) => new SurfaceDriver(predictor));
  const ways: [Method, Baseline][] = [
    ['PCA', pcaBlendShapes(learned.examples, points, points.length)],
    ['RBF', rbfToBones(learned.examples, points, bones)],
    ['PCA+RBF', rbfToBones(learned.examples, points, bones, points.length)],
    ['ridge', kernelRidgeToVertices(learned.examples, points, learned.predictor.kernel.name, 1e-4)],
    ['best', (goal) => drivers[0].drive(goal).positions],
    ['paper', (goal) => drivers[1].drive(goal).positions],
    ['no limit', (goal) => drivers[2].drive(goal).positions],
  ];
  tryAt(points, ways, poses, test, tallies);
}

/** The most that frames stretch the surface, against their examples: as they are, and as predicted. */
export function tryStretch({ predictor }: LearnResult, poses: Float32Array[], test: number[]): Record<Stretch, number> {
  const { points, mesh, stretch } = predictor;
  const strain = new SurfaceStrain(mesh, stretch!);
  const [limited, free] = [predictor, { ...predictor, limit: undefined }].map((one) => new SurfaceDriver(one));
  const ways: Record<Stretch, (goal: Float64Array, k: number) => Float32Array> = {
    truth: (_, k) => poses[k],
    'no limit': (goal) => free.drive(goal).positions,
    best: (goal) => limited.drive(goal).positions,
  };
  const goals = controlInputs(poses, points);
  const width = 3 * points.length;
  const median = (way: (goal: Float64Array, k: number) => Float32Array): number =>
    quantile(
      test.map((k) => strain.measure(way(goals.slice(k * width, (k + 1) * width), k)).strain),
      0.5,
    );
  return { truth: median(ways.truth), 'no limit': median(ways['no limit']), best: median(ways.best) };
}

/** The same comparison as the paper's: points chosen as it chooses them, for both. */
export function tryAsPaper(
  { predictor, examples }: LearnResult,
  poses: Float32Array[],
  test: number[],
  tallies: Record<PaperMethod, Tally>,
): void {
  const { points } = predictor;
  const driver = new SurfaceDriver(predictor);
  const ways: [PaperMethod, Baseline][] = [
    ['PCA', pcaBlendShapes(examples, points, points.length)],
    ['PCA, all modes', pcaBlendShapes(examples, points, examples.poses.length)],
    ['paper', (goal) => driver.drive(goal).positions],
  ];
  tryAt(points, ways, poses, test, tallies);
}

function tryAt<Name extends string>(
  points: Uint32Array,
  ways: readonly [Name, Baseline][],
  poses: Float32Array[],
  test: number[],
  tallies: Record<Name, Tally>,
): void {
  const goals = controlInputs(poses, points);
  const width = 3 * points.length;
  for (const k of test) {
    const goal = goals.slice(k * width, (k + 1) * width);
    for (const [name, way] of ways) tallies[name].add(way(goal), poses[k]);
  }
}

/** Training frames: what the predictor makes of them, and what its bones could. */
export function tryOnExamples({ predictor, examples, transforms }: LearnResult, trained: Tally, floor: Tally): void {
  const driver = new SurfaceDriver(predictor);
  const skinner = new Skinner(predictorModel(predictor), { normals: false });
  const goals = controlInputs(examples.poses, predictor.points);
  const width = goals.length / examples.poses.length;
  const size = transforms.length / examples.poses.length;
  examples.poses.forEach((pose, k) => {
    trained.add(driver.drive(goals.slice(k * width, (k + 1) * width)).positions, pose);
    floor.add(skinner.pose(Float32Array.from(transforms.subarray(k * size, (k + 1) * size))).positions, pose);
  });
}
