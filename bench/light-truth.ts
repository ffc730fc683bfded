// Traced light: how long it takes and how it grows, how much noise is left, and how well 25 numbers of visibility stand for
// the shadows in reflections. Generated surfaces, and characters in their rest poses. Seconds are those of the processor, one
// thread, the fastest of several runs.
//
//   node dist/bench/light-truth.js [--write]

import { parseArgs } from 'node:util';
import {
  extractSuns,
  glossVisibility,
  type LightSurface,
  phongLobe,
  readEnvironment,
  traceGloss,
  traceTransfer,
} from '../src/doors/light.ts';
import { vertexNormals } from '../src/doors/mesh.ts';
import { readAsset } from '../src/index.ts';
import { randomNormal, seededRandom } from '../src/math/rng.ts';
import { evaluateSh, hemisphereLobe } from '../src/math/spherical-harmonics.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { realData } from './data.ts';
import { growthExponent } from './growth-plot.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

/** Of a bent tube with dents: half of its points see other parts of it. */
function tube(rows: number): LightSurface {
  const columns = 2 * rows;
  const positions: number[] = [];
  const triangles: number[] = [];
  const at = (a: number, b: number) => (a % columns) * rows + (b % rows);
  for (let a = 0; a < columns; a++) {
    for (let b = 0; b < rows; b++) {
      const [u, v] = [(2 * Math.PI * a) / columns, (2 * Math.PI * b) / rows];
      const radius = 1 + 0.25 * Math.sin(9 * u) * Math.sin(5 * v);
      const out = 2.2 + radius * Math.cos(v);
      positions.push(out * Math.cos(u), radius * Math.sin(v), out * Math.sin(u));
      triangles.push(at(a, b), at(a, b + 1), at(a + 1, b + 1), at(a, b), at(a + 1, b + 1), at(a + 1, b));
    }
  }
  const mesh = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  return { ...mesh, normals: vertexNormals(mesh), albedo: 0.6 };
}

function fastestRun(run: () => unknown, runs: number): number {
  let best = Infinity;
  for (let k = 0; k < runs; k++) {
    const elapsed = stopwatch();
    run();
    best = Math.min(best, elapsed());
  }
  return best;
}

const relativePercent = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let difference = 0;
  let size = 0;
  for (let c = 0; c < a.length; c++) {
    difference += (a[c] - b[c]) ** 2;
    size += b[c] ** 2;
  }
  return 100 * Math.sqrt(difference / size);
};

/** (1) Growth with vertices and rays: two bounces. */
function growth(): string {
  const vertices = [16, 32, 64, 128].map((rows) => tube(rows));
  const byVertices = vertices.map((surface): [number, number] => [
    surface.positions.length / 3,
    fastestRun(() => traceTransfer(surface, { rays: 128 }), 3),
  ]);
  const byRays = [64, 128, 256, 512].map((rays): [number, number] => [
    rays,
    fastestRun(() => traceTransfer(vertices[1], { rays }), 3),
  ]);
  const rows = [
    ...byVertices.map(([n, s]) => [`${n} vertices, 128 rays`, s.toFixed(3), ((n * 128) / s / 1e6).toFixed(1)]),
    ...byRays.map(([rays, s]) => [`2048 vertices, ${rays} rays`, s.toFixed(3), ((2048 * rays) / s / 1e6).toFixed(1)]),
  ];
  const exponents = `Exponents: vertices ${growthExponent(byVertices).toFixed(2)}, rays ${growthExponent(byRays).toFixed(2)}.`;
  return `${markdownTable(['', 'seconds', 'Mrays/s'], rows)}\n\n${exponents}`;
}

async function character(name: string): Promise<LightSurface | undefined> {
  const path = realData(`gltf/${name}.glb`);
  if (!path) return undefined;
  const { mesh } = (await readAsset(nodeFiles, [path])).models[0];
  const { positions, triangles } = mesh;
  return { positions, triangles, normals: vertexNormals({ positions, triangles }), albedo: 0.6 };
}

/** (2) Noise of transfer against 8,192 rays of another seed, in %, and seconds at 512 rays. */
function noiseRow(name: string, surface: LightSurface): string[] {
  const truth = traceTransfer(surface, { rays: 8192, seed: 99 }).transfer;
  const noise = [128, 256, 512, 1024].map((rays) =>
    relativePercent(traceTransfer(surface, { rays }).transfer, truth).toFixed(2),
  );
  const seconds = fastestRun(() => traceTransfer(surface, { rays: 512 }), 3);
  return [name, `${surface.positions.length / 3}`, ...noise, seconds.toFixed(2)];
}

const REFLECTIONS = 300;
const EXPONENTS = [8, 32, 128];

/** (3) Errors of reflections in %: the map alone, the sum over bands, and that over an open point's, times the horizon. */
function glossRows(
  name: string,
  surface: LightSurface,
  maps: [string, Parameters<typeof traceGloss>[1]][],
): string[][] {
  const { visibility, inside } = traceTransfer(surface, { rays: 1024, visibility: true, bounces: 0 });
  const random = seededRandom(3);
  const vertices: number[] = [];
  const directions: number[] = [];
  while (vertices.length < REFLECTIONS) {
    const i = Math.floor((random() * surface.positions.length) / 3);
    const v = [0, 1, 2].map(() => randomNormal(random));
    const length = Math.hypot(...v);
    const cosine = [0, 1, 2].reduce((sum, c) => sum + v[c] * surface.normals[3 * i + c], 0);
    if (inside[i] || cosine <= 0) continue;
    vertices.push(i);
    directions.push(...v.map((x) => x / length));
  }
  const at = { vertices, directions: Float32Array.from(directions) };
  return maps.flatMap(([light, map]) =>
    EXPONENTS.map((exponent) => {
      const lobe = phongLobe(5, exponent);
      const { seen, open } = traceGloss(surface, map, at, lobe);
      const scaled = (part: (m: number, i: number) => number) =>
        relativePercent(
          open.map((x, c) => x * part(Math.floor(c / 3), vertices[Math.floor(c / 3)])),
          seen,
        ).toFixed(1);
      const direction = (m: number) => at.directions.subarray(3 * m, 3 * m + 3);
      const bandSum = (m: number, i: number): number => {
        const y = new Float64Array(25);
        evaluateSh(5, ...(Array.from(direction(m)) as [number, number, number]), y);
        const sum = y.reduce(
          (total, value, c) => total + value * lobe.factors[Math.floor(Math.sqrt(c))] * visibility![25 * i + c],
          0,
        );
        return Math.min(1, Math.max(0, sum));
      };
      const occlusion = (_: number, i: number): number => {
        const all = new Float64Array(25);
        hemisphereLobe(5, surface.normals, all, 0, 3 * i);
        return visibility![25 * i] / all[0];
      };
      const ours = (m: number, i: number): number =>
        glossVisibility(visibility!, 25 * i, surface.normals.subarray(3 * i, 3 * i + 3), direction(m), lobe);
      return [name, light, `${exponent}`, scaled(() => 1), scaled(occlusion), scaled(bandSum), scaled(ours)];
    }),
  );
}

const sections = [`## Growth\n\n${growth()}`];
const names = ['CesiumMan', 'Fox', 'RiggedFigure'];
const characters: [string, LightSurface][] = [];
for (const name of names) {
  const surface = await character(name);
  if (surface) characters.push([name, surface]);
}
if (characters.length > 0) {
  const noise = characters.map(([name, surface]) => noiseRow(name, surface));
  const head = ['', 'vertices', '128 rays', '256', '512', '1024', 'seconds, 512 rays'];
  sections.push(`## Noise of transfer, %\n\n${markdownTable(head, noise)}`);
}
const maps: [string, Parameters<typeof traceGloss>[1]][] = [];
for (const name of ['venice_sunset_1k', 'quarry_01_1k']) {
  const path = realData(`hdr/${name}.hdr`);
  if (!path) continue;
  const source = await nodeFiles.open(path);
  maps.push([name, extractSuns(await readEnvironment(source)).rest]);
  await source.close();
}
if (maps.length > 0 && characters.length > 0) {
  const rows = characters.flatMap(([name, surface]) => glossRows(name, surface, maps));
  const head = ['', 'light, without its sun', 'exponent', 'map', '× ambient', '× sum of bands', '× of an open point'];
  sections.push(`## Reflections, error in %\n\n${markdownTable(head, rows)}`);
}
const text = sections.join('\n\n');
console.log(text);
if (flags.write) {
  const about = `One thread, seconds of the processor. ${machine()}. Written by \`node dist/bench/light-truth.js --write\`.`;
  writeResults('light-truth', `# Traced light\n\n${about}\n\n${text}`);
}
