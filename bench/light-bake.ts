// Baked light against traced light: shading in clips that were baked and in others, what flickers, bytes, and the
// time that it takes. Nothing here was used to choose a setting but the rows that say so.
//
//   node dist/bench/light-bake.js [--poses 16] [--rays 1024] [--write]

import { parseArgs } from 'node:util';
import { lightBytes } from '../src/light/light-bytes.ts';
import { lightContenders, measureLight } from '../src/light/measure-light.ts';
import { LightScene } from '../src/light/scene.ts';
import type { TracedPose } from '../src/light/traced-pose.ts';
import { vertexCount } from '../src/model/mesh.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { type Pose, poseOfClip } from '../src/skin/choose-poses.ts';
import { lightsOf, traceWith } from '../src/verbs/light-parts.ts';
import { baked, cases, maps, ORDER, percent, TRACING } from './light-bakes.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: {
    poses: { type: 'string', default: '16' },
    rays: { type: 'string', default: '1024' },
    write: { type: 'boolean', default: false },
  },
});

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

const environments = await maps();
const shading: string[][] = [];
const flicker: string[][] = [];
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
