// Table 3.1 of Feng 2010 again: the chapter's method on our own cloth, beside what the library has. Each scene is trained on its
// training motions and judged on another motion; and, as the chapter seems to, trained on the first 70 % of its motions and
// judged on the rest. Then what each stage of the method gives, on the other motion.
//
//   node dist/bench/cloth-table.js [--pairs <folder>] [--choose] [--write] [--scenes flag,drag] [--vertices <n>] [--coarse <n>]
//
// The pairs are those of cloth.ts, kept in the same folder. --choose judges on the first motion to choose on.

import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { Embedding } from '../src/cloth/embedding.ts';
import { Folds, type FoldsOf } from '../src/cloth/folds.ts';
import { barycentric } from '../src/cloth/guide.ts';
import type { ClothPair } from '../src/cloth/pairs.ts';
import { PAPER_OPTIONS, type PaperOptions } from '../src/cloth/paper/paper-options.ts';
import { trainPaper } from '../src/cloth/paper/train-paper.ts';
import { PAIR_SCENE_NAMES } from '../src/cloth/scene.ts';
import { stageFrames } from '../src/cloth/stage-frames.ts';
import { trainUpsampler } from '../src/cloth/upsampler/train.ts';
import { type Figures, type Mesh, type MeshSequence, memorySequence, triangleCount } from '../src/index.ts';
import { measureDetail } from '../src/measure/detail.ts';
import { boundsOf, diagonalOf } from '../src/mesh/bounds.ts';
import { pickFrames } from '../src/model/frames.ts';
import { defaultsOf } from '../src/model/options.ts';
import type { PaperModel } from '../src/model/paper-cloth.ts';
import { closePair } from '../src/verbs/cloth-train.ts';
import { casesOf } from './cloth-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: `${tmpdir()}/pliant-cloth-pairs` },
    choose: { type: 'boolean' },
    write: { type: 'boolean' },
    scenes: { type: 'string' },
    vertices: { type: 'string', default: '4000' },
    coarse: { type: 'string', default: '150' },
  },
});
const USE = values.choose ? 'choose' : 'report';
const SIZE = { vertices: Number(values.vertices), coarseVertices: Number(values.coarse), folder: values.pairs };
/** Frames from the start that are not compared: the detail has yet to form. */
const SKIPPED = 12;
/** The share of a motion that is trained on, where the rest of it is the test. */
const FIRST = 0.7;

/** The first frames of a pair. */
function firstPart(pair: ClothPair): ClothPair {
  const count = Math.round(FIRST * pair.coarse.frameCount);
  const cut = (sequence: MeshSequence): MeshSequence => pickFrames(sequence, count, (k) => k);
  const { coarse, fine, body } = pair;
  return {
    ...pair,
    coarse: cut(coarse),
    fine: cut(fine),
    ...(body && { body: { ...body, sequence: cut(body.sequence) } }),
  };
}

// --- Contenders.

type Learned = Pick<FoldsOf, 'upsampler' | 'paper'>;

interface Trained {
  models: Record<string, Learned>;
  minutes: Record<string, number>;
  paper: PaperModel;
}

/** Of the processor, as the machine may be busy with other things. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function train(pairs: readonly ClothPair[], options: Partial<PaperOptions> = {}): Promise<Trained> {
  const start = cpuSeconds();
  const { paper } = await trainPaper(pairs, options);
  const between = cpuSeconds();
  const { upsampler } = await trainUpsampler(pairs);
  const end = cpuSeconds();
  return {
    paper,
    models: { paper: { paper }, learned: { upsampler }, embed: {} },
    minutes: { paper: (between - start) / 60, learned: (end - between) / 60 },
  };
}

/** Frames of all contenders from one on, and milliseconds per frame. */
interface Run {
  frames: Record<string, Float32Array[]>;
  milliseconds: Record<string, number>;
}

async function run(
  { coarse, fine, pinned, body, thickness }: ClothPair,
  models: Record<string, Learned>,
  from: number,
): Promise<Run> {
  const embedding = new Embedding(coarse.rest, fine.rest);
  const meshes = { coarse: coarse.rest, fine: fine.rest, embedding };
  const out: Run = { frames: { truth: [], barycentric: [] }, milliseconds: {} };
  const flat = new Float64Array(fine.rest.positions.length);
  const staged = { mesh: fine.rest, pinned: pinned?.fine, body, frames: coarse.frameCount, thickness };
  let folds: [string, Folds][] | undefined;
  let k = 0;
  for await (const stage of stageFrames(staged)) {
    const pose = Float64Array.from(await coarse.readFrame(k));
    folds ??= Object.entries(models).map(([name, model]) => [
      name,
      new Folds({ ...meshes, stage, ...model }, { physics: 'off' }, pose),
    ]);
    for (const [name, each] of folds) {
      const before = cpuSeconds();
      each.step(pose, k > 0 ? coarse.times[k] - coarse.times[k - 1] : 1 / 30);
      const time = 1000 * (cpuSeconds() - before);
      out.milliseconds[name] = (out.milliseconds[name] ?? 0) + time / coarse.frameCount;
      if (k >= from) (out.frames[name] ??= []).push(Float32Array.from(each.x));
    }
    if (k >= from) {
      barycentric(embedding, pose, flat);
      out.frames.barycentric.push(Float32Array.from(flat));
      out.frames.truth.push(await fine.readFrame(k));
    }
    k++;
  }
  return out;
}

// --- Figures.

/** Mean vertex error, in % of the radius of the sphere around the rest shape: the chapter's measure. */
function meanError({ frames }: Run, rest: Mesh, name: string): number {
  const { min, max } = boundsOf(rest.positions);
  const centre = [0, 1, 2].map((c) => (min[c] + max[c]) / 2);
  let radius = 0;
  let sum = 0;
  const { length } = rest.positions;
  for (let o = 0; o < length; o += 3) {
    radius = Math.max(radius, Math.hypot(...centre.map((x, c) => rest.positions[o + c] - x)));
    frames.truth.forEach((x, k) => {
      const y = frames[name][k];
      sum += Math.hypot(x[o] - y[o], x[o + 1] - y[o + 1], x[o + 2] - y[o + 2]);
    });
  }
  return (100 * 3 * sum) / (length * frames.truth.length * radius);
}

async function judge({ frames }: Run, rest: Mesh, name: string): Promise<Figures & { rmsePercent: number }> {
  const sequence = (of: string) => memorySequence(of, rest, frames[of]);
  let sum = 0;
  frames.truth.forEach((x, k) => {
    x.forEach((value, c) => {
      sum += (value - frames[name][k][c]) ** 2;
    });
  });
  const rmse = Math.sqrt((3 * sum) / (frames.truth.length * rest.positions.length));
  const detail = await measureDetail(sequence('truth'), sequence(name), sequence('barycentric'));
  return { ...detail, rmsePercent: (100 * rmse) / diagonalOf(rest.positions) };
}

/** The method with parts of it left out. */
async function stages(pairs: readonly ClothPair[], full: PaperModel): Promise<Record<string, Learned>> {
  const bones = Math.sqrt(full.translations.hold.length);
  const width = full.mean.length;
  /** Without predictions of rotations (below 3B) or of coefficients. */
  const without = (left: (c: number) => boolean): PaperModel => ({
    ...full,
    mean: full.mean.map((x, c) => (left(c) ? 0 : x)),
    operator: full.operator.map((x, at) => (left(at % width) ? 0 : x)),
  });
  const trained = async (options: Partial<PaperOptions>) => ({ paper: (await trainPaper(pairs, options)).paper });
  const plain = (paper: PaperModel): PaperModel => ({
    ...paper,
    detail: { mean: new Float32Array(paper.detail.mean.length), basis: new Int16Array(paper.detail.basis.length) },
  });
  return {
    'first order alone': { paper: plain(without(() => true)) },
    '+ residual rotations (mid scale)': { paper: plain(full) },
    '+ mean displacement': { paper: without((c) => c >= 3 * bones) },
    'all (paper)': { paper: full },
    'one cluster, 20 shapes': await trained({ clusters: 1 }),
    'anchored at pins only': pairs[0].pinned?.coarse.length ? await trained({ anchors: 'pins' }) : {},
  };
}

const percent = (x: number, digits = 2): string => `${x.toFixed(digits)}%`;
const defaults = defaultsOf(PAPER_OPTIONS);
const rows: string[][] = [];
const text: string[] = [];
const names = values.scenes
  ? PAIR_SCENE_NAMES.filter((name) => values.scenes!.split(',').includes(name))
  : PAIR_SCENE_NAMES;
for (const name of names) {
  const training = await casesOf(name, { ...SIZE, uses: ['train'] });
  const [other] = await casesOf(name, { ...SIZE, uses: [USE], most: 1 });
  const { coarse, fine } = training[0];

  const row = (motion: string, { minutes, paper }: Trained, judged: Run[]): string[] => {
    const tests = judged.reduce((sum, { frames }) => sum + frames.truth.length, 0);
    const mean = (of: string): number =>
      judged.reduce((sum, each) => sum + (meanError(each, fine.rest, of) * each.frames.truth.length) / tests, 0);
    const rate = (of: string): string =>
      (1000 / (judged.reduce((sum, { milliseconds }) => sum + milliseconds[of], 0) / judged.length)).toFixed(0);
    const clusters = paper.clusterOf.reduce((most, c) => Math.max(most, c), 0) + 1;
    const shapes = paper.detail.basis.length / paper.detail.mean.length;
    const counts = [triangleCount(fine.rest), triangleCount(coarse.rest), Math.sqrt(paper.translations.hold.length)];
    const sizes = [...counts, clusters, defaults.rotCca, shapes, paper.kernel.rowMeans.length, tests];
    const errors = [mean('paper'), mean('learned'), mean('embed'), mean('barycentric')];
    const prepared = [minutes.paper.toFixed(2), minutes.learned.toFixed(2)];
    return [
      name,
      motion,
      ...sizes.map(String),
      ...errors.map((x) => percent(x)),
      rate('paper'),
      rate('learned'),
      ...prepared,
    ];
  };

  // The rest of the same motions.
  const part = await train(training.map(firstPart));
  const rests: Run[] = [];
  for (const pair of training) {
    rests.push(await run(pair, part.models, Math.max(SKIPPED, Math.round(FIRST * pair.coarse.frameCount))));
  }
  rows.push(row('rest of the same', part, rests));

  // Another motion.
  const whole = await train(training);
  const judged = await run(other, { ...whole.models, ...(await stages(training, whole.paper)) }, SKIPPED);
  rows.push(row(`another: ${other.name}`, whole, [judged]));
  const lines: string[][] = [];
  for (const contender of Object.keys(judged.frames).filter((each) => each !== 'truth' && each !== 'paper')) {
    const f = await judge(judged, fine.rest, contender);
    const cells = [f.rmsePercent.toFixed(3), f.detailRecoveredPercent?.toFixed(0), f.normalErrorDegrees?.toFixed(1)];
    lines.push([contender, ...[...cells, f.vigour?.toFixed(2), f.jitter?.toFixed(2)].map((x) => x ?? '')]);
  }
  text.push(`## Stages: ${name}, ${other.name}\n\n${markdownTable(['', 'E %', 'W %', 'N °', 'V', 'J'], lines)}\n`);
  console.log(
    rows
      .slice(-2)
      .map((each) => each.join(' '))
      .join('\n'),
  );
  console.log(text.at(-1));
  for (const pair of [...training, other]) await closePair(pair);
}

const SIZES = ['# Tri', '# Low Tri', 'Bones', '#Cluster', '#RotCCA', '#EigPCA', '#Train', '#Test'];
const MEASURES = ['error', 'of learned', 'of embed', 'of barycentric', 'fps', 'of learned', 'prep, min', 'of learned'];
const head = ['cloth', 'motion', ...SIZES, ...MEASURES];
const PRINTED = [
  ['Skirt 1', 'Dance 1', '38502', '200', '330', '100', '3', '20', '120', '601', '2.5%', '268', '13'],
  ['Skirt 1', 'Jump', '38502', '200', '330', '100', '3', '20', '60', '314', '2.5%', '271', '11'],
  ['Skirt 2', 'Dance 2', '25693', '180', '320', '80', '3', '20', '48', '224', '2.4%', '280', '8'],
  ['Dress', 'Dance 3', '27402', '220', '350', '120', '3', '20', '124', '600', '1.8%', '261', '15'],
  ['Dress', 'Walk', '27402', '220', '350', '80', '3', '20', '47', '239', '1.6%', '266', '10'],
  ['TShirt', 'Dance 1', '25726', '322', '350', '120', '3', '20', '120', '601', '2.8%', '251', '15'],
];
const table = markdownTable(head, rows);
console.log(table);
if (values.write) {
  const introduction = `# Cloth: Table 3.1 of Feng 2010, chapter 3

Our cloth, the chapter's method. Error: mean distance of vertices, in % of the radius of the sphere around the rest shape. \`error\` is the
chapter's method, \`learned\` and \`embed\` are the library's own (physics off, pushed out of the body), \`barycentric\` is the fine mesh
hung on the coarse one. "Rest of the same": trained on the first ${100 * FIRST} % of each training motion, judged on the rest. fps: frames per
second of the fine cloth alone, collisions included, on one thread. prep: minutes of training, without the simulations. Both in
processor time.

${machine()}. \`node dist/bench/cloth-table.js --write\`

${table}

## As printed

On a GPU, with the coarse simulation; prep with everything.

${markdownTable(['cloth', 'motion', ...SIZES, 'error', 'fps', 'prep, min'], PRINTED)}

E: RMSE in % of the garment's diagonal. W: share of the squared error of the barycentric embedding that is removed. N: mean angle
between vertex normals. V: mean angle to the normals of the embedding, relative to the truth's. J: RMS second difference in time,
relative to the truth's.
`;
  writeResults('cloth-table', [introduction, ...text].join('\n'));
}
