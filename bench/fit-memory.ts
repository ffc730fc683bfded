// The memory that a fit needs, and how it depends on the number of frames: a waving sheet of 20,000 vertices whose frames
// are computed when asked for, in a process of its own for each number of frames.
//
//   node dist/bench/fit-memory.js [--write]

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fit } from '../src/fit/fit.ts';
import type { Mesh, MeshSequence } from '../src/index.ts';
import { seededRandom } from '../src/math/rng.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import { nodePool } from '../src/platform/node/index.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const [ROWS, COLUMNS] = [125, 160];
const VERTICES = ROWS * COLUMNS;
const MODES = 60;
const BONES = 30;
const FRAMES = [200, 2000];

interface Peak {
  frames: number;
  /** Resident bytes, of the whole process: at most, and before the fit. */
  peak: number;
  before: number;
  rmse: number;
  seconds: number;
  /** Of all threads together. */
  processorSeconds: number;
  perStage: Record<string, number>;
}

const [child] = process.argv.slice(2);
if (child !== undefined && /^\d+$/.test(child)) console.log(JSON.stringify(await fitSheet(Number(child))));
else report(FRAMES.map(inChild));

async function fitSheet(frames: number): Promise<Peak> {
  const sheet = wavingSheet(frames);
  await sheet.readFrame(0);
  const before = process.memoryUsage.rss();
  const pool = await nodePool(2);
  const started = performance.now();
  const { errors, report: found } = await fit(sheet, { preset: 'fast', bones: BONES, pool });
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    frames,
    peak: maxRSS * 1024,
    before,
    rmse: errors.rmsePercent!,
    seconds,
    processorSeconds: (userCPUTime + systemCPUTime) / 1e6,
    perStage: found.seconds,
  };
}

/** A sheet of 1.25 × 1 that moves in 60 standing waves, each with a direction, a frequency and a phase of its own. */
function wavingSheet(frameCount: number): MeshSequence {
  const random = seededRandom(1);
  const rest = sheet();
  const waves = Array.from({ length: MODES }, (_, m) => {
    const [across, along] = [1 + (m % 8), 1 + Math.floor(m / 8)];
    const shape = Float32Array.from({ length: VERTICES }, (_, i) => {
      const [x, y] = [rest.positions[3 * i] / 1.25, rest.positions[3 * i + 1]];
      return Math.sin(Math.PI * across * x) * Math.sin(Math.PI * along * y);
    });
    const amplitude = 0.15 / (across * along);
    const direction = [random() - 0.5, random() - 0.5, 2 * random() - 1].map((x) => amplitude * x);
    return { shape, direction, frequency: 0.2 + 2 * random(), phase: 2 * Math.PI * random() };
  });
  const times = steadyTimes(frameCount);
  return {
    name: 'waving sheet',
    rest,
    frameCount,
    times,
    async readFrame(k, out = new Float32Array(3 * VERTICES)) {
      out.set(rest.positions);
      for (const { shape, direction, frequency, phase } of waves) {
        const now = Math.sin(2 * Math.PI * frequency * times[k] + phase);
        const [dx, dy, dz] = direction.map((x) => now * x);
        for (let i = 0; i < VERTICES; i++) {
          out[3 * i] += dx * shape[i];
          out[3 * i + 1] += dy * shape[i];
          out[3 * i + 2] += dz * shape[i];
        }
      }
      return out;
    },
  };
}

function sheet(): Mesh {
  const positions = new Float32Array(3 * VERTICES);
  const triangles: number[] = [];
  for (let r = 0; r < ROWS; r++) {
    for (let c = 0; c < COLUMNS; c++) {
      const i = r * COLUMNS + c;
      positions.set([(1.25 * c) / (COLUMNS - 1), r / (ROWS - 1), 0], 3 * i);
      if (r + 1 < ROWS && c + 1 < COLUMNS) {
        triangles.push(i, i + 1, i + COLUMNS, i + 1, i + COLUMNS + 1, i + COLUMNS);
      }
    }
  }
  return { positions, triangles: Uint32Array.from(triangles) };
}

function inChild(frames: number): Peak {
  console.error(`${frames} frames …`);
  return JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), `${frames}`]).toString());
}

function report(peaks: readonly Peak[]): void {
  const MB = (bytes: number) => (bytes / 1e6).toFixed(0);
  const [least, most] = peaks;
  const perFrame = (most.peak - least.peak) / (most.frames - least.frames);
  const frameBytes = 12 * VERTICES;
  const text = `# Memory of a fit

${VERTICES} vertices that move in ${MODES} waves, frames computed on demand; preset \`fast\`, ${BONES} bones of the
default kind, two threads. Resident memory of the whole process, including Node. ${machine()}. Written by
\`node dist/bench/fit-memory.js --write\`.

${markdownTable(
  [
    'frames',
    'size of frames in MB',
    'before the fit MB',
    'peak MB',
    'RMSE %',
    's',
    'reduce',
    'solve',
    'measure',
    'CPU s',
  ],
  peaks.map(({ frames, peak, before, rmse, seconds, processorSeconds, perStage }) => [
    String(frames),
    MB(frames * frameBytes),
    MB(before),
    MB(peak),
    rmse.toPrecision(3),
    seconds.toFixed(1),
    ...['reduce', 'solve', 'measure'].map((stage) => perStage[stage].toFixed(1)),
    processorSeconds.toFixed(1),
  ]),
)}

The peak for ${VERTICES} vertices × ${most.frames} frames is **${MB(most.peak)} MB**. A frame adds ${(perFrame / 1000).toFixed(0)} kB; the frame itself is ${(frameBytes / 1000).toFixed(0)} kB.
Must: bounded by the mesh and the basis, not by the number of frames: ${perFrame < frameBytes / 4 ? 'PASS' : 'FAIL'}.
`;
  console.log(text);
  if (process.argv.includes('--write')) writeResults('fit-memory', text);
  if (perFrame >= frameBytes / 4) process.exitCode = 1;
}
