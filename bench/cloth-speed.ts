// What a frame of cloth costs, on one thread, everything included: the coarse simulation, learned folds, the physics of the detail
// in every mode, pushes out of the body, normals; and our own fine simulation in the same run. The cape on the figure, in jumping
// jacks.
//
//   node dist/bench/cloth-speed.js [--write]

import { parseArgs } from 'node:util';
import { type BodyFrame, bodyFrames, startOf } from '../src/cloth/body-motion.ts';
import { DETAIL_MODES, DetailPhysics } from '../src/cloth/detail.ts';
import { detailArrays } from '../src/cloth/detail-arrays.ts';
import { detailPasses } from '../src/cloth/detail-passes.ts';
import { Folds } from '../src/cloth/folds.ts';
import { coarseHats } from '../src/cloth/hats.ts';
import type { ClothPair } from '../src/cloth/pairs.ts';
import { LAYERS } from '../src/cloth/self-collision.ts';
import { clothSolver } from '../src/cloth/solver.ts';
import { trainUpsampler } from '../src/cloth/upsampler/train.ts';
import { Upsampler } from '../src/cloth/upsampler/upsampler.ts';
import { type DressedBody, wearGarment } from '../src/cloth/worn.ts';
import { memorySequence, vertexCount } from '../src/index.ts';
import { smoothingGroups, vertexNormals } from '../src/mesh/normals.ts';
import { pairScene, sceneMotion } from '../src/pair-scenes.ts';
import { CLIP_FRAMES, fileSizes } from './cloth-file.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
const SIZES = [2000, 4000, 16_000];
const COARSE = 180;
const FRAME_TIME = 1 / 30;
const FRAMES = 150;
/** The fine simulation takes seconds: a few frames. */
const FINE_FRAMES = 4;
const MOTION = 'jumping-jacks';
const OPTIONS = {
  coarseVertices: COARSE,
  collider: 'capsules',
  thickness: 0.006,
  bending: 1e-4,
  selfCollision: false,
} as const;

/** Milliseconds of processor time. */
function timed(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1];

interface Stages {
  worn: DressedBody;
  stages: Map<string, number>;
  /** Rows of a table. */
  files: string[][];
}

/** What training takes, and the file that it leaves. */
async function filesOf(pair: ClothPair): Promise<string[][]> {
  const rows: string[][] = [];
  for (const kernel of ['gaussian', 'linear'] as const) {
    for (const modes of [8, 6, 4]) {
      const before = process.cpuUsage();
      const { upsampler } = await trainUpsampler([pair], { kernel, modes });
      const { user, system } = process.cpuUsage(before);
      const { plain, small } = await fileSizes(pair, upsampler);
      const label = `${modes} shapes per patch${kernel === 'linear' ? ', linear' : ''}`;
      rows.push([label, ((user + system) / 1e6).toFixed(1), (plain / 1e6).toFixed(2), (small / 1e6).toFixed(2)]);
    }
  }
  return rows;
}

/** Stage → its median over the frames. Each stage runs by itself, as in a program that has one. */
async function stagesOf(vertices: number): Promise<Stages> {
  const scene = pairScene('cape', { vertices, framesPerSecond: 1 / FRAME_TIME });
  const body = sceneMotion(scene, MOTION)!;
  const start = await startOf(body);
  const worn = await wearGarment(scene.garment, body, start, FRAME_TIME, OPTIONS);
  const { fine, stage, embedding, solver } = worn;
  const stages = new Map<string, number>();

  // (1) The coarse cloth, and where it is in every frame.
  const frames: { frame: BodyFrame; coarse: Float64Array }[] = [];
  const times: number[] = [];
  const timesApart: number[] = [];
  const apartToo = await wearGarment(scene.garment, body, start, FRAME_TIME, { ...OPTIONS, selfCollision: true });
  for await (const { k, frame } of bodyFrames(body, start, FRAMES / 2)) {
    if (k >= FRAMES / 2) break;
    times.push(timed(() => worn.next(frame)));
    timesApart.push(timed(() => apartToo.next(frame)));
    frames.push({ frame, coarse: solver.body.x.slice() });
  }
  stages.set('coarse simulation', median(times));
  stages.set('coarse simulation, with self-collision', median(timesApart));

  // (2) What is done with it.
  const play = (name: string, count: number, work: (coarse: Float64Array, k: number) => void) => {
    const spent = frames.slice(-count).map(({ frame, coarse }, k) => {
      for (const mover of [...stage.obstacles, stage.pins]) mover.next(frame);
      return timed(() => work(coarse, k));
    });
    stages.set(name, median(spent));
  };
  const x = new Float64Array(fine.positions.length);
  play('embedding alone', FRAMES, (coarse) => embedding.apply(coarse, x));
  const seen: Float32Array[] = [];
  const playDetail = (name: string, mode: keyof typeof DETAIL_MODES, target?: Float32Array[], simd?: boolean) => {
    const detail = new DetailPhysics(embedding, fine, stage, frames[0].coarse, DETAIL_MODES[mode], simd);
    play(name, FRAMES, (coarse, k) => detail.step(coarse, FRAME_TIME, target?.[k]));
    x.set(detail.x);
  };
  playDetail('detail, alone, without SIMD', 'alone', undefined, false);
  const alone = new DetailPhysics(embedding, fine, stage, frames[0].coarse);
  play('detail, alone', FRAMES, (coarse) => {
    alone.step(coarse, FRAME_TIME);
    seen.push(Float32Array.from(alone.x));
  });
  const apart = new DetailPhysics(embedding, fine, stage, frames[0].coarse, {
    ...DETAIL_MODES.alone,
    layers: LAYERS.detail,
  });
  play('detail, alone, with self-collision', FRAMES, (coarse) => apart.step(coarse, FRAME_TIME));

  // (3) Something to learn: the folds of physics alone, so that this takes no fine simulation.
  const coarse = frames.map((each) => Float32Array.from(each.coarse));
  const { rest } = worn;
  const pair = {
    name: MOTION,
    coarse: memorySequence(MOTION, rest.coarse, coarse),
    fine: memorySequence(MOTION, rest.fine, seen),
  };
  const { upsampler } = await trainUpsampler([pair]);
  const files = vertices === SIZES[SIZES.length - 1] ? await filesOf(pair) : [];
  const ways = [false, true].map((simd) => new Upsampler(upsampler, rest.coarse, embedding, simd));
  ['learned folds, without SIMD', 'learned folds'].forEach((name, way) => {
    play(name, FRAMES, (pose) => {
      embedding.turn(pose);
      ways[way].offsets(pose, stage);
    });
  });
  const off = new Folds({ ...rest, embedding, stage, upsampler }, { physics: 'off' }, frames[0].coarse);
  play('learned folds on the embedding, pushed', FRAMES, (pose) => off.step(pose, FRAME_TIME));
  const targets = frames.map(({ coarse: pose }) => {
    embedding.turn(pose);
    return ways[1].offsets(pose, stage).slice();
  });
  for (const mode of ['still', 'quiet', 'lively'] as const) playDetail(`detail, ${mode}`, mode, targets);
  const groups = smoothingGroups(fine);
  const normals = new Float32Array(fine.positions.length);
  play('normals', FRAMES, () => vertexNormals(fine, x, 'area', groups, normals));
  const truth = clothSolver(
    { ...solver.scene, mesh: fine, pinned: scene.garment.pinned, stage },
    { frameTime: FRAME_TIME, sweeps: 1 },
  );
  play('fine simulation', FINE_FRAMES, () => truth.frame());
  return { worn, stages, files };
}

/** Passes of one sub-step, and how often `alone` makes them in a frame. */
function passesOf({ embedding, fine, stage, solver }: DressedBody): string[][] {
  const free = new Float64Array(embedding.count).fill(1);
  const arrays = detailArrays(embedding, fine, free, coarseHats(embedding));
  const passes = detailPasses(arrays);
  passes.carry(1);
  passes.launch('base', 0, 0);
  const { sweeps, subStep } = DETAIL_MODES.alone;
  const subSteps = Math.round(FRAME_TIME / subStep);
  const [obstacle] = stage.obstacles;
  const x = new Float64Array(3 * embedding.count);
  embedding.apply(solver.body.x, x);
  const pushed = { x, inverseMass: free, margin: stage.margin, friction: 0 };
  const work: [string, number, () => void][] = [
    ['rotations of the coarse vertices', 1, () => embedding.turn(solver.body.x)],
    ['embed, turn the detail', 1, () => passes.carry(1)],
    ['inertia and friction', 1, () => passes.launch('base', 0.25, 0.8)],
    ['edges', sweeps, () => passes.limitEdges(false)],
    ['hinges', sweeps, () => passes.bendHinges(false, 0.1)],
    ['follow the coarse cloth', 1, () => passes.follow('base', 0.3, 0.03)],
    ['push out of the capsules', 1, () => obstacle.push(pushed)],
    ['detail of the next sub-step', 1, () => passes.settle('base')],
  ];
  const TURNS = 60;
  return work.map(([name, times, pass]) => {
    for (let turn = 0; turn < TURNS; turn++) pass();
    const each = median(Array.from({ length: 9 }, () => timed(() => Array.from({ length: TURNS }, pass)) / TURNS));
    return [name, each.toFixed(3), `${times * subSteps}`, (each * times * subSteps).toFixed(2)];
  });
}

const columns: { head: string; stages: Map<string, number> }[] = [];
let shares: string[][] = [];
let files: string[][] = [];
for (const vertices of SIZES) {
  const { worn, stages, files: rowsOfFiles } = await stagesOf(vertices);
  columns.push({ head: `${vertexCount(worn.fine)} on ${vertexCount(worn.coarse)}`, stages });
  if (vertices !== SIZES[SIZES.length - 1]) continue;
  shares = passesOf(worn);
  files = rowsOfFiles;
}
const of = (stages: Map<string, number>, name: string) => stages.get(name)!;
const rows = [...columns[0].stages.keys()].map((name) => [
  name,
  ...columns.map(({ stages }) => of(stages, name).toFixed(2)),
]);
/** What each way is made of, beside the coarse simulation and normals; and what it may take at the largest size, ms. */
const WHOLE = {
  learned: { parts: ['learned folds on the embedding, pushed'], must: 10, aim: 10 },
  still: { parts: ['learned folds', 'detail, still'], must: 14, aim: 14 },
  quiet: { parts: ['learned folds', 'detail, quiet'], must: 20, aim: 12 },
  alone: { parts: ['detail, alone'], must: 15, aim: 15 },
};
const whole = (stages: Map<string, number>, way: keyof typeof WHOLE) =>
  ['coarse simulation', ...WHOLE[way].parts, 'normals'].reduce((sum, name) => sum + of(stages, name), 0);
const ways = Object.keys(WHOLE) as (keyof typeof WHOLE)[];
const quotient = (label: string, a: (stages: Map<string, number>) => number, b: typeof a, digits: number) =>
  rows.push([label, ...columns.map(({ stages }) => (a(stages) / b(stages)).toFixed(digits))]);
for (const way of ways) {
  rows.push([`**all, ${way}**`, ...columns.map(({ stages }) => whole(stages, way).toFixed(2))]);
}
for (const way of ['quiet', 'alone'] as const) {
  const label = `**times faster than the fine simulation, ${way}**`;
  quotient(
    label,
    (stages) => of(stages, 'fine simulation'),
    (stages) => whole(stages, way),
    0,
  );
}
for (const name of ['detail, alone', 'learned folds']) {
  quotient(
    `times faster with SIMD: ${name}`,
    (stages) => of(stages, `${name}, without SIMD`),
    (stages) => of(stages, name),
    1,
  );
}
const largest = columns[columns.length - 1];
const bars = ways.map((way) => {
  const { must, aim } = WHOLE[way];
  const time = whole(largest.stages, way);
  return [way, `≤ ${must}`, `≤ ${aim}`, time.toFixed(1), time <= aim ? 'aim' : time <= must ? 'must' : 'no'];
});
const table = markdownTable(['ms a frame', ...columns.map(({ head }) => head)], rows);
const passTable = markdownTable(['a sub-step of `alone`', 'ms', 'times a frame', 'ms a frame'], shares);
const text = `# Cloth: what a frame costs

Processor time on one thread, median of ${FRAMES} frames of 1/30 s; the fine simulation of ${FINE_FRAMES}. The cape on the figure with its
capsules, ${MOTION}. Learned: folds of the same motion with physics alone, 8 shapes and 60 Gaussians per patch. The detail includes
rotations, embedding, all sub-steps and the pushes out of the body.

${machine()}. \`node dist/bench/cloth-speed.js --write\`

${table}

${largest.head}, everything included, ms a frame:

${markdownTable(['', 'must', 'aim', 'measured', 'met'], bars)}

Training on ${FRAMES} frames, in processor time (must: 30 s, aim: 5 s), and the GLB with ${CLIP_FRAMES} frames of the coarse motion, plain and with
\`--small\` (must: 6 MB, aim: 2 MB). [How near fewer shapes are to the truth](cloth.md).

${markdownTable(['', 'training s', 'file MB', 'small MB'], files)}

${passTable}
`;
console.log(text);
if (values.write) writeResults('cloth-speed', text);
