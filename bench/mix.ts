// The mix of linear blending and dual quaternions: the experiment of Khemakhem 2020, and joints of rigs.
//
//   node dist/bench/mix.js [--only figure] [--write]

import {
  type BendCurve,
  type BendStudy,
  type MixContender,
  type MixResult,
  type SkinnedModel,
  vertexCount,
} from '../src/index.ts';
import { digits } from '../src/report/format.ts';
import { mixExperiment } from '../src/rig/mix/experiment.ts';
import { character } from './characters.ts';
import { realData } from './data.ts';
import {
  CESIUM_MAN_JOINTS,
  CHARACTER_JOINTS,
  cesiumMan,
  dqsAreaError,
  FIGURE_JOINTS,
  figureRig,
  type JointCase,
  mixJoints,
  ratios,
  VOLUME_AIM,
  VOLUME_MUST,
} from './mix-cases.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { fastest } from './timing.ts';

/** A claim: what was found, what it must be at most, and what is aimed at. */
interface Claim {
  what: string;
  found: number;
  must: number;
  aim?: number;
}

const claims: Claim[] = [];
const verdict = ({ found, must, aim }: Claim): string =>
  !(found <= must) ? 'FAIL' : aim !== undefined && found <= aim ? 'PASS, aim' : 'PASS';

// (1) The rectangle, at the resolution of Khemakhem 2020 and at half of it.
const AREA = 20;
const worstSigned = (curve: BendCurve): number => Math.max(...curve.signedArea.map((area) => Math.abs(area - AREA)));
const rectangleRows: string[][] = [];

async function rectangle(): Promise<void> {
  console.error('rectangle …');
  const fine = await mixExperiment();
  const wide = await mixExperiment({ columns: 200, rows: 40, fallOff: 2.5 });
  for (const study of fine.studies) {
    claimsOf(study, await dqsAreaError(study.rig, 500, 50));
    rectangleRows.push(...rowsOf(study, study.rig === 'points' ? 'points' : 'segments ± 1.25'));
  }
  rectangleRows.push(...rowsOf(wide.studies[1], 'segments ± 2.5, 200 × 40'));
}

function claimsOf({ rig, lbs, dqs, best, solved, smooth, zeroOutside }: BendStudy, coarseError: number): void {
  const error = worstSigned(dqs);
  const rivals = [lbs, dqs, ...smooth, ...zeroOutside];
  claims.push(
    { what: `${rig}: DQS, signed area, largest error over the bends`, found: error, must: 1e-3 },
    { what: `${rig}: the same over that at half the resolution (h²: 0.25)`, found: error / coarseError, must: 0.3 },
    {
      what: `${rig}: energy, solved over the least of LBS, DQS and all combinations`,
      found: solved.energy / Math.min(...rivals.map(({ energy }) => energy)),
      must: 1,
    },
  );
  if (rig === 'points') {
    claims.push(
      {
        what: 'points: absolute area error, solved over best of the 25',
        found: solved.absoluteError / best.absoluteError,
        must: 0.5,
      },
      {
        what: 'points: absolute area error, solved',
        found: solved.absoluteError,
        must: best.absoluteError / 2,
        aim: 0.1,
      },
      {
        what: 'points: triangles turned over, solved over DQS',
        found: solved.invertedTotal / dqs.invertedTotal,
        must: 1 - Number.EPSILON,
      },
    );
  } else {
    claims.push(
      { what: 'segments ± 1.25: local rms, solved over DQS', found: solved.meanLocalRms / dqs.meanLocalRms, must: 0.7 },
      {
        what: 'segments ± 1.25: triangles turned over, solved over DQS',
        found: solved.invertedTotal / dqs.invertedTotal,
        must: 0.25,
        aim: 0.1,
      },
      {
        what: 'segments ± 1.25: absolute area error, solved over DQS',
        found: solved.absoluteError / dqs.absoluteError,
        must: 1.2,
      },
    );
  }
}

const rowsOf = ({ lbs, dqs, best, solved, solution }: BendStudy, rig: string): string[][] =>
  [lbs, dqs, best, solved].map((curve) => [
    rig,
    curve === best ? `best of the 25: ${curve.field.name}` : curve.field.name,
    curve.absoluteError.toFixed(4),
    curve.signedError.toFixed(4),
    curve.meanLocalRms.toFixed(3),
    String(curve.invertedTotal),
    curve.absoluteArea[curve.absoluteArea.length - 1].toFixed(2),
    curve.signedArea[curve.signedArea.length - 1].toFixed(3),
    digits(curve.energy),
    curve === solved ? `${solution.iterations}` : '',
  ]);

// (2) Joints of rigs.
const jointRows: string[][] = [];
const speedRows: string[][] = [];

async function joints(
  name: string,
  model: SkinnedModel,
  cases: readonly JointCase[],
  must = { must: VOLUME_MUST, aim: VOLUME_AIM },
): Promise<void> {
  for (const joint of cases) {
    console.error(`${name}, ${joint.name} …`);
    const { result, seconds } = await timed(() => mixJoints(model, [joint]));
    const { volume } = ratios(result);
    const least = Math.min(...result.rivals.map(({ terms }) => terms.energy));
    claims.push(
      {
        what: `${name}, ${joint.name}: volume error, solved over DQS`,
        found: volume,
        ...must,
      },
      {
        what: `${name}, ${joint.name}: energy, solved over the least of LBS, DQS and constant mixes`,
        found: result.solved.terms.energy / least,
        must: 1,
      },
    );
    jointRows.push(...jointRow(`${name}, ${joint.name}, 0 to ${joint.bend}°`, result));
    speedRows.push(speedRow(`${name}, ${joint.name}`, model, result, seconds));
  }
  console.error(`${name}, all …`);
  const { result: all, seconds: allSeconds } = await timed(() => mixJoints(model, cases));
  jointRows.push(...jointRow(`${name}, one field for all ${cases.length}`, all));
  speedRows.push(speedRow(`${name}, all`, model, all, allSeconds));
}

function jointRow(name: string, { solved, rivals, balance }: MixResult): string[][] {
  const row = (contender: MixContender): string[] => [
    name,
    contender.name,
    contender.totalErrorPercent!.toFixed(4),
    contender.surfaceErrorPercent.toFixed(2),
    contender.localRms.toFixed(3),
    contender.gainPercent.toFixed(2),
    String(contender.inverted),
    contender === solved ? balance.map(({ total }) => total).join(', ') : '',
  ];
  return [...rivals.filter(({ name: rival }) => rival === 'LBS' || rival === 'DQS'), solved].map(row);
}

/** A mix and its seconds of processor time. */
async function timed(make: () => Promise<MixResult>): Promise<{ result: MixResult; seconds: number }> {
  const results: MixResult[] = [];
  const { mix: seconds } = await fastest({ mix: async () => results.push(await make()) }, 1);
  return { result: results[0], seconds };
}

const speedRow = (
  name: string,
  { mesh }: SkinnedModel,
  { poses, iterations, share }: MixResult,
  seconds: number,
): string[] => [
  name,
  String(vertexCount(mesh)),
  String(poses.length),
  (100 * share).toFixed(1),
  String(iterations),
  seconds.toFixed(1),
];

const wanted = (name: string): boolean => name.includes(flags.only);
if (wanted('rectangle')) await rectangle();
if (wanted('figure')) {
  await joints('figure', await figureRig(), FIGURE_JOINTS);
  const large = await figureRig(10_000);
  console.error('figure, its clips …');
  const { result, seconds } = await timed(() => mixJoints(large, [], { poses: 16 }));
  speedRows.push(speedRow('figure, its clips', large, result, seconds));
}
if (wanted('CesiumMan')) {
  const file = realData('gltf/CesiumMan.glb');
  if (file) await joints('CesiumMan', await cesiumMan(file), CESIUM_MAN_JOINTS);
}

if (wanted('characters')) {
  for (const [name, girth] of [
    ['slim', 1],
    ['stout', 1.25],
  ] as const) {
    const model = await character(name, { vertices: 5000, girth, hands: 0.2 });
    await joints(`${name} character`, model, CHARACTER_JOINTS, { must: 1, aim: 0.75 });
  }
}

const text = `# Mixing linear blending and dual quaternions

${machine()}. Written by \`node dist/bench/mix.js --write\`.

${markdownTable(
  ['', 'found', 'must, at most', 'aim', ''],
  claims.map((claim) => [
    claim.what,
    digits(claim.found),
    digits(claim.must),
    claim.aim === undefined ? '' : digits(claim.aim),
    verdict(claim),
  ]),
)}

## The bending rectangle

10 × 2 with 1000 × 100 vertices, 0 to 180° in steps of 5°. Area errors are means over the 37 bends of the difference from 20;
local rms is over bends and area; inverted triangles are summed over the bends. The 25 combinations have w_u = w0; the best is
the one with the lowest absolute error.

${markdownTable(
  [
    'rig',
    'field',
    'absolute area error',
    'signed',
    'local rms',
    'turned over',
    'area at 180°',
    'signed at 180°',
    'energy',
    'iterations',
  ],
  rectangleRows,
)}

## Joints of rigs

Means over 24 poses. The volume is that of the whole model; the rest is over the faces where the operators differ. Surface: the
change of their areas together. The slim and the stout character are generated: their joints lie in the middle of the limbs,
where DQS keeps the volume nearly by itself.

${markdownTable(['motion', 'field', 'volume error %', 'surface error %', 'local rms', 'bulge %', 'turned over', 'weight of the volume'], jointRows)}

## Seconds

CPU time of a whole \`mix\`: posing, comparing six fields, solving.

${markdownTable(['', 'vertices', 'poses', '% of the area that differs', 'iterations', 'seconds'], speedRows)}
`;
console.log(text);
if (flags.write) writeResults('mix', text);
if (claims.some((claim) => verdict(claim) === 'FAIL')) process.exitCode = 1;
