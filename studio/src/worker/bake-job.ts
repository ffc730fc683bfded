import { framesToFit } from '../../../src/fit/clips.ts';
import { defaultsOf, emptyAsset, FIT_OPTIONS } from '../../../src/index.ts';
import { scenesOf } from '../../../src/verbs/scenes.ts';
import type { SequenceData } from '../core/content/content.ts';
import type { JobTable } from './protocol.ts';
import { readFrames, requireRoom } from './read-frames.ts';

/** Clips of rigs as a motion, one after the other, with blend shapes and bones by the given operator. */
export const bakeJob: JobTable['bake'] = async ({ name, models, clips, operator }, run) => {
  const scenes = scenesOf('fit', { ...emptyAsset('memory', 0), name, models }, { clips, operator });
  const { sequence } = await framesToFit(scenes.clips, defaultsOf(FIT_OPTIONS));
  const parts = scenes.splitSequence(sequence);
  requireRoom(parts);
  const sequences: SequenceData[] = [];
  for (const part of parts) sequences.push(await readFrames(part, run));
  return {
    ...{ name, format: 'clips of a rig', bytes: 0, meshes: [], models: [], motions: [], predictors: [], objects: [] },
    sequences,
    notes: scenes.notes,
  };
};
