import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fit } from '../src/fit/fit.ts';
import type { FitOptions } from '../src/fit/fit-options.ts';
import { readAsset } from '../src/io/read-asset.ts';
import type { MeshSequence } from '../src/model/sequence.ts';
import { nodeFiles, nodePool } from '../src/platform/node/index.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';

/**
 * `fit` against the published results of Le & Deng's solver (SSDR): error and seconds at the same number and kind of
 * bones, 4 influences, rest pose unchanged. Needs the sequences in a folder `shared/data` beside the checkout.
 *
 *   node dist/bench/fit.js [--preset fast|best] [--only horse] [--threads 2] [--write]
 */

interface Row {
  sequence: string;
  kind: FitOptions['kind'];
  bones: number;
  /** Published RMSE in % of the diagonal. */
  rmse: number;
  /** Published seconds. */
  seconds: number;
}

const row = (sequence: string, kind: Row['kind'], bones: number, rmse: number, seconds: number): Row => ({
  sequence,
  kind,
  bones,
  rmse,
  seconds,
});

export const PUBLISHED: Row[] = [
  row('horse-gallop', 'affine', 10, 0.489, 80),
  row('horse-gallop', 'affine', 20, 0.243, 177),
  row('horse-gallop', 'affine', 30, 0.152, 372),
  row('horse-collapse', 'affine', 10, 0.398, 145),
  row('horse-collapse', 'affine', 20, 0.277, 203),
  row('horse-collapse', 'rigid', 10, 0.571, 94),
  row('cat-poses', 'affine', 10, 0.608, 19),
  row('cat-poses', 'affine', 15, 0.409, 32),
  row('cat-poses', 'affine', 20, 0.299, 49),
  row('cat-poses', 'affine', 25, 0.228, 154),
  row('cat-poses', 'rigid', 15, 0.514, 20),
  row('cat-poses', 'rigid', 20, 0.376, 28),
  row('cat-poses', 'rigid', 25, 0.267, 38),
  row('face-poses', 'affine', 27, 0.248, 450),
  row('cow-elastic', 'affine', 10, 0.603, 70),
  row('cow-elastic', 'affine', 24, 0.272, 330),
  row('wolf-poses', 'rigid', 21, 0.0838, 49),
];

/** In the published figures these count the rest pose as one more frame. */
const WITH_REST = new Set(['horse-collapse', 'cow-elastic']);

/** What each preset must reach: error and seconds as fractions of the published ones. */
const MUST = { best: { rmse: 0.85, seconds: 1 / 3 }, fast: { rmse: 1, seconds: 1 / 20 } };

const DATA = join(ROOT, '../shared/data/sequences/');

async function openSequence(name: string): Promise<MeshSequence> {
  const { sequences } = await readAsset(nodeFiles, [`${DATA}${name}`]);
  return WITH_REST.has(name) ? withRestFrame(sequences[0]) : sequences[0];
}

function withRestFrame(sequence: MeshSequence): MeshSequence {
  const step = sequence.times[1] - sequence.times[0];
  return {
    ...sequence,
    frameCount: sequence.frameCount + 1,
    times: Float64Array.from([sequence.times[0] - step, ...sequence.times]),
    async readFrame(k, out = new Float32Array(sequence.rest.positions.length)) {
      if (k > 0) return sequence.readFrame(k - 1, out);
      out.set(sequence.rest.positions);
      return out;
    },
  };
}

const argument = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};

if (!existsSync(DATA)) {
  console.error(`bench/fit needs the sequences of others, which are not here: ${DATA}`);
  process.exit(2);
}
const presets = (argument('preset')?.split(',') ?? ['fast', 'best']) as ('fast' | 'best')[];
const only = argument('only') ?? '';
const threads = Number(argument('threads') ?? 2);
const pool = await nodePool(threads);
const lines: string[][] = [];
for (const { sequence, kind, bones, rmse, seconds } of PUBLISHED) {
  if (!`${sequence}:${bones}:${kind}`.includes(only)) continue;
  const input = await openSequence(sequence);
  for (const preset of presets) {
    const started = performance.now();
    const cpu = process.cpuUsage();
    const { errors, report } = await fit(input, { preset, kind, bones, pool });
    const took = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const must = MUST[preset];
    const ratio = errors.rmsePercent! / rmse;
    const good = ratio <= must.rmse && took / seconds <= must.seconds;
    lines.push([
      `${sequence} ${bones} ${kind}`,
      preset,
      rmse.toPrecision(3),
      errors.rmsePercent!.toPrecision(3),
      ratio.toFixed(2),
      errors.maxErrorPercent!.toPrecision(3),
      String(seconds),
      took.toFixed(2),
      ((user + system) / 1e6).toFixed(2),
      `1/${Math.round(seconds / took)}`,
      good ? 'PASS' : 'FAIL',
    ]);
    console.log(lines[lines.length - 1].join('  '), JSON.stringify(report.seconds));
  }
  await input.close?.();
}
await pool.close();
const head = [
  'sequence, bones',
  'preset',
  'RMSE % published',
  'ours',
  'ratio',
  'max % ours',
  's published',
  'ours',
  'CPU s',
  'ratio',
  '',
];
const table = markdownTable(head, lines);
console.log(`\n${table}`);
if (process.argv.includes('--write')) {
  const how = `${threads} threads of ${machine()}. Written by \`node dist/bench/fit.js --write\`.`;
  writeResults('fit', `# Fit against published results\n\n${how}\n\n${table}`);
}
