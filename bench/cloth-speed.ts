// What a frame of cloth costs, on one thread, everything included: the coarse simulation, the physics of the detail in every
// mode, pushes out of the body, normals; and our own fine simulation in the same run. The cape on the figure, in jumping jacks.
//
//   node dist/bench/cloth-speed.js [--write]

import { parseArgs } from 'node:util';
import { type BodyFrame, bodyFrames, startOf } from '../src/cloth/body-motion.ts';
import { DETAIL_MODES, DetailPhysics } from '../src/cloth/detail.ts';
import { detailArrays } from '../src/cloth/detail-arrays.ts';
import { detailPasses } from '../src/cloth/detail-passes.ts';
import { coarseHats } from '../src/cloth/hats.ts';
import { clothSolver } from '../src/cloth/solver.ts';
import { type WornGarment, wearGarment } from '../src/cloth/worn.ts';
import { vertexCount } from '../src/index.ts';
import { smoothingGroups, vertexNormals } from '../src/mesh/normals.ts';
import { pairScene, sceneMotion } from '../src/pair-scenes.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
const SIZES = [2000, 4000, 16_000];
const COARSE = 180;
const FRAME_TIME = 1 / 30;
const FRAMES = 40;
/** The fine simulation takes seconds: a few frames. */
const FINE_FRAMES = 4;
const MOTION = 'jumping-jacks';
const OPTIONS = { coarseVertices: COARSE, collider: 'capsules', thickness: 0.006, bending: 1e-4 } as const;

/** Milliseconds of processor time. */
function timed(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1];

/** Stage → its median over the frames. Each stage runs by itself, as in a program that has one. */
async function stagesOf(vertices: number): Promise<{ worn: WornGarment; stages: Map<string, number> }> {
  const scene = pairScene('cape', { vertices, framesPerSecond: 1 / FRAME_TIME });
  const body = sceneMotion(scene, MOTION)!;
  const start = await startOf(body);
  const worn = await wearGarment(scene.garment, body, start, FRAME_TIME, OPTIONS);
  const { fine, stage, embedding, solver } = worn;
  const stages = new Map<string, number>();

  // (1) The coarse cloth, and where it is in every frame.
  const frames: { frame: BodyFrame; coarse: Float64Array }[] = [];
  const times: number[] = [];
  for await (const { k, frame } of bodyFrames(body, start, FRAMES / 2)) {
    if (k >= FRAMES / 2) break;
    times.push(timed(() => worn.next(frame)));
    frames.push({ frame, coarse: solver.body.x.slice() });
  }
  stages.set('coarse simulation', median(times));

  // (2) What is done with it.
  const play = (name: string, count: number, work: (coarse: Float64Array) => void) => {
    const spent = frames.slice(-count).map(({ frame, coarse }) => {
      for (const mover of [...stage.obstacles, stage.pins]) mover.next(frame);
      return timed(() => work(coarse));
    });
    stages.set(name, median(spent));
  };
  const x = new Float64Array(fine.positions.length);
  play('embedding alone', FRAMES, (coarse) => embedding.apply(coarse, x));
  const offsets = Float64Array.from(fine.positions, (_, c) => 0.005 * Math.sin(c));
  const playDetail = (name: string, mode: keyof typeof DETAIL_MODES, target?: Float64Array, simd?: boolean) => {
    const detail = new DetailPhysics(embedding, fine, stage, frames[0].coarse, DETAIL_MODES[mode], simd);
    play(name, FRAMES, (coarse) => detail.step(coarse, FRAME_TIME, target));
    x.set(detail.x);
  };
  for (const mode of ['still', 'quiet', 'lively'] as const) playDetail(`detail, ${mode}`, mode, offsets);
  playDetail('detail, alone', 'alone');
  playDetail('detail, alone, without SIMD', 'alone', undefined, false);
  const groups = smoothingGroups(fine);
  const normals = new Float32Array(fine.positions.length);
  play('normals', FRAMES, () => vertexNormals(fine, x, 'area', groups, normals));
  const truth = clothSolver(
    { ...solver.scene, mesh: fine, pinned: scene.garment.pinned, stage },
    { frameTime: FRAME_TIME, sweeps: 1 },
  );
  play('fine simulation', FINE_FRAMES, () => truth.frame());
  return { worn, stages };
}

/** Passes of one sub-step, and how often `alone` makes them in a frame. */
function passesOf({ embedding, fine, stage, solver }: WornGarment): string[][] {
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
for (const vertices of SIZES) {
  const { worn, stages } = await stagesOf(vertices);
  columns.push({ head: `${vertexCount(worn.fine)} on ${vertexCount(worn.coarse)}`, stages });
  if (vertices === SIZES[SIZES.length - 1]) shares = passesOf(worn);
}
const of = (stages: Map<string, number>, name: string) => stages.get(name)!;
const rows = [...columns[0].stages.keys()].map((name) => [
  name,
  ...columns.map(({ stages }) => of(stages, name).toFixed(2)),
]);
const whole = (stages: Map<string, number>, mode: string) =>
  of(stages, 'coarse simulation') + of(stages, `detail, ${mode}`) + of(stages, 'normals');
for (const mode of ['still', 'quiet', 'alone']) {
  rows.push([`**all, ${mode}**`, ...columns.map(({ stages }) => whole(stages, mode).toFixed(2))]);
}
rows.push([
  '**times faster than the fine simulation, alone**',
  ...columns.map(({ stages }) => (of(stages, 'fine simulation') / whole(stages, 'alone')).toFixed(0)),
]);
const table = markdownTable(['ms a frame', ...columns.map(({ head }) => head)], rows);
const passTable = markdownTable(['a sub-step of `alone`', 'ms', 'times a frame', 'ms a frame'], shares);
const text = `# Cloth: what a frame costs

Processor time on one thread, median of ${FRAMES} frames of 1/30 s; the fine simulation of ${FINE_FRAMES}. The cape on the figure with its
capsules, ${MOTION}. The modes with a target get one that is not zero; what a learned target costs is not included. The detail
includes rotations, embedding, all sub-steps and the pushes out of the body.

${machine()}. \`node dist/bench/cloth-speed.js --write\`

${table}

${columns[columns.length - 1].head}:

${passTable}
`;
console.log(text);
if (values.write) writeResults('cloth-speed', text);
