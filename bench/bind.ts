// Bind: how long each method takes, how far weights leak from one leg to the other, how near they are to the weights that the
// figure came with, and what trimming costs over clips.
//
//   node dist/bench/bind.js

import { measureSequences } from '../src/doors/measure.ts';
import { alignment, alignSkeleton, type BindOptions, bind, posedSequence, trimModel } from '../src/doors/skin.ts';
import {
  boneCount,
  type Mesh,
  readAsset,
  type Skeleton,
  type SkinnedModel,
  type SkinWeights,
  vertexCount,
} from '../src/index.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { BIND_METHODS } from '../src/rig/bind/bind-options.ts';
import { makeSample } from '../src/samples.ts';
import { artistRigs } from './bind-artists.ts';
import { endsTable } from './bind-ends.ts';
import { artistTables, refined } from './bind-volume.ts';
import { realData } from './data.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { fastest } from './timing.ts';

const digits = (x: number, n = 3): string => String(Number(x.toPrecision(n)));

const figure = (await makeSample('figure')).model!;
const rigs: SkinnedModel[] = [figure];
for (const name of ['CesiumMan', 'Fox']) {
  const file = realData(`gltf/${name}.glb`);
  if (file) rigs.push({ ...(await readAsset(nodeFiles, [file])).models[0], name });
}

/** Bones that a vertex follows: nodes above the joints are none to bind to. */
const followed = ({ weights }: SkinnedModel): ((bone: number) => boolean) => {
  const bones = new Set(weights.joints.filter((_, s) => weights.weights[s] > 0));
  return (bone) => bones.has(bone);
};

async function timeTable(): Promise<string> {
  const cases: { name: string; mesh: Mesh; skeleton: Skeleton }[] = [figure];
  const [obj, bvh] = [realData('static/stanford-bunny.obj'), realData('bvh/02_01.bvh')];
  if (obj && bvh) {
    const [mesh] = (await readAsset(nodeFiles, [obj])).meshes;
    const [{ skeleton }] = (await readAsset(nodeFiles, [bvh])).motions;
    cases.push({ name: 'stanford-bunny', mesh, skeleton: alignSkeleton(skeleton, alignment(skeleton, mesh)) });
  }
  const soldier = (await artistRigs()).find(({ name }) => name === 'stormtrooper');
  if (soldier) cases.push({ ...soldier, name: 'stormtrooper, refined', mesh: refined(soldier.mesh) });
  const rows: string[][] = [];
  for (const { name, mesh, skeleton } of cases) {
    const contenders = Object.fromEntries(
      BIND_METHODS.map((method) => [method, () => bind(mesh, skeleton, { method })]),
    );
    const seconds = await fastest(contenders, 3);
    const heat = seconds.heat;
    for (const method of BIND_METHODS) {
      const ratio = digits(seconds[method] / heat, 2);
      const bones = String(boneCount(skeleton));
      rows.push([name, String(vertexCount(mesh)), bones, method, digits(seconds[method], 2), ratio]);
    }
  }
  return markdownTable(['mesh', 'vertices', 'bones', 'method', 'seconds', 'of heat'], rows);
}

async function trimTable(): Promise<string> {
  const rows: string[][] = [];
  for (const rig of rigs) {
    const bound = (await bind(rig.mesh, rig.skeleton, { deforms: followed(rig) })).weights;
    for (const [name, weights] of [['its own', rig.weights] as const, ['volume', bound] as const]) {
      for (const influences of name === 'volume' ? [8, 4, 2] : [3, 2, 1]) {
        const { errors, report } = await trimModel({ ...rig, weights }, { influences });
        const lost = report.figures.maxWeightLost ?? 0;
        for (const { clip, rmsePercent, maxErrorPercent, maxErrorVertex } of errors) {
          const from = `${name}, ${weights.influences} → ${influences}`;
          const worst = [digits(rmsePercent), digits(maxErrorPercent), String(maxErrorVertex)];
          rows.push([rig.name, from, clip, ...worst, digits(100 * lost)]);
        }
      }
    }
  }
  const head = ['rig', 'weights, influences', 'clip', 'RMSE %', 'max %', 'at vertex', 'most weight lost, %'];
  return markdownTable(head, rows);
}

/** The methods as they are compared on the figure. */
const CONTENDERS: readonly [string, Partial<BindOptions>][] = [
  ['volume', { method: 'volume' }],
  ['heat', { method: 'heat' }],
  ['geodesic, exponent 4', { method: 'geodesic' }],
  ['geodesic, exponent 2', { method: 'geodesic', exponent: 2 }],
  ['inverse-distance, exponent 4', { method: 'inverse-distance' }],
  ['inverse-distance, exponent 2', { method: 'inverse-distance', exponent: 2 }],
  ['inverse-distance, exponent 1, no cut-off', { method: 'inverse-distance', exponent: 1, cutoff: 0 }],
  ['rigid', { method: 'rigid' }],
];

const weightOn = ({ influences, joints, weights }: SkinWeights, i: number, bones: ReadonlySet<number>): number => {
  let sum = 0;
  for (let s = i * influences; s < (i + 1) * influences; s++) if (bones.has(joints[s])) sum += weights[s];
  return sum;
};

async function figureTables(): Promise<{ leak: string; rebound: string }> {
  const { mesh, skeleton, weights: own, clips } = figure;
  const named = (pattern: RegExp) => new Set(skeleton.names.flatMap((name, j) => (pattern.test(name) ? [j] : [])));
  const [left, right] = [named(/^(thigh|shin|foot|toes)\.L$/), named(/^(thigh|shin|foot|toes)\.R$/)];
  const all = Array.from({ length: vertexCount(mesh) }, (_, i) => i);
  const leg = all.filter((i) => weightOn(own, i, left) > 0.99);
  const leaks: string[][] = [];
  const rebound: string[][] = [];
  for (const [name, options] of CONTENDERS) {
    const { weights } = await bind(mesh, skeleton, options);
    const values = leg.map((i) => weightOn(weights, i, right));
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const over = values.filter((x) => x > 0.01).length;
    leaks.push([name, digits(100 * mean, 2), digits(100 * Math.max(...values), 2), String(over)]);
    const row = [name];
    for (const clip of clips) {
      const bound = posedSequence({ ...figure, weights }, clip.name);
      const result = await measureSequences(posedSequence(figure, clip.name), bound, { surfaceDistance: false });
      row.push(`${digits(result.rmsePercent ?? 0)} / ${digits(result.maxErrorPercent ?? 0)}`);
    }
    rebound.push(row);
  }
  return {
    leak: markdownTable(['method', 'mean, %', 'max, %', `vertices over 1 %, of ${leg.length}`], leaks),
    rebound: markdownTable(['method', ...clips.map(({ name }) => `${name}: RMSE / max %`)], rebound),
  };
}

const artists = await artistTables();
const time = await timeTable();
const { leak, rebound } = await figureTables();
const text = `# Weights: figures

${machine()}. CPU seconds, one thread. Percentages are of the rest pose's diagonal unless noted
otherwise.

## Against artists' weights

New weights with four influences against those that the rig came with: RMS and largest distance of posed vertices over the rig's
clips (each counts alike) and over poses with every joint turned by N(0, 15°) about each axis. Far weight is on bones two or more
joints from every bone that the artist used there. Volume: the change when single elbows and knees bend by 90°, about each axis,
in thousandths of the whole.

${artists.methods}

## Heat in the solid over grids

RMS over clips / turned poses, with N voxels along the longest side.

${artists.grids}

## Time

${time}

## Leakage between the legs

Weight of vertices of the figure's left leg on bones of the right one.

${leak}

## Rebinding the figure

New weights against its own, over its clips; all influences are kept.

${rebound}

## Ends of chains

Leaves that only say where a bone ends (\`HeadTop_End\`): distance from where the artist's weights have the vertices of the ended
bones, over all clips, for new weights with and without these leaves. The figure has none; its crown was made one.

${await endsTable()}

## Cost of fewer influences

The largest are kept and normalized.

${await trimTable()}
`;
console.log(text);
writeResults('bind', text);
