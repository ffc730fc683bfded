import { foldMotion } from '../cloth/fold-motion.ts';
import { RUN_CLOTH_OPTIONS, type RunClothOptions } from '../cloth/options.ts';
import { type RunClothResult, runCloth } from '../cloth/run.ts';
import { learnedOf, ownOptions, pinnedBy } from '../cloth/trained-garment.ts';
import { PliantError } from '../error.ts';
import { sameFaces } from '../mesh/adjacency.ts';
import type { Asset } from '../model/asset.ts';
import { triangleCount, vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer } from '../model/report.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { ClothMethod, TrainedCloth } from '../model/trained-cloth.ts';
import { bodyOfCache, cacheOf } from './cloth-caches.ts';
import { bodiesOf, GARMENT_OPTIONS, garmentOf, windOf } from './cloth-inputs.ts';
import { pinsOf } from './cloth-pins.ts';
import { assetOf, meshPart, sequenceClip, type VerbInput, type VerbReport, verbReport } from './verb.ts';

/** The options of `clothRun`. */
export const CLOTH_RUN_OPTIONS = {
  ...GARMENT_OPTIONS,
  ...RUN_CLOTH_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `clothRun`. */
export interface ClothRunOptions extends Partial<OptionsOf<typeof CLOTH_RUN_OPTIONS>>, RunOptions {
  /** What wears the garment: a rig with a clip, or a sequence. Required, unless `coarse` is given. */
  body?: VerbInput;
  /** For trained cloth: its coarse mesh in motion, by any simulator, instead of a simulation. */
  coarse?: VerbInput;
}

/** What only `cloth` reports. */
export interface ClothDetail {
  /** The clip or sequence that moves the body, or the coarse cloth. */
  clip: string;
  collider: RunClothOptions['collider'];
  physics: RunClothOptions['physics'];
  /** How trained cloth gets its folds. */
  method?: ClothMethod;
}

const VERB = 'cloth';

type Given = Partial<OptionsOf<typeof CLOTH_RUN_OPTIONS>> & RunOptions;

/**
 * Dresses a moving body: simulates a coarse mesh of the garment, and shows the fine one on it. Trained cloth has its own
 * coarse mesh, and may instead follow one that was simulated elsewhere.
 */
export async function clothRun(
  input: VerbInput,
  { body, coarse, ...given }: ClothRunOptions,
): Promise<{ sequences: MeshSequence[]; report: VerbReport<ClothDetail> }> {
  const asset = assetOf(input);
  const trained = trainedIn(asset, given.object);
  if (coarse) {
    if (!trained) {
      const cause = 'needs trained cloth (expected a GLB from `pliant cloth train`)';
      throw new PliantError('bad-option', VERB, cause, { file: asset.name, option: 'coarse' });
    }
    return runCache(asset, trained, coarse, body && assetOf(body), given);
  }
  if (!body) throw new PliantError('bad-option', VERB, 'is required', { option: 'body' });
  return runOnBody(asset, trained, assetOf(body), given);
}

/** The trained cloth of a file; none where another object of it is meant. */
function trainedIn({ cloths = [] }: Asset, object: string | undefined): TrainedCloth | undefined {
  return object === undefined ? cloths[0] : cloths.find(({ name }) => name === object);
}

/** Options that only a simulation knows. */
const SIMULATION_ONLY = [
  ...['coarseVertices', 'bending', 'settle', 'wind', 'framesPerSecond', 'collider'],
  ...['pinBone', 'pinDistance', 'pinGroup', 'pinColor', 'pinVertices'],
] as const;

function refuse(asked: Given, names: readonly string[], why: string): void {
  const option = names.find((name) => asked[name as keyof Given] !== undefined);
  if (option) throw new PliantError('bad-option', VERB, why, { option });
}

async function runOnBody(asset: Asset, trained: TrainedCloth | undefined, wearer: Asset, given: Given) {
  const { onProgress, signal, ...asked } = given;
  const options = resolveOptions(CLOTH_RUN_OPTIONS, asked, VERB, trained && ownOptions(trained));
  if (trained) refuse(asked, ['coarseVertices'], 'does not apply to trained cloth, which has a coarse mesh');
  const mesh = trained?.fine ?? garmentOf(asset, options.object);
  const { bodies, notes, close } = bodiesOf(wearer, { ...options, toEnd: true }, [options.clip], asked.collider);
  const [{ body, clip }] = bodies;
  const collider = body.rig ? options.collider : 'surface';
  try {
    const wind = windOf(options.wind);
    const pinned = pinsOf(mesh, body.rig, options, { garment: asset, body: wearer });
    const run = { ...pickRun(options), collider, onProgress, signal };
    const result = trained
      ? await runCloth(pinned.length > 0 ? pinnedBy(trained, pinned) : trained, body, { ...run, wind })
      : await runCloth({ mesh, pinned, wind }, body, run);
    const detail = { clip, collider, physics: options.physics, ...(trained && { method: trained.method }) } as const;
    return told(result, detail, [...asset.notes, ...wearer.notes, ...notes]);
  } finally {
    await close();
  }
}

async function runCache(
  asset: Asset,
  trained: TrainedCloth,
  input: VerbInput,
  wearer: Asset | undefined,
  { onProgress, signal, ...asked }: Given,
) {
  const { physics, subSteps, selfCollision, thickness, ...options } = resolveOptions(
    CLOTH_RUN_OPTIONS,
    asked,
    VERB,
    ownOptions(trained),
  );
  refuse(asked, SIMULATION_ONLY, 'does not apply to a coarse cache, which is not simulated');
  const cacheAsset = assetOf(input);
  const coarse = cacheOf(cacheAsset, 'coarse');
  requireCoarse(trained, coarse, cacheAsset);
  const worn = wearer && (await bodyOfCache(wearer, coarse, options));
  const report = emptyReport(VERB);
  const lap = lapTimer(report.seconds);
  const cloth = {
    coarse: trained.coarse,
    fine: trained.fine,
    pinned: trained.pinned.fine,
    thickness,
    ...learnedOf(trained),
  };
  const motion = { coarse, body: worn?.body };
  const settings = { physics, subSteps, selfCollision };
  const run = { onProgress, signal };
  const { sequence, notes } = await foldMotion(cloth, motion, settings, 'folding', run).finally(() => worn?.close());
  lap('fold');
  report.notes.push(...notes);
  if (trained.body && !wearer) report.notes.push(note('cloth-without-body', {}));
  report.figures = {
    vertices: vertexCount(trained.fine),
    triangles: triangleCount(trained.fine),
    frames: sequence.frameCount,
    coarseVertices: vertexCount(trained.coarse),
  };
  const detail = {
    clip: coarse.name,
    collider: worn?.body.rig ? ('capsules' as const) : ('surface' as const),
    physics,
    method: trained.method,
  };
  const read = [...asset.notes, ...cacheAsset.notes, ...(wearer?.notes ?? []), ...(worn?.notes ?? [])];
  return told({ sequence, report }, detail, read);
}

function told({ sequence, report }: RunClothResult, detail: ClothDetail, notes: readonly Note[]) {
  return {
    sequences: [{ ...sequence, clip: detail.clip }],
    report: verbReport<ClothDetail>(detail, {
      ...report,
      clips: [{ ...sequenceClip(sequence), name: detail.clip }],
      parts: [meshPart(sequence.name, sequence.rest)],
      notes: [...notes, ...report.notes],
    }),
  };
}

/** Throws where a cache is not of the coarse mesh that was trained. */
function requireCoarse({ coarse }: TrainedCloth, { rest }: MeshSequence, { name: file }: Asset): void {
  if (vertexCount(rest) === vertexCount(coarse) && sameFaces(rest.triangles, coarse.triangles)) return;
  const counts = `${vertexCount(rest)} vertices and ${triangleCount(rest)} triangles`;
  const cause = `is another mesh than the coarse one that was trained (got ${counts}, expected ${vertexCount(coarse)} and ${triangleCount(coarse)})`;
  throw new PliantError('bad-input', VERB, cause, { file, option: 'coarse' });
}

const pickRun = (options: OptionsOf<typeof CLOTH_RUN_OPTIONS>): RunClothOptions =>
  Object.fromEntries(
    Object.keys(RUN_CLOTH_OPTIONS).map((name) => [name, options[name as keyof RunClothOptions]]),
  ) as RunClothOptions;
