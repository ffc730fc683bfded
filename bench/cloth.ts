// Folds on coarse cloth: every way that there is against our own fine simulation, which the coarse one guides, and against
// the same simulated again. Each scene has motions to train on, two to choose settings on (--choose, the first) and one to
// report, which is looked at when all is chosen. How hard the motions are. Twice the motion, the bars that we set ourselves, and how the cost grows.
//
//   node dist/bench/cloth.js [--choose] [--write] [--vertices <n>] [--coarse <n>] [--scenes a,b] [--pairs <folder>]
//                            [--only scenes|motions|twice|growth|picture]
//
// Pairs are kept in --pairs, so that a second run does not simulate them again.

import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { type ClothPair, simulatePair } from '../src/cloth/pairs.ts';
import { PAIR_SCENE_NAMES, type PairSceneName } from '../src/cloth/scene.ts';
import type { UpsamplerOptions } from '../src/cloth/upsampler/train.ts';
import { vertexCount } from '../src/index.ts';
import { pairScene, sceneMotion } from '../src/pair-scenes.ts';
import type { Picture } from '../src/report/png.ts';
import { closePair } from '../src/verbs/cloth-train.ts';
import { type Bar, barRows, type SceneFigures } from './cloth-bars.ts';
import { caseFigures, casesOf } from './cloth-cases.ts';
import { motionFigures } from './cloth-motions.ts';
import { pictureRow, writePicture } from './cloth-picture.ts';
import { type Judged, judge, judgeRepeat, timed, trainWays, type Way } from './cloth-ways.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: {
    choose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    vertices: { type: 'string', default: '4000' },
    coarse: { type: 'string', default: '150' },
    scenes: { type: 'string', default: PAIR_SCENE_NAMES.join(',') },
    pairs: { type: 'string', default: `${tmpdir()}/pliant-cloth-pairs` },
    only: { type: 'string', default: '' },
  },
});
const scenes = flags.scenes.split(',') as PairSceneName[];
const size = { vertices: Number(flags.vertices), coarseVertices: Number(flags.coarse), folder: flags.pairs };
const judgedUse = flags.choose || flags.only === 'picture' ? 'choose' : 'report';
const does = (part: string): boolean => flags.only === '' || flags.only === part;

const text: string[] = [];
const say = (...lines: string[]): void => {
  text.push(...lines, '');
  console.log(`${lines.join('\n')}\n`);
};

const round = (x: number | undefined, digits: number): string =>
  x === undefined || !Number.isFinite(x) ? '' : x.toFixed(digits).replace(/^-(0(\.0+)?)$/, '$1');

/** Milliseconds of processor time that a frame of coarse and fine simulation takes, here and now. */
async function simulationCost(name: PairSceneName, vertices: number, coarseVertices: number): Promise<number> {
  const frames = 8;
  const scene = pairScene(name, { vertices, framesPerSecond: 30 });
  const motion = scene.motions.find(({ use }) => use === 'choose')!;
  const body = sceneMotion(scene, motion.name);
  const times = body?.sequence.times.slice(0, frames);
  const short = body && times && { ...body, sequence: { ...body.sequence, frameCount: frames, times } };
  const garment = { ...scene.garment, wind: motion.wind };
  const settle = 2 / 30;
  const { seconds } = await timed(() => simulatePair(garment, short, { coarseVertices, settle, seconds: frames / 30 }));
  return (1000 * seconds) / (frames + 1);
}

const HEAD = ['', 'E %', 'W %', 'N °', 'V', 'J', 'worst mm', 'inside mm', 'ms', '× faster'];

function rowOf(judged: Judged, cost: number): string[] {
  const { name, E, W, N, V, J, milliseconds, worst, depth } = judged;
  const times = milliseconds > 0 ? cost / milliseconds : undefined;
  return [
    name,
    round(E, 3),
    round(W, 0),
    round(N, 1),
    round(V, 2),
    round(J, 2),
    round(1000 * worst, 0),
    round(depth, 1),
    round(milliseconds, 2),
    round(times, 0),
  ];
}

async function judgeAll(pair: ClothPair, ways: readonly Way[]): Promise<Judged[]> {
  const all: Judged[] = [];
  for (const way of ways) all.push(await judge(pair, way));
  const repeat = await judgeRepeat(pair);
  return repeat ? [...all, repeat] : all;
}

async function sceneTables(): Promise<SceneFigures[]> {
  const found: SceneFigures[] = [];
  const rows: Picture[][] = [];
  for (const name of scenes) {
    const trained = await casesOf(name, { ...size, uses: ['train'] });
    const [pair] = await casesOf(name, { ...size, uses: [judgedUse], most: 1 });
    const { ways, seconds } = await trainWays(trained);
    const cost = flags.only === 'picture' ? 0 : await simulationCost(name, size.vertices, size.coarseVertices);
    const { detailCorrelation, repeatabilityPercent } = await caseFigures(
      `${size.folder}/${name}-${size.vertices}-${size.coarseVertices}-${pair.name}`,
    );
    if (does('scenes')) {
      const judged = await judgeAll(pair, ways);
      const frames = trained.reduce((sum, each) => sum + each.fine.frameCount, 0);
      const { fine, coarse } = pair;
      say(
        `## ${name}: ${vertexCount(fine.rest)} vertices on ${vertexCount(coarse.rest)}, motion "${pair.name}"`,
        '',
        `Trained on ${trained.map((each) => each.name).join(', ')}: ${frames} frames, linear ${round(seconds.linear, 1)} s, learned ` +
          `${round(seconds.learned, 1)} s, paper ${round(seconds.paper, 1)} s. The detail's correlation with the frame before, in local ` +
          `frames: ${round(detailCorrelation, 2)}; the truth repeats with W ${round(repeatabilityPercent, 0)} %. Simulating both ` +
          `takes ${round(cost, 0)} ms a frame.`,
        '',
        markdownTable(
          HEAD,
          judged.map((each) => rowOf(each, cost)),
        ),
      );
      found.push({ name, cost, judged });
    }
    if (flags.only === 'picture') rows.push(await pictureRow(pair, ways));
    for (const each of [...trained, pair]) await closePair(each);
    if (!does('twice')) continue;
    const [twice] = await casesOf(name, { ...size, uses: [judgedUse], most: 1, strength: 2, again: false });
    const judged = await judgeAll(
      twice,
      ways.filter((way) => way.name !== 'linear'),
    );
    say(
      `### ${name}: twice the motion`,
      '',
      markdownTable(
        HEAD.slice(0, 8),
        judged.map((each) => rowOf(each, cost).slice(0, 8)),
      ),
    );
    const last = found.at(-1);
    if (last?.name === name) last.twice = judged;
    await closePair(twice);
  }
  if (rows.length > 0) await writePicture('cloth-folds', rows);
  return found;
}

/** How hard the motion to report is, beside the others of its scene. */
async function motionTable(): Promise<void> {
  const rows: string[][] = [];
  for (const name of scenes) {
    const pairs = await casesOf(name, { ...size, uses: ['train', 'choose', 'report'] });
    for (const motion of await motionFigures(pairs)) {
      const { use, frames, speed, distance } = motion;
      rows.push([name, motion.name, use ?? '', String(frames), round(speed, 2), round(distance, 1)]);
    }
    for (const each of pairs) await closePair(each);
  }
  say(
    '## Motions',
    '',
    'Of the coarse cloth: RMS speed, and the RMS distance to the nearest shape of the training motions (of the other ones, for ' +
      'those), rigid motion taken out, in % of the diagonal.',
    '',
    markdownTable(['', 'motion', 'to', 'frames', 'm/s', 'distance %'], rows),
  );
}

/** How cost and quality change with vertices, patches and examples, on the cape and the motion to choose on. */
async function growth(): Promise<void> {
  const rows: string[][] = [];
  const add = async (
    label: string,
    vertices: number,
    coarseVertices: number,
    training: Partial<UpsamplerOptions> = {},
  ) => {
    const of = { ...size, vertices, coarseVertices };
    const trained = await casesOf('cape', { ...of, uses: ['train'] });
    const [pair] = await casesOf('cape', { ...of, uses: ['choose'], most: 1, again: false });
    const { ways, seconds } = await trainWays(trained, { ...training, paper: false });
    const cost = await simulationCost('cape', vertices, coarseVertices);
    const cells = [label, round(cost, 0), round(seconds.learned, 1)];
    for (const name of ['learned', 'still', 'quiet', 'alone']) {
      const { E, W, milliseconds } = await judge(pair, ways.find((way) => way.name === name)!);
      cells.push(`${round(E, 3)}, ${round(W, 0)}, ${round(milliseconds, 1)}`);
    }
    rows.push(cells);
    for (const each of [...trained, pair]) await closePair(each);
  };
  const [n, v] = [size.vertices, size.coarseVertices];
  await add(`${n} vertices on ${v}, 120 examples, 8 shapes`, n, v);
  for (const examples of [30, 60, 240]) await add(`${examples} examples`, n, v, { examples });
  for (const modes of [4, 6, 16]) await add(`${modes} shapes per patch`, n, v, { modes });
  for (const patches of [v / 2, 2 * v]) await add(`${patches} patches`, n, patches);
  for (const vertices of [n / 4, n / 2]) await add(`${vertices} vertices`, vertices, v);
  say(
    '## Growth: cape, motion "turn"',
    '',
    'E and W in %, and milliseconds of processor time per frame; simulation and training in processor time. What 16,000 vertices ' +
      'take, and files: [cloth-speed.md](cloth-speed.md).',
    '',
    markdownTable(['', 'simulation ms', 'training s', 'learned', 'still', 'quiet', 'alone'], rows),
  );
}

const found = ['growth', 'motions'].includes(flags.only) ? [] : await sceneTables();
if (found.length > 0) {
  const bars: Bar[] = barRows(found);
  say(
    '## Bars',
    '',
    markdownTable(
      ['', 'must', ...found.map(({ name }) => name), 'met'],
      bars.map(({ what, must, values, met }) => [what, must, ...values, met ? 'yes' : 'no']),
    ),
  );
}
if (does('motions') && !flags.choose) await motionTable();
if (does('growth') && !flags.choose) await growth();

if (flags.write) {
  const head = `# Cloth: folds on a coarse simulation

E: RMSE in % of the garment's diagonal. W: share of the squared error of the barycentric embedding that is removed. N: mean angle
between vertex normals. V: mean angle to the normals of the barycentric embedding, relative to the truth's. J: RMS second difference
in time, relative to the truth's. worst: the farthest that a vertex is from the truth; inside: the deepest in the
body. ms: processor time per frame, without the coarse
simulation; × faster: than simulating coarse and fine cloth, in the same run. Truth: the same simulation of the fine mesh, guided by the
coarse one; "again" with 4 % more sub-steps, which is the best that anything can be expected to do. The first 12 frames are not
compared.

"⅓ Phong, push" is the embedding that everything builds on. linear, learned: regression of the detail. still, quiet, lively: the
same with physics of the detail; alone: physics without anything learned. paper: Feng 2010, chapter 3.

Settings were chosen on other motions of each scene (\`--choose\`). Those below had never been simulated before all was chosen, and were
judged once.

${machine()}. \`node dist/bench/cloth.js ${process.argv.slice(2).join(' ')}\`
`;
  writeResults(flags.vertices === '4000' ? 'cloth' : `cloth-${flags.vertices}`, [head, ...text].join('\n'));
}
