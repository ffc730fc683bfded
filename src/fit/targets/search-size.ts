import { PliantError } from '../../error.ts';
import { type NoteData, note } from '../../model/note.ts';
import type { FitContext } from '../context.ts';
import type { FitOptions } from '../fit-options.ts';
import { type Found, solveFor } from '../solve.ts';
import { BRACKET, mostBones, QUICK, rmsePercent } from './limits.ts';

/** Errors that differ by less, in % of the diagonal, are as good: the simpler kind of bone is taken. */
const AS_GOOD = 1e-4;
/** Search ends when this share of the size is used. */
const USED = 0.97;
/**
 * Fits of the search, for each kind of bones, and full ones that refine the use of a size: a whole search takes no more than
 * some five times one fit.
 */
const QUICK_FITS = 3;
const FULL_FITS = 1;

/**
 * The least error within a target size: for each kind the most bones that fit, by quick fits; full ones of the kind with the
 * least error then use the size up.
 */
export async function searchSize(
  context: FitContext,
  options: FitOptions,
  kinds: readonly FitOptions['kind'][],
): Promise<Found> {
  const { sizeOf } = context.run;
  if (!sizeOf) throw new PliantError('bad-option', 'fit', 'maxSize needs sizeOf, the size of the model when written');
  const { maxSize } = options;
  const most = mostBones(context.problem.vertexCount);
  const sized = async (settings: FitOptions): Promise<Sized> => {
    const found = await solveFor(context, settings);
    const { boneCount } = found.decomposition;
    const enough = boneCount < Math.min(settings.bones, most);
    return { bones: boneCount, enough, found, size: await sizeOf(found.model) };
  };

  let best: { kind: FitOptions['kind']; bones: number; error: number; one: Sized } | undefined;
  let least = Infinity;
  for (const kind of kinds) {
    const quickly = (bones: number) => sized({ ...options, ...QUICK, kind, bones });
    const one = await quickly(1);
    least = Math.min(least, one.size);
    if (one.size > maxSize) continue;
    const { bones, found } = await mostWithin(
      maxSize,
      most,
      quickly,
      [one, await quickly(Math.min(most, 16))],
      QUICK_FITS,
    );
    const error = rmsePercent(context.problem, found.decomposition);
    if (!best || error < best.error - AS_GOOD) best = { kind, bones, error, one };
  }
  if (!best) {
    const cause = `(got ${maxSize} bytes, expected at least ${least} bytes, the size with 1 bone)`;
    throw new PliantError('bad-option', 'fit', cause, { option: 'maxSize', reason: 'size-too-small' });
  }

  const { kind, one } = best;
  const fully = (bones: number) => sized({ ...options, kind, bones });
  let full = await fully(best.bones);
  const tooLarge: Sized[] = [];
  // A full fit can be larger than the quick one by a little.
  while (full.size > maxSize && full.bones > 1) {
    tooLarge.unshift(full);
    full = await fully(Math.max(1, full.bones - Math.max(1, Math.round(full.bones * (1 - maxSize / full.size)))));
  }
  if (full.bones > 1 && !full.found.decomposition.explained)
    full = await mostWithin(maxSize, most, fully, [one, full, ...tooLarge.slice(0, 1)], FULL_FITS);
  const data = { bones: full.bones, kind, maxSize, reason: whyNoMore(full, most), bestOfKinds: kinds.length > 1 };
  return { ...full.found, notes: [...full.found.notes, note('bones-for-size', data)] };
}

/** Why a model for a size has no more bones. */
function whyNoMore({ bones, enough, found }: Sized, most: number): NoteData['bones-for-size']['reason'] {
  if (found.decomposition.explained) return 'explained';
  if (enough) return 'no-place';
  return bones >= most ? 'search-limit' : 'size';
}

/** A model and its bytes. */
interface Sized {
  bones: number;
  /** Fewer bones than it was allowed came out: more would have nothing to do, or no place. */
  enough: boolean;
  size: number;
  found: Found;
}

/**
 * The most bones whose model fits into `limit` bytes, as far as `tries` models more find it. Bytes are nearly linear in
 * the number of bones: the line through what is known names the next to try. The first of `known` counts as fitting.
 */
async function mostWithin(
  limit: number,
  most: number,
  make: (bones: number) => Promise<Sized>,
  known: readonly Sized[],
  tries: number,
): Promise<Sized> {
  let low = known[0];
  let below: Sized | undefined;
  let high: Sized | undefined;
  const learn = (sized: Sized): void => {
    if (sized.size > limit) high = sized;
    else if (sized.bones > low.bones || sized.enough) [below, low] = [low, sized];
  };
  for (const sized of known.slice(1)) learn(sized);
  for (let k = 0; k < tries && !low.enough && low.bones < most && low.size < USED * limit; k++) {
    if (high && high.bones - low.bones <= Math.max(1, BRACKET * high.bones)) break;
    const other = high ?? below;
    const perBone = other ? (other.size - low.size) / (other.bones - low.bones) : limit;
    const guess = Math.floor(low.bones + (limit - low.size) / Math.max(1, perBone));
    const end = high ? high.bones - 1 : Math.min(most, 4 * low.bones);
    learn(await make(Math.max(low.bones + 1, Math.min(end, guess))));
  }
  return low;
}
