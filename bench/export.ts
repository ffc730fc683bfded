// What proxy bones save, and what the file loses: sizes against morph targets, errors at keys and half-way between them.
// Generated sequences always; those in ../shared/data too, where it is.
//
//   node dist/bench/export.js [--only horse] [--write]

import { type CaseFigures, exportFigures, KINDS } from './export-case.ts';
import { chosen, flags, generated, given } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const CASES = [
  { ...given('horse-gallop'), bones: 20 },
  { ...given('horse-collapse'), bones: 20 },
  { ...given('cow-elastic'), bones: 24 },
  { ...given('cloth-vellum'), bones: 20 },
  // Collections of poses rather than motions: what lies between two of them means little, but is told.
  { ...given('cat-poses'), bones: 20 },
  { ...given('wolf-poses'), bones: 21 },
  { ...given('face-poses'), bones: 27 },
  { ...generated('flag', 2500, 60), bones: 30 },
  { ...generated('tablecloth', 2500, 60), bones: 30 },
  { ...generated('balloon', 2500, 60), bones: 30 },
  { ...generated('collapse', 2500, 60), bones: 30 },
];

const found: (CaseFigures & { byOthers: boolean })[] = [];
for (const { name, bones, byOthers, open } of chosen(CASES)) {
  console.error(`${name} …`);
  const sequence = await open();
  found.push({ ...(await exportFigures({ ...sequence, name }, bones)), byOthers });
  await sequence.close?.();
}

const kB = (bytes: number) => (bytes / 1000).toFixed(0);
const verdict = (value: number, must: number, aim: number, smaller = true): string =>
  (smaller ? value <= aim : value >= aim) ? 'aim' : (smaller ? value <= must : value >= must) ? 'must' : 'FAIL';

const sizes = markdownTable(
  [
    'sequence',
    'vertices × frames',
    'bones',
    'morph kB',
    'small',
    ...KINDS.flatMap((kind) => [`${kind} kB`, 'small 12', 'small 8', '× 12', '× 8']),
  ],
  found.map(({ name, vertices, frames, bones, morphPlainBytes, morphSmallBytes, kinds }) => [
    name,
    `${vertices} × ${frames}`,
    String(bones),
    kB(morphPlainBytes),
    kB(morphSmallBytes),
    ...KINDS.flatMap((kind) => [
      kB(kinds[kind].plainBytes),
      kB(kinds[kind].small12Bytes),
      kB(kinds[kind].small8Bytes),
      (morphSmallBytes / kinds[kind].small12Bytes).toFixed(1),
      (morphSmallBytes / kinds[kind].small8Bytes).toFixed(1),
    ]),
  ]),
);

const errors = markdownTable(
  [
    'sequence',
    'kind',
    'RMSE %',
    '8-bit weights',
    'plain at keys',
    'small 12',
    'small 8',
    'at keys',
    'motion',
    'half-way',
    'half-way',
  ],
  found.flatMap(({ name, kinds }) =>
    KINDS.map((kind) => {
      const k = kinds[kind];
      const keys = [
        verdict(k.plainError, 0.005, 0.003),
        verdict(k.small12Error, 0.02, 0.01),
        verdict(k.small8Error, 0.02, 0.01),
      ];
      const slow = k.motion < 2;
      return [
        name,
        kind,
        k.rmse.toFixed(3),
        `+${(100 * (k.rmseBytes / k.rmse - 1)).toFixed(1)} %`,
        k.plainError.toFixed(4),
        k.small12Error.toFixed(4),
        k.small8Error.toFixed(4),
        keys.includes('FAIL') ? 'FAIL' : keys.includes('must') ? 'must' : 'aim',
        k.motion.toFixed(2),
        k.halfWay.toFixed(4),
        slow ? verdict(k.halfWay, 0.03, 0.01) : verdict(k.halfWay, 0.15, 0.1),
      ];
    }),
  ),
);

const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};
const published = found.filter(({ byOthers }) => byOthers);
const ratios = markdownTable(
  ['small against small morph targets', 'least', 'median', ''],
  [12, 8].flatMap((bits) =>
    KINDS.map((kind) => {
      const all = (published.length > 0 ? published : found).map(
        ({ morphSmallBytes, kinds }) => morphSmallBytes / kinds[kind][bits === 12 ? 'small12Bytes' : 'small8Bytes'],
      );
      const least = Math.min(...all);
      const result = least >= 4 ? verdict(median(all), 9, 12, false) : 'FAIL';
      return [`${kind}, ${bits}-bit weights`, least.toFixed(1), median(all).toFixed(1), result];
    }),
  ),
);

const bounds = markdownTable(
  ['', 'must', 'aim'],
  [
    ['at keys, plain / small', '0.005 / 0.02', '0.003 / 0.01'],
    ['half-way', '0.15, and 0.03 where the motion is below 2 %', '0.1, and 0.01'],
  ],
);

const text = `# Export: sizes and errors

${machine()}. Written by \`node dist/bench/export.js --write\`.

Errors are RMSE in % of the rest pose's diagonal. "Small" is reordered, quantised and compressed with meshopt, for morph targets as for bones; weights at 12 or 8 bits. Fits of 40
rounds, no moves. In the last column of a table: which figure is held, the aim, only the must, or neither.

## Sizes

${sizes}

Must: 4 × on every set, 9 × in the median; aim: 12 × in the median (over the sequences of others, when they are there).

${ratios}

## Errors

At keys: what is read back against the fitted matrices. Half-way: what engines play against linearly interpolated
matrices; motion is how far the model moves per frame.

${bounds}

${errors}
`;
console.log(text);
if (flags.write) writeResults('export', text);
