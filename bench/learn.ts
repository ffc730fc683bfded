import { type Mesh, type MeshSequence, memorySequence, readAsset } from '../src/index.ts';
import { poseDistances } from '../src/learn/examples.ts';
import { learn } from '../src/learn/learn.ts';
import { medoids } from '../src/learn/medoids.ts';
import { sideOf } from '../src/mesh/bounds.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { makeSample } from '../src/samples.ts';
import { posedSequence } from '../src/skin/posed-sequence.ts';
import { bendingBeam } from './beams.ts';
import { realData } from './data.ts';
import {
  METHODS,
  type Method,
  PAPER_METHODS,
  type PaperMethod,
  rmsOf,
  STRETCHES,
  type Stretch,
  talliesOf,
  tryAsPaper,
  tryDistance,
  tryOn,
  tryStretch,
} from './learn-trials.ts';
import { chosen, flags, generated, given, type SequenceCase } from './sequences.ts';
import { markdownTable, writeResults } from './tables.ts';

/** How good: predictors trained on some frames of a sequence, tried on the others (Feng 2010, §2.7). */

interface LearnCase extends SequenceCase {
  /** Frames to train on, as k-medoids. */
  train: number;
  /** A second sequence of the same mesh. */
  also?: SequenceCase;
  /** Which frames to train on, where it is not the medoids. */
  frames?: number[];
  /** Control points and bones, where they are not 8 and 80. */
  size?: { points: number; bones: number };
  /** False where a split by halves makes no sense. */
  extrapolates?: boolean;
  /** Whether it was looked at only after all settings had been chosen. */
  unseen?: boolean;
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
  ...['jumping-jacks', 'turn', 'run'].map((clip): LearnCase => ({ ...figure(clip), train: 25, unseen: true })),
  ...elsewhere('gltf/Horse.glb', 8),
  ...elsewhere('gltf/MorphStressTest.glb', 20, 'TheWave'),
  ...elsewhere('collada/stormtrooper.dae', 25),
  ...elsewhere('caches/cloth-drop.mdd', 20),
  { ...figure('dance'), train: 25, unseen: true },
  { ...generated('tablecloth'), train: 20, unseen: true },
  { ...generated('balloon'), train: 20, unseen: true },
  { ...given('cow-elastic'), train: 30 },
  { ...given('horse-gallop'), train: 27, also: given('horse-collapse') },
  { ...given('cloth-vellum'), train: 20 },
  { ...generated('flag'), train: 20 },
  { ...given('face-poses'), train: 6 },
  beam('tube, 3 examples', 40, 60),
  beam('bar, 3 examples', 4, 60),
  beam('tube, to twice the angle', 40, 120),
];

/** A clip of the sample figure. */
function figure(clip: string): SequenceCase {
  const open = async () => posedSequence((await makeSample('figure', {})).model!, clip);
  return { name: `figure, ${clip}`, byOthers: false, open };
}

/** A file of the data by others, if it is there: its sequence of this clip, or its first clip, posed. */
function elsewhere(path: string, train: number, clip?: string): LearnCase[] {
  const file = realData(path);
  if (!file) return [];
  const open = async (): Promise<MeshSequence> => {
    const { sequences, models } = await readAsset(nodeFiles, [file]);
    const found = sequences.find((one) => !clip || one.clip === clip) ?? posedSequence(models[0], 0);
    return found.rest.triangles.length > 0 ? found : { ...found, rest: gridOf(found.rest) };
  };
  return [{ name: path.replace(/.*\//, ''), byOthers: false, train, unseen: true, open }];
}

/** Points of a square grid, with its faces. */
function gridOf(mesh: Mesh): Mesh {
  const side = Math.sqrt(mesh.positions.length / 3);
  const triangles: number[] = [];
  for (let i = 0; i < side * (side - 1); i++) {
    if (i % side < side - 1) triangles.push(i, i + 1, i + side, i + 1, i + side + 1, i + side);
  }
  return { ...mesh, triangles: Uint32Array.from(triangles) };
}

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
  const kept = medoids(poseDistances(poses, poses[0].length / 3), poses.length, all, one.train);
  return [{ train: kept, test: others(kept) }];
}

/** Trained on the first half of the frames, on at most 30 of them, tried on the second. */
function halvesOf(poses: Float32Array[]): Split {
  const all = Array.from(poses.keys());
  const first = all.slice(0, Math.ceil(poses.length / 2));
  const distances = poseDistances(poses, poses[0].length / 3);
  return { train: medoids(distances, poses.length, first, Math.min(first.length, 30)), test: all.slice(first.length) };
}

type Kind = 'inside' | 'halves';

interface Row {
  name: string;
  kind: Kind;
  unseen: boolean;
  /** How many it was trained on. */
  examples: number;
  rms: Record<Method, number>;
  /** The same at the paper's points. */
  paperRms: Record<PaperMethod, number>;
  /** What `best` chose. */
  methods: string;
  /** Frames that were not learned from, of the last split: medians of their largest stretch; and distances. */
  stretch: Record<Stretch, number>;
  distance: number[];
  /** Of the processor, to train. */
  seconds: number;
}

async function measure(
  one: LearnCase,
  rest: Mesh,
  poses: Float32Array[],
  kind: Kind,
  splits: readonly Split[],
): Promise<Row> {
  const tallies = talliesOf(METHODS);
  const paperTallies = talliesOf(PAPER_METHODS);
  const methods = new Set<string>();
  let stretch = {} as Record<Stretch, number>;
  let distance: number[] = [];
  let seconds = 0;
  for (const { train, test } of splits) {
    const examples = train.map((k) => poses[k]);
    const sequence = memorySequence(one.name, rest, examples);
    const usage = process.cpuUsage();
    const learned = await learn([sequence], one.size);
    const { user, system } = process.cpuUsage(usage);
    seconds += (user + system) / 1e6 / splits.length;
    const [{ method, translations }] = learned.tried;
    methods.add(method === 'bones' ? translations : method);
    const { points, weights } = learned.predictor;
    const bones = { weights, transforms: learned.transforms };
    const paper = await learn([sequence], { method: 'paper', given: { points, bones } });
    const own = await learn([sequence], { method: 'bones', given: { points, bones } });
    tryOn({ learned, paper, bones: own }, poses, test, tallies);
    stretch = tryStretch(learned, poses, test);
    distance = tryDistance(learned, poses, test);
    if (kind !== 'inside') continue;
    const asPaper = await learn([sequence], { ...one.size, method: 'paper', given: { bones } });
    tryAsPaper(asPaper, poses, test, paperTallies);
  }
  const side = sideOf(rest.positions);
  return {
    name: one.also ? `${one.name} + ${one.also.name}` : one.name,
    kind,
    unseen: one.unseen ?? false,
    examples: splits[0].train.length,
    rms: rmsOf(tallies, side),
    paperRms: rmsOf(paperTallies, side),
    methods: [...methods].join(', '),
    stretch,
    distance,
    seconds,
  };
}

const rows: Row[] = [];
for (const one of chosen(CASES)) {
  const first = await one.open();
  const { rest } = first;
  const poses = await framesOf(first);
  if (one.also) poses.push(...(await framesOf(await one.also.open())));
  const kinds: [Kind, Split[]][] = [['inside', splitsOf(poses, one)]];
  if (one.extrapolates !== false) kinds.push(['halves', [halvesOf(poses)]]);
  for (const [kind, splits] of kinds) {
    rows.push(await measure(one, rest, poses, kind, splits));
    console.error(JSON.stringify(rows.at(-1)));
  }
}

const RIVALS = ['PCA + ridge', 'RBF', 'kernel ridge'] as const satisfies readonly Method[];
const table = (those: readonly Row[]): string =>
  markdownTable(
    ['set', 'examples', ...METHODS, 'best / PCA + ridge', 'chosen', 'training, s'],
    those.map(({ name, examples, rms, methods, seconds }) => [
      name,
      `${examples}`,
      ...METHODS.map((method) => rms[method].toFixed(5)),
      (rms.best / rms['PCA + ridge']).toFixed(2),
      methods,
      seconds.toFixed(1),
    ]),
  );
const geometricMean = (ratios: readonly number[]): string =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length).toFixed(2);
const means = (those: readonly Row[]): string => {
  const ratios = RIVALS.map((rival) => those.map(({ rms }) => rms.best / rms[rival]));
  const texts = RIVALS.map(
    (rival, r) => `${geometricMean(ratios[r])} × ${rival} (at most ${Math.max(...ratios[r]).toFixed(2)})`,
  );
  const strongest = those.map(({ rms }) => rms.best / Math.min(...RIVALS.map((rival) => rms[rival])));
  const most = Math.max(...strongest).toFixed(2);
  return `Geometric means: best is ${texts.join(', ')}, ${geometricMean(strongest)} × the best of the three on each set (at most ${most}).`;
};
const inside = rows.filter(({ kind, unseen }) => kind === 'inside' && !unseen);
const unseen = rows.filter((row) => row.kind === 'inside' && row.unseen);
const sequences = inside.filter(({ examples }) => examples > 3);
const halves = rows.filter(({ kind }) => kind === 'halves');
const section = (title: string, those: readonly Row[]): string[] =>
  those.length === 0 ? [] : [`${title}:`, '', table(those), '', means(those), ''];
const text = [
  '# Learn: prediction errors',
  '',
  'RMS distance on frames that were not learned from, with the largest side of the rest pose as 1. 8 control points, 80 bones; see',
  'docs/notes/learn.md. All methods have the points that `best` chose. PCA + ridge, RBF and kernel ridge choose width and ridge by',
  'leaving one out; `paper` is the method of Feng 2010, `bones` our own; `best` takes one of `bones`, `paper`, `ridge` and `pca`.',
  '',
  ...section(
    'Sets on which no setting was chosen; that a wide Gaussian was missing was seen on the first seven',
    unseen,
  ),
  ...section('Sets that were seen while settings were chosen', inside),
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
  ...section('Extrapolation, from the first half to the second', halves),
  'Strain: how far the second halves stretch the surface, relative to the most that the examples do there (medians of the largest):',
  '',
  markdownTable(
    ['set', ...STRETCHES],
    halves.map(({ name, stretch }) => [name, ...STRETCHES.map((whose) => stretch[whose].toFixed(2))]),
  ),
  '',
  'Distance from experience: 1 is the farthest example. One point moved by the diagonal of the rest pose, the others as in an',
  'example: the least over all points, beside the median of the strain.',
  '',
  markdownTable(
    ['set', 'unseen, median', 'unseen, most', 'second half, median', 'one point', 'its strain'],
    [...inside, ...unseen].map(({ name, distance }) => [
      name,
      distance[0].toFixed(2),
      distance[1].toFixed(2),
      halves.find((row) => row.name === name)?.distance[0].toFixed(2) ?? '',
      distance[2].toFixed(1),
      distance[3].toFixed(1),
    ]),
  ),
].join('\n');
console.log(text);
if (flags.write) writeResults('learn', text);
