import { SurfaceStrain } from '../src/doors/measure.ts';
import { SurfaceDriver } from '../src/index.ts';
import { controlInputs } from '../src/learn/control-points.ts';
import type { LearnResult } from '../src/learn/learn.ts';
import { quantile } from '../src/math/statistics.ts';
import { diagonalOf } from '../src/mesh/bounds.ts';
import { type Baseline, gaussianRidge, pcaBlendShapes, pcaRidge, rbfToBones } from './learn-baselines.ts';

/** Predictors and what they are compared with, tried on frames that none of them was trained with. */

export const METHODS = ['PCA + ridge', 'RBF', 'kernel ridge', 'paper', 'bones', 'best'] as const;
export type Method = (typeof METHODS)[number];

/** At points that are chosen as the paper chooses them: blend shapes of as many modes as points, and of all modes. */
export const PAPER_METHODS = ['PCA', 'PCA, all modes', 'paper'] as const;
export type PaperMethod = (typeof PAPER_METHODS)[number];

/** Whose stretch is measured. */
export const STRETCHES = ['truth', 'no limit', 'best'] as const;
export type Stretch = (typeof STRETCHES)[number];

/** Sums of squared distances over vertices and frames. */
class Tally {
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
  { learned, ...others }: Record<'learned' | 'paper' | 'bones', LearnResult>,
  poses: Float32Array[],
  test: number[],
  tallies: Record<Method, Tally>,
) {
  const { points, weights, centroids } = learned.predictor;
  const { examples, transforms } = learned;
  const driven = ({ predictor }: LearnResult): Baseline => {
    const driver = new SurfaceDriver(predictor);
    return (goal) => driver.drive(goal).positions;
  };
  const ways: [Method, Baseline][] = [
    ['PCA + ridge', pcaRidge(examples, points)],
    ['RBF', rbfToBones(examples, points, { weights, centroids, transforms })],
    ['kernel ridge', gaussianRidge(examples, points)],
    ['paper', driven(others.paper)],
    ['bones', driven(others.bones)],
    ['best', driven(learned)],
  ];
  tryAt(points, ways, poses, test, tallies);
}

/**
 * `distance`: of frames that were not learned from, the median and the most; and with one control point moved up by the
 * diagonal of the rest pose from the first example, the least of all points, beside the median of the strain.
 */
export function tryDistance({ predictor, examples }: LearnResult, poses: Float32Array[], test: number[]): number[] {
  const { points, mesh, stretch } = predictor;
  const driver = new SurfaceDriver(predictor);
  const strain = new SurfaceStrain(mesh, stretch!);
  const goals = controlInputs(poses, points);
  const width = 3 * points.length;
  const unseen = test.map((k) => driver.drive(goals.slice(k * width, (k + 1) * width)).distance);
  const first = controlInputs(examples.poses.slice(0, 1), points);
  const alone = Array.from(points, (_, l) => {
    const { distance, positions } = driver.drive(
      first.map((x, c) => (c === 3 * l + 1 ? x + diagonalOf(mesh.positions) : x)),
    );
    return { distance, strain: strain.measure(positions).strain };
  });
  const strains = alone.map((one) => one.strain);
  return [
    quantile(unseen, 0.5),
    Math.max(...unseen),
    Math.min(...alone.map(({ distance }) => distance)),
    quantile(strains, 0.5),
  ];
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
