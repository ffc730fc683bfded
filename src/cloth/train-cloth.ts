/**
 * Pairs of coarse and fine cloth → trained cloth. The map: check the pairs, hold a motion out, train on the others, try every
 * way on the held-out motion, keep the best.
 */
import { PliantError } from '../error.ts';
import { vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { choiceOption, type OptionSpecs, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { addSeconds, emptyReport, lapTimer, type Report } from '../model/report.ts';
import {
  CLOTH_METHODS,
  type ClothMethod,
  type ClothPhysics,
  type TrainedCloth,
  validateTrainedCloth,
} from '../model/trained-cloth.ts';
import { type Compared, type Contender, compare, foldPair, framesFrom } from './compare.ts';
import type { ClothPair } from './pairs.ts';
import { PAPER_OPTIONS } from './paper/paper-options.ts';
import { trainPaper } from './paper/train-paper.ts';
import { requirePairs } from './require-pairs.ts';
import { trainUpsampler, UPSAMPLER_OPTIONS } from './upsampler/train.ts';

const { kernel: _, ...REGRESSION_OPTIONS } = UPSAMPLER_OPTIONS;
const { bones, clusters, rotCca, eigPca, anchors } = PAPER_OPTIONS;

/** The options of `trainCloth`. */
export const TRAIN_CLOTH_OPTIONS = {
  method: choiceOption(
    'learned',
    CLOTH_METHODS,
    'what gives folds: regression, linear regression (a small file), the method of Feng 2010, or physics alone',
  ),
  holdOut: { type: 'string', default: undefined, description: 'motion to choose on, left out of the training' },
  ...REGRESSION_OPTIONS,
  ...{ bones, clusters, rotCca, eigPca, anchors },
} as const satisfies OptionSpecs;

/** Options of `trainCloth`. */
export type TrainClothOptions = OptionsOf<typeof TRAIN_CLOTH_OPTIONS>;

/** Trained cloth, and how every way did. */
export interface TrainClothResult {
  cloth: TrainedCloth;
  /** The held-out motion, and every way that was tried on it; `repeat` is the truth simulated again. */
  heldOut: ClothPair;
  compared: Compared[];
  best: Compared;
  /** The motions that were trained on. */
  trained: ClothPair[];
  report: Report;
}

/** Of a single motion, the last part is held out. */
const HELD_OUT_SHARE = 0.3;
/** The fine cloth keeps this distance where pairs do not say, m. */
const THICKNESS = 0.006;

/** What the file says of a way. */
const STORED: Record<string, { method?: ClothMethod; physics: ClothPhysics }> = {
  embed: { method: 'embed', physics: 'off' },
  alone: { physics: 'alone' },
  linear: { method: 'linear', physics: 'off' },
  learned: { method: 'learned', physics: 'off' },
  paper: { method: 'paper', physics: 'off' },
  still: { physics: 'still' },
  quiet: { physics: 'quiet' },
  lively: { physics: 'lively' },
};

/** Learns folds from pairs, and tries every way on a motion that is held out. */
export async function trainCloth(
  given: readonly ClothPair[],
  options: Partial<TrainClothOptions> & RunOptions = {},
): Promise<TrainClothResult> {
  const operation = 'train';
  const { method, holdOut, modes, ...chosen } = resolveOptions(TRAIN_CLOTH_OPTIONS, options, operation);
  const { onProgress, signal } = options;
  const run = { onProgress, signal };
  const report = emptyReport(operation);
  const lap = lapTimer(report.seconds);

  // (1) What there is, and what is held out.
  const { pairs, notes } = await requirePairs(
    given.map((pair) => ({ ...pair, thickness: pair.thickness ?? THICKNESS })),
    run,
  );
  report.notes.push(...notes);
  const { trained, heldOut } = split(operation, pairs, holdOut);
  if (pairs.length === 1) report.notes.push(note('one-motion', { percent: 100 * HELD_OUT_SHARE }));
  lap('check');

  // (2) Train, the linear rival too.
  const regression = { modes, examples: chosen.examples, ridge: chosen.ridge };
  const linear = await trainUpsampler(trained, { ...regression, ...run, kernel: 'linear' });
  const learned =
    method === 'learned'
      ? await trainUpsampler(trained, { ...regression, ...run, kernel: 'gaussian', given: linear.training })
      : linear;
  const asPrinted = method === 'paper' ? await trainPaper(trained, { ...chosen, ...run }) : undefined;
  for (const each of new Set([linear, learned, ...(asPrinted ? [asPrinted] : [])]))
    addSeconds(report.seconds, each.report.seconds);
  const upsamplers = { linear: linear.upsampler, learned: learned.upsampler };

  // (3) Try everything on the held-out motion.
  const lapAfter = lapTimer(report.seconds);
  const upsampler = method === 'learned' || method === 'linear' ? upsamplers.learned : undefined;
  const target = asPrinted ? { paper: asPrinted.paper } : upsampler && { upsampler };
  const contenders: Contender[] = [
    { name: 'embed', physics: 'off' },
    { name: 'linear', physics: 'off', upsampler: upsamplers.linear },
    ...(method === 'learned' || method === 'paper' ? [{ name: method, physics: 'off', ...target } as const] : []),
    ...(target ? (['still', 'quiet', 'lively'] as const).map((name) => ({ name, physics: name, ...target })) : []),
    { name: 'alone', physics: 'alone' },
  ];
  // Who asks for the method of the paper gets it.
  const rivals = { learned: [], linear: [], embed: ['linear'], paper: ['embed', 'linear', 'alone'] }[
    method
  ] as string[];
  const compared: Compared[] = [];
  let best: Compared | undefined;
  for (const contender of contenders) {
    const next = await compare(contender.name, heldOut, (await foldPair(heldOut, contender, run)).sequence, run);
    const isRival = rivals.includes(contender.name);
    // Nearer on average, with worse normals than the embedding: cloth that was not guided teaches such noise.
    const isNoisy = best !== undefined && next.figures.N > compared[0].figures.N;
    const isBest = !isRival && !isNoisy && !(best && best.figures.E <= next.figures.E);
    // Only frames that are shown later are kept.
    if (best && isBest && best.name !== 'embed') delete best.frames;
    if (!isBest && next.name !== 'embed') delete next.frames;
    if (isBest) best = next;
    compared.push(next);
  }
  if (!best) throw new PliantError('internal', operation, 'nothing was compared');
  if (heldOut.repeat) compared.push(await compare('repeat', heldOut, heldOut.repeat, run));
  const { name: winner } = best;
  if (target && (winner === 'embed' || winner === 'alone')) report.notes.push(note('learned-lost', { best: winner }));
  lapAfter('compare');

  // (4) The best is the file's own way; what was learned stays beside it, unless nothing helps.
  const [{ coarse, fine, pinned, thickness }] = pairs;
  const own = STORED[best.name];
  const none = new Uint32Array(0);
  const cloth: TrainedCloth = {
    name: fine.rest.name ?? 'cloth',
    coarse: coarse.rest,
    fine: fine.rest,
    pinned: pinned ?? { coarse: none, fine: none },
    thickness: thickness ?? THICKNESS,
    method: own.method ?? method,
    physics: own.physics,
    body: pairs.some(({ body }) => body !== undefined),
    ...(best.name === 'linear' ? { upsampler: upsamplers.linear } : best.name !== 'embed' && target),
  };
  validateTrainedCloth(cloth, operation);
  report.figures = {
    vertices: vertexCount(fine.rest),
    coarseVertices: vertexCount(coarse.rest),
    frames: trained.reduce((sum, each) => sum + each.coarse.frameCount, 0),
    ...(target && { examples: (asPrinted ?? learned).report.figures.examples }),
  };
  return { cloth, heldOut, compared, best, trained, report };
}

/** The motion to hold out: the one asked for, the one meant to choose on, or the last; of a single motion its end. */
function split(
  operation: string,
  pairs: readonly ClothPair[],
  name: string | undefined,
): { trained: ClothPair[]; heldOut: ClothPair } {
  const named = pairs.find((pair) => pair.name === name);
  if (name !== undefined && !named) {
    const candidates = pairs.map((pair) => pair.name);
    const cause = `(got ${name}, expected one of ${candidates.join(', ')})`;
    throw new PliantError('not-found', operation, cause, { option: 'holdOut', got: name, candidates });
  }
  if (pairs.length === 1) return splitOne(operation, pairs[0]);
  const heldOut = named ?? pairs.find(({ use }) => use === 'choose') ?? pairs[pairs.length - 1];
  const others = pairs.filter((pair) => pair !== heldOut);
  // Motions that are meant for choosing or reporting are not trained on, unless there are no others.
  const trained = others.filter(({ use }) => use === undefined || use === 'train');
  return { trained: trained.length > 0 ? trained : others, heldOut };
}

function splitOne(operation: string, pair: ClothPair): { trained: ClothPair[]; heldOut: ClothPair } {
  const count = pair.coarse.frameCount;
  const first = Math.ceil((1 - HELD_OUT_SHARE) * count);
  if (first < 2 || count - first < 2) {
    throw new PliantError('bad-input', operation, `${count} frames (expected at least 7 to train and to choose on)`);
  }
  return { trained: [framesOf(pair, 0, first - 1)], heldOut: framesOf(pair, first, count - 1) };
}

function framesOf(pair: ClothPair, first: number, last: number): ClothPair {
  const { coarse, fine, repeat, body } = pair;
  const part = (sequence: ClothPair['coarse']) => framesFrom(sequence, first, last);
  const rig = body?.rig;
  const stride = rig ? rig.clip.transforms.length / rig.clip.times.length : 0;
  const clip = rig && {
    ...rig.clip,
    times: rig.clip.times.slice(first, last + 1),
    transforms: rig.clip.transforms.slice(first * stride, (last + 1) * stride),
    locals: undefined,
  };
  return {
    ...pair,
    coarse: part(coarse),
    fine: part(fine),
    ...(repeat && { repeat: part(repeat) }),
    ...(body && { body: { sequence: part(body.sequence), ...(rig && clip && { rig: { ...rig, clip } }) } }),
  };
}
