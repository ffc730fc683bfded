// `mix --axis auto` against every axis that could be chosen instead, by what each does to the volume when the joint moves
// as it does in the clips of its rig, all others at rest.
//
//   node dist/bench/mix-axes.js [--write]

import { parseArgs } from 'node:util';
import { flexionClip, skinTransforms } from '../src/doors/skin.ts';
import { type Clip, LOCAL_STRIDE, type SkinnedModel } from '../src/index.ts';
import { steadyTimes } from '../src/model/sequence.ts';
import type { MixField } from '../src/rig/mix/contenders.ts';
import { mix } from '../src/rig/mix/mix.ts';
import { rigsWithClips } from './linearize-cases.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const BEND = (130 * Math.PI) / 180;
/** At most so many poses of a rig's clips. */
const POSES = 40;

/** Rig → elbows and knees. */
const JOINTS: Record<string, readonly string[]> = {
  CesiumMan: ['Skeleton_arm_joint_L__3_', 'Skeleton_arm_joint_R__2_', 'leg_joint_L_2', 'leg_joint_R_2'],
  Fox: ['b_LeftForeArm_010', 'b_RightForeArm_07', 'b_LeftLeg02_016', 'b_RightLeg02_020'],
  figure: ['foreArm.L', 'foreArm.R', 'shin.L', 'shin.R'],
  'slim, 65 joints': ['mixamorig:LeftForeArm', 'mixamorig:RightForeArm', 'mixamorig:LeftLeg', 'mixamorig:RightLeg'],
  'stout, 65 joints': ['mixamorig:LeftForeArm', 'mixamorig:RightForeArm', 'mixamorig:LeftLeg', 'mixamorig:RightLeg'],
};

/** Where all weights are as large, the mix is dual quaternions. */
const UNTOUCHED = 0.999;

const AXES = (['x', 'y', 'z'] as const).flatMap((axis) => [1, -1].map((side) => ({ axis, side })));

/** What the clips do with one joint, at even steps, while the others rest. */
function motionOf({ skeleton, clips }: SkinnedModel, joint: string): Clip {
  const { restLocals, parents, inverseBind, names } = skeleton;
  const q = LOCAL_STRIDE * names.indexOf(joint) + 3;
  const turns = clips.flatMap(({ locals = new Float32Array() }) =>
    Array.from({ length: locals.length / restLocals.length }, (_, k) =>
      locals.subarray(k * restLocals.length + q, k * restLocals.length + q + 4),
    ),
  );
  const step = Math.max(1, Math.ceil(turns.length / POSES));
  const few = turns.filter((_, k) => k % step === 0);
  const locals = new Float32Array(few.length * restLocals.length);
  few.forEach((turn, k) => {
    locals.set(restLocals, k * restLocals.length);
    locals.set(turn, k * restLocals.length + q);
  });
  const transforms = skinTransforms(parents, inverseBind, locals);
  return { name: joint, times: steadyTimes(few.length), locals, transforms };
}

const rows: string[][] = [];
for (const model of await rigsWithClips()) {
  for (const joint of JOINTS[model.name] ?? []) {
    console.error(`${model.name}, ${joint} …`);
    const fieldFor = async (name: string, motion: Clip): Promise<MixField> => {
      const { solved } = await mix(model, { given: { motions: [motion] } });
      return { name, mix: solved.mix };
    };
    const fields = [await fieldFor('auto', flexionClip(model, joint, { axis: 'auto', toAngle: BEND }))];
    for (const { axis, side } of AXES) {
      const name = `${side < 0 ? '−' : ''}${axis}`;
      fields.push(await fieldFor(name, flexionClip(model, joint, { axis, toAngle: side * BEND })));
    }
    const { rivals } = await mix(model, { given: { motions: [motionOf(model, joint)] }, rivals: fields });
    const errorOf = (name: string): number => rivals.find((rival) => rival.name === name)!.totalErrorPercent!;
    const chosen = fields
      .slice(1)
      .filter(({ mix: weights }) => weights.some((m) => m < UNTOUCHED))
      .map(({ name }) => name)
      .sort((a, b) => errorOf(a) - errorOf(b));
    const dqs = errorOf('DQS');
    const ratio = (name: string): string => (errorOf(name) / dqs).toFixed(2);
    rows.push([
      model.name,
      joint,
      errorOf('LBS').toFixed(4),
      dqs.toFixed(4),
      ratio('auto'),
      `${ratio(chosen[0])} (${chosen[0]})`,
      `${ratio(chosen[1])} (${chosen[1]})`,
      `${ratio(chosen[chosen.length - 1])} (${chosen[chosen.length - 1]})`,
    ]);
  }
}

const text = `# Mix: the axis that is found against those that can be chosen

${machine()}. Written by \`node dist/bench/mix-axes.js --write\`.

A mix is solved for a joint that bends by 130° about the axis that the clips use most (auto), and about each axis of the joint to both
sides. Judged is the volume while the joint moves as in the clips of the rig and all others rest: mean error in % of the model's,
for the mixes over that of dual quaternions. An axis about which a joint only twists leaves dual quaternions as they are: 1, left out.

${markdownTable(['rig', 'joint', 'LBS %', 'DQS %', 'auto / DQS', 'best axis', 'second', 'worst'], rows)}
`;
console.log(text);
if (flags.write) writeResults('mix-axes', text);
