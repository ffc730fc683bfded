// Caches of a hundred megabytes and more become small files: a curtain, a face and a worm, written as OBJ + PC2 and fitted
// from there, each in a process of its own.
//
//   node dist/bench/large.js [--write]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fit } from '../src/fit/fit.ts';
import {
  type Mesh,
  type MeshSequence,
  readAsset,
  SMALL_MODEL_GLB,
  writeModelGlb,
  writeObj,
  writePc2,
} from '../src/index.ts';
import { SMALL_WEIGHT_LEVELS } from '../src/io/glb/options.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import { createFileSink, nodeFiles, nodePool } from '../src/platform/node/index.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { sin, cos, exp, PI } = Math;

/** Where the point (u, v) of a grid is at a time in seconds; undefined is the rest pose. */
type Motion = (u: number, v: number, t: number | undefined) => [x: number, y: number, z: number];

interface Case {
  name: string;
  rows: number;
  columns: number;
  frames: number;
  bones: number;
  motion: Motion;
}

/** Hangs from its upper edge, swings, and has folds of three widths travelling across. */
const curtain: Motion = (u, v, t) => {
  const x = 2 * u - 1;
  if (t === undefined) return [x, 1 - 2 * v, 0];
  const loose = v * (1 - 0.3 * v);
  const swing = 0.5 * sin(0.9 * t) * v * v + 0.15 * sin(2.3 * t + 3 * v) * v;
  const wide = 0.09 * sin(9 * x + 1.2 * sin(1.3 * t + 2 * v) - 2.1 * t);
  const narrow = 0.035 * sin(23 * x + 5 * v - 4.8 * t) + 0.012 * sin(51 * x - 17 * v + 6.5 * t);
  const gathered = 1 - 0.12 * loose * (1 + 0.5 * sin(1.1 * t));
  return [x * gathered, 1 - 2 * v + 0.03 * loose * sin(7 * x + 2.9 * t), swing + loose * (wide + narrow)];
};

/** An egg with a jaw, brows and cheeks: most of it stands still. */
const face: Motion = (u, v, t) => {
  const [a, b] = [2 * PI * u, PI * (0.02 + 0.96 * v)];
  const [x, y, z] = [0.8 * sin(b) * sin(a), 1.1 * cos(b), 0.95 * sin(b) * cos(a)];
  if (t === undefined || z < 0) return [x, y, z];
  const near = (cx: number, cy: number, width: number): number =>
    exp(-((x - cx) ** 2 + (y - cy) ** 2) / width) + exp(-((x + cx) ** 2 + (y - cy) ** 2) / width);
  const jaw = (0.5 + 0.5 * sin(5 * t)) * Math.min(1, Math.max(0, 4 * (-y - 0.35)));
  const brows = 0.05 * sin(2.9 * t) ** 2 * near(0.3, 0.35, 0.03);
  const smile = 0.04 * sin(1.7 * t) * near(0.3, -0.45, 0.02);
  return [x, y + brows + smile - 0.06 * jaw, z + 0.04 * sin(1.1 * t) ** 2 * near(0.5, -0.2, 0.05) - 0.03 * jaw];
};

/** A tube that bends, twists and swells. */
const worm: Motion = (u, v, t) => {
  const [a, along] = [2 * PI * u, 4 * v - 2];
  const radius = 0.35 * (1 - 0.6 * (v - 0.5) ** 2);
  if (t === undefined) return [along, radius * cos(a), radius * sin(a)];
  const bend = 1 + 0.6 * sin(1.3 * t) + 0.3 * sin(0.31 * t);
  const twist = 0.8 * sin(0.7 * t + 2 * v) * v;
  const swollen = radius * (1 + 0.08 * sin(8 * v - 3 * t));
  const [y, z] = [swollen * cos(a + twist), swollen * sin(a + twist)];
  const [around, arm] = [(bend * along) / 2, 2 / bend];
  return [(arm - y) * sin(around), arm - (arm - y) * cos(around), z + 0.2 * sin(0.5 * t + 3 * v)];
};

const CASES: readonly Case[] = [
  { name: 'curtain', rows: 200, columns: 200, frames: 250, bones: 40, motion: curtain },
  { name: 'face', rows: 320, columns: 313, frames: 80, bones: 30, motion: face },
  { name: 'worm', rows: 100, columns: 100, frames: 1500, bones: 20, motion: worm },
];

function sequenceOf({ name, rows, columns, frames, motion }: Case): MeshSequence {
  const pose = (t: number | undefined, out: Float32Array = new Float32Array(3 * rows * columns)): Float32Array => {
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const [x, y, z] = motion(r / (rows - 1), c / (columns - 1), t);
        const o = 3 * (r * columns + c);
        out[o] = x;
        out[o + 1] = y;
        out[o + 2] = z;
      }
    }
    return out;
  };
  const times = steadyTimes(frames);
  return {
    name,
    rest: { positions: pose(undefined), triangles: gridTriangles(rows, columns) } satisfies Mesh,
    frameCount: frames,
    times,
    readFrame: async (k, out) => pose(times[k], out),
  };
}

function gridTriangles(rows: number, columns: number): Uint32Array {
  const triangles: number[] = [];
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns; c++) {
      const i = r * columns + c;
      triangles.push(i, i + columns, i + columns + 1, i, i + columns + 1, i + 1);
    }
  }
  return Uint32Array.from(triangles);
}

interface Figures {
  bytesIn: number;
  bytesOut: number;
  rmse: number;
  worst: number;
  /** Of all threads together. */
  processorSeconds: number;
  /** Resident bytes of the whole process. */
  peak: number;
}

const [name, folder] = process.argv.slice(2);
const asked = CASES.find((one) => one.name === name);
if (asked && folder) console.log(JSON.stringify(await fitFiles(asked, folder)));
else await measureAll();

/** From files to the bytes of a GLB. */
async function fitFiles({ bones, name: stem }: Case, place: string): Promise<Figures> {
  const [mesh, cache] = [join(place, `${stem}.obj`), join(place, `${stem}.pc2`)];
  const { sequences } = await readAsset(nodeFiles, [mesh], { cache });
  const pool = await nodePool(2);
  const options = { preset: 'fast', bones, weightLevels: SMALL_WEIGHT_LEVELS, pool } as const;
  const { model, errors } = await fit(sequences[0], options);
  await pool.close();
  const { bytes } = await writeModelGlb([model], SMALL_MODEL_GLB);
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    bytesIn: statSync(mesh).size + statSync(cache).size,
    bytesOut: bytes.length,
    rmse: errors.rmsePercent!,
    worst: errors.maxErrorPercent!,
    processorSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peak: maxRSS * 1024,
  };
}

async function measureAll(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'pliant-large-'));
  try {
    const rows: string[][] = [];
    for (const one of CASES) rows.push(rowOf(one, await measureOne(one, place)));
    report(rows);
  } finally {
    rmSync(place, { recursive: true });
  }
}

async function measureOne(one: Case, place: string): Promise<Figures> {
  console.error(`${one.name} …`);
  const sequence = sequenceOf(one);
  writeFileSync(join(place, `${one.name}.obj`), writeObj(sequence.rest));
  const sink = await createFileSink(join(place, `${one.name}.pc2`));
  await writePc2(sequence, sink);
  await sink.close();
  return JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), one.name, place]).toString());
}

function rowOf(one: Case, { bytesIn, bytesOut, rmse, worst, processorSeconds, peak }: Figures): string[] {
  return [
    one.name,
    `${one.rows * one.columns}`,
    `${one.frames}`,
    (bytesIn / 1e6).toFixed(0),
    `${one.bones}`,
    (bytesOut / 1e3).toFixed(0),
    (bytesIn / bytesOut).toFixed(0),
    rmse.toPrecision(2),
    worst.toPrecision(2),
    processorSeconds.toFixed(0),
    (peak / 1e6).toFixed(0),
  ];
}

function report(rows: readonly string[][]): void {
  const head = ['', 'vertices', 'frames', 'in MB', 'bones', 'out kB', 'ratio', 'RMSE %', 'worst %', 'CPU s', 'peak MB'];
  const text = `# Caches of a hundred megabytes

Computed motions, written as OBJ + PC2, read back, fitted with the preset \`fast\`, and written as with \`--small\`. Ratio: bytes in
per byte out. CPU seconds of all threads, and peak resident memory of the whole process: reading, fitting, measuring and
writing. ${machine()}. Written by \`node dist/bench/large.js --write\`.

${markdownTable(head, rows)}
`;
  console.log(text);
  if (process.argv.includes('--write')) writeResults('large', text);
}
