/** What verbs about cloth read: the garment, the body that wears it, and the wind. */
import type { BodyMotion } from '../cloth/body-motion.ts';
import { fitCapsules } from '../cloth/capsules.ts';
import { PIN_OPTIONS } from '../cloth/options.ts';
import { EDDIES } from '../cloth/wind.ts';
import { PliantError } from '../error.ts';
import { meshInGltfSpace, modelInGltfSpace, sequenceInGltfSpace } from '../io/glb/space.ts';
import type { Asset } from '../model/asset.ts';
import type { Mesh } from '../model/mesh.ts';
import type { Note } from '../model/note.ts';
import { numberOption, type OptionSpecs, type OptionsOf } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { Clip } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { posedSequence } from '../skin/posed-sequence.ts';
import { steadyClip } from '../skin/poses.ts';
import { chooseClip, moreClips, POSE_OPTIONS, pickOne } from './choose.ts';

const VERB = 'cloth';

/** Options of verbs that put a garment on a body. */
export const GARMENT_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'the garment, if its file holds several meshes' },
  bodyObject: { type: 'string', default: undefined, description: 'the body, if its file holds several' },
  clip: { ...POSE_OPTIONS.clip, description: 'clip of the body [default the first]' },
  framesPerSecond: numberOption(
    30,
    { min: 1, max: 1000, unit: 'frames/s' },
    'frames per second, about: they end with the clip',
  ),
  ...PIN_OPTIONS,
  wind: { type: 'string', default: undefined, description: 'wind in m/s, y up, as in 2,0,-1' },
} as const satisfies OptionSpecs;

type GarmentOptions = OptionsOf<typeof GARMENT_OPTIONS>;

/** A mesh, or the rest pose of what moves. */
export function garmentOf(asset: Asset, object: string | undefined): Mesh {
  const meshes = [
    ...asset.meshes,
    ...asset.models.map(({ name, mesh }) => ({ ...mesh, name })),
    ...asset.sequences.map(({ name, rest }) => ({ ...rest, name })),
  ];
  return meshInGltfSpace(pickOne(meshes, { verb: VERB, asset, option: 'object', name: object }));
}

/** A body in one of its motions. */
interface MovedBody {
  body: BodyMotion;
  clip: string;
  /** The rig that moves, in metres, y up. */
  model?: SkinnedModel;
}

/** What was found to wear a garment. */
export interface Bodies {
  bodies: MovedBody[];
  notes: Note[];
  /** Lets go of the kernels that pose rigs. A sequence is left to who opened it. */
  close(): Promise<void>;
}

/** How a body is read. */
interface BodyChoice extends Pick<GarmentOptions, 'bodyObject' | 'framesPerSecond'> {
  /** The rate is made to fit the clip, so that its last frame is the clip's end [default false]. */
  toEnd?: boolean;
}

/** A rig and the clips that move it (`names`, or the first), or a sequence. */
export function bodiesOf(
  asset: Asset,
  { bodyObject, framesPerSecond, toEnd }: BodyChoice,
  names: readonly (string | undefined)[],
  collider: 'capsules' | 'surface' | undefined,
): Bodies {
  const choice = { verb: VERB, asset, option: 'bodyObject', name: bodyObject };
  if (asset.models.length + asset.sequences.length === 0) {
    const cause = 'contains nothing that moves (expected a rig with a clip, or a sequence)';
    throw new PliantError('not-found', VERB, cause, { file: asset.name });
  }
  const found = pickOne<{ name: string }>([...asset.models, ...asset.sequences], choice);
  const model = asset.models.find((each) => each === found);
  const [first] = names;
  if (!model) {
    const option = first === undefined ? collider === 'capsules' && 'collider' : 'clip';
    if (option) throw new PliantError('bad-option', VERB, 'applies to rigs only', { file: asset.name, option });
    return {
      bodies: [{ body: { sequence: sequenceInGltfSpace(found as MeshSequence) }, clip: found.name }],
      notes: [],
      async close() {},
    };
  }
  const rig = modelInGltfSpace(model);
  const capsules = fitCapsules(rig);
  const chosen = names.map((named) => chooseClip(VERB, asset, [model], named));
  const bodies = chosen.map((clip): MovedBody => {
    const keys = rig.clips.find(({ name }) => name === clip)!;
    const steady = steadyClip(rig.skeleton, keys, toEnd ? fittingRate(keys, framesPerSecond) : framesPerSecond);
    const sequence = posedSequence({ ...rig, clips: [steady] }, 0);
    return { body: { sequence, rig: { capsules, clip: steady, names: rig.skeleton.names } }, clip, model: rig };
  });
  return {
    bodies,
    notes: moreClips(asset, [model], first !== undefined),
    async close() {
      for (const { body } of bodies) await body.sequence.close?.();
    },
  };
}

/** The rate nearest to the one asked for at which a frame falls on the clip's end. */
function fittingRate({ times }: Clip, framesPerSecond: number): number {
  const seconds = times[times.length - 1] - times[0];
  return seconds > 0 ? Math.max(1, Math.round(seconds * framesPerSecond)) / seconds : framesPerSecond;
}

/** `2,0,-1`. */
export function windOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const velocity = text.split(',').map((x) => (x.trim() === '' ? Number.NaN : Number(x)));
  if (velocity.length === 3 && velocity.every(Number.isFinite)) {
    return { velocity: velocity as [number, number, number], ...EDDIES };
  }
  throw new PliantError('bad-option', VERB, `(got ${text}, expected three numbers, as in 2,0,-1)`, { option: 'wind' });
}
