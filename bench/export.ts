// What proxy bones save, and what the file loses: sizes against morph targets, errors at keys and between frames.
// Generated sequences always; those in ../shared/data too, where it is.
//
//   node dist/bench/export.js [--only horse] [--write]

import { type CaseFigures, exportFigures, KINDS, type Kind } from './export-case.ts';
import { PARTS } from './glb-parts.ts';
import { chosen, flags, generated, given } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const motion = (bones: number) => ({ bones, poses: false });
/** Poses rather than a motion: few, and far from each other. */
const poses = (bones: number) => ({ bones, poses: true });

const CASES = [
  { ...given('horse-gallop'), ...motion(20) },
  { ...given('horse-collapse'), ...motion(20) },
  { ...given('cow-elastic'), ...motion(24) },
  { ...given('cloth-vellum'), ...motion(20) },
  { ...given('cat-poses'), ...poses(20) },
  { ...given('wolf-poses'), ...poses(21) },
  { ...given('face-poses'), ...poses(27) },
  { ...generated('flag', 2500, 60), ...motion(30) },
  { ...generated('tablecloth', 2500, 60), ...motion(30) },
  { ...generated('balloon', 2500, 60), ...motion(30) },
  { ...generated('collapse', 2500, 60), ...motion(30) },
];

type Found = CaseFigures & { byOthers: boolean; poses: boolean };
const found: Found[] = [];
for (const { name, bones, byOthers, poses: arePoses, open } of chosen(CASES)) {
  console.error(`${name} …`);
  const sequence = await open();
  found.push({ ...(await exportFigures({ ...sequence, name }, bones)), byOthers, poses: arePoses });
  await sequence.close?.();
}

const kB = (bytes: number) => (bytes / 1000).toFixed(0);
const verdict = (value: number, must: number, aim: number, smaller = true): string =>
  (smaller ? value <= aim : value >= aim) ? 'aim' : (smaller ? value <= must : value >= must) ? 'must' : 'FAIL';
const worstOf = (verdicts: readonly string[]): string =>
  verdicts.includes('FAIL') ? 'FAIL' : verdicts.includes('must') ? 'must' : 'aim';

const boundOf = ({ morphSmallBytes, meshSmallBytes }: Found) => morphSmallBytes / meshSmallBytes;

const sizes = (cases: readonly Found[]) =>
  markdownTable(
    [
      'sequence',
      'vertices × frames',
      'bones',
      'morph kB',
      'small',
      'bound',
      ...KINDS.flatMap((kind) => [`${kind} kB`, 'small 10', 'small 8', '× 10', '× 8']),
    ],
    cases.map((one) => [
      one.name,
      `${one.vertices} × ${one.frames}`,
      String(one.bones),
      kB(one.morphPlainBytes),
      kB(one.morphSmallBytes),
      boundOf(one).toFixed(1),
      ...KINDS.flatMap((kind) => [
        kB(one.kinds[kind].plainBytes),
        kB(one.kinds[kind].small10Bytes),
        kB(one.kinds[kind].small8Bytes),
        (one.morphSmallBytes / one.kinds[kind].small10Bytes).toFixed(1),
        (one.morphSmallBytes / one.kinds[kind].small8Bytes).toFixed(1),
      ]),
    ]),
  );

const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** Over the sequences of others, when they are there. */
const published = (cases: readonly Found[]) => {
  const byOthers = cases.filter((one) => one.byOthers);
  return byOthers.length > 0 ? byOthers : cases;
};

const RATIOS = [...KINDS.map((kind) => ({ kind, bits: 10 })), ...KINDS.map((kind) => ({ kind, bits: 8 }))] as const;

function ratioRows(what: string, cases: readonly Found[]): string[][] {
  if (cases.length === 0) return [];
  const rows = RATIOS.map(({ kind, bits }): [string, number[]] => [
    `${what}, ${kind}, ${bits}-bit weights`,
    cases.map(
      ({ morphSmallBytes, kinds }) => morphSmallBytes / kinds[kind][bits === 10 ? 'small10Bytes' : 'small8Bytes'],
    ),
  ]);
  rows.push([`${what}, bound: the mesh alone`, cases.map(boundOf)]);
  return rows.map(([name, all]) => {
    const least = Math.min(...all);
    const result = least >= 4 ? verdict(median(all), 9, 12, false) : 'FAIL';
    return [name, least.toFixed(1), median(all).toFixed(1), result];
  });
}

const partRows = (kind: Kind, cases: readonly Found[]) =>
  cases.map(({ name, kinds }) => [name, kind, ...PARTS.map((part) => (kinds[kind].parts[part] / 1000).toFixed(1))]);

const errorsAtKeys = markdownTable(
  ['sequence', 'kind', 'RMSE %', '10-bit weights', '8-bit weights', 'plain', 'small 10', 'small 8', ''],
  found.flatMap(({ name, kinds }) =>
    KINDS.map((kind) => {
      const k = kinds[kind];
      const more = (rmse: number) => `+${Math.max(0, 100 * (rmse / k.rmse - 1)).toFixed(1)} %`;
      const keys = [
        verdict(k.plainError, 0.005, 0.003),
        verdict(k.small10Error, 0.02, 0.01),
        verdict(k.small8Error, 0.02, 0.01),
      ];
      return [
        name,
        kind,
        k.rmse.toFixed(3),
        more(k.rmse10),
        more(k.rmse8),
        k.plainError.toFixed(4),
        k.small10Error.toFixed(4),
        k.small8Error.toFixed(4),
        worstOf(keys),
      ];
    }),
  ),
);

const between = (cases: readonly Found[]) =>
  markdownTable(
    ['sequence', 'kind', 'motion %', 'without keys', 'keys added', 'with', 'nearest', ''],
    cases.flatMap(({ name, kinds }) =>
      KINDS.map((kind) => {
        const { motion: moved, halfWay, added, between: played, nearest } = kinds[kind];
        return [
          name,
          kind,
          moved.toFixed(2),
          halfWay.toFixed(4),
          String(added),
          played.toFixed(4),
          nearest > 0 ? nearest.toFixed(4) : '–',
          moved < 2 ? verdict(played, 0.03, 0.01) : verdict(played, 0.15, 0.1),
        ];
      }),
    ),
  );

const motions = found.filter((one) => !one.poses);
const collections = found.filter((one) => one.poses);
const withPoses = (text: string) => (collections.length > 0 ? text : '');

const text = `# Export: sizes and errors

${machine()}. Written by \`node dist/bench/export.js --write\`.

Errors are RMSE in % of the rest pose's diagonal. "Small" is reordered, quantized and compressed with meshopt, for morph
targets and bones alike; weights have 10 or 8 bits, and bones are solved for the rounded weights. Fits of 40 rounds, no moves,
keys between frames as by default. Last column: \`aim\` or \`must\`, the better of the two goals that is met, or \`FAIL\`.

## Sizes

Bound: small morph targets against the small mesh alone, without motion, weights or bones. No file with this mesh can be
smaller.

${sizes(motions)}
${withPoses(`
Collections of poses: with few frames, most of the file is the mesh, which both sides need.

${sizes(collections)}
`)}
Must: 4 × on every set, 9 × in the median; aim: 12 × in the median (over sequences by others, if available).

${markdownTable(
  ['small against small morph targets', 'least', 'median', ''],
  [...ratioRows('motions', published(motions)), ...ratioRows('poses', published(collections))],
)}

Where the bytes go (kB, weights at 10 bits):

${markdownTable(['sequence', 'kind', ...PARTS], [...partRows('affine', found), ...partRows('trs', found)])}

## Errors at keys

The file, read back, against the fitted matrices, at the frames. Must: 0.005 plain, 0.02 small; aim: 0.003, 0.01.

${errorsAtKeys}

## Between frames

What engines play, against linearly interpolated matrices. Without keys between frames: half-way. With: read from the small
file, at the worst of fifteen moments between frames. Nearest: the best possible bones of the kind, half-way, where keys were
considered. Motion: how far the model moves per frame. Must: 0.15, and 0.03 where the motion is below 2 %; aim: 0.1, and
0.01.

${between(motions)}
${withPoses(`
Collections of poses:

${between(collections)}
`)}`;
console.log(text);
if (flags.write) writeResults('export', text);
