// Gloss by Feng 2010, chapter 5: what is left out of a BRDF by its first terms, and how far blended vectors of a factored BRDF are
// from traced ones. Minutes are those of the processor, one thread.
//
//   node dist/bench/light-paper-gloss.js [--write]

import { brdfFactors } from '../src/light/paper/brdf-factors.ts';
import { SampledLight } from '../src/light/paper/sampled-light.ts';
import { TRACE_OPTIONS } from '../src/light/traced-pose.ts';
import { sampleClusters } from '../src/model/light-samples.ts';
import { defaultsOf } from '../src/model/options.ts';
import { clipPoses } from '../src/skin/choose-poses.ts';
import { bake, cases, megabytes, SIZE, say, traced } from './light-paper-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const POSES = 12;
const RAYS = 128;
const BUDGET = 10;

const terms = (['phong', 'cook-torrance'] as const).flatMap((brdf) =>
  (brdf === 'phong' ? [8, 32, 128] : [0.2, 0.4]).map((parameter) => [
    `${brdf} ${parameter}`,
    ...[1, 4, 9, 16].map((count) => (100 * Math.sqrt(brdfFactors(5, brdf, parameter, count).lost)).toFixed(1)),
  ]),
);

// The last character.
const rows: string[][] = [];
const { name, model, baked, others } = cases.at(-1)!;
const train = { ...model, clips: model.clips.filter((clip) => baked.includes(clip.name)) };
for (const brdf of ['phong', 'cook-torrance'] as const) {
  const { model: lit, seconds } = await bake(train, {
    method: 'paper',
    brdf,
    poses: POSES,
    rays: RAYS,
    budget: BUDGET,
  });
  const samples = lit.light!.samples!;
  const light = new SampledLight(samples, model.skeleton.parents);
  const found = new Float32Array(samples.groupOf.length * 4 * SIZE);
  const errors: string[] = [];
  for (const clip of [baked[0], others[0]]) {
    const poses = clipPoses([model], clip, 2);
    let [wrong, all] = [0, 0];
    (await traced(model, poses, { ...defaultsOf(TRACE_OPTIONS), rays: RAYS, brdf })).forEach(
      ({ glossy, inside }, p) => {
        light.set(poses[p].parts[0].transforms);
        light.read(samples.gloss!.vectors, found);
        glossy!.forEach((x, c) => {
          if (inside[Math.floor(c / (4 * SIZE))]) return;
          wrong += (found[c] - x) ** 2;
          all += x * x;
        });
      },
    );
    errors.push((100 * Math.sqrt(wrong / all)).toFixed(1));
  }
  const { vectors } = samples.gloss!;
  const raw = samples.groupOf.length * samples.poses.count * SIZE * SIZE * 4;
  const stored = [vectors.basis, vectors.coefficients, vectors.scales].reduce((sum, x) => sum + x.byteLength, 0);
  const bytes = stored + 2 * vectors.memberOf.length;
  const row = [
    `${name}, ${brdf}`,
    `${sampleClusters(vectors)}`,
    megabytes(raw),
    megabytes(bytes),
    (raw / bytes).toFixed(0),
    ((seconds.trace + seconds.rest + seconds.segments) / 60).toFixed(2),
    ...errors,
  ];
  rows.push(row);
  say(row);
}

const text = `## Terms of a BRDF

What is left out of a BRDF by its first terms, RMS in %:

${markdownTable(['', '1', '4', '9', '16'], terms)}

## Vectors

Vectors Gᵀ T (4 × 25) of ${POSES} poses at ${RAYS} rays, ${BUDGET} clusters for a pose; raw: matrices of 25 × 25 numbers of 4 bytes. Error in % of traced vectors.

${markdownTable(['', 'PCA clusters', 'raw, MB', 'stored, MB', 'ratio', 'all, min', 'baked clip', 'other clip'], rows)}`;
console.log(text);
if (process.argv.includes('--write')) {
  writeResults(
    'light-paper-gloss',
    `# Gloss by the chapter

Feng 2010, chapter 5. Made by \`node dist/bench/light-paper-gloss.js --write\` on ${machine()}; minutes are those of the processor, one thread.

${text}`,
  );
}
