import { PliantError } from '../error.ts';
import { sameFaces } from '../mesh/adjacency.ts';
import { reposed } from '../mesh/normals.ts';
import { takeFrames } from '../model/frames.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { frameOutOfRange, type MeshSequence } from '../model/sequence.ts';
import { boneCount, type Clip, frameKeys, LOCAL_STRIDE, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { plural } from '../model/wording.ts';
import { posedSequence } from '../skin/posed-sequence.ts';
import type { FitOptions } from './fit-options.ts';

/** The frames that are fitted: all clips of one mesh end to end, as one sequence. */
export interface FittedFrames {
  sequence: MeshSequence;
  /** Where each clip lies in it, and when it starts by itself (seconds). */
  clips: { name: string; first: number; count: number; start: number }[];
}

type FrameChoice = Pick<FitOptions, 'firstFrame' | 'lastFrame' | 'frameStep' | 'restFrame'>;

/** Picks frames and rest pose, and puts the clips end to end. Their times follow each other, a frame apart. */
export async function framesToFit(clips: readonly MeshSequence[], choice: FrameChoice): Promise<FittedFrames> {
  if (clips.length === 0) throw new PliantError('bad-input', 'fit', 'no sequence to fit');
  const rest = await restPose(clips[0], choice.restFrame);
  for (const clip of clips) requireSameMesh(clip, clips[0]);

  const places: { clip: MeshSequence; frame: number }[] = [];
  const times: number[] = [];
  const ranges = clips.map((clip) => {
    const taken = takeFrames('fit', clip, choice);
    const first = places.length;
    const begin = times.length === 0 ? 0 : times[times.length - 1] + meanStep(clip) * choice.frameStep;
    for (let frame = 0; frame < taken.frameCount; frame++) {
      places.push({ clip: taken, frame });
      times.push(begin + taken.times[frame] - taken.times[0]);
    }
    return { name: clip.name, first, count: places.length - first, start: clip.times[0] };
  });
  const name = clips[0].name;
  return {
    clips: ranges,
    sequence: {
      name,
      rest,
      frameCount: places.length,
      times: Float64Array.from(times),
      async readFrame(k, out) {
        if (!(k in places)) throw frameOutOfRange(name, k, places.length);
        return places[k].clip.readFrame(places[k].frame, out);
      },
    },
  };
}

/** Seconds between frames, on average; a single frame counts as 1/24 s. */
function meanStep(clip: MeshSequence): number {
  const { times, frameCount } = clip;
  return frameCount > 1 ? (times[frameCount - 1] - times[0]) / (frameCount - 1) : 1 / 24;
}

async function restPose(clip: MeshSequence, frame: number): Promise<Mesh> {
  if (frame < 0) return clip.rest;
  if (frame >= clip.frameCount) {
    const cause = `(got ${frame}, expected 0 to ${clip.frameCount - 1})`;
    throw new PliantError('bad-option', 'fit', cause, { option: 'restFrame' });
  }
  return reposed(clip.rest, await clip.readFrame(frame));
}

function requireSameMesh(clip: MeshSequence, first: MeshSequence): void {
  const [got, expected] = [vertexCount(clip.rest), vertexCount(first.rest)];
  if (got !== expected) {
    const difference = `(got ${plural(got, 'vertex', 'vertices')}, expected ${expected} like ${first.name})`;
    throw new PliantError('bad-input', 'fit', `clips of different meshes: ${clip.name} ${difference}`);
  }
  if (!sameFaces(clip.rest.triangles, first.rest.triangles)) {
    const cause = `clips of different meshes: ${clip.name} has different faces than ${first.name}`;
    throw new PliantError('bad-input', 'fit', `${cause} (expected the same vertices in the same order)`);
  }
}

/**
 * A model whose one clip holds several end to end → the same with a clip for each, which starts when it did.
 * `first` and `count` are in frames.
 */
export function splitClips(model: SkinnedModel, parts: FittedFrames['clips']): SkinnedModel {
  const [whole] = model.clips;
  const b = boneCount(model.skeleton);
  const f = model.morphs?.length ?? 0;
  const keys = frameKeys(whole);
  const clips = parts.map(({ name, first, count, start }): Clip => {
    const [from, to] = [keys[first], keys[first + count - 1] + 1];
    const own = (values: Float32Array, perKey: number) => values.slice(from * perKey, to * perKey);
    const clip: Clip = {
      name,
      times: whole.times.slice(from, to).map((t) => start + t - whole.times[from]),
      transforms: own(whole.transforms, b * MATRIX_STRIDE),
      morphWeights: whole.morphWeights && own(whole.morphWeights, f),
      locals: whole.locals && own(whole.locals, b * LOCAL_STRIDE),
    };
    if (to - from > count) clip.frames = keys.slice(first, first + count).map((key) => key - from);
    return clip;
  });
  return { ...model, clips };
}

/** A fitted model over the frames it was fitted to, in their order: what errors are measured on and pictures show. */
export function fittedSequence(model: SkinnedModel, { sequence, clips }: FittedFrames): MeshSequence {
  const posed = clips.map((_, c) => posedSequence(model, c, { operator: 'lbs' }));
  return {
    ...sequence,
    name: model.name,
    rest: model.mesh,
    async readFrame(k, out) {
      const c = clips.findIndex(({ first, count }) => k >= first && k < first + count);
      return posed[c].readFrame(k - clips[c].first, out);
    },
    async close() {
      for (const clip of posed) await clip.close?.();
    },
  };
}
