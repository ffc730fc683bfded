// A whole bake in one thread and in two: seconds of the clock, stage by stage, and whether both made the same light.
//
//   node dist/bench/light-threads.js [--poses 48] [--turns 1] [--write]

import { parseArgs } from 'node:util';
import { type TileRunner, tilesHere } from '../src/kernels/tiles.ts';
import { bakeLight } from '../src/light/light.ts';
import type { LightModel } from '../src/model/light.ts';
import { nodeTiles } from '../src/platform/node/index.ts';
import { sampleFigure } from '../src/rig/samples/figure.ts';
import { TILES } from '../src/tile-tasks.ts';
import { equationsWith, traceWith } from '../src/verbs/light-parts.ts';
import { fileModel } from './light-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: {
    poses: { type: 'string', default: '48' },
    turns: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const man = await fileModel('gltf/CesiumMan.glb', ['bvh/02_01.bvh', 'bvh/05_02.bvh']);
const model = man ?? sampleFigure(2000, 24, 24);

interface Timed {
  all: number;
  stages: Record<string, number>;
  light: LightModel;
}

async function bake(tiles: TileRunner): Promise<Timed> {
  const begun = performance.now();
  const options = { poses: Number(flags.poses), rays: 512 };
  const { models, report } = await bakeLight([model], options, traceWith(tiles), { equations: equationsWith(tiles) });
  return { all: (performance.now() - begun) / 1000, stages: report.seconds, light: models[0].light! };
}

const threads = nodeTiles(2);
const runners: [string, TileRunner][] = [
  ['one thread', tilesHere(TILES)],
  ['two threads', threads],
];
const best: (Timed | undefined)[] = [undefined, undefined];
for (let turn = 0; turn < Number(flags.turns); turn++) {
  for (const [r, [name, tiles]] of runners.entries()) {
    const made = await bake(tiles);
    console.error(turn, name, made.all.toFixed(1), made.stages);
    if (!best[r] || made.all < best[r].all) best[r] = made;
  }
}
await threads.close();
const [one, two] = best as [Timed, Timed];
const same = JSON.stringify(one.light.spheres) === JSON.stringify(two.light.spheres);
if (!same) throw new Error('two threads fit other spheres than one');
const stages = Object.keys(one.stages);
const rows = runners.map(([name], r) => [
  name,
  ...stages.map((stage) => best[r]!.stages[stage].toFixed(1)),
  best[r]!.all.toFixed(1),
]);
const text = `${markdownTable(['seconds', ...stages, 'all'], rows)}

Two threads against one: ${(one.all / two.all).toFixed(2)} × as fast, the same spheres to the last bit.`;
console.log(text);
if (flags.write) {
  const about = `${man ? 'CesiumMan, 2,338 vertices' : 'A generated figure'}, ${flags.poses} poses, 512 rays, spheres fitted: seconds of the clock, the best of ${flags.turns}. ${machine()}. Written by \`node dist/bench/light-threads.js --write\`.`;
  writeResults('light-threads', `# A bake in threads\n\n${about}\n\n${text}`);
}
