// What each stage of the levels' fit gives: in moments of the clips that nothing was fitted to, and in new motion, where the first
// half of every clip was fitted and the second is measured.
//
//   node dist/bench/lod-stages.js [--write]

import { parseArgs } from 'node:util';
import type { SkinnedModel } from '../src/index.ts';
import type { LevelFitSettings } from '../src/lod/fit-level.ts';
import { lodSurface } from '../src/lod/lod.ts';
import { clipFrameCount } from '../src/model/skeleton.ts';
import { CASES, surfaces } from './lod-cases.ts';
import { qualityOf } from './lod-measures.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

/** Positions that are held this firmly stay where collapses left them. */
const FIRM = 1e12;
const STAGES: [name: string, settings: Partial<LevelFitSettings>][] = [
  ['collapses', { damping: FIRM, rounds: 0, nearestFits: 0 }],
  ['+ positions', { rounds: 0, nearestFits: 0 }],
  ['+ weights', { nearestFits: 0 }],
  ['all', {}],
];

/** The clips of a model from and to a share of their frames. */
function clipped(model: SkinnedModel, from: number, to: number): SkinnedModel {
  const clips = model.clips.map((clip) => {
    const count = clipFrameCount(clip);
    const [first, last] = [Math.floor(from * count), Math.floor(to * count)];
    const part = <A extends Float32Array | Float64Array>(all: A): A => {
      const size = all.length / count;
      return all.slice(size * first, size * last) as A;
    };
    const { morphWeights } = clip;
    const cut = { ...clip, times: part(clip.times), transforms: part(clip.transforms) };
    return morphWeights ? { ...cut, morphWeights: part(morphWeights) } : cut;
  });
  return { ...model, clips };
}

const { values } = parseArgs({ options: { write: { type: 'boolean' } } });
const rows: string[][] = [];
for (const { name, isHard, models: open, triangles } of CASES) {
  const models = isHard ? undefined : await open();
  if (!models?.some(({ clips }) => clips.length > 0)) continue;
  const half = (from: number, to: number) => models.map((model) => clipped(model, from, to));
  for (const [motion, { fitted, unseen }] of [
    ['the same clips', surfaces(models)],
    ['new motion', surfaces(half(0, 0.5), half(0.5, 1))],
  ] as const) {
    // A clip of three frames has no second half.
    if (unseen.poses.length === 0) continue;
    const errors: number[][] = [];
    for (const [, settings] of STAGES) {
      const { levels } = await lodSurface(fitted, { triangles, settings });
      errors.push(levels.map((level) => qualityOf(unseen, level).rms));
    }
    triangles.forEach((target, l) => {
      const of = errors.map((each) => each[l]);
      rows.push([
        ...[name, motion, String(target), ...of.map((rms) => rms.toPrecision(2))],
        (of[3] / of[0]).toFixed(2),
      ]);
      console.error(rows.at(-1)!.join(' | '));
    });
  }
}
const text = `# Levels of detail, stage by stage

Written by \`node dist/bench/lod-stages.js --write\`. RMS distance between surfaces in % of the diagonal, with seams, uvs and materials. The
same clips: moments between those that were fitted. New motion: of each clip the first half was fitted, the second is measured. Positions and
weights are fitted to carried points; all: then to nearest points, and vertices that were thrown off go back. ${machine()}.

${markdownTable(['model', 'measured in', 'triangles', ...STAGES.map(([stage]) => stage), 'all / collapses'], rows)}
`;
console.log(text);
if (values.write) writeResults('lod-stages', text);
