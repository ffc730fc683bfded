// Levels of detail against other simplifiers, at equal triangles: error over poses that none of them has seen, normals and uvs. Every
// rival is run with all its settings, and the best on the very poses it is judged by counts. luma.gl takes part where PLIANT_RIVALS
// names a folder with its package.
//
//   node dist/bench/lod.js [--only <name>] [--growth] [--write]

import { memoryUsage } from 'node:process';
import { parseArgs } from 'node:util';
import { readAsset, type SkinnedModel, sample } from '../src/index.ts';
import { lodSurface } from '../src/lod/lod.ts';
import { joinParts } from '../src/lod/parts.ts';
import { choosePoses } from '../src/lod/poses.ts';
import type { PosedSurface } from '../src/lod/surface.ts';
import { triangleCount } from '../src/model/mesh.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { realData } from './data.ts';
import { type Quality, qualityOf } from './lod-measures.ts';
import { POSED_WEIGHTS, type Rival, rivalsFor } from './lod-rivals.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

interface Case {
  name: string;
  models(): Promise<SkinnedModel[] | undefined>;
  triangles: number[];
}

const file = (path: string) => async (): Promise<SkinnedModel[] | undefined> => {
  const found = realData(path);
  return found === undefined ? undefined : (await readAsset(nodeFiles, [found])).models;
};

const CASES: Case[] = [
  { name: 'CesiumMan', models: file('gltf/CesiumMan.glb'), triangles: [2000, 1000, 500, 250] },
  { name: 'RobotExpressive', models: file('gltf/RobotExpressive.glb'), triangles: [1600, 800] },
  {
    name: 'figure',
    models: async () => (await sample('figure', { resolution: 4000 })).models,
    triangles: [3000, 1000],
  },
  { name: 'Fox', models: file('gltf/Fox.glb'), triangles: [300, 150] },
  { name: 'RiggedFigure', models: file('gltf/RiggedFigure.glb'), triangles: [128] },
];

const FITTED = 13;
const UNSEEN = 12;

/** A surface in the poses that are fitted, and in those that are not. */
function surfaces(models: readonly SkinnedModel[]): { fitted: PosedSurface; unseen: PosedSurface } {
  const { poses, held } = choosePoses(models, { poses: FITTED, held: UNSEEN });
  const { surface } = joinParts(models, [...poses, ...held]);
  const part = (from: number, to: number): PosedSurface => ({
    ...surface,
    poses: surface.poses.slice(from, to),
    skin: { ...surface.skin!, bones: surface.skin!.bones.slice(from, to) },
    ...(surface.morphWeights && { morphWeights: surface.morphWeights.slice(from, to) }),
  });
  return { fitted: part(0, poses.length), unseen: part(poses.length, poses.length + held.length) };
}

/** Without uvs, normals and materials: one piece of surface where it is one. */
const bare = (surface: PosedSurface): PosedSurface => ({
  ...surface,
  mesh: { positions: surface.mesh.positions, triangles: surface.mesh.triangles },
});

interface Row {
  name: string;
  given: number;
  target: number;
  ours: Quality;
  /** Ours at as many vertices as the best rival that keeps seams has, between levels. */
  oursAtVertices?: number;
  rivals: { kind: Rival['kind']; name: string; quality: Quality }[];
}

const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** Model, triangles, levels, our seconds of processor, and how many times those of meshoptimizer that is. */
const TIMES: string[][] = [];

/** Within this share of the target a rival has reached it. */
const REACHED = 1.02;

async function compare(name: string, fitted: PosedSurface, unseen: PosedSurface, triangles: number[]): Promise<Row[]> {
  const started = process.cpuUsage();
  const { levels } = await lodSurface(fitted, { triangles });
  const own = seconds(process.cpuUsage(started));
  const ours = levels.map((level) => qualityOf(unseen, level));
  const rivals = await rivalsFor(fitted);
  const timed = rivals.find(({ kind }) => kind === 'update')!;
  const begun = process.cpuUsage();
  for (const target of triangles) timed.run(target);
  TIMES.push([
    name,
    String(triangleCount(fitted.mesh)),
    String(triangles.length),
    own.toFixed(1),
    (own / seconds(process.cpuUsage(begun))).toFixed(0),
  ]);
  return triangles.map((target) => {
    const near = ours.reduce((a, b) => (Math.abs(b.triangles - target) < Math.abs(a.triangles - target) ? b : a));
    const found = rivals.map(({ name: rival, kind, run }) => ({
      kind,
      name: rival,
      quality: qualityOf(unseen, run(target)),
    }));
    const row: Row = { name, given: triangleCount(fitted.mesh), target, ours: near, rivals: found };
    const rival = best(row, 'plain', 'attributes', 'update');
    if (rival) row.oursAtVertices = atVertices(ours, rival.quality.vertices);
    console.error(
      name,
      target,
      near.rms.toFixed(4),
      ...found.map(({ name: who, quality }) => `\n   ${who}: ${quality.triangles} ${quality.rms.toFixed(4)}`),
    );
    return row;
  });
}

/** RMS at so many vertices, along a line through levels with logarithms on both axes. */
function atVertices(levels: readonly Quality[], vertices: number): number | undefined {
  const sorted = [...levels].sort((a, b) => a.vertices - b.vertices);
  const after = Math.max(
    1,
    sorted.findIndex((level) => level.vertices >= vertices),
  );
  const [a, b] = [sorted[after - 1], sorted[after]];
  if (!a || !b) return undefined;
  const t = Math.log(vertices / a.vertices) / Math.log(b.vertices / a.vertices);
  return Math.exp(Math.log(a.rms) + t * Math.log(b.rms / a.rms));
}

/** The lowest RMS of some kinds of rivals, of those that reached the target. */
function best({ rivals, target }: Row, ...kinds: Rival['kind'][]): Row['rivals'][number] | undefined {
  const able = rivals.filter(({ kind, quality }) => kinds.includes(kind) && quality.triangles <= REACHED * target);
  return able.length > 0 ? able.reduce((a, b) => (b.quality.rms < a.quality.rms ? b : a)) : undefined;
}

const short = (x: number | undefined): string => (x === undefined ? '–' : x.toPrecision(2));
const ratio = (a: number | undefined, b: number | undefined): string =>
  a === undefined || b === undefined || b === 0 ? '–' : (a / b).toFixed(2);
const pair = (quality: Quality | undefined): string =>
  quality ? `${short(quality.rms)} / ${short(quality.max)}` : 'not reached';

function seamTable(rows: readonly Row[]): string {
  const head = [
    'model',
    'triangles',
    'left',
    'ours',
    'simplify',
    'best that keeps seams',
    'Permissive',
    'luma.gl',
    'ours / best',
    'ours / Permissive',
    'at equal vertices',
  ];
  return markdownTable(
    head,
    rows.map((row) => {
      const [plain, keeps, permissive, luma] = [
        best(row, 'plain'),
        best(row, 'plain', 'attributes', 'update'),
        best(row, 'permissive'),
        best(row, 'luma.gl'),
      ];
      return [
        ...[
          row.name,
          String(row.given),
          String(row.ours.triangles),
          pair(row.ours),
          pair(plain?.quality),
          pair(keeps?.quality),
        ],
        ...[pair(permissive?.quality), row.rivals.some(({ kind }) => kind === 'luma.gl') ? pair(luma?.quality) : '–'],
        ...[
          ratio(row.ours.rms, keeps?.quality.rms),
          ratio(row.ours.rms, permissive?.quality.rms),
          ratio(row.oursAtVertices, keeps?.quality.rms),
        ],
      ];
    }),
  );
}

function lookTable(rows: readonly Row[]): string {
  return markdownTable(
    ['model', 'left', 'vertices, ours / rival', 'normals, ours / rival, °', 'uvs 95 %, ours / rival, texels', 'rival'],
    rows.flatMap((row) => {
      const rival = best(row, 'plain', 'attributes', 'update') ?? best(row, 'permissive');
      if (!rival) return [];
      const both = (of: (quality: Quality) => number | undefined) =>
        `${short(of(row.ours))} / ${short(of(rival.quality))}`;
      return [
        [
          ...[row.name, String(row.ours.triangles), `${row.ours.vertices} / ${rival.quality.vertices}`],
          ...[both(({ normals }) => normals), both(({ uvs }) => uvs), rival.name],
        ],
      ];
    }),
  );
}

function bareTable(rows: readonly Row[]): string {
  return markdownTable(
    [
      'model',
      'left',
      'ours',
      'simplify',
      'simplifyWithAttributes',
      'simplifyWithUpdate',
      'ours / simplify',
      'ours / best',
    ],
    rows.map((row) => {
      const [plain, attributes, update] = [best(row, 'plain'), best(row, 'attributes'), best(row, 'update')];
      const all = best(row, 'plain', 'attributes', 'update');
      return [
        ...[
          row.name,
          String(row.ours.triangles),
          pair(row.ours),
          pair(plain?.quality),
          pair(attributes?.quality),
          pair(update?.quality),
        ],
        ...[ratio(row.ours.rms, plain?.quality.rms), ratio(row.ours.rms, all?.quality.rms)],
      ];
    }),
  );
}

/** Seconds of the processor and memory as triangles and poses grow: the generated tube, five levels. */
async function growth(): Promise<string> {
  const rows: string[][] = [];
  const measure = async (resolution: number, poses: number) => {
    const { models } = await sample('tube', { resolution, frames: 48 });
    const chosen = choosePoses(models, { poses, held: 0 });
    const { surface } = joinParts(models, chosen.poses);
    const started = process.cpuUsage();
    const { report } = await lodSurface(surface, { levels: 5, poses });
    const spent = seconds(process.cpuUsage(started));
    const { collapse = 0, fit = 0 } = report.seconds;
    const megabytes = Math.round(memoryUsage().rss / 2 ** 20);
    rows.push([
      String(triangleCount(surface.mesh)),
      String(chosen.poses.length),
      spent.toFixed(1),
      (collapse / (collapse + fit)).toFixed(2),
      String(megabytes),
    ]);
    console.error(...rows.at(-1)!);
    return { triangles: triangleCount(surface.mesh), seconds: spent };
  };
  const slope = (a: number, b: number, times: number) => (Math.log(b / a) / Math.log(times)).toFixed(2);
  const small = await measure(1250, 16);
  const middle = await measure(5000, 16);
  const large = await measure(50_000, 16);
  const few = await measure(2500, 8);
  const many = await measure(2500, 32);
  return `${markdownTable(['triangles', 'poses', 'seconds of processor', 'share of the collapses', 'resident MB'], rows)}

Log-log slopes: triangles ${slope(small.seconds, middle.seconds, middle.triangles / small.triangles)} and ${slope(middle.seconds, large.seconds, large.triangles / middle.triangles)}; poses ${slope(few.seconds, many.seconds, 4)}.`;
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, growth: { type: 'boolean' }, write: { type: 'boolean' } },
});

const [seams, plain]: [Row[], Row[]] = [[], []];
for (const { name, models: read, triangles } of CASES) {
  if (values.only && values.only !== name) continue;
  const models = await read();
  if (!models) continue;
  const { fitted, unseen } = surfaces(models);
  seams.push(...(await compare(name, fitted, unseen, triangles)));
  plain.push(...(await compare(name, bare(fitted), bare(unseen), triangles)));
}

const median = (list: readonly number[]): string => {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted.length > 0 ? sorted[Math.floor(sorted.length / 2)].toFixed(2) : '–';
};
const ratios = (rows: readonly Row[], ...kinds: Rival['kind'][]): number[] =>
  rows
    .filter(({ given }) => given >= 3000)
    .flatMap((row) => {
      const rival = best(row, ...kinds);
      return rival ? [row.ours.rms / rival.quality.rms] : [];
    });
const told = (list: readonly number[]): string =>
  list.length > 0 ? `${Math.min(...list).toFixed(2)}–${Math.max(...list).toFixed(2)}, median ${median(list)}` : '–';

const text = `# Levels of detail against other simplifiers

Written by \`node dist/bench/lod.js --growth --write\`. RMS / largest distance between surfaces, both ways, 12,000 points per pose, in % of the
diagonal, over ${UNSEEN} moments of the clips that nothing was fitted to; ${FITTED} others were. The rival with the lowest RMS on these
very moments counts, of meshoptimizer's functions with posed positions as attributes (weights ${POSED_WEIGHTS.join(', ')}) and, where there is room, skin weights.

Characters of 3,000 triangles or more: with seams, ours / best that keeps them ${told(ratios(seams, 'plain', 'attributes', 'update'))};
ours / \`Permissive\` ${told(ratios(seams, 'permissive'))}; without seams, ours / best ${told(ratios(plain, 'plain', 'attributes', 'update'))};
ours / \`simplify\` ${told(ratios(plain, 'plain'))}.

## With uv seams, materials and hard normals

${seamTable(seams)}

At equal vertices: our RMS at as many split vertices as the rival has, between our levels, over that of the rival.

## What they look like

Normals: mean angle. Uvs: 95 % of the points are off by less, of a texture of 1,024. Both at rest, from points of either surface to the nearest
of the other.

${lookTable(seams)}

## Without seams

Positions and skin only, on both sides.

${bareTable(plain)}

## Time

Seconds of one thread, with seams and without; \`simplifyWithUpdate\` with posed positions in the same run.

${markdownTable(['model', 'triangles', 'levels', 'ours, s', 'times meshoptimizer'], TIMES)}

${values.growth ? `## Growth\n\nThe generated tube, five levels, one thread. ${machine()}.\n\n${await growth()}` : ''}
`;
if (values.write) writeResults('lod', text);
else console.log(text);
