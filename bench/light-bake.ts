// Baked light against traced light: shading in clips that were baked and in others, what flickers, reflections, bytes, and
// the time that it takes. Nothing here was used to choose a setting but the rows that say so.
//
//   node dist/bench/light-bake.js [--poses 16] [--rays 1024] [--write]

import { parseArgs } from 'node:util';
import { glossVisibility, phongLobe, readEnvironment, traceGloss, turnVectors } from '../src/doors/light.ts';
import { bakeLight } from '../src/light/light.ts';
import { lightBytes } from '../src/light/light-bytes.ts';
import { LitScene } from '../src/light/lit-scene.ts';
import { lightContenders, measureLight } from '../src/light/measure-light.ts';
import { LightScene } from '../src/light/scene.ts';
import { SceneBase } from '../src/light/scene-base.ts';
import { sceneSpheres } from '../src/light/scene-spheres.ts';
import { TRACE_OPTIONS, type TracedPose, tracePose } from '../src/light/traced-pose.ts';
import { randomNormal, seededRandom } from '../src/math/rng.ts';
import type { EnvironmentMap } from '../src/model/environment.ts';
import { vertexCount } from '../src/model/mesh.ts';
import { defaultsOf } from '../src/model/options.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { clipPoses, type Pose, poseOfClip } from '../src/skin/choose-poses.ts';
import { lightsOf, traceWith } from '../src/verbs/light-parts.ts';
import { realData } from './data.ts';
import { fileModel, subdivided } from './light-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

const { values: flags } = parseArgs({
  options: {
    poses: { type: 'string', default: '16' },
    rays: { type: 'string', default: '1024' },
    write: { type: 'boolean', default: false },
  },
});
const ORDER = 5;
const TRACING = { ...defaultsOf(TRACE_OPTIONS), order: ORDER, seed: 77 };

/** A character, the clips that are baked, and the poses that a thorough bake takes. */
interface Case {
  name: string;
  model: SkinnedModel;
  baked: readonly string[];
  many: number;
}

async function cases(): Promise<Case[]> {
  const motions = ['bvh/02_01.bvh', 'bvh/05_02.bvh', 'bvh/16_01.bvh', 'bvh/49_06.bvh'];
  const man = await fileModel('gltf/CesiumMan.glb', motions);
  const fox = await fileModel('gltf/Fox.glb');
  return [
    ...(man ? [{ name: 'Man', model: man, baked: motions.slice(0, 2), many: 192 }] : []),
    ...(fox ? [{ name: 'Fox', model: subdivided(fox), baked: ['Survey', 'Walk'], many: 128 }] : []),
  ];
}

async function maps(): Promise<{ name: string; map: EnvironmentMap }[]> {
  const found: { name: string; map: EnvironmentMap }[] = [];
  for (const name of ['venice_sunset_1k', 'quarry_01_1k']) {
    const path = realData(`hdr/${name}.hdr`);
    if (!path) continue;
    const source = await nodeFiles.open(path);
    found.push({ name, map: await readEnvironment(source) });
    await source.close();
  }
  return found;
}

const percent = (x: number | undefined): string => (x === undefined ? '–' : x.toFixed(1));

/** The model with light of some of its clips, the time of one thread that took, and all clips again. */
async function baked({ model, baked: names }: Case, options: { poses: number; gloss: boolean }) {
  const own = { ...model, clips: model.clips.filter(({ name }) => names.includes(name)) };
  const elapsed = stopwatch();
  const { models } = await bakeLight([own], options, traceWith());
  return { lit: { ...models[0], clips: model.clips }, seconds: elapsed() };
}

/** (1) Shading, clip by clip. */
async function shadingRows(name: string, lit: SkinnedModel, environments: Awaited<ReturnType<typeof maps>>) {
  const options = { frames: Number(flags.poses), rays: Number(flags.rays), seed: TRACING.seed };
  const { clips } = await measureLight([lit], lightsOf(environments), options, traceWith());
  return clips.map(({ name: clip, baked: isBaked, shading }) => {
    const against = shading.baked! / shading.poseSpace!;
    const cells = [shading.unshadowed, shading.poseSpace, shading.base, shading.baked].map(percent);
    const row = [name, `${lit.light!.made!.poses}`, clip, isBaked ? 'yes' : 'no', ...cells, against.toFixed(2)];
    console.error(row.join(' | '));
    return row;
  });
}

/** Sums of squares of second differences of three poses, over vertices outside of others in all of them. */
function secondDifference([a, b, c]: readonly Float32Array[], [p, q, r]: readonly Uint8Array[]) {
  const size = ORDER * ORDER;
  let [wrong, all] = [0, 0];
  for (let i = 0; i < p.length; i++) {
    if (p[i] || q[i] || r[i]) continue;
    for (let at = i * size; at < (i + 1) * size; at++) {
      wrong += (a[at] - 2 * b[at] + c[at]) ** 2;
      all += b[at] ** 2;
    }
  }
  return { wrong, all };
}

/** (2) Second differences over a clip at 30 frames a second, in % of transfer, in the frames of the bones. */
async function flickerRow(name: string, lit: SkinnedModel, clip: string): Promise<string[]> {
  const { times } = lit.clips.find((each) => each.name === clip)!;
  const count = Math.floor((times[times.length - 1] - times[0]) * 30) + 1;
  const poses = Array.from({ length: count }, (_, k) => poseOfClip([lit], clip, times[0] + k / 30));
  const scene = new LightScene([lit]);
  const ways: [string, (pose: Pose) => Float32Array][] = lightContenders(scene, ORDER, 64).filter(
    ([way]) => way !== 'unshadowed',
  );
  const traced: TracedPose[] = [];
  const insides: Uint8Array[] = [];
  const fine: Float32Array[] = [];
  const parts = poses.map((pose) => pose.parts);
  for await (const light of traceWith()([lit], parts, { ...TRACING, rays: 512 }, {})) {
    traced.push(light);
    insides.push(light.inside);
  }
  for await (const { transfer } of traceWith()([lit], parts, { ...TRACING, rays: 2048 }, {})) fine.push(transfer);
  const over = (of: readonly Float32Array[]) => {
    let [wrong, all] = [0, 0];
    for (let k = 2; k < count; k++) {
      const part = secondDifference(of.slice(k - 2, k + 1), insides.slice(k - 2, k + 1));
      wrong += part.wrong;
      all += part.all;
    }
    return 100 * Math.sqrt(wrong / all);
  };
  const light = new Map(ways.map(([way, lightIn]) => [way, over(poses.map((pose) => lightIn(pose).slice()))]));
  const truths = [over(traced.map(({ transfer }) => transfer)), over(fine)];
  return [name, clip, `${count}`, ...[light.get('base'), light.get('baked'), ...truths].map(percent)];
}

const relative = (found: readonly number[], truth: readonly number[]): number => {
  let [wrong, all] = [0, 0];
  truth.forEach((x, c) => {
    wrong += (found[c] - x) ** 2;
    all += x ** 2;
  });
  return 100 * Math.sqrt(wrong / all);
};

/** (3) Reflections of exponent 32: errors with the visibility that is traced, of spheres, and baked. */
function glossRows(name: string, lit: SkinnedModel, map: EnvironmentMap): string[][] {
  const scene = new LightScene([lit]);
  const base = new SceneBase(scene, sceneSpheres(scene, 64), { order: ORDER });
  const own = new LitScene(scene);
  const lobe = phongLobe(ORDER, 32);
  const random = seededRandom(3);
  return lit.clips.map(({ name: clip }) => {
    const truth: number[] = [];
    const found: number[][] = [[], [], []];
    clipPoses([lit], clip, 3).forEach(({ parts }, p) => {
      const traced = tracePose(scene, parts, { ...TRACING, rays: 1024, bounces: 0, gloss: true }, p);
      const ways = [traced.visibility!, base.run(parts, true).visibility!, own.run(parts).visibility!];
      const { positions, normals, frames } = scene.pose(parts);
      const turned = ways.map((way) => turnVectors(ORDER, way, scene.groupOf, frames));
      const vertices: number[] = [];
      const directions: number[] = [];
      while (vertices.length < 100) {
        const i = Math.floor(random() * scene.vertices);
        const v = [0, 1, 2].map(() => randomNormal(random));
        const cosine = v.reduce((sum, x, c) => sum + x * normals[3 * i + c], 0);
        if (traced.inside[i] || cosine <= 0) continue;
        vertices.push(i);
        directions.push(...v.map((x) => x / Math.hypot(...v)));
      }
      const at = { vertices, directions: Float32Array.from(directions) };
      const surface = { positions, normals, triangles: scene.triangles, albedo: 0.6 };
      const { seen, open } = traceGloss(surface, map, at, lobe);
      truth.push(...seen);
      turned.forEach((h, way) => {
        const parts = vertices.map((i, m) =>
          glossVisibility(
            h,
            25 * i,
            normals.subarray(3 * i, 3 * i + 3),
            at.directions.subarray(3 * m, 3 * m + 3),
            lobe,
          ),
        );
        found[way].push(...open.map((x, c) => x * parts[Math.floor(c / 3)]));
      });
    });
    const errors = found.map((each) => relative(each, truth));
    return [name, clip, ...errors.map(percent), (errors[2] / errors[0]).toFixed(2)];
  });
}

const environments = await maps();
const shading: string[][] = [];
const flicker: string[][] = [];
const gloss: string[][] = [];
const bakes: string[][] = [];
for (const each of await cases()) {
  const { name, model, many } = each;
  for (const poses of [48, many]) {
    const { lit, seconds } = await baked(each, { poses, gloss: false });
    const bytes = lightBytes(lit.light!) / vertexCount(model.mesh);
    bakes.push([name, `${vertexCount(model.mesh)}`, `${poses}`, seconds.toFixed(1), bytes.toFixed(0)]);
    console.error(bakes.at(-1)!.join(' | '));
    shading.push(...(await shadingRows(name, lit, environments)));
    if (poses !== 48) continue;
    const last = model.clips.filter((clip) => !each.baked.includes(clip.name));
    const jump = name === 'Man' ? 'bvh/16_01.bvh' : last[0].name;
    flicker.push(await flickerRow(name, lit, jump));
    console.error(flicker.at(-1)!.join(' | '));
    const shiny = await baked(each, { poses, gloss: true });
    gloss.push(...glossRows(name, shiny.lit, environments[0].map));
    for (const row of gloss) console.error(row.join(' | '));
  }
}
const text = `## Shading

Relative RMS error of what is seen, in %, against traced light (${flags.rays} rays per vertex, two bounces, albedo 0.6), mean over
two maps in four rotations, red, green and blue; ${flags.poses} poses of each clip between those that were traced. "Against" is the
baked error over that of pose space, which keeps all traced poses whole and blends the nearest four.

${markdownTable(['', 'poses traced', 'clip', 'baked', 'unshadowed', 'pose space', 'base', '**baked**', 'against'], shading)}

## Flicker

RMS second difference of transfer at 30 frames a second, in % of transfer. Traced light has noise, which is in its own.

${markdownTable(['', 'clip, not baked', 'frames', 'base', '**baked**', 'traced, 512 rays', '2,048 rays'], flicker)}

## Reflections

Phong exponent 32, venice, 3 poses × 100 vertices of each clip, error in % against rays into the map; by visibility that was traced
(1,024 rays), of the spheres, and baked.

${markdownTable(['', 'clip', 'traced', 'base', '**baked**', 'baked over traced'], gloss)}

## Bake

512 rays, spheres fitted, one thread, seconds of the processor; bytes of all arrays per vertex.

${markdownTable(['', 'vertices', 'poses', 'seconds', 'bytes per vertex'], bakes)}`;
console.log(text);
if (flags.write) {
  writeResults(
    'light-bake',
    `# Baked light\n\nMade by \`node dist/bench/light-bake.js --write\` on ${machine()}.\n\n${text}`,
  );
}
