import { clothModel, coarseClip } from '../cloth/cloth-model.ts';
import type { FoldFigures } from '../cloth/compare.ts';
import type { ClothPair } from '../cloth/pairs.ts';
import { TRAIN_CLOTH_OPTIONS, type TrainClothResult, trainCloth } from '../cloth/train-cloth.ts';
import { PliantError } from '../error.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import { integerOption, type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { ClothMethod, ClothPhysics } from '../model/trained-cloth.ts';
import { type ClothCaches, pairOfCaches } from './cloth-caches.ts';
import { clipReport, glbOf, modelPart, type VerbReport, verbReport } from './verb.ts';

/** The options of `clothTrain`. */
export const CLOTH_TRAIN_OPTIONS = {
  ...TRAIN_CLOTH_OPTIONS,
  clipFrames: integerOption(90, { min: 1, max: 10_000 }, 'frames of the held-out motion that players show'),
} as const satisfies OptionSpecs;

/** Options of `clothTrain`. */
export interface ClothTrainOptions extends Partial<OptionsOf<typeof CLOTH_TRAIN_OPTIONS>>, RunOptions {
  /** How to write the GLB [default not at all]. */
  glb?: Partial<ModelGlbOptions>;
}

/** What only `cloth train` reports. */
export interface ClothTrainDetail {
  /** What was trained on, and what was held out. */
  motions: string[];
  heldOutMotion: string;
  /** Every way that was tried on the held-out motion: E, W, N, V and J; `repeat` is the truth simulated again. */
  heldOut: Record<string, FoldFigures>;
  /** The way with the least E whose N is no worse than the embedding's: the file's own. */
  best: FoldFigures & { mode: string; method: ClothMethod; physics: ClothPhysics };
}

/** What `clothTrain` gives: trained cloth as models and as a file. */
export interface ClothTrainOutcome {
  result: TrainClothResult;
  models: SkinnedModel[];
  /** The GLB, with what was trained. */
  file?: Uint8Array;
  report: VerbReport<ClothTrainDetail>;
}

/** Options of the method of Feng 2010. */
const PAPER_ONLY = ['bones', 'clusters', 'rotCca', 'eigPca', 'anchors'] as const;

/**
 * Learns from pairs of coarse and fine cloth how folds follow the coarse cloth. Pairs and caches stay open: who opened them
 * closes them.
 */
export async function clothTrain(
  input: readonly ClothPair[] | readonly ClothCaches[],
  { glb, ...given }: ClothTrainOptions = {},
): Promise<ClothTrainOutcome> {
  const { onProgress, signal, ...asked } = given;
  const { clipFrames, ...options } = resolveOptions(CLOTH_TRAIN_OPTIONS, asked, 'cloth');
  const option = PAPER_ONLY.find((name) => options.method !== 'paper' && asked[name] !== undefined);
  if (option) throw new PliantError('bad-option', 'cloth', 'applies to {option:method} paper only', { option });
  const { pairs, notes, close } = await pairsOf(input);
  try {
    const result = await trainCloth(pairs, { ...options, onProgress, signal });
    const { cloth, heldOut, compared, best, trained, report } = result;
    const { method, physics } = cloth;
    const model = clothModel(cloth, [await coarseClip(heldOut.coarse, clipFrames)]);
    const told = verbReport<ClothTrainDetail>(
      {
        motions: trained.map(({ name }) => name),
        heldOutMotion: heldOut.name,
        heldOut: Object.fromEntries(compared.map(({ name, figures }) => [name, figures])),
        best: { mode: best.name, method, physics, ...best.figures },
      },
      {
        figures: report.figures,
        clips: model.clips.map((clip) => clipReport(clip)),
        parts: [modelPart(model)],
        notes: [...notes, ...report.notes],
        seconds: report.seconds,
      },
    );
    const written = await glbOf([model], glb && { ...glb, cloth }, told);
    return { result, models: [model], ...written, report: told };
  } finally {
    await close();
  }
}

async function pairsOf(input: readonly ClothPair[] | readonly ClothCaches[]) {
  const made: Awaited<ReturnType<typeof pairOfCaches>>[] = [];
  const close = async () => {
    for (const each of made) await each.close?.();
  };
  try {
    for (const each of input) made.push('name' in each ? { pair: each, notes: [] } : await pairOfCaches(each));
  } catch (error) {
    await close();
    throw error;
  }
  return { pairs: made.map(({ pair }) => pair), notes: made.flatMap(({ notes }) => notes), close };
}

/** Lets go of the files of a pair. */
export async function closePair({ coarse, fine, repeat, body }: ClothPair): Promise<void> {
  for (const sequence of [coarse, fine, repeat, body?.sequence]) await sequence?.close?.();
}
