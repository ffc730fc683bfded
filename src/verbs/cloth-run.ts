import { RUN_CLOTH_OPTIONS, type RunClothOptions } from '../cloth/options.ts';
import { runCloth } from '../cloth/run.ts';
import { type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import type { MeshSequence } from '../model/sequence.ts';
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
  const { bodies, notes } = bodiesOf(wearer, options, [options.clip], given.collider);
  const [{ body, clip }] = bodies;
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
