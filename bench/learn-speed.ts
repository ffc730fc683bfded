import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SurfaceDriver } from '../src/learn/drive.ts';
import { learn } from '../src/learn/learn.ts';
import { predictorModel } from '../src/learn/predictor-model.ts';
import type { Mesh } from '../src/model/mesh.ts';
import type { Predictor } from '../src/model/predictor.ts';
import { memorySequence } from '../src/model/sequence.ts';
import { Skinner } from '../src/skin/skinner.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { fastest } from './timing.ts';

/** How fast (document 001, Table 2.1 and Figure 2.13): a predictor's run time against that of skinning alone. */

/** A tube of `rings` × 60 vertices that bends and twists in two ways, as E examples. */
function tube(rings: number, examples: number) {
  const around = 60;
  const positions = new Float32Array(3 * rings * around);
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let a = 0; a < around; a++) {
      const i = ring * around + a;
      const angle = (2 * Math.PI * a) / around;
      positions.set([(4 * ring) / (rings - 1), 0.4 * Math.cos(angle), 0.4 * Math.sin(angle)], 3 * i);
      if (ring + 1 === rings) continue;
      const j = ring * around + ((a + 1) % around);
      triangles.push(i, j, i + around, j, j + around, i + around);
    }
  }
  const rest: Mesh = { positions, triangles: Uint32Array.from(triangles) };
  const poses = Array.from({ length: examples }, (_, e) => {
    const bend = 2.5 * Math.sin(2.4 * e) || 1e-9;
    const twist = 2 * Math.cos(1.7 * e);
    const out = new Float32Array(positions.length);
    for (let i = 0; i < out.length; i += 3) {
      const [x, y, z] = positions.subarray(i, i + 3);
      const [c, s] = [Math.cos((twist * x) / 4), Math.sin((twist * x) / 4)];
      const radius = 4 / bend - (y * c + z * s);
      out.set([radius * Math.sin((bend * x) / 4), 4 / bend - radius * Math.cos((bend * x) / 4), z * c - y * s], i);
    }
    return out;
  });
  return memorySequence('tube', rest, poses);
}

/** Poses per turn. */
const POSES = 20;

/** Milliseconds of a pose: by skinning alone, and by the whole predictor. */
async function timePose(predictor: Predictor): Promise<{ skin: number; drive: number }> {
  const driver = new SurfaceDriver(predictor);
  const skinner = new Skinner(predictorModel(predictor), { normals: false });
  const at = (shift: number): Float64Array =>
    Float64Array.from(
      { length: 3 * predictor.points.length },
      (_, c) => predictor.mesh.positions[3 * predictor.points[Math.floor(c / 3)] + (c % 3)] + shift,
    );
  const goals = Array.from({ length: POSES }, (_, g) => at(0.02 * g));
  const transforms = driver.drive(goals[0]).transforms.slice();
  const { skin, drive } = await fastest(
    {
      skin: () => {
        for (let g = 0; g < POSES; g++) skinner.pose(transforms);
      },
      drive: () => {
        for (const goal of goals) driver.drive(goal);
      },
    },
    15,
  );
  return { skin: (1000 * skin) / POSES, drive: (1000 * drive) / POSES };
}

/** Bytes that the heap grows per call, once compiled. The least of several runs: compilers allocate too. */
function allocationPerCall(call: () => void): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const CALLS = 200;
  const grown = Array.from({ length: 6 }, () => {
    collect();
    const before = process.memoryUsage();
    for (let k = 0; k < CALLS; k++) call();
    const after = process.memoryUsage();
    return after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
  });
  return Math.max(0, Math.min(...grown)) / CALLS;
}

/** What a pose by control points allocates beyond one by transforms. */
function ownAllocation(predictor: Predictor): number {
  const driver = new SurfaceDriver(predictor);
  const skinner = new Skinner(predictorModel(predictor), { normals: false });
  const goal = predictor.kernel.mean;
  const transforms = driver.drive(goal).transforms.slice();
  return Math.max(0, allocationPerCall(() => driver.drive(goal)) - allocationPerCall(() => skinner.pose(transforms)));
}

const noResidual = { residual: false } as const;
const rows: string[][] = [];
const allocated: number[] = [];

const big = tube(400, 38);
const started = performance.now();
const usage = process.cpuUsage();
const whole = await learn([big], { bones: 260 });
const training = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(usage);
console.error(JSON.stringify(whole.report.seconds));
for (const translations of ['predicted', 'control-points', 'poisson'] as const) {
  const { predictor } = await learn([big], {
    ...noResidual,
    translations,
    given: {
      points: whole.predictor.points,
      bones: { weights: whole.predictor.weights, transforms: whole.transforms },
    },
  });
  const { skin, drive } = await timePose(predictor);
  rows.push([translations, skin.toFixed(3), drive.toFixed(3), (drive / skin).toFixed(2)]);
  allocated.push(ownAllocation(predictor));
  console.error(rows.at(-1)!.join(' | '), allocated.at(-1));
}
{
  const { skin, drive } = await timePose(whole.predictor);
  rows.push(['with the residual', skin.toFixed(3), drive.toFixed(3), (drive / skin).toFixed(2)]);
}

/** Figure 2.13: growth with bones at 38 examples, and with examples at 100 bones; 6,000 vertices. */
const growth: string[][] = [];
const add = async (bones: number, examples: number): Promise<void> => {
  const cells: string[] = [];
  const sequence = tube(100, examples);
  const first = await learn([sequence], {
    bones,
    ...noResidual,
    translations: 'control-points',
    pointChoice: 'spread',
  });
  const given = {
    points: first.predictor.points,
    bones: { weights: first.predictor.weights, transforms: first.transforms },
  };
  const second = await learn([sequence], { ...noResidual, translations: 'poisson', given });
  for (const { predictor } of [first, second]) {
    const { skin, drive } = await timePose(predictor);
    cells.push((drive - skin).toFixed(3));
  }
  growth.push([String(bones), String(examples), ...cells]);
  console.error(growth.at(-1)!.join(' | '));
};
for (const bones of [50, 100, 200, 400, 650]) await add(bones, 38);
for (const examples of [10, 50, 100, 200, 300]) await add(100, examples);

const text = [
  `260 bones, 38 examples, 24,000 vertices, one thread (${machine()}). Training: ${training.toFixed(1)} s, ` +
    `of which the processor worked ${((user + system) / 1e6).toFixed(1)} s.`,
  '',
  markdownTable(['translations', 'skinning alone, ms', 'predict + translate + skin, ms', 'ratio'], rows),
  '',
  `A pose by control points allocates ${Math.round(Math.max(...allocated))} bytes more than one by transforms.`,
  '',
  'What prediction and translations add to skinning, in ms, without the residual (6,000 vertices):',
  '',
  markdownTable(['bones', 'examples', 'control-points', 'poisson'], growth),
].join('\n');
console.log(text);
if (flags.write) writeResults('learn-speed', text);
