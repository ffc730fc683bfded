// How close blend bones bring linear blending to dual quaternions, in what time, and what they cost a player: the rows of
// Kavan 2009, Tables 3 and 4, on Pliant's samples and on rigs by others. Times are ratios within this run.
//
//   node dist/bench/linearize.js [--write]

import { parseArgs } from 'node:util';
import { envelopingError } from '../src/doors/measure.ts';
import { BlendBoneMatrices, posedSequence, skinTransforms } from '../src/doors/skin.ts';
import {
  boneCount,
  type Clip,
  clipFrame,
  clipFrameCount,
  type LinearizeResult,
  LOCAL_STRIDE,
  type SkinnedModel,
  Skinner,
  type SkinOperator,
  vertexCount,
} from '../src/index.ts';
import { plainMultiply } from '../src/math/dense.ts';
import { quaternionFromAxisAngle } from '../src/math/quaternion.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import { framesOf } from '../src/rig/clip-frames.ts';
import { linearize } from '../src/rig/linearize/linearize.ts';
import { placeAtRest } from '../src/rig/place-at-rest.ts';
import { clipNamed, largeRig, linearizeCases, rigsWithClips, sampleRig } from './linearize-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { fastest } from './timing.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

/** EE of a model's linearization over a clip that it was not trained with, and of linear blending alone. */
async function errorsOver(
  original: SkinnedModel,
  { model }: LinearizeResult,
  clip: Clip,
): Promise<{ lbs: number; linearized: number }> {
  const exact = posedSequence({ ...original, clips: [clip] }, 0, { operator: 'dqs' });
  const blendBones = new BlendBoneMatrices(model);
  const [own, theirs] = [12 * boneCount(original.skeleton), 12 * boneCount(model.skeleton)];
  const transforms = new Float32Array(theirs * clipFrameCount(clip));
  for (let k = 0; k < clipFrameCount(clip); k++) {
    const frame = transforms.subarray(k * theirs, (k + 1) * theirs);
    frame.set(clipFrame(clip, k).subarray(0, own));
    blendBones.fill(frame);
  }
  const driven = posedSequence({ ...model, clips: [{ ...clip, locals: undefined, transforms }] }, 0, {
    operator: 'lbs',
  });
  const linear = posedSequence({ ...original, clips: [clip] }, 0, { operator: 'lbs' });
  const percent = async (approximation: typeof exact): Promise<number> =>
    (await envelopingError(exact, approximation, original, clip)).percent ?? 0;
  return { lbs: await percent(linear), linearized: await percent(driven) };
}

const two = (x: number): string => x.toFixed(2);
const one = (x: number): string => x.toFixed(1);

/** As Table 3 and 4: errors, influences, seconds. */
async function errorTable(): Promise<string> {
  const rows: string[][] = [];
  const unseenRows: string[][] = [];
  for (const { name, model, options, whole, unseen = [] } of await linearizeCases()) {
    const before = process.cpuUsage();
    const result = await linearize(model, { ...options, measure: false, keys: 'given' });
    const cpu = process.cpuUsage(before);
    const base = await linearize(model, { ...options, method: 'mohr-gleicher', measure: false, keys: 'given' });
    const all = whole && (await errorsOver(model, result, whole));
    const { averageInfluences: influences, envelopingErrorBySolver: bySolver } = result;
    rows.push([
      name,
      String(vertexCount(model.mesh)),
      String(boneCount(model.skeleton)),
      String(result.training.clip.times.length),
      String(result.model.blendBones!.bones.length),
      one(result.envelopingErrorLbs),
      two(result.envelopingError),
      two(result.envelopingError / result.envelopingErrorLbs),
      all ? two(all.linearized) : '–',
      all ? two(all.linearized / result.envelopingError) : '–',
      `${two(bySolver.exact)} / ${two(bySolver.nnls)}`,
      `${base.model.blendBones!.bones.length}: ${two(base.envelopingError)}`,
      `${two(influences.before)} → ${two(influences.after)}`,
      one((cpu.user + cpu.system) / 1e6),
    ]);
    for (const clip of unseen) {
      const { lbs, linearized } = await errorsOver(model, result, clip);
      unseenRows.push([
        name,
        clip.name,
        String(clipFrameCount(clip)),
        one(lbs),
        one(linearized),
        two(linearized / lbs),
      ]);
    }
  }
  return [
    '## Errors and time',
    markdownTable(
      [
        ...['model, training', 'vertices', 'bones', 'frames', 'blend bones', 'EE of LBS', 'EE', 'EE / EE of LBS'],
        ...['EE, all frames', 'all / training', 'exact / NNLS', 'Mohr & Gleicher', 'influences', 'seconds'],
      ],
      rows,
    ),
    'EE: the enveloping error, in %. Exact and NNLS: two solvers for the weights, with the same blend bones, before influences are removed. Mohr & Gleicher: number of bones, and their EE.',
    '## Motions outside the training',
    markdownTable(['model, training', 'clip', 'frames', 'EE of LBS', 'EE', 'ratio'], unseenRows),
  ].join('\n\n');
}

/** Ratios to linear blending: of clips that were trained with, and of each when it was held out. As set by default. */
async function clipsTable(): Promise<string> {
  const rows: string[][] = [];
  const ratio = async (original: SkinnedModel, result: LinearizeResult, clip: Clip): Promise<number> => {
    const step = Math.max(1, Math.floor(clip.times.length / 24));
    const few = framesOf(
      clip,
      [...clip.times.keys()].filter((k) => k % step === 0),
    );
    const { lbs, linearized } = await errorsOver(original, result, few);
    return linearized / lbs;
  };
  for (const rig of await rigsWithClips()) {
    console.error(`${rig.name} …`);
    const { model } = placeAtRest(rig);
    const result = await linearize(model);
    const own: number[] = [];
    const held: number[] = [];
    for (const clip of model.clips) {
      own.push(await ratio(model, result, clip));
      if (model.clips.length === 1) continue;
      const others = { ...model, clips: model.clips.filter((other) => other !== clip) };
      held.push(await ratio(model, await linearize(others, { measure: false, keys: 'given' }), clip));
    }
    const mean = (of: readonly number[]): string =>
      of.length > 0 ? two(Math.exp(of.reduce((sum, x) => sum + Math.log(x), 0) / of.length)) : '–';
    const worst = (of: readonly number[]): string => (of.length > 0 ? two(Math.max(...of)) : '–');
    const { envelopingErrorHeldOutPercent: told, envelopingErrorHeldOutLbsPercent: toldLbs } = result.report.figures;
    const { crossfades } = result;
    rows.push([
      rig.name,
      String(boneCount(model.skeleton)),
      String(model.clips.length),
      mean(own),
      worst(own),
      mean(held),
      worst(held),
      told !== undefined && toldLbs ? two(told / toldLbs) : '–',
      crossfades ? [crossfades.lbs, crossfades.baked, crossfades.driven].map((x) => one(x ?? 0)).join(' / ') : '–',
    ]);
  }
  return [
    '## Clips of the file, and clips held out',
    markdownTable(
      [
        'rig',
        'bones',
        'clips',
        'own, mean',
        'own, worst',
        'held out, mean',
        'held out, worst',
        'reported',
        'crossfades',
      ],
      rows,
    ),
    'EE over that of linear blending, 10 blend bones, all settings as they are by default. Own: clips that were trained with, together with a range of motion; must be 0.5 at most. Held out: trained with all other clips; must be 0.65 at most. Means are geometric. Reported: the estimate that the report gives for held out clips. Crossfades: EE of linear blending, of baked blend bones and of such computed live, half-way between two clips. Settings were tried on CesiumMan, Fox, figure and slim; RobotExpressive and stormtrooper were looked at once, stout never.',
  ].join('\n\n');
}

/** Processor time of a whole run, with clips baked and measured. */
async function speedTable(): Promise<string> {
  const model = await largeRig();
  await linearize(model, { measure: false, keys: 'given', blendBones: 2 });
  const before = process.cpuUsage();
  const { report } = await linearize(model);
  const { user, system } = process.cpuUsage(before);
  const { 'blend bones': placing, training } = report.seconds;
  return `## Time\n\n${markdownTable(
    [
      'rig',
      'vertices',
      'clips',
      'CPU seconds in all (must be 3 at most)',
      'of these, by the clock: training and placing',
    ],
    [
      [
        model.name,
        String(vertexCount(model.mesh)),
        String(model.clips.length),
        two((user + system) / 1e6),
        two(placing + training),
      ],
    ],
  )}`;
}

/** Figure 8: the error over the number of blend bones. */
async function curveTable(): Promise<string> {
  const [box, tube, figure] = [
    await sampleRig('box', 2000),
    await sampleRig('tube', 1380),
    await sampleRig('figure', 5000),
  ];
  const at = [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20];
  const runs: [string, SkinnedModel, string][] = [
    ['box', box, 'twist'],
    ['tube', tube, 'bend-and-twist'],
    ['figure', figure, 'exercise'],
  ];
  const rows: string[][] = [];
  for (const [name, model, clip] of runs) {
    const given = { trainingClips: [clipNamed(model, clip)] };
    const { curve } = await linearize(model, { given, blendBones: 20, measure: false, keys: 'given' });
    rows.push([name, ...at.map((b) => (b < curve.length ? two(curve[b]) : '–'))]);
  }
  return `## Error over blend bones (Kavan 2009, figure 8)\n\n${markdownTable(['EE with so many blend bones', ...at.map(String)], rows)}`;
}

/** Figure 9: a twist by 350°, where dual quaternions break. */
async function farTwistTable(): Promise<string> {
  const box = await sampleRig('box', 2000);
  const { parents, inverseBind, restLocals } = box.skeleton;
  const frames = 48;
  const locals = new Float32Array(restLocals.length * frames);
  for (let k = 0; k < frames; k++) {
    locals.set(restLocals, k * restLocals.length);
    const angle = (((350 * k) / (frames - 1)) * Math.PI) / 180;
    quaternionFromAxisAngle(locals, k * restLocals.length + LOCAL_STRIDE + 3, 0, 1, 0, angle);
  }
  const transforms = skinTransforms(parents, inverseBind, locals);
  const far: Clip = { name: 'far', times: steadyTimes(frames), locals, transforms };
  const model = { ...box, clips: [far] };
  const exact = posedSequence(model, 0, { operator: 'dib', antipodality: false });
  const against = async (operator: SkinOperator, antipodality: boolean): Promise<number> =>
    (await envelopingError(exact, posedSequence(model, 0, { operator, antipodality }), model, far)).percent ?? 0;
  const rows: string[][] = [];
  for (const trainWith of ['operator', 'dqs'] as const) {
    const errors: string[] = [];
    for (const blendBones of [1, 2, 4, 6]) {
      const options = { operator: 'dib', antipodality: false, training: 'clips', trainWith, blendBones } as const;
      errors.push(two((await linearize(model, { ...options, measure: false, keys: 'given' })).envelopingError));
    }
    rows.push([trainWith === 'dqs' ? 'trained with DQS below 180°' : 'trained with DIB', ...errors]);
  }
  const breaks = `DQS itself is at EE ${one(await against('dqs', false))} (antipodality off) and ${one(await against('dqs', true))} (on), LBS at ${one(await against('lbs', true))}.`;
  return `## A twist by 350° (Kavan 2009, figure 9)\n\n${markdownTable(['box, EE against DIB with so many blend bones', '1', '2', '4', '6'], rows)}\n\n${breaks}`;
}

/** The right half of Table 3: time per frame, all in one interleaved run. */
async function runtimeTable(): Promise<string> {
  const rows: string[][] = [];
  for (const [name, model] of [
    ['figure', await sampleRig('figure', 8000)],
    ['box', await sampleRig('box', 5166)],
  ] as const) {
    const { model: linearized } = await linearize(model, { measure: false, keys: 'given' });
    const pose = clipFrame(model.clips[0], Math.floor(clipFrameCount(model.clips[0]) / 2));
    const transforms = new Float32Array(12 * boneCount(linearized.skeleton));
    const blendBones = new BlendBoneMatrices(linearized);
    const skinners = Object.fromEntries(
      (['lbs', 'dqs', 'sdqs', 'dib'] as const).map((operator) => [operator, new Skinner(model, { operator })]),
    ) as Record<'lbs' | 'dqs' | 'sdqs' | 'dib', Skinner>;
    const linearSkinner = new Skinner(linearized, { operator: 'lbs' });
    const repeat = (times: number, work: () => void) => () => {
      for (let t = 0; t < times; t++) work();
    };
    const baked = repeat(40, () => linearSkinner.pose(transforms));
    transforms.set(pose);
    blendBones.fill(transforms);
    const best = await fastest(
      {
        lbs: repeat(40, () => skinners.lbs.pose(pose)),
        baked,
        driven: repeat(40, () => {
          transforms.set(pose);
          blendBones.fill(transforms);
          linearSkinner.pose(transforms);
        }),
        dqs: repeat(40, () => skinners.dqs.pose(pose)),
        sdqs: repeat(40, () => skinners.sdqs.pose(pose)),
        dib: repeat(4, () => skinners.dib.pose(pose)),
      },
      25,
    );
    const linear = best.baked / 40;
    rows.push([
      `${name}, ${vertexCount(model.mesh)} vertices`,
      ((1e3 * best.lbs) / 40).toFixed(3),
      two(linear / (best.lbs / 40)),
      two(best.driven / best.lbs),
      two(best.dqs / 40 / linear),
      two(best.sdqs / 40 / linear),
      one(best.dib / 4 / linear),
    ]);
  }
  return [
    '## Time per frame',
    markdownTable(
      [
        ...['model, positions and normals', 'LBS, ms', 'linearized / LBS', 'with driving / LBS'],
        ...['DQS / linearized', 'SDQS / linearized', 'DIB / linearized'],
      ],
      rows,
    ),
    'Linearized: 10 blend bones, baked. With driving: their matrices are computed from the master bones every frame, in double precision.',
  ].join('\n\n');
}

/** Milliseconds of a plain product of 1000 × 1000 matrices, which take 525 on this kind of machine at rest. */
async function productTime(): Promise<number> {
  const n = 500;
  const [a, b, out] = [new Float64Array(n * n).fill(1.1), new Float64Array(n * n).fill(0.9), new Float64Array(n * n)];
  const { product } = await fastest({ product: () => plainMultiply(out, a, b, n, n, n) }, 3);
  return 8e3 * product;
}

const before = await productTime();
const errors = await errorTable();
const after = await productTime();
const parts = [
  '# Linearize: figures',
  `${machine()}. CPU seconds, one thread, in a process that had run other models before. A product of 1000 × 1000 matrices took ${Math.round(before)} ms before them and ${Math.round(after)} ms after; on an idle machine it takes 525 ms.`,
  errors,
  await clipsTable(),
  await speedTable(),
  await curveTable(),
  await farTwistTable(),
  await runtimeTable(),
];
const text = parts.join('\n\n');
if (flags.write) writeResults('linearize', text);
console.log(text);
