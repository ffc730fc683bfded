import { PliantError } from '../../src/error.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Clip } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { framesOf } from '../../src/rig/clip-frames.ts';
import { type FlexionOptions, flexionClip } from '../../src/rig/mix/flexion.ts';
import { rangeOfMotion } from '../../src/rig/range-of-motion.ts';
import { restClip } from '../../src/skin/poses.ts';
import { didYouMean } from '../flags/suggest.ts';
import { chooseClip } from './rigs.ts';

/** What a mix is judged by, as the user named it. */
export interface MotionChoice {
  /** Clips of the file; none are all, where nothing else is named. */
  clips: readonly string[];
  /** Joints that bend alone. */
  joints: readonly string[];
  flexion: Partial<FlexionOptions>;
  /** Of a joint that bends. */
  poses: number;
  /** A generated motion of every joint. */
  rangeOfMotion: boolean;
}

/** The motions of every part. A part that none of them moves stays at rest. */
export function motionsOf(
  { models, clipNames }: Pick<Asset, 'models' | 'clipNames'>,
  file: string,
  choice: MotionChoice,
): Map<SkinnedModel, Clip[]> {
  const generated = choice.joints.length > 0 || choice.rangeOfMotion;
  for (const name of choice.clips) chooseClip('mix', models, file, name, clipNames);
  for (const joint of choice.joints) requireJoint(models, file, joint);
  if (!generated && models.every(({ clips }) => clips.length === 0)) {
    const cause = 'the rig has no clips to judge a mix by: name a --joint to bend, or take --range-of-motion';
    throw new PliantError('not-found', 'mix', cause, { file });
  }
  return new Map(
    models.map((model) => {
      const named = choice.clips.length === 0 && !generated ? model.clips.map(({ name }) => name) : choice.clips;
      const motions = [
        ...model.clips.filter(({ name }) => named.includes(name)),
        ...choice.joints
          .filter((joint) => model.skeleton.names.includes(joint))
          .map((joint) => flexionClip(model, joint, choice.flexion, choice.poses)),
        ...(choice.rangeOfMotion ? [exercise(model)] : []),
      ];
      return [model, motions.length > 0 ? motions : [restClip(model.skeleton, 'rest')]];
    }),
  );
}

/** The poses of the range of motion, without the way from one to the next. */
function exercise(model: SkinnedModel): Clip {
  const { clip, poses } = rangeOfMotion(model);
  return framesOf(clip, poses);
}

function requireJoint(models: readonly SkinnedModel[], file: string, joint: string): void {
  const names = [...new Set(models.flatMap(({ skeleton }) => skeleton.names))];
  if (names.includes(joint)) return;
  const cause = `no such joint (got ${joint}, expected ${names.join(', ')})${didYouMean(joint, names)}`;
  throw new PliantError('not-found', 'mix', cause, { file });
}
