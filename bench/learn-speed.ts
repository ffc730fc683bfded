import { writeFileSync } from 'node:fs';
import { nearBones, vertexWeights } from '../src/decompose/weights/patch-weights.ts';
import { type Mesh, memorySequence, type Predictor, Skinner, SurfaceDriver } from '../src/index.ts';
import { clusterBones } from '../src/learn/bones/cluster-bones.ts';
import { exampleProblem } from '../src/learn/bones/fit-bones.ts';
import { collectExamples } from '../src/learn/examples.ts';
import { learn } from '../src/learn/learn.ts';
import { predictorModel } from '../src/learn/predictor-model.ts';
import { growthExponent, growthPlot } from './growth-plot.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';
import { bytesPerCall, fastest } from './timing.ts';

/** How fast (Feng 2010, Table 2.1 and Figure 2.13): a predictor's run time against that of skinning alone. */

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

/** Milliseconds of a pose: by skinning alone, the same of bones known to be rigid, and by the whole predictor. */
async function timePose(predictor: Predictor, turns: number): Promise<{ skin: number; rigid: number; drive: number }> {
  const driver = new SurfaceDriver(predictor);
  const skinner = new Skinner(predictorModel(predictor), { normals: false });
  const at = (shift: number): Float64Array =>
    Float64Array.from(
      { length: 3 * predictor.points.length },
      (_, c) => predictor.mesh.positions[3 * predictor.points[Math.floor(c / 3)] + (c % 3)] + shift,
    );
  const goals = Array.from({ length: POSES }, (_, g) => at(0.02 * g));
  const transforms = driver.drive(goals[0]).transforms.slice();
  const { skin, rigid, drive } = await fastest(
    {
      skin: () => {
        for (let g = 0; g < POSES; g++) skinner.pose(transforms);
      },
      rigid: () => {
        for (let g = 0; g < POSES; g++) skinner.poseRigid(transforms);
      },
      drive: () => {
        for (const goal of goals) driver.drive(goal);
      },
    },
    turns,
  );
  const milliseconds = (seconds: number): number => (1000 * seconds) / POSES;
  return { skin: milliseconds(skin), rigid: milliseconds(rigid), drive: milliseconds(drive) };
}

/** What a pose by control points allocates beyond one by transforms. */
function ownAllocation(predictor: Predictor): number {
  const driver = new SurfaceDriver(predictor);
  const skinner = new Skinner(predictorModel(predictor), { normals: false });
  const goal = predictor.kernel.mean;
  const transforms = driver.drive(goal).transforms.slice();
  return Math.max(0, bytesPerCall(() => driver.drive(goal), 200) - bytesPerCall(() => skinner.pose(transforms), 200));
}

const noResidual = { residual: false } as const;
const rows: string[][] = [];
const rowOf = (name: string, { skin, rigid, drive }: Awaited<ReturnType<typeof timePose>>): string[] => [
  name,
  ...[skin, rigid, drive].map((ms) => ms.toFixed(3)),
  ...[skin, rigid].map((alone) => (drive / alone).toFixed(2)),
];
const allocated: number[] = [];

const big = tube(400, 38);
const usage = process.cpuUsage();
const whole = await learn([big], { bones: 260 });
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
  rows.push(rowOf(translations, await timePose(predictor, 15)));
  allocated.push(ownAllocation(predictor));
  console.error(rows.at(-1)!.join(' | '), allocated.at(-1));
}
rows.push(rowOf('with the residual', await timePose(whole.predictor, 15)));

/** Figure 2.13: growth with bones at 38 examples, and with examples at 100 bones; 3,000 vertices. */
const MODES = ['predicted', 'control-points', 'poisson'] as const;
type Growth = { bones: number; examples: number } & Record<(typeof MODES)[number], number>;
const growth: Growth[] = [];
const add = async (bones: number, examples: number): Promise<void> => {
  const sequence = tube(50, examples);
  // How well the bones fit does not matter here.
  const known = await collectExamples([sequence], 0);
  const clusters = await clusterBones(known, bones);
  const weights = await vertexWeights(await exampleProblem(known), clusters, nearBones(known, clusters));
  const given = { bones: { weights, transforms: clusters.transforms } };
  const row: Growth = { bones: clusters.count, examples, predicted: 0, 'control-points': 0, poisson: 0 };
  for (const translations of MODES) {
    const { predictor } = await learn([sequence], { ...noResidual, translations, pointChoice: 'spread', given });
    const { rigid, drive } = await timePose(predictor, 40);
    row[translations] = Math.max(1e-3, drive - rigid);
  }
  growth.push(row);
  console.error(JSON.stringify(row));
};
for (const bones of [50, 100, 200, 400, 650]) await add(bones, 38);
for (const examples of [10, 50, 100, 200, 300]) await add(100, examples);
const [byBones, byExamples] = [growth.slice(0, 5), growth.slice(5)];
const curves = (rows: readonly Growth[], along: 'bones' | 'examples') =>
  MODES.map((name) => ({ name, points: rows.map((row) => [row[along], row[name]] as const) }));
const panels = [
  { across: 'bones (38 examples)', curves: curves(byBones, 'bones') },
  { across: 'examples (100 bones)', curves: curves(byExamples, 'examples') },
];
const exponents = panels.map(({ curves: all }) =>
  all.map(({ name, points }) => `${name} ${growthExponent(points).toFixed(2)}`).join(', '),
);

const text = [
  '# Learn: speed',
  '',
  `260 bones, 38 examples, 24,000 vertices, one thread (${machine()}). CPU time. Training: ` +
    `${((user + system) / 1e6).toFixed(1)} s.`,
  '',
  'The bones of the predictor are rigid, so their matrices need no decomposition; the last column compares with skinning',
  'that skips it too.',
  '',
  markdownTable(
    ['translations', 'skinning alone, ms', 'of rigid bones', 'predict + translate + skin', 'ratio', 'ratio, rigid'],
    rows,
  ),
  '',
  `A pose by control points allocates ${Math.round(Math.max(...allocated))} bytes more than one by transforms.`,
  '',
  'Time that prediction and translations add to skinning, in ms, without the residual (3,000 vertices):',
  '',
  markdownTable(
    ['bones', 'examples', ...MODES],
    growth.map((row) => [String(row.bones), String(row.examples), ...MODES.map((mode) => row[mode].toFixed(3))]),
  ),
  '',
  `Growth exponents with bones: ${exponents[0]}; with examples: ${exponents[1]}.`,
].join('\n');
console.log(text);
if (flags.write) {
  writeResults('learn-speed', text);
  const title = 'Time that prediction and translations add to skinning';
  writeFileSync(`${ROOT}docs/images/learn-growth.svg`, growthPlot(title, 'ms per pose', panels));
}
