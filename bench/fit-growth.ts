import { parseArgs } from 'node:util';
import { type FitOptions, fit, type MeshSequence } from '../src/index.ts';
import { SMALL_MODEL_GLB } from '../src/io/glb/options.ts';
import { vertexCount } from '../src/model/mesh.ts';
import { bird, figure, spikes, toy } from './fit-growth-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

/**
 * How error and time of `fit` grow: with richer bones, with more of them, with frames, on small meshes, and with a search for
 * a size. Ratios are of one run; seconds are of the processor, on one thread. All motions are generated.
 *
 *   node dist/bench/fit-growth.js [--only kinds,bones,frames,small,size] [--write]
 */

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'kinds,bones,frames,small,size' },
    write: { type: 'boolean', default: false },
  },
});
const wanted = new Set(flags.only.split(','));

interface Fitted {
  kind: FitOptions['kind'];
  rmse: number;
  bones: number;
  seconds: number;
}

async function fitted(
  sequence: MeshSequence,
  options: Partial<FitOptions>,
  glb?: Parameters<typeof fit>[1],
): Promise<Fitted> {
  const elapsed = stopwatch();
  const { result } = await fit(sequence, { ...options, ...glb });
  const seconds = elapsed();
  console.error(sequence.name, JSON.stringify(options), result.errors.rmsePercent, seconds.toFixed(2));
  return { rmse: result.errors.rmsePercent!, bones: result.bones, kind: result.kind, seconds };
}

const NONE = 0.005;
const three = (x: number) => x.toPrecision(3);
const s = (x: number) => x.toFixed(1);
const ratio = (a: number, b: number) => (a < NONE && b < NONE ? 'both exact' : (a / b).toFixed(2));
const slope = (a: number, b: number, growth: number) => (Math.log(b / a) / Math.log(growth)).toFixed(2);
const size = (sequence: MeshSequence) => `${vertexCount(sequence.rest)} × ${sequence.frameCount}`;

/** Richer bones against poorer ones, as many. */
async function kindRows(): Promise<string[][]> {
  const cases: [MeshSequence, number][] = [
    [toy(20, 8, 40), 20],
    [toy(24, 8, 40), 20],
    [toy(12, 8, 40, 0.02), 12],
    [bird(30, 48), 12],
    [spikes(60, 20, 40), 20],
    [await figure(2500, 30, 'dance', 'dqs'), 12],
  ];
  const rows: string[][] = [];
  for (const [sequence, bones] of cases) {
    const [rigid, trs, affine] = [
      await fitted(sequence, { kind: 'rigid', bones }),
      await fitted(sequence, { kind: 'trs', bones }),
      await fitted(sequence, { kind: 'affine', bones }),
    ];
    rows.push([
      sequence.name,
      size(sequence),
      String(bones),
      ...[rigid, trs, affine].map(({ rmse }) => three(rmse)),
      ratio(trs.rmse, rigid.rmse),
      ratio(affine.rmse, trs.rmse),
      ...[rigid, trs, affine].map(({ seconds }) => s(seconds)),
    ]);
  }
  return rows;
}

/** More bones against fewer. */
async function boneRows(): Promise<string[][]> {
  const exercise = await figure(3000, 60, 'exercise', 'dqs');
  const cases: [MeshSequence, FitOptions['kind'], number[]][] = [
    [spikes(60, 26, 40), 'rigid', [10, 20, 40, 80]],
    [toy(14, 8, 40), 'trs', [14, 20, 40]],
    [exercise, 'rigid', [20, 40, 80, 200]],
    [exercise, 'trs', [20, 40, 80, 200]],
    [exercise, 'affine', [20, 40, 80, 200]],
  ];
  const rows: string[][] = [];
  for (const [sequence, kind, counts] of cases) {
    let before: (Fitted & { asked: number }) | undefined;
    for (const bones of counts) {
      const found = { ...(await fitted(sequence, { kind, bones })), asked: bones };
      rows.push([
        sequence.name,
        kind,
        String(bones),
        String(found.bones),
        three(found.rmse),
        before ? ratio(found.rmse, before.rmse) : '',
        s(found.seconds),
        before ? slope(before.seconds, found.seconds, bones / before.asked) : '',
      ]);
      before = found;
    }
  }
  return rows;
}

async function frameRows(): Promise<string[][]> {
  const [few, many] = [await figure(3000, 300, 'exercise', 'dqs'), await figure(3000, 1000, 'exercise', 'dqs')];
  const rows: string[][] = [];
  for (const kind of ['trs', 'affine'] as const) {
    const [a, b] = [await fitted(few, { kind, bones: 20 }), await fitted(many, { kind, bones: 20 })];
    rows.push([
      kind,
      size(few),
      three(a.rmse),
      s(a.seconds),
      size(many),
      three(b.rmse),
      s(b.seconds),
      slope(a.seconds, b.seconds, 1000 / 300),
    ]);
  }
  return rows;
}

async function smallRows(): Promise<string[][]> {
  const rows: string[][] = [];
  await fitted(toy(4, 4, 8), { bones: 4 }); // compilers wake up
  for (const sequence of [spikes(60, 16, 100), bird(30, 100)]) {
    for (const kind of ['rigid', 'trs', 'affine'] as const) {
      const [best, fast] = [
        await fitted(sequence, { kind, bones: 20 }),
        await fitted(sequence, { kind, bones: 20, preset: 'fast' }),
      ];
      rows.push([
        sequence.name,
        size(sequence),
        kind,
        three(best.rmse),
        three(fast.rmse),
        best.seconds.toFixed(2),
        fast.seconds.toFixed(2),
      ]);
    }
  }
  return rows;
}

async function sizeRows(): Promise<string[][]> {
  const sequence = await figure(3000, 60, 'exercise', 'dqs');
  const written = { glb: SMALL_MODEL_GLB, baseline: false };
  const searched = await fitted(sequence, { maxSize: 70e3 }, written);
  const one = await fitted(sequence, { bones: searched.bones, kind: searched.kind }, written);
  return [
    [
      sequence.name,
      size(sequence),
      '70 kB',
      searched.kind,
      String(searched.bones),
      s(searched.seconds),
      s(one.seconds),
      (searched.seconds / one.seconds).toFixed(1),
    ],
  ];
}

const sections: string[] = [];
async function section(
  name: string,
  title: string,
  head: readonly string[],
  rows: () => Promise<string[][]>,
): Promise<void> {
  if (wanted.has(name)) sections.push(`## ${title}\n\n${markdownTable(head, await rows())}`);
}

await section(
  'kinds',
  'Richer bones, as many (goal: at most 1.00, or both below 0.005 %)',
  [
    'motion',
    'vertices × frames',
    'bones',
    'rigid',
    'trs',
    'affine',
    'trs / rigid',
    'affine / trs',
    's rigid',
    's trs',
    's affine',
  ],
  kindRows,
);
await section(
  'bones',
  'More bones (goal: error at most 1.02 of that of fewer; exponent of time at most 1.3)',
  ['motion', 'kind', 'bones', 'used', 'RMSE %', 'of fewer', 's', 'exponent'],
  boneRows,
);
await section(
  'frames',
  'More frames (goal: exponent at most 1.0)',
  ['kind', 'vertices × frames', 'RMSE %', 's', 'vertices × frames', 'RMSE %', 's', 'exponent'],
  frameRows,
);
await section(
  'small',
  'Small meshes, 20 bones (goal: best 3 s, fast 0.7 s)',
  ['motion', 'vertices × frames', 'kind', 'RMSE % best', 'fast', 's best', 's fast'],
  smallRows,
);
await section(
  'size',
  'A search for a size (goal: at most 5 times one fit)',
  ['motion', 'vertices × frames', 'size', 'kind', 'bones found', 's search', 's one fit', 'ratio'],
  sizeRows,
);

const text = `# How fits grow

One thread of ${machine()}; seconds of the processor, with in-between keys and the measure.
Generated motions, most of which were looked at while the search was built; sections may be of several runs (\`--only\`). Written by \`node dist/bench/fit-growth.js --write\`.

${sections.join('\n\n')}
`;
console.log(text);
if (flags.write) writeResults('fit-growth', text);
