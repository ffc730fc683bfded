// What light costs on one thread: spheres and modes per vertex, how a bake grows, and the memory of a large one. Seconds are
// those of the processor, the fastest of several runs. Generated figures.
//
//   node dist/bench/light-speed.js [--memory 128, poses; 0: without] [--write]

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bakeLight } from '../src/light/light.ts';
import { LIGHT_OPTIONS, type LightOptions } from '../src/light/light-options.ts';
import { ModeSums } from '../src/light/mode-sums.ts';
import { addResidual } from '../src/light/residual.ts';
import { LightScene } from '../src/light/scene.ts';
import { SceneBase } from '../src/light/scene-base.ts';
import { sceneSpheres } from '../src/light/scene-spheres.ts';
import { seededRandom } from '../src/math/rng.ts';
import type { LightModes } from '../src/model/light.ts';
import { vertexCount } from '../src/model/mesh.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { sampleFigure } from '../src/rig/samples/figure.ts';
import { clipPoses } from '../src/skin/choose-poses.ts';
import { traceWith } from '../src/verbs/light-parts.ts';
import { growthExponent } from './growth-plot.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

const { values: flags } = parseArgs({
  options: {
    memory: { type: 'string', default: '128' },
    child: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
/** Vertices of the chapter's Armadillo. */
const LARGE = 33_000;
const SIZE = 25;

const figure = (vertices: number): SkinnedModel => {
  const made = sampleFigure(vertices, 24, 24);
  const { positions, triangles } = made.mesh;
  return { ...made, mesh: { positions, triangles }, clips: made.clips.slice(0, 1) };
};

async function fastestOf(runs: number, work: () => unknown): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < runs; run++) {
    const elapsed = stopwatch();
    await work();
    best = Math.min(best, elapsed());
  }
  return best;
}

/** A pose of a scene under its spheres: seconds. */
function baseSeconds(model: SkinnedModel, spheres: number, runs = 5): Promise<number> {
  const scene = new LightScene([model]);
  const base = new SceneBase(scene, sceneSpheres(scene, spheres), { order: 5 });
  const [{ parts }] = clipPoses([model], model.clips[0].name, 1);
  return fastestOf(runs, () => base.run(parts));
}

/** Modes of random bytes: seconds per pose of the kernel and of its twin. */
async function modeSeconds(vertices: number): Promise<[kernel: number, twin: number]> {
  const random = seededRandom(1);
  const groups = 20;
  const modes = LIGHT_OPTIONS.modes.default;
  const bytes = (count: number) => Int8Array.from({ length: count }, () => 255 * random() - 127.5);
  const residual: LightModes = {
    modes,
    mean: bytes(vertices * SIZE),
    meanScales: new Float32Array(groups * SIZE).fill(1e-3),
    basis: bytes(vertices * modes * SIZE),
    basisScales: new Float32Array(groups * modes).fill(1e-3),
    coefficients: new Int16Array(0),
    coefficientScales: new Float32Array(0),
  };
  const groupOf = Uint16Array.from({ length: vertices }, () => groups * random());
  const weights = Float32Array.from({ length: groups * modes }, random);
  const out = new Float32Array(vertices * SIZE);
  const sums = ModeSums.of(groupOf, residual)!;
  const many = (work: () => void) => async () => {
    for (let k = 0; k < 10; k++) work();
  };
  const kernel = await fastestOf(
    8,
    many(() => sums.add(out, weights)),
  );
  const twin = await fastestOf(
    2,
    many(() => addResidual(out, groupOf, residual, weights)),
  );
  return [kernel / 10, twin / 10];
}

const bakeSeconds = (models: readonly SkinnedModel[], options: Partial<LightOptions>): Promise<number> =>
  fastestOf(2, () => bakeLight(models, { fit: false, rays: 32, poses: 4, ...options }, traceWith()));

/** Rows of a series, and its exponent. */
async function growth(name: string, sizes: readonly number[], seconds: (size: number) => Promise<number>) {
  const points: [number, number][] = [];
  for (const size of sizes) points.push([size, await seconds(size)]);
  const row = [
    name,
    points.map(([size]) => size.toLocaleString('en')).join(' / '),
    points.map(([, s]) => (1000 * s).toFixed(0)).join(' / '),
    growthExponent(points).toFixed(2),
  ];
  console.error(row.join(' | '));
  return row;
}

if (flags.child !== undefined) {
  const model = figure(LARGE);
  const before = process.memoryUsage.rss();
  await bakeLight([model], { fit: false, rays: 16, poses: Number(flags.child) }, traceWith());
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ vertices: vertexCount(model.mesh), before, peak }));
  process.exit(0);
}

const model = figure(20_000);
const n = vertexCount(model.mesh);
const base = await baseSeconds(model, 64);
const [kernel, twin] = await modeSeconds(n);
const speed = [
  ['64 spheres, 64 directions, µs per vertex', ((1e6 * base) / n).toFixed(2)],
  [`${LIGHT_OPTIONS.modes.default} modes, ns per vertex`, ((1e9 * kernel) / n).toFixed(0)],
  [`${LIGHT_OPTIONS.modes.default} modes, TypeScript, ns per vertex`, ((1e9 * twin) / n).toFixed(0)],
];
for (const row of speed) console.error(row.join(': '));
const small = figure(1500);
const slopes = [
  await growth('base: vertices', [2500, 5000, 10_000, 20_000], (size) => baseSeconds(figure(size), 64, 3)),
  await growth('base: spheres', [16, 32, 64, 128], (spheres) => baseSeconds(figure(5000), spheres, 3)),
  await growth('bake: vertices', [1500, 3000, 6000], (size) => bakeSeconds([figure(size)], {})),
  await growth('bake: poses', [4, 8, 16], (poses) => bakeSeconds([small], { poses })),
  await growth('bake: rays', [32, 64, 128], (rays) => bakeSeconds([small], { rays })),
  await growth('bake: characters', [1, 2, 4], (count) => bakeSeconds(standing(small, count), {})),
];
/** The memory of a large bake, in a process of its own. */
function memoryText(poses: number): string {
  const self = fileURLToPath(import.meta.url);
  const told = execFileSync(process.execPath, [self, '--child', `${poses}`], { encoding: 'utf8' });
  const { vertices, before, peak } = JSON.parse(told) as { vertices: number; before: number; peak: number };
  const gigabytes = (bytes: number) => (bytes / 2 ** 30).toFixed(2);
  return `## Memory

${vertices.toLocaleString('en')} vertices, ${poses} poses, 16 rays: at most ${gigabytes(peak)} GiB, of which ${gigabytes(before)} before the bake. Modes are kept as 128
rows per bone at most, so that more poses hardly add to it.`;
}

const poses = Number(flags.memory);
const text = `${markdownTable(['20,000 vertices, one pose', ''], speed)}

## Growth

${markdownTable(['', 'sizes', 'milliseconds', 'exponent'], slopes)}

Bakes without a fit, 4 poses, 32 rays, 1,500 vertices where nothing else is said; several characters share 64 spheres.

${poses > 0 ? memoryText(poses) : ''}`;
console.log(text);
if (flags.write) {
  const about = `One thread, time of the processor. ${machine()}. Written by \`node dist/bench/light-speed.js --write\`.`;
  writeResults('light-speed', `# What light costs\n\n${about}\n\n${text}`);
}

/** The same character several times, side by side. */
function standing(one: SkinnedModel, count: number): SkinnedModel[] {
  return Array.from({ length: count }, (_, k) => {
    const positions = one.mesh.positions.map((x, c) => (c % 3 === 0 ? x + 0.8 * k : x));
    return { ...one, name: `${one.name} ${k}`, mesh: { ...one.mesh, positions } };
  });
}
