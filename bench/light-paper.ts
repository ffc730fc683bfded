// Light by Feng 2010, chapter 5, beside the library's own and pose space: Tables 5.1 to 5.3 with units, errors on clips that
// were baked and on others, flicker. Gloss is in light-paper-gloss.ts. Seconds are those of the processor, one thread.
//
//   node dist/bench/light-paper.js [--poses 32] [--frames 4] [--rays 256] [--fit] [--write]

import { parseArgs } from 'node:util';
import { readEnvironment } from '../src/io/read-environment.ts';
import { bakePoses } from '../src/light/bake-poses.ts';
import { environmentSh } from '../src/light/environment.ts';
import { unshadowedLight } from '../src/light/fit-base.ts';
import { lightBytes } from '../src/light/light-bytes.ts';
import { type EnvironmentLight, turnedLights } from '../src/light/light-errors.ts';
import { LitScene } from '../src/light/lit-scene.ts';
import { SampledLight } from '../src/light/paper/sampled-light.ts';
import { LightScene } from '../src/light/scene.ts';
import { SceneBase } from '../src/light/scene-base.ts';
import { sceneSpheres } from '../src/light/scene-spheres.ts';
import { TRACE_OPTIONS, type TraceOptions } from '../src/light/traced-pose.ts';
import { sampleClusters } from '../src/model/light-samples.ts';
import { defaultsOf } from '../src/model/options.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { clipPoses } from '../src/skin/choose-poses.ts';
import { realData } from './data.ts';
import { type Baked, bake, cases, megabytes, SIZE, say, traced } from './light-paper-cases.ts';
import {
  bytesUsed,
  compression,
  errorsOf,
  FLICKER,
  flicker,
  liveliest,
  summedError,
  type Ways,
} from './light-paper-figures.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

const { values: flags } = parseArgs({
  options: {
    poses: { type: 'string', default: '32' },
    frames: { type: 'string', default: '4' },
    rays: { type: 'string', default: '256' },
    fit: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const [poseCount, frames, rays] = [flags.poses, flags.frames, flags.rays].map(Number);
const METHODS = ['residual', 'paper', 'pose-space'] as const;

async function lights(): Promise<EnvironmentLight[]> {
  const found: EnvironmentLight[] = [];
  for (const name of ['venice_sunset_1k', 'quarry_01_1k']) {
    const path = realData(`hdr/${name}.hdr`);
    if (!path) continue;
    const source = await nodeFiles.open(path);
    found.push({ name, sh: environmentSh(await readEnvironment(source), 5) });
    await source.close();
  }
  return found;
}

const TRACE: TraceOptions = { ...defaultsOf(TRACE_OPTIONS), rays };

const environments = await lights();
const tables: Record<'one' | 'two' | 'three' | 'errors' | 'flicker' | 'quality', string[][]> = {
  one: [],
  two: [],
  three: [],
  errors: [],
  flicker: [],
  quality: [],
};
for (const { name, model, baked, others } of cases) {
  const train = { ...model, clips: model.clips.filter((clip) => baked.includes(clip.name)) };
  const sky = turnedLights(environments, 5, model.mesh.space?.up);
  const scene = new LightScene([model]);
  const n = scene.vertices;
  const made = {} as Record<(typeof METHODS)[number], Baked>;
  for (const method of METHODS) made[method] = await bake(train, { poses: poseCount, rays, fit: flags.fit, method });
  const lit = (method: (typeof METHODS)[number]) =>
    new LitScene(new LightScene([{ ...model, light: made[method].model.light }]));
  const base = new SceneBase(scene, sceneSpheres(scene, 64), { order: 5 });
  const scenes = METHODS.map((method) => [method, lit(method)] as const);
  const ways: Ways = [
    ['unshadowed', ({ parts }) => unshadowedLight(scene, scene.pose(parts), 5)],
    ['base', ({ parts }) => base.run(parts).transfer],
    ...scenes.map(([method, each]): Ways[number] => [method, ({ parts }) => each.run(parts).transfer]),
  ];

  // Errors on clips, and flicker over the first of the others.
  const perWay = ways.map(([way]) => [name, way]);
  perWay.forEach((row, w) => {
    const method = METHODS[w - 2];
    row.push(method ? Math.round(lightBytes(made[method].model.light!) / n).toString() : '0');
  });
  for (const clip of [...baked, ...others]) {
    const poses = clipPoses([model], clip, frames);
    errorsOf(scene, ways, poses, await traced(model, poses, TRACE), sky).forEach(
      (error, w) => void perWay[w].push(error),
    );
  }
  tables.errors.push(...perWay);
  perWay.forEach(say);
  const motion = liveliest(model, others[0]);
  const truth = await traced(model, motion, TRACE);
  const inside = truth.map((each) => each.inside);
  const seen: Ways = [...ways, ['traced', () => new Float32Array(0)]];
  const shaking = seen.map(([way, lightIn]) => {
    const values = motion.map((pose, k) => (way === 'traced' ? truth[k].transfer : lightIn(pose).slice()));
    return flicker(values, inside).toFixed(1);
  });
  tables.flicker.push([name, others[0], ...shaking]);
  say(tables.flicker.at(-1)!);

  // Tables 5.1 and 5.2.
  const { paper } = made;
  const samples = paper.model.light!.samples!;
  const { segments, rest, trace } = paper.seconds;
  const groups = samples.bones.length * samples.groups;
  tables.one.push([
    name,
    `${n}`,
    `${samples.poses.count}`,
    `${samples.bones.length}`,
    (trace / 60).toFixed(2),
    `${groups}`,
    (segments / 60).toFixed(3),
    `${sampleClusters(samples.diffuse)}`,
    (rest / 60).toFixed(2),
  ]);
  const elapsed = stopwatch();
  for (const { parts } of motion) scenes[1][1].run(parts);
  const each = (1000 * elapsed()) / motion.length;
  const raw = n * samples.poses.count * SIZE * 4;
  const stored = lightBytes(paper.model.light!);
  tables.two.push([
    name,
    megabytes(raw),
    megabytes(stored),
    (raw / stored).toFixed(1),
    megabytes(bytesUsed(paper.model, motion)),
    each.toFixed(1),
  ]);
  const { ours, independent, relative } = compression(paper);
  tables.quality.push([name, ours.toFixed(3), independent.toFixed(3), relative.toFixed(2)]);
  for (const key of ['one', 'two', 'quality'] as const) say(tables[key].at(-1)!);

  // Table 5.3: the same stored samples, blended by groups of each segment or from the nearest four poses.
  const random = bakePoses([train], 10, 991).filter(({ name: kind }) => kind === 'mixed');
  const truths = await traced(model, random, TRACE);
  const blends = (['paper', 'pose-space'] as const).map(
    (method) => new SampledLight(samples, model.skeleton.parents, method),
  );
  const sums = [0, 0];
  random.forEach(({ parts }, p) => {
    const found = blends.map((light) => summedError(light, samples, parts[0], truths[p]));
    found.forEach((error, k) => void (sums[k] += error / random.length));
    tables.three.push([name, `${p + 1}`, ...found.map((x) => x.toFixed(1))]);
  });
  tables.three.push([name, 'mean', ...sums.map((x) => x.toFixed(1))]);
  say(tables.three.at(-1)!);
}

writeTables();

function writeTables(): void {
  const clipHeads = cases.map(({ name, baked, others }) => `${name}: ${[...baked, ...others].join(', ')}`);
  const text = [
    `## Errors

Relative RMS in % against traced light, transfer / shading; ${frames} poses of each clip, those of the clips that were baked first.
Columns: ${clipHeads.join('; ')}.

${markdownTable(
  ['', 'light', 'bytes/vertex', 'baked', 'baked', 'other', 'other'],
  tables.errors.map((row) => (row.length < 7 ? [...row, ''] : row)),
)}`,
    `## Flicker

RMS of the second difference over the ${FLICKER} frames, at 30 a second, in which the clip turns bones most, in % of RMS transfer.

${markdownTable(['', 'clip', 'unshadowed', 'base', ...METHODS, `traced, ${rays} rays`], tables.flicker)}`,
    `## Table 5.1: precomputation

${markdownTable(
  [
    '',
    'vertices',
    'poses',
    'segments',
    'tracing, min',
    'groups of poses',
    'normalized cuts, min',
    'PCA clusters',
    'revised CPCA, min',
  ],
  tables.one,
)}`,
    `## Table 5.2: compression and speed

Raw: 25 numbers of 4 bytes per vertex and pose, diffuse, one colour. "Used": rows and bases that the ${FLICKER} frames above need.

${markdownTable(['', 'raw, MB', 'stored, MB', 'ratio', 'used, MB', 'ms per frame'], tables.two)}

Squared error of a pose, and its root in % of all; the same number of clusters with every pose on its own:

${markdownTable(['', 'revised CPCA', 'CPCA of each pose', 'revised, %'], tables.quality)}`,
    `## Table 5.3: interpolation

Sum over vertices of the length of the error of transfer, in five poses mixed of several moments; the same stored samples, blended
by the groups of each segment, or from the four nearest poses.

${markdownTable(['', 'pose', "the chapter's groups", 'pose space'], tables.three)}`,
  ].join('\n\n');
  console.log(text);
  if (flags.write) {
    writeResults(
      'light-paper',
      `# Light by the chapter

Feng 2010, chapter 5, beside the library's own light and pose space. Made by \`node dist/bench/light-paper.js --write\` on
${machine()}; minutes and milliseconds are those of the processor, one thread. ${poseCount} poses, ${rays} rays per vertex and pose, two
bounces, albedo 0.6; spheres of the residual ${flags.fit ? '' : 'not '}fitted; 8 basis vectors, groups of at most 4 poses, four PCA clusters for a segment and pose. Fox is subdivided once.

${text}`,
    );
  }
}
