import { boundsOf } from '../src/doors/mesh.ts';
import { type Mesh, type MeshSequence, memorySequence } from '../src/index.ts';
import { poseDistances } from '../src/learn/examples.ts';
import { learn } from '../src/learn/learn.ts';
import { medoids } from '../src/learn/medoids.ts';
import { bendingBeam } from './beams.ts';
import {
  METHODS,
  type Method,
  PAPER_METHODS,
  type PaperMethod,
  rmsOf,
  STRETCHES,
  type Stretch,
  Tally,
  talliesOf,
  tryAsPaper,
  tryOn,
  tryOnExamples,
  tryStretch,
} from './learn-trials.ts';
import { chosen, flags, generated, given, type SequenceCase } from './sequences.ts';
import { markdownTable, writeResults } from './tables.ts';

/** How good: predictors trained on some frames of a sequence, tried on the others (Feng 2010, §2.7). */

interface LearnCase extends SequenceCase {
  /** Frames to train on, as k-medoids; 0: all but one, each in turn. */
  train: number;
  /** A second sequence of the same mesh. */
  also?: SequenceCase;
  /** Which frames to train on, where it is not the medoids. */
  frames?: number[];
  /** Control points and bones, where they are not 8 and 80. */
  size?: { points: number; bones: number };
  /** False where a split by distance from the mean makes no sense. */
  extrapolates?: boolean;
}

/** Figures 2.9 and 2.15: three examples of one bend, at 0, 30 and 60°; tried at 40 angles, up to 60° and to 120°. */
const beam = (name: string, sides: number, to: number): LearnCase => ({
  name,
  byOthers: false,
  train: 3,
  frames: [0, Math.round((30 / to) * 40), Math.round((60 / to) * 40)],
  size: { points: 4, bones: 40 },
  extrapolates: false,
  open: async () => bendingBeam(name, sides, 41, to),
});

const CASES: LearnCase[] = [
  { ...given('cow-elastic'), train: 30 },
  { ...given('horse-gallop'), train: 27, also: given('horse-collapse') },
  { ...given('cloth-vellum'), train: 20 },
  { ...generated('flag'), train: 20 },
  { ...given('face-poses'), train: 0 },
  beam('tube, 3 examples', 40, 60),
  beam('bar, 3 examples', 4, 60),
  beam('tube, to twice the angle', 40, 120),
];

async function framesOf(sequence: MeshSequence): Promise<Float32Array[]> {
  const frames: Float32Array[] = [];
  for (let k = 0; k < sequence.frameCount; k++) frames.push(await sequence.readFrame(k));
  await sequence.close?.();
  return frames;
}

interface Split {
  train: number[];
  test: number[];
}

function splitsOf(poses: Float32Array[], one: LearnCase): Split[] {
  const all = Array.from(poses.keys());
  const others = (kept: number[]): number[] => all.filter((k) => !kept.includes(k));
  if (one.frames) return [{ train: one.frames, test: others(one.frames) }];
  if (one.train === 0) return all.map((k) => ({ train: others([k]), test: [k] }));
  const kept = medoids(poseDistances(poses, poses[0].length / 3), poses.length, all, one.train);
  return [{ train: kept, test: others(kept) }];
}

/** Trained on the 70 % of frames nearest the mean, tried on the rest. */
function extrapolationOf(poses: Float32Array[], { train }: LearnCase): Split {
  const mean = new Float32Array(poses[0].length);
  for (const pose of poses) for (let c = 0; c < mean.length; c++) mean[c] += pose[c] / poses.length;
  const n = mean.length / 3;
  const size = poses.length + 1;
  const distances = poseDistances([...poses, mean], n);
  const order = Array.from(poses.keys()).sort((a, b) => distances[(a + 1) * size - 1] - distances[(b + 1) * size - 1]);
  const near = order.slice(0, Math.round(0.7 * poses.length)).sort((a, b) => a - b);
  const kept = medoids(poseDistances(poses, n), poses.length, near, Math.min(near.length, train || near.length));
  return { train: kept, test: order.slice(near.length) };
}

interface Row {
  name: string;
  /** How many it was trained on. */
  examples: number;
  extrapolation: boolean;
  rms: Record<Method, number>;
  /** The same at the paper's points. */
  paperRms: Record<PaperMethod, number>;
  /** Training frames: predicted, and by the bones as fitted. */
  trained: number;
  floor: number;
  mode: string;
  /** Frames that were not learned from, of the last split: medians of their largest stretch. */
  stretch: Record<Stretch, number>;
  /** Of the processor, to train. */
  seconds: number;
}

async function measure(
  one: LearnCase,
  rest: Mesh,
  poses: Float32Array[],
  splits: Split[],
  extrapolation: boolean,
): Promise<Row> {
  const tallies = talliesOf(METHODS);
  const paperTallies = talliesOf(PAPER_METHODS);
  const [trained, floor] = [new Tally(), new Tally()];
  const modes = new Set<string>();
  let stretch = {} as Record<Stretch, number>;
  let seconds = 0;
  for (const { train, test } of splits) {
    const sequence = memorySequence(
      one.name,
      rest,
      train.map((k) => poses[k]),
    );
    const usage = process.cpuUsage();
    const learned = await learn([sequence], one.size);
    const { user, system } = process.cpuUsage(usage);
    const { points, weights } = learned.predictor;
    const known = { points, bones: { weights, transforms: learned.transforms } };
    const paper = await learn([sequence], { method: 'paper', given: known });
    seconds += (user + system) / 1e6 / splits.length;
    modes.add(learned.predictor.translations.mode);
    tryOn(learned, paper, poses, test, tallies);
    stretch = tryStretch(learned, poses, test);
    tryAsPaper(
      await learn([sequence], { ...one.size, method: 'paper', given: { bones: known.bones } }),
      poses,
      test,
      paperTallies,
    );
    tryOnExamples(learned, trained, floor);
  }
  const { min, max } = boundsOf(rest.positions);
  const side = Math.max(...max.map((x, c) => x - min[c]));
  const name = one.also ? `${one.name} + ${one.also.name}` : one.name;
  const examples = splits[0].train.length;
  return {
    name,
    examples,
    extrapolation,
    rms: rmsOf(tallies, side),
    paperRms: rmsOf(paperTallies, side),
    trained: trained.rms,
    floor: floor.rms,
    mode: [...modes].join(', '),
    stretch,
    seconds,
  };
}

const rows: Row[] = [];
for (const one of chosen(CASES)) {
  const first = await one.open();
  const { rest } = first;
  const poses = await framesOf(first);
  if (one.also) poses.push(...(await framesOf(await one.also.open())));
  rows.push(await measure(one, rest, poses, splitsOf(poses, one), false));
  console.error(JSON.stringify(rows.at(-1)));
  if (one.extrapolates === false) continue;
  rows.push(await measure(one, rest, poses, [extrapolationOf(poses, one)], true));
  console.error(JSON.stringify(rows.at(-1)));
}

const table = (those: readonly Row[]): string =>
  markdownTable(
    ['set', ...METHODS, 'best / ridge', 'training / bones alone', 'translations', 'training, s'],
    those.map(({ name, rms, trained, floor, mode, seconds }) => [
      name,
      ...METHODS.map((method) => rms[method].toFixed(4)),
      (rms.best / rms.ridge).toFixed(2),
      (trained / floor).toFixed(2),
      mode,
      seconds.toFixed(1),
    ]),
  );
const geometricMean = (ratios: readonly number[]): string =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length).toFixed(2);
const mean = (those: readonly Row[], a: Method, b: Method): string =>
  geometricMean(those.map(({ rms }) => rms[a] / rms[b]));
const inside = rows.filter(({ extrapolation }) => !extrapolation);
const sequences = inside.filter(({ examples }) => examples > 3);
const outside = rows.filter(({ extrapolation }) => extrapolation);
const text = [
  '# Learn: prediction errors',
  '',
  'RMS distance on frames that were not learned from, with the largest side of the rest pose as 1. 8 control points, 80 bones; see',
  'docs/notes/learn.md. `paper` is the method of Feng 2010.',
  '',
  table(inside),
  '',
  `Geometric means: best is ${mean(inside, 'best', 'PCA')} × PCA blend shapes, ${mean(inside, 'best', 'RBF')} × RBF, ` +
    `${mean(inside, 'best', 'PCA+RBF')} × PCA + RBF, ${mean(inside, 'best', 'ridge')} × kernel ridge regression to the vertices; ` +
    `Feng 2010 is ${mean(sequences, 'paper', 'PCA')} × PCA blend shapes where there are more than three examples.`,
  '',
  'Feng 2010 against PCA blend shapes, at points chosen as in Feng 2010:',
  '',
  markdownTable(
    ['set', ...PAPER_METHODS, 'paper / PCA'],
    sequences.map(({ name, paperRms }) => [
      name,
      ...PAPER_METHODS.map((method) => paperRms[method].toFixed(4)),
      (paperRms.paper / paperRms.PCA).toFixed(2),
    ]),
  ),
  '',
  `Geometric mean: ${geometricMean(sequences.map(({ paperRms }) => paperRms.paper / paperRms.PCA))} × PCA with as many modes as ` +
    `points, ${geometricMean(sequences.map(({ paperRms }) => paperRms.paper / paperRms['PCA, all modes']))} × PCA with all modes.`,
  '',
  'Extrapolation:',
  '',
  table(outside),
  '',
  `Geometric means: best is ${mean(outside, 'best', 'ridge')} × kernel ridge regression to the vertices, ` +
    `${mean(outside, 'best', 'PCA')} × PCA blend shapes, ${mean(outside, 'best', 'no limit')} × itself without a limit.`,
  '',
  'Strain: how far these frames stretch the surface, relative to the most that the examples do there (medians of the largest):',
  '',
  markdownTable(
    ['set', ...STRETCHES],
    outside.map(({ name, stretch }) => [name, ...STRETCHES.map((whose) => stretch[whose].toFixed(2))]),
  ),
].join('\n');
console.log(text);
if (flags.write) writeResults('learn', text);
