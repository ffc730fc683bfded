// Levels of detail against other simplifiers, at equal triangles: error over poses that none of them has seen, normals and uvs. Every
// rival is run with all its settings, and the best on the very poses it is judged by counts.
//
//   node dist/bench/lod.js [--only <name>] [--rows <file> [--ours]] [--write]
//
// With --rows, what is measured is kept in a JSON file, and what is there already is not measured again, unless --only names it.
// With --ours, our own levels are, and the rivals stay as they were: enough where neither they nor the fit to nearest points changed.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { lodSurface } from '../src/lod/lod.ts';
import type { PosedSurface } from '../src/lod/surface.ts';
import { triangleCount } from '../src/model/mesh.ts';
import { CASES, FITTED, type LodCase, surfaces, UNSEEN } from './lod-cases.ts';
import { type Quality, qualityOf, roughRms } from './lod-measures.ts';
import { BONE_WEIGHTS, POSED_WEIGHTS, type Rival, rivalsFor } from './lod-rivals.ts';
import { bareTable, barsTable, best, type Judged, lookTable, REACHED, type Row, seamTable } from './lod-tables.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const namesOf = (role: Row['role']): string =>
  CASES.filter((each) => each.role === role)
    .map(({ name }) => name)
    .join(', ');

/** Without uvs, normals and materials: one piece of surface where it is one. */
const bare = (surface: PosedSurface): PosedSurface => ({
  ...surface,
  mesh: { positions: surface.mesh.positions, triangles: surface.mesh.triangles },
});

const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6;

/** What was measured of a model, with seams or without. */
interface Measured {
  rows: Row[];
  /** Model, triangles, levels, our seconds of processor, and how many times those of meshoptimizer that is. */
  times: string[];
}

/** Rivals of a kind that are measured in full and fitted: those with the lowest RMS from few points. */
const FINALISTS = 2;

async function compare(
  { name, role, isHard, triangles }: LodCase,
  fitted: PosedSurface,
  unseen: PosedSurface,
  known?: Measured,
): Promise<Measured> {
  const started = process.cpuUsage();
  const { levels } = await lodSurface(fitted, { triangles });
  const own = seconds(process.cpuUsage(started));
  const ours = levels.map((level) => qualityOf(unseen, level));
  const { rivals, refitter } = await rivalsFor(fitted);
  const timed = rivals.find(({ kind }) => kind === 'update')!;
  const begun = process.cpuUsage();
  for (const target of triangles) timed.run(target);
  const times = [
    ...[name, String(triangleCount(fitted.mesh)), String(triangles.length)],
    ...[own.toFixed(1), (own / seconds(process.cpuUsage(begun))).toFixed(0)],
  ];
  const rows = triangles.map((target) => {
    const near = ours.find((level) => level.triangles <= REACHED * target && level.triangles > target / REACHED - 5);
    const rough = (known ? [] : rivals).map(({ name: rival, kind, run }) => {
      const made = run(target);
      const reached = made.mesh.triangles.length / 3 <= REACHED * target;
      return { kind, name: rival, made, rms: reached ? roughRms(unseen, made) : Infinity };
    });
    const found = KINDS.flatMap((kind) =>
      rough
        .filter((each) => each.kind === kind && each.rms < Infinity)
        .sort((a, b) => a.rms - b.rms)
        .slice(0, FINALISTS)
        .map(
          ({ name: rival, made }): Judged => ({
            kind,
            name: rival,
            quality: qualityOf(unseen, made),
            refitted: qualityOf(unseen, refitter.fit(made)),
          }),
        ),
    );
    const row: Row = {
      ...{ name, role, target, rivals: known?.rows.find((row) => row.target === target)?.rivals ?? found },
      given: triangleCount(fitted.mesh),
      ...(isHard && { isHard }),
      ...(near && { ours: near }),
      ...(known && { isEarlier: true }),
    };
    const rival = best(row);
    if (rival) row.oursAtVertices = atVertices(ours, rival.quality.vertices);
    console.error(
      name,
      target,
      near?.rms.toFixed(4),
      ...found.map(
        ({ name: who, quality, refitted }) =>
          `\n   ${who}: ${quality.triangles} ${quality.rms.toFixed(4)}, fitted ${refitted.rms.toFixed(4)}`,
      ),
    );
    return row;
  });
  return { rows, times };
}

const KINDS: Rival['kind'][] = ['plain', 'attributes', 'update', 'permissive', 'luma.gl'];

/** RMS at so many vertices, along a line through levels with logarithms on both axes. */
function atVertices(levels: readonly Quality[], vertices: number): number | undefined {
  const sorted = [...levels].sort((a, b) => a.vertices - b.vertices);
  const found = sorted.findIndex((level) => level.vertices >= vertices);
  const after = found < 0 ? sorted.length - 1 : Math.max(1, found);
  const [a, b] = [sorted[after - 1], sorted[after]];
  if (!a || !b) return undefined;
  const t = Math.log(vertices / a.vertices) / Math.log(b.vertices / a.vertices);
  return Math.exp(Math.log(a.rms) + t * Math.log(b.rms / a.rms));
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rows: { type: 'string' },
    ours: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});
const kept: Record<string, { seams: Measured; plain: Measured }> =
  values.rows && existsSync(values.rows) ? JSON.parse(readFileSync(values.rows, 'utf8')) : {};
for (const each of CASES) {
  if (values.only ? values.only !== each.name : kept[each.name] && !values.ours) continue;
  const models = await each.models();
  if (!models) continue;
  const { fitted, unseen } = surfaces(models);
  const known = values.ours ? kept[each.name] : undefined;
  kept[each.name] = {
    seams: await compare(each, fitted, unseen, known?.seams),
    plain: await compare(each, bare(fitted), bare(unseen), known?.plain),
  };
  if (values.rows) writeFileSync(values.rows, JSON.stringify(kept));
}
const all = CASES.flatMap(({ name }) => kept[name] ?? []);
const [seams, plain] = [all.flatMap((each) => each.seams.rows), all.flatMap((each) => each.plain.rows)];
const earlier = new Set(seams.filter(({ isEarlier }) => isEarlier).map(({ name }) => name));
const times = all.flatMap((each) => [each.seams.times, each.plain.times]);

const text = `# Levels of detail against other simplifiers

Written by \`node dist/bench/lod.js --write\`. RMS / largest distance between surfaces, both ways, 12,000 points per pose, in % of the
diagonal, over ${UNSEEN} moments of the clips that nothing was fitted to; ${FITTED} others were. The rival with the lowest RMS on these
very moments counts, of meshoptimizer's functions with posed positions as attributes (weights ${POSED_WEIGHTS.join(', ')}) and, where there is room, skin
weights (${BONE_WEIGHTS.join(', ')}); uvs and normals count as attributes where there are any.

Models of 3,000 triangles or more, from – to (how many rows):

${barsTable(seams, plain)}

Settings were chosen on ${namesOf('chosen on')}; ${namesOf('looked at')} were looked at on the way; ${namesOf('unseen')} were not. "With our fit": positions and
weights of what the rivals made, fitted as our levels are, to nearest points only; the best after the fit.${
  earlier.size > 0
    ? ` Our levels were measured anew; rivals, and our fit of what\nthey made, in a run before, to two digits: ${[...earlier].join(', ')}.`
    : ''
}

## With uv seams, materials and hard normals

${seamTable(seams)}

At equal vertices: our RMS at as many split vertices as the rival has, between our levels, over that of the rival.

## What they look like

Normals: mean angle. Uvs: 95 % of the points are off by less, of a texture of 1,024. Stretch: how much more or less texture there is per
length than on the given surface, mean. All at rest, from points of either surface to the nearest
of the other.

${lookTable(seams)}

## Without seams

Positions and skin only, on both sides.

${bareTable(plain)}

## Time

Seconds of one thread, with seams and without; \`simplifyWithUpdate\` with posed positions in the same run.

${markdownTable(['model', 'triangles', 'levels', 'ours, s', 'times meshoptimizer'], times)}

${machine()}.
`;
if (values.write) writeResults('lod', text);
else console.log(text);
