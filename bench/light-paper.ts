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
import { type EnvironmentLight, LightErrors, turnedLights } from '../src/light/light-errors.ts';
import { LitScene } from '../src/light/lit-scene.ts';
import { clusteredPca } from '../src/light/paper/clustered-pca.ts';
import { SampledLight } from '../src/light/paper/sampled-light.ts';
import { LightScene } from '../src/light/scene.ts';
import { SceneBase } from '../src/light/scene-base.ts';
import { sceneSpheres } from '../src/light/scene-spheres.ts';
import { TRACE_OPTIONS, type TracedPose, type TraceOptions } from '../src/light/traced-pose.ts';
import { type LightSamples, type SampledVectors, sampleClusters } from '../src/model/light-samples.ts';
import { defaultsOf } from '../src/model/options.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { clipPoses, type PartPose, type Pose, poseOfClip } from '../src/skin/choose-poses.ts';
import { realData } from './data.ts';
import { type Baked, bake, cases, megabytes, SIZE, say, traced } from './light-paper-cases.ts';
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
/** Frames of a motion, at 30 a second, whose second differences are taken. */
const FLICKER = 14;
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

/** N × 25 in a pose, by each way. */
type Ways = [string, (pose: Pose) => Float32Array][];

function errorsOf(
  scene: LightScene,
  ways: Ways,
  poses: readonly Pose[],
  truth: readonly TracedPose[],
  sky: Float64Array[],
) {
  const sums = ways.map(() => new LightErrors(sky, 5));
  poses.forEach((pose, p) => {
    ways.forEach(([, lightIn], w) => {
      const values = lightIn(pose);
      const at = { groupOf: scene.groupOf, frames: scene.pose(pose.parts).frames, inside: truth[p].inside };
      sums[w].add(values, truth[p].transfer, at);
    });
  });
  return sums.map(({ transfer, shading }) => `${transfer.toFixed(1)} / ${shading.toFixed(1)}`);
}

/** RMS of second differences over frames in % of RMS; vertices that are inside in any frame do not count. */
function flicker(values: readonly Float32Array[], inside: readonly Uint8Array[]): number {
  let [change, all] = [0, 0];
  for (let k = 1; k + 1 < values.length; k++) {
    for (let c = 0; c < values[k].length; c++) {
      if (inside.some((each) => each[Math.floor(c / SIZE)] === 1)) continue;
      change += (values[k - 1][c] - 2 * values[k][c] + values[k + 1][c]) ** 2;
      all += values[k][c] ** 2;
    }
  }
  return 100 * Math.sqrt(change / all);
}

/** The frames of a clip in which bones move most. */
function liveliest(model: SkinnedModel, clip: string): Pose[] {
  const { times } = model.clips.find(({ name }) => name === clip)!;
  const count = Math.max(FLICKER, Math.floor(30 * (times[times.length - 1] - times[0])));
  const all = Array.from({ length: count }, (_, k) => poseOfClip([model], clip, times[0] + k / 30));
  const steps = all.map(({ parts }, k) => {
    const before = all[Math.max(0, k - 1)].parts[0].transforms;
    return parts[0].transforms.reduce((sum, x, c) => sum + (c % 4 < 3 ? (x - before[c]) ** 2 : 0), 0);
  });
  const moved = (k: number) => steps.slice(k + 1, k + FLICKER).reduce((sum, x) => sum + x, 0);
  const starts = Array.from({ length: count - FLICKER + 1 }, (_, k) => k);
  const best = starts.reduce((a, b) => (moved(b) > moved(a) ? b : a));
  return all.slice(best, best + FLICKER);
}

/** A sampled vector of one traced pose, without any blending. */
function decoded(samples: LightSamples, of: SampledVectors, vertex: number, pose: number, size: number): Float64Array {
  const { groupOf, clusterOf, groups, poses } = samples;
  const cluster = of.memberOf[vertex * groups + clusterOf[groupOf[vertex] * poses.count + pose]];
  const out = new Float64Array(size);
  for (let b = 0; b < of.bases; b++) {
    const c = of.coefficients[(vertex * poses.count + pose) * of.bases + b] * of.scales[cluster * of.bases + b];
    for (let k = 0; k < size; k++) out[k] += c * of.basis[(cluster * of.bases + b) * size + k];
  }
  return out;
}

/** Mean squared error of a pose: of the stored samples, and of as many clusters of each pose on its own. */
function compression({ model, kept }: Baked): { ours: number; independent: number; relative: number } {
  const samples = model.light!.samples!;
  const n = samples.groupOf.length;
  const count = Math.max(1, Math.round(sampleClusters(samples.diffuse) / kept.length));
  let [ours, independent, all] = [0, 0, 0];
  kept.forEach((values, p) => {
    for (let i = 0; i < n; i++) {
      const got = decoded(samples, samples.diffuse, i, p, SIZE);
      for (let c = 0; c < SIZE; c++) {
        ours += (got[c] - values[i * SIZE + c]) ** 2 / kept.length;
        all += values[i * SIZE + c] ** 2 / kept.length;
      }
    }
    const offsets = Uint32Array.from({ length: n + 1 }, (_, i) => i);
    const rows = { size: SIZE, offsets, values: Float64Array.from(values) };
    independent +=
      clusteredPca(rows, [], count, { bases: samples.diffuse.bases, seed: 1 }).errors.at(-1)! / kept.length;
  });
  return { ours, independent, relative: 100 * Math.sqrt(ours / all) };
}

/** Bytes of samples that a motion needs: rows of the groups that it comes by, and their bases. */
function bytesUsed(model: SkinnedModel, poses: readonly Pose[]): number {
  const samples = model.light!.samples!;
  const { groupOf, clusterOf, groups, poses: stored, diffuse } = samples;
  const rows = new Set<number>();
  const clusters = new Set<number>();
  const light = new SampledLight(samples, model.skeleton.parents);
  for (const { parts } of poses) {
    light.set(parts[0].transforms);
    groupOf.forEach((g, i) => {
      for (const p of Array.from(light.blendOf(g).poses)) {
        rows.add(i * stored.count + p);
        clusters.add(diffuse.memberOf[i * groups + clusterOf[g * stored.count + p]]);
      }
    });
  }
  return 2 * diffuse.bases * rows.size + 4 * diffuse.bases * SIZE * clusters.size;
}

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

/** Σ over vertices of ‖T − T̃‖. */
function summedError(light: SampledLight, samples: LightSamples, pose: PartPose, truth: TracedPose): number {
  light.set(pose.transforms);
  const found = new Float32Array(truth.transfer.length);
  light.read(samples.diffuse, found);
  let sum = 0;
  for (let i = 0; i < samples.groupOf.length; i++) {
    if (truth.inside[i]) continue;
    let square = 0;
    for (let c = i * SIZE; c < (i + 1) * SIZE; c++) square += (found[c] - truth.transfer[c]) ** 2;
    sum += Math.sqrt(square);
  }
  return sum;
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
