import { type Baseline, kernelRidgeToVertices, pcaBlendShapes, rbfToBones } from '../src/learn/baselines.ts';
import { controlInputs } from '../src/learn/control-points.ts';
import { SurfaceDriver } from '../src/learn/drive.ts';
import { type Examples, poseDistances } from '../src/learn/examples.ts';
import { learn } from '../src/learn/learn.ts';
import { medoids } from '../src/learn/medoids.ts';
import { boundsOf } from '../src/mesh/bounds.ts';
import { vertexCount } from '../src/model/mesh.ts';
import { type MeshSequence, memorySequence } from '../src/model/sequence.ts';
import { chosen, flags, generated, given, type SequenceCase } from './sequences.ts';
import { markdownTable, writeResults } from './tables.ts';

/** How good: predictors trained on some frames, tried on the others (document 001, §2.7). */

interface LearnCase extends SequenceCase {
  /** Frames to train on: k-medoids. */
  train: number;
  /** A second sequence of the same mesh. */
  also?: SequenceCase;
}

const CASES: LearnCase[] = [
  { ...given('cow-elastic'), train: 30 },
  { ...given('horse-gallop'), train: 27, also: given('horse-collapse') },
  { ...given('cloth-vellum'), train: 20 },
  { ...generated('flag'), train: 20 },
  { ...given('face-poses'), train: 0 },
];

async function framesOf(sequence: MeshSequence): Promise<Float32Array[]> {
  const frames: Float32Array[] = [];
  for (let k = 0; k < sequence.frameCount; k++) frames.push(await sequence.readFrame(k));
  return frames;
}

interface Split {
  train: number[];
  test: number[];
}

/** The frames to train on and the others: medoids, or the frames nearest the mean (extrapolation), or all but one. */
function splitsOf(poses: Float32Array[], n: number, train: number, extrapolate: boolean): Split[] {
  const all = Array.from(poses.keys());
  const others = (chosenOnes: number[]): number[] => all.filter((k) => !chosenOnes.includes(k));
  if (train === 0 && !extrapolate) return all.map((k) => ({ train: others([k]), test: [k] }));
  if (!extrapolate) {
    const kept = medoids(poseDistances(poses, n), poses.length, all, train);
    return [{ train: kept, test: others(kept) }];
  }
  const mean = new Float32Array(poses[0].length);
  for (const pose of poses) for (let c = 0; c < mean.length; c++) mean[c] += pose[c] / poses.length;
  const distances = poseDistances([...poses, mean], n);
  const order = all.sort(
    (a, b) => distances[a * (all.length + 1) + all.length] - distances[b * (all.length + 1) + all.length],
  );
  const near = order.slice(0, Math.round(0.7 * all.length)).sort((a, b) => a - b);
  const far = order.slice(near.length);
  const wanted = Math.min(near.length, train || near.length);
  const kept = medoids(poseDistances(poses, n), poses.length, near, wanted);
  return [{ train: kept, test: far }];
}

const METHODS = ['floor', 'PCA', 'RBF', 'PCA+RBF', 'paper', 'ridge', 'best'] as const;
type Method = (typeof METHODS)[number];

const rows: string[][] = [];
for (const extrapolate of [false, true]) {
  for (const one of chosen(CASES)) {
    const first = await one.open();
    const poses = await framesOf(first);
    if (one.also) poses.push(...(await framesOf(await one.also.open())));
    const n = vertexCount(first.rest);
    const { min, max } = boundsOf(first.rest.positions);
    const side = Math.max(...max.map((x, c) => x - min[c]));
    const sums = Object.fromEntries(METHODS.map((name) => [name, 0])) as Record<Method, number>;
    let tested = 0;
    let seconds = 0;
    let mode = '';
    for (const { train, test } of splitsOf(poses, n, one.train, extrapolate)) {
      const sequence = memorySequence(
        one.name,
        first.rest,
        train.map((k) => poses[k]),
      );
      const started = performance.now();
      const best = await learn([sequence]);
      seconds += (performance.now() - started) / 1000;
      console.error(one.name, JSON.stringify(best.report.seconds));
      mode = best.predictor.translations.mode;
      const { points, weights, centroids } = best.predictor;
      const bones = { weights, centroids, transforms: best.transforms };
      const paper = await learn([sequence], { method: 'paper', given: { points, bones } });
      const examples: Examples = best.examples;
      const drivers = [new SurfaceDriver(best.predictor), new SurfaceDriver(paper.predictor)];
      const ways: [Method, Baseline][] = [
        ['PCA', pcaBlendShapes(examples, points, points.length)],
        ['RBF', rbfToBones(examples, points, bones)],
        ['PCA+RBF', rbfToBones(examples, points, bones, points.length)],
        ['ridge', kernelRidgeToVertices(examples, points, 'linear-gaussian', 1e-4)],
        ['best', (goal) => drivers[0].drive(goal).positions],
        ['paper', (goal) => drivers[1].drive(goal).positions],
      ];
      const goals = controlInputs(poses, points);
      for (const k of test) {
        const goal = goals.slice(k * 3 * points.length, (k + 1) * 3 * points.length);
        for (const [name, way] of ways) sums[name] += squaredError(way(goal), poses[k]);
      }
      tested += test.length;
    }
    const rms = (name: Method): number => Math.sqrt(sums[name] / (tested * n)) / side;
    rows.push([
      `${one.name}${one.also ? ` + ${one.also.name}` : ''}${extrapolate ? ', extrapolation' : ''}`,
      ...METHODS.slice(1).map((name) => rms(name).toFixed(4)),
      mode,
      seconds.toFixed(1),
    ]);
    console.error(rows.at(-1)!.join(' | '));
  }
}

function squaredError(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let c = 0; c < a.length; c++) sum += (a[c] - b[c]) ** 2;
  return sum;
}

const text = markdownTable(['set', ...METHODS.slice(1), 'translations', 'seconds'], rows);
console.log(text);
if (flags.write) writeResults('learn', text);
