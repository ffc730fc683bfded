import type { BodyMotion } from '../cloth/body-motion.ts';
import { fitCapsules } from '../cloth/capsules.ts';
import { PIN_OPTIONS, RUN_CLOTH_OPTIONS, type RunClothOptions } from '../cloth/options.ts';
import { runCloth } from '../cloth/run.ts';
import { PliantError } from '../error.ts';
import { meshInGltfSpace, modelInGltfSpace, sequenceInGltfSpace } from '../io/glb/space.ts';
import type { Asset } from '../model/asset.ts';
import type { Mesh } from '../model/mesh.ts';
import type { Note } from '../model/note.ts';
import { numberOption, type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { posedSequence } from '../skin/posed-sequence.ts';
import { steadyClip } from '../skin/poses.ts';
import { chooseClip, moreClips, POSE_OPTIONS, pickOne } from './choose.ts';
import { pinsOf } from './cloth-pins.ts';
import { assetOf, meshPart, sequenceClip, type VerbInput, type VerbReport, verbReport } from './verb.ts';

/** The options of `clothRun`. */
export const CLOTH_RUN_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'the garment, if its file holds several meshes' },
  bodyObject: { type: 'string', default: undefined, description: 'the body, if its file holds several' },
  clip: { ...POSE_OPTIONS.clip, description: 'clip of the body [default the first]' },
  framesPerSecond: numberOption(30, { min: 1, max: 1000, unit: 'frames/s' }, 'frames per second'),
  ...PIN_OPTIONS,
  wind: { type: 'string', default: undefined, description: 'wind in m/s, y up, as in 2,0,-1' },
  ...RUN_CLOTH_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `clothRun`. */
export interface ClothRunOptions extends Partial<OptionsOf<typeof CLOTH_RUN_OPTIONS>>, RunOptions {
  /** What wears the garment: a rig with a clip, or a sequence. */
  body: VerbInput;
}

/** What only `cloth` reports. */
export interface ClothDetail {
  /** The clip or sequence that moves the body. */
  clip: string;
  collider: RunClothOptions['collider'];
  physics: RunClothOptions['physics'];
}

const VERB = 'cloth';

/** Dresses a moving body: simulates a coarse mesh of the garment, and shows the fine one on it. */
export async function clothRun(
  input: VerbInput,
  { body: worn, onProgress, signal, ...given }: ClothRunOptions,
): Promise<{ sequences: MeshSequence[]; report: VerbReport<ClothDetail> }> {
  const options = resolveOptions(CLOTH_RUN_OPTIONS, given, VERB);
  const asset = assetOf(input);
  const wearer = assetOf(worn);
  const mesh = garmentOf(asset, options.object);
  const { body, clip, notes } = bodyOf(wearer, options, given.collider);
  try {
    const { sequence, report } = await runCloth(
      { mesh, pinned: pinsOf(mesh, body.rig, options, { garment: asset, body: wearer }), wind: windOf(options.wind) },
      body,
      { ...pickRun(options), collider: body.rig ? options.collider : 'surface', onProgress, signal },
    );
    const detail = { clip, collider: body.rig ? options.collider : 'surface', physics: options.physics } as const;
    return {
      sequences: [sequence],
      report: verbReport(detail, {
        ...report,
        clips: [{ ...sequenceClip(sequence), name: clip }],
        parts: [meshPart(sequence.name, mesh)],
        notes: [...asset.notes, ...wearer.notes, ...notes, ...report.notes],
      }),
    };
  } finally {
    await body.sequence.close?.();
  }
}

const pickRun = (options: OptionsOf<typeof CLOTH_RUN_OPTIONS>): RunClothOptions =>
  Object.fromEntries(
    Object.keys(RUN_CLOTH_OPTIONS).map((name) => [name, options[name as keyof RunClothOptions]]),
  ) as RunClothOptions;

/** A mesh, or the rest pose of what moves. */
function garmentOf(asset: Asset, object: string | undefined): Mesh {
  const meshes = [
    ...asset.meshes,
    ...asset.models.map(({ name, mesh }) => ({ ...mesh, name })),
    ...asset.sequences.map(({ name, rest }) => ({ ...rest, name })),
  ];
  return meshInGltfSpace(pickOne(meshes, { verb: VERB, asset, option: 'object', name: object }));
}

/** A rig and the clip that moves it, or a sequence. */
function bodyOf(
  asset: Asset,
  { bodyObject, clip: named, framesPerSecond }: OptionsOf<typeof CLOTH_RUN_OPTIONS>,
  collider: RunClothOptions['collider'] | undefined,
): { body: BodyMotion; clip: string; notes: Note[] } {
  const choice = { verb: VERB, asset, option: 'bodyObject', name: bodyObject };
  if (asset.models.length + asset.sequences.length === 0) {
    throw new PliantError(
      'not-found',
      VERB,
      'contains nothing that moves (expected a rig with a clip, or a sequence)',
      {
        file: asset.name,
      },
    );
  }
  const found = pickOne<{ name: string }>([...asset.models, ...asset.sequences], choice);
  const model = asset.models.find((each) => each === found);
  if (!model) {
    const option = named === undefined ? collider === 'capsules' && 'collider' : 'clip';
    if (option) throw new PliantError('bad-option', VERB, 'applies to rigs only', { file: asset.name, option });
    return { body: { sequence: sequenceInGltfSpace(found as MeshSequence) }, clip: found.name, notes: [] };
  }
  const clip = chooseClip(VERB, asset, [model], named);
  const rig = modelInGltfSpace(model);
  const steady = steadyClip(rig.skeleton, rig.clips.find(({ name }) => name === clip)!, framesPerSecond);
  const sequence = posedSequence({ ...rig, clips: [steady] }, 0);
  return {
    body: { sequence, rig: { capsules: fitCapsules(rig), clip: steady, names: rig.skeleton.names } },
    clip,
    notes: moreClips(asset, [model], named !== undefined),
  };
}

/** `2,0,-1`. Its eddies are half a metre wide and a third as fast. */
function windOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const velocity = text.split(',').map((x) => (x.trim() === '' ? Number.NaN : Number(x)));
  if (velocity.length === 3 && velocity.every(Number.isFinite)) {
    return { velocity: velocity as [number, number, number], turbulence: 0.3, eddy: 0.5, seed: 1 };
  }
  throw new PliantError('bad-option', VERB, `(got ${text}, expected three numbers, as in 2,0,-1)`, { option: 'wind' });
}
