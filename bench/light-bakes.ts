import { readEnvironment } from '../src/doors/light.ts';
import { bakeLight } from '../src/light/light.ts';
import { TRACE_OPTIONS } from '../src/light/traced-pose.ts';
import type { EnvironmentMap } from '../src/model/environment.ts';
import { defaultsOf } from '../src/model/options.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { traceWith } from '../src/verbs/light-parts.ts';
import { realData } from './data.ts';
import { fileModel, subdivided } from './light-cases.ts';
import { stopwatch } from './timing.ts';

/** Characters with baked light, and what they are measured under. */

export const ORDER = 5;
export const TRACING = { ...defaultsOf(TRACE_OPTIONS), order: ORDER, seed: 77 };

/** A character, the clips that are baked, and the poses that a thorough bake takes. */
interface Case {
  name: string;
  model: SkinnedModel;
  baked: readonly string[];
  many: number;
}

export async function cases(): Promise<Case[]> {
  const motions = ['bvh/02_01.bvh', 'bvh/05_02.bvh', 'bvh/16_01.bvh', 'bvh/49_06.bvh'];
  const man = await fileModel('gltf/CesiumMan.glb', motions);
  const fox = await fileModel('gltf/Fox.glb');
  return [
    ...(man ? [{ name: 'Man', model: man, baked: motions.slice(0, 2), many: 192 }] : []),
    ...(fox ? [{ name: 'Fox', model: subdivided(fox), baked: ['Survey', 'Walk'], many: 128 }] : []),
  ];
}

export async function maps(): Promise<{ name: string; map: EnvironmentMap }[]> {
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

export const percent = (x: number | undefined): string => (x === undefined ? '–' : x.toFixed(1));

/** The model with light of some of its clips, the time of one thread that took, and all clips again. */
export async function baked({ model, baked: names }: Case, options: { poses: number; gloss: boolean }) {
  const own = { ...model, clips: model.clips.filter(({ name }) => names.includes(name)) };
  const elapsed = stopwatch();
  const { models } = await bakeLight([own], options, traceWith());
  return { lit: { ...models[0], clips: model.clips }, seconds: elapsed() };
}
