import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { Clip } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { addBlendBones } from './algorithm.ts';
import { evenlyChosen, withVertices } from './few-vertices.ts';
import type { LinearizeOptions } from './linearize-options.ts';
import { makeProblem } from './problem.ts';
import { regularizationOf, trainingOf } from './training.ts';
import { trainingClip } from './training-clip.ts';
import { errorsOver } from './training-errors.ts';

/** EE in % of a clip that had no part in training. */
export interface HeldOutErrors {
  name: string;
  lbs: number;
  linearized: number;
}

/** Few vertices and frames: an estimate, in a fraction of the time of the training itself. */
const VERTICES = 250;
const FRAMES = 12;

/**
 * What clips come out at that blend bones know nothing of: half of the clips train blend bones of their own, by which the
 * other half is judged, and the other way round. Empty for a single clip.
 */
export async function heldOutErrors(
  original: SkinnedModel,
  vertexOf: Uint32Array,
  options: LinearizeOptions,
  run: RunOptions,
): Promise<HeldOutErrors[]> {
  const { clips } = original;
  if (clips.length < 2) return [];
  const few = withVertices(original, evenlyChosen(vertexOf, VERTICES));
  const settings = { ...options, trainingFrames: FRAMES };
  const out: HeldOutErrors[] = [];
  for (const half of [0, 1]) {
    await checkpoint(run, 'linearize', half, 2, 'holding clips out');
    const isHeld = (clip: Clip): boolean => clips.indexOf(clip) % 2 === half;
    const rest = { ...few, clips: clips.filter((clip) => !isHeld(clip)) };
    const training = trainingClip(rest, settings, undefined);
    const problem = makeProblem(
      rest,
      trainingOf(rest, training, settings),
      settings.influences,
      regularizationOf(training, settings),
    );
    const found = await addBlendBones(problem, settings, { signal: run.signal });
    for (const clip of clips.filter(isHeld)) {
      const motion = trainingClip(few, { ...settings, training: 'clips' }, [clip]);
      out.push({ name: clip.name, ...errorsOver(few, found, motion, settings) });
    }
  }
  return clips.map(({ name }) => out.find((held) => held.name === name)!);
}
