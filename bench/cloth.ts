// Garments on moving bodies: the embedding and the physics of the detail against our own fine simulation, which the coarse
// one guides, and against the same simulated again with other sub-steps. Settings are chosen on one motion of each scene
// (--choose) and reported on another.
//
//   node dist/bench/cloth.js [--choose] [--write] [--vertices <n>]

import { parseArgs } from 'node:util';
import { type BodyMotion, bodyFrames, startOf } from '../src/cloth/body-motion.ts';
import { fitCapsules } from '../src/cloth/capsules.ts';
import { DETAIL_MODES, DetailPhysics, type DetailSettings } from '../src/cloth/detail.ts';
import { geodesicSphere, sheet } from '../src/cloth/shapes.ts';
import { clothSolver } from '../src/cloth/solver.ts';
import { type Garment, type WornGarment, wearGarment } from '../src/cloth/worn.ts';
import { type Figures, type Mesh, memorySequence, vertexCount } from '../src/index.ts';
import type { Vector } from '../src/math/vector.ts';
import { measureDetail } from '../src/measure/detail.ts';
import { diagonalOf } from '../src/mesh/bounds.ts';
import { sampleFigure } from '../src/rig/samples/figure.ts';
import { posedSequence } from '../src/skin/posed-sequence.ts';
import { steadyClip } from '../src/skin/poses.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values } = parseArgs({
  options: { choose: { type: 'boolean' }, write: { type: 'boolean' }, vertices: { type: 'string' } },
});
const VERTICES = Number(values.vertices ?? 2000);
const COARSE = Math.round(VERTICES / 25);
const FRAME_TIME = 1 / 30;
const SETTLING = 30;
/** Frames from the start that are not compared: the detail has yet to form. */
const SKIPPED = 12;
const OPTIONS = { coarseVertices: COARSE, collider: 'capsules', thickness: 0.006, bending: 1e-4 } as const;

/** What the library has, and what is tried beside it on the motions to choose on. */
const LIBRARY: DetailSettings = DETAIL_MODES.alone;
const TRIED: Record<string, DetailSettings> = {
  alone: LIBRARY,
  'bending 0': { ...LIBRARY, bending: 0 },
  'bending 0.05': { ...LIBRARY, bending: 0.05 },
  'bending 0.4': { ...LIBRARY, bending: 0.4 },
  'inertia 0.8': { ...LIBRARY, inertia: 0.8 },
  'pull 0': { ...LIBRARY, pull: 0 },
  'pull 0.3': { ...LIBRARY, pull: 0.3 },
  'hats 0.2': { ...LIBRARY, hats: 0.2 },
  'hats 0.5': { ...LIBRARY, hats: 0.5 },
  'hats 0.95': { ...LIBRARY, hats: 0.95 },
};

// --- Scenes: a garment, and the body in two motions.

interface Scene {
  name: string;
  garment: Garment;
  choose: BodyMotion;
  report: BodyMotion;
}

const figure = sampleFigure(3000, 75, 30);

function figureMotion(name: string): BodyMotion {
  const clip = steadyClip(figure.skeleton, figure.clips.find((each) => each.name === name)!, 1 / FRAME_TIME);
  const sequence = posedSequence({ ...figure, clips: [clip] }, 0);
  return { sequence, rig: { capsules: fitCapsules(figure), names: figure.skeleton.names, clip } };
}

/** A ball that moves below a sheet held by its corners. Pins follow what is near them: four small balls at the corners. */
function dragMotion(path: (t: number) => Vector, frames: number): BodyMotion {
  const centres: Vector[] = [[0, -0.25, 0], ...CORNERS];
  const balls = centres.map((centre, b) => geodesicSphere('ball', 162, centre, b === 0 ? 0.2 : 0.01));
  const positions = Float32Array.from(balls.flatMap((ball) => [...ball.positions]));
  const count = vertexCount(balls[0]);
  const triangles = Uint32Array.from(balls.flatMap((ball, b) => [...ball.triangles].map((i) => i + b * count)));
  const rest: Mesh = { name: 'drag', positions, triangles };
  const times = Float64Array.from({ length: frames }, (_, k) => k * FRAME_TIME);
  const transforms: number[] = [];
  const moved = Array.from(times, (t) => {
    const [x, y, z] = path(t);
    transforms.push(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z);
    return positions.map((value, c) => value + (c < 3 * count ? [x, y, z][c % 3] : 0));
  });
  const capsules = [{ bone: 0, a: centres[0], b: centres[0], radius: 0.2 }];
  const clip = { name: 'drag', times, transforms: Float32Array.from(transforms) };
  return { sequence: memorySequence('drag', rest, moved, times), rig: { capsules, names: ['ball'], clip } };
}

const CORNERS: Vector[] = [
  [-0.4, 0, -0.4],
  [0.4, 0, -0.4],
  [-0.4, 0, 0.4],
  [0.4, 0, 0.4],
];

/** A tube around the hips, wider below. */
function skirt(vertices: number): Mesh {
  const around = 2 * Math.round(Math.sqrt(vertices / 1.1) / 2);
  const rows = Math.round(vertices / around);
  const positions: number[] = [];
  for (let r = 0; r < rows; r++) {
    const s = r / (rows - 1);
    for (let c = 0; c < around; c++) {
      const turn = (2 * Math.PI * (c + (r % 2) / 2)) / around;
      const radius = 0.175 + 0.16 * s;
      positions.push(radius * Math.cos(turn), 1.02 - 0.42 * s, -0.01 + 0.9 * radius * Math.sin(turn));
    }
  }
  const triangles: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c < around; c++) {
      const [a, b] = [r * around + c, r * around + ((c + 1) % around)];
      const [d, e] = [a + around, b + around];
      if (r % 2 === 0) triangles.push(a, b, d, b, e, d);
      else triangles.push(a, e, d, a, b, e);
    }
  }
  return { name: 'skirt', positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

const pinned = (mesh: Mesh, isPinned: (x: number, y: number, z: number) => boolean): Garment => ({
  mesh,
  pinned: Uint32Array.from({ length: vertexCount(mesh) }, (_, i) => i).filter((i) => {
    const [x, y, z] = mesh.positions.subarray(3 * i, 3 * i + 3);
    return isPinned(x, y, z);
  }),
});

const SCENES: Scene[] = [
  {
    name: 'drag',
    garment: pinned(
      sheet('drag', VERTICES, [-0.4, 0, 0.4], [0.8, 0, 0], [0, 0, -0.8]),
      (x, _, z) => Math.abs(x) + Math.abs(z) > 0.77,
    ),
    choose: dragMotion((t) => [0.15 * Math.sin(3 * t), 0.15 * Math.sin(2 * t), 0.15 * Math.cos(3 * t) - 0.15], 75),
    report: dragMotion((t) => [0.2 * Math.sin(2.2 * t), 0.1 - 0.1 * Math.cos(4 * t), 0.12 * Math.sin(4.4 * t)], 75),
  },
  {
    name: 'cape',
    garment: pinned(sheet('cape', VERTICES, [0.2, 1.4, -0.17], [-0.4, 0, 0], [0, -0.9, -0.08]), (_, y) => y > 1.395),
    choose: figureMotion('jumping-jacks'),
    report: figureMotion('walk'),
  },
  {
    name: 'skirt',
    garment: pinned(skirt(VERTICES), (_, y) => y > 1.015),
    choose: figureMotion('jumping-jacks'),
    report: figureMotion('walk'),
  },
];

// --- Contenders.

/** Frames of every contender, and the seconds of processor time that a frame takes. */
interface Run {
  worn: WornGarment;
  frames: Record<string, Float32Array[]>;
  milliseconds: Record<string, number>;
}

/** All contenders on the same coarse cloth. */
async function runAll(scene: Scene, body: BodyMotion, settings: Record<string, DetailSettings>): Promise<Run> {
  const start = await startOf(body);
  const worn = await wearGarment(scene.garment, body, start, FRAME_TIME, OPTIONS);
  const { fine, embedding, stage, solver } = worn;
  const details = Object.entries(settings).map(([name, each]) => {
    return { name, detail: new DetailPhysics(embedding, worn.rest.fine, stage, solver.body.x, each) };
  });
  const coarse = { from: solver.body.x.slice(), to: solver.body.x.slice() };
  const truth = (subStepFactor: number) =>
    clothSolver(
      {
        ...solver.scene,
        mesh: fine,
        pinned: scene.garment.pinned,
        material: { ...solver.scene.material, thickness: OPTIONS.thickness },
        stage,
      },
      { frameTime: FRAME_TIME, sweeps: 1, subStepFactor, guide: guide(worn, coarse) },
    );
  const truths = { truth: truth(1), 'truth again': truth(1.04) };
  const run: Run = { worn, frames: {}, milliseconds: {} };
  const timed = (name: string, work: () => Float64Array, k: number) => {
    const before = process.cpuUsage();
    const x = work();
    const { user, system } = process.cpuUsage(before);
    run.milliseconds[name] =
      (run.milliseconds[name] ?? 0) + (user + system) / 1000 / (SETTLING + body.sequence.frameCount);
    if (k >= SKIPPED) (run.frames[name] ??= []).push(Float32Array.from(x));
  };
  const flat = new Float64Array(fine.positions.length);
  for await (const { k, frame } of bodyFrames(body, start, SETTLING)) {
    coarse.from.set(solver.body.x);
    timed(
      'coarse',
      () => {
        worn.next(frame);
        return flat;
      },
      -1,
    );
    coarse.to.set(solver.body.x);
    timed('barycentric', () => barycentric(worn, flat), k);
    timed(
      '⅓ Phong, push',
      () => {
        worn.detail.reset(solver.body.x);
        return worn.detail.x;
      },
      k,
    );
    for (const { name, detail } of details) {
      timed(
        name,
        () => {
          detail.step(solver.body.x, FRAME_TIME);
          return detail.x;
        },
        k,
      );
    }
    for (const [name, fineSolver] of Object.entries(truths)) {
      timed(
        name,
        () => {
          for (const obstacle of stage.obstacles) obstacle.moveTo(0);
          fineSolver.frame();
          return fineSolver.body.x;
        },
        k,
      );
    }
  }
  return run;
}

function barycentric({ embedding: { hats, weights }, solver }: WornGarment, out: Float64Array): Float64Array {
  out.fill(0);
  hats.forEach((v, h) => {
    for (let c = 0; c < 3; c++) out[3 * Math.floor(h / 3) + c] += weights[h] * solver.body.x[3 * v + c];
  });
  return out;
}

/** Every second sub-step takes back what the hats see on average of the way to the coarse cloth: half of it in a frame. */
function guide(
  { embedding: { hats, weights, coarseCount } }: WornGarment,
  coarse: { from: Float64Array; to: Float64Array },
) {
  const sums = new Float64Array(coarseCount);
  const means = new Float64Array(3 * coarseCount);
  const pose = new Float64Array(3 * coarseCount);
  hats.forEach((v, h) => {
    sums[v] += weights[h];
  });
  return ({ x, inverseMass }: { x: Float64Array; inverseMass: Float64Array }, s: number, count: number): void => {
    if (s % 2 === 1) return;
    const t = (s + 1) / count;
    const rate = 1 - 0.47 ** (2 / count);
    for (let c = 0; c < pose.length; c++) pose[c] = coarse.from[c] + t * (coarse.to[c] - coarse.from[c]);
    means.fill(0);
    for (let o = 0; o < x.length; o += 3) {
      for (let c = 0; c < 3; c++) {
        let d = -x[o + c];
        for (let h = o; h < o + 3; h++) d += weights[h] * pose[3 * hats[h] + c];
        for (let h = o; h < o + 3; h++) means[3 * hats[h] + c] += (weights[h] / sums[hats[h]]) * d;
      }
    }
    for (let o = 0; o < x.length; o += 3) {
      if (inverseMass[o / 3] === 0) continue;
      for (let h = o; h < o + 3; h++)
        for (let c = 0; c < 3; c++) x[o + c] += rate * weights[h] * means[3 * hats[h] + c];
    }
  };
}

// --- Figures.

/** E, W, N, V and J of a contender. */
async function judge({ worn: { fine }, frames }: Run, name: string): Promise<Figures & { rmsePercent: number }> {
  const sequence = (of: string) => memorySequence(of, fine, frames[of]);
  const [x, p] = [frames.truth, frames[name]];
  let sum = 0;
  for (let k = 0; k < x.length; k++) for (let c = 0; c < x[k].length; c++) sum += (p[k][c] - x[k][c]) ** 2;
  const rmse = Math.sqrt(sum / (x.length * vertexCount(fine)));
  return {
    ...(await measureDetail(sequence('truth'), sequence(name), sequence('barycentric'))),
    rmsePercent: (100 * rmse) / diagonalOf(fine.positions),
  };
}

/** Correlation of the truth's detail with that of the frame before, in world space. */
function calm({ worn: { embedding }, frames }: Run): number {
  let [ab, aa, bb] = [0, 0, 0];
  const { truth, barycentric: base } = frames;
  for (let k = 1; k < truth.length; k++) {
    for (let c = 0; c < 3 * embedding.count; c++) {
      const [a, b] = [truth[k][c] - base[k][c], truth[k - 1][c] - base[k - 1][c]];
      ab += a * b;
      aa += a * a;
      bb += b * b;
    }
  }
  return ab / Math.sqrt(aa * bb);
}

const round = (x: number | undefined, digits: number): string => (x === undefined ? '' : x.toFixed(digits));

const text: string[] = [];
for (const scene of SCENES) {
  const run = await runAll(
    scene,
    values.choose ? scene.choose : scene.report,
    values.choose ? TRIED : { alone: LIBRARY },
  );
  const names = Object.keys(run.frames).filter((name) => name !== 'truth');
  const rows: string[][] = [];
  for (const name of names) {
    const f = await judge(run, name);
    const cells = [round(f.rmsePercent, 3), round(f.detailRecoveredPercent, 0), round(f.normalErrorDegrees, 1)];
    rows.push([name, ...cells, round(f.vigour, 2), round(f.jitter, 2), round(run.milliseconds[name], 2)]);
  }
  const { fine, coarse, solver } = run.worn;
  const size = `${vertexCount(fine)} vertices on ${vertexCount(coarse)}`;
  const cost = `coarse simulation ${round(run.milliseconds.coarse, 1)} ms (${solver.subSteps} sub-steps), fine ${round(run.milliseconds.truth, 1)} ms a frame`;
  text.push(
    `## ${scene.name}: ${size}\n\n${cost}; the detail's correlation with the frame before ${round(calm(run), 2)}\n`,
  );
  text.push(`${markdownTable(['', 'E %', 'W %', 'N °', 'V', 'J', 'ms'], rows)}\n`);
  console.log(text.slice(-2).join('\n'));
}

if (values.write) {
  const head = `# Garments: physics of the detail

E: RMSE in % of the garment's diagonal. W: share of the squared error of the barycentric embedding that is removed. N: mean angle
between vertex normals. V: mean angle to the normals of the embedding, relative to the truth's. J: RMS second difference in time,
relative to the truth's. ms: processor time per frame, without the coarse simulation. Truth: the same simulation of the fine mesh,
guided by the coarse one; "again" with 4 % more sub-steps, which is the best that anything can be expected to do.

${machine()}. \`node dist/bench/cloth.js --write\`
`;
  writeResults('cloth', [head, ...text].join('\n'));
}
