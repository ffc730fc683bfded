import type { TracePoses } from '../src/light/baked-light.ts';
import { bakeLight } from '../src/light/light.ts';
import type { LightOptions } from '../src/light/light-options.ts';
import type { TracedPose, TraceOptions } from '../src/light/traced-pose.ts';
import type { SkinnedModel } from '../src/model/skinned-model.ts';
import type { Pose } from '../src/skin/choose-poses.ts';
import { traceWith } from '../src/verbs/light-parts.ts';
import { fileModel, subdivided } from './light-cases.ts';
import { stopwatch } from './timing.ts';

/** What the programs about Feng 2010, chapter 5, share: characters and their clips, bakes with their seconds, traced poses. */

/** Coefficients of a vector. */
export const SIZE = 25;

/** Traced poses of a model, which do not depend on what is baked. */
export async function traced(
  model: SkinnedModel,
  poses: readonly Pose[],
  options: TraceOptions,
): Promise<TracedPose[]> {
  const parts = poses.map((pose) => pose.parts);
  const out: TracedPose[] = [];
  for await (const light of traceWith()([model], parts, { ...options, seed: 77 }, {})) out.push(light);
  return out;
}

/** What was baked, and how long it took. */
export interface Baked {
  model: SkinnedModel;
  /** Seconds of tracing, of groups of poses, of clusters or modes. */
  seconds: { trace: number; segments: number; rest: number };
  /** What was traced, filled. */
  kept: Float32Array[];
}

/** Bakes in one thread. */
export async function bake(model: SkinnedModel, options: Partial<LightOptions>): Promise<Baked> {
  const kept: Float32Array[] = [];
  let trace = 0;
  const timed: TracePoses = async function* (...given) {
    const all = traceWith()(...given)[Symbol.asyncIterator]();
    for (;;) {
      const elapsed = stopwatch();
      const { value, done } = await all.next();
      trace += elapsed();
      if (done) return;
      kept.push(value.glossy ?? value.transfer);
      yield value;
    }
  };
  const elapsed = stopwatch();
  const made = await bakeLight([model], options, timed);
  const others = elapsed() - trace;
  // Stages of one thread share its seconds as they share the clock's.
  const { segments = 0, clusters = 1 } = made.report.seconds;
  const part = options.method === 'paper' ? segments / (segments + clusters) : 0;
  return { model: made.models[0], seconds: { trace, segments: part * others, rest: (1 - part) * others }, kept };
}

export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1);

/** A character, the clips to bake and those to leave out. */
interface Case {
  name: string;
  model: SkinnedModel;
  baked: string[];
  others: string[];
}

const man = await fileModel(
  'gltf/CesiumMan.glb',
  ['02_01', '05_02', '16_01', '49_06'].map((name) => `bvh/${name}.bvh`),
);
const fox = await fileModel('gltf/Fox.glb');
export const cases: Case[] = [
  ...(man
    ? [
        {
          name: 'CesiumMan',
          model: man,
          baked: ['bvh/02_01.bvh', 'bvh/05_02.bvh'],
          others: ['bvh/16_01.bvh', 'bvh/49_06.bvh'],
        },
      ]
    : []),
  ...(fox ? [{ name: 'Fox', model: subdivided(fox), baked: ['Survey', 'Walk'], others: ['Run'] }] : []),
];
if (cases.length === 0) throw new Error('the characters are not here: see bench/data.ts');
/** Shows that a long run goes on. */
export const say = (row: string[]) => console.error(row.join(' | '));
