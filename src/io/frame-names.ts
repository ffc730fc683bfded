import { type Note, note } from '../model/note.ts';
import { fileName, naturalOrder, stem } from './paths.ts';

/** `shot2_frame 0012.obj` → { prefix: 'shot2_frame ', number: 12 }; no number where the name ends in none. */
function partsOf(path: string): { prefix: string; number?: number } {
  const name = stem(path);
  const digits = /\d+$/.exec(name)?.[0];
  return digits === undefined ? { prefix: name } : { prefix: name.slice(0, -digits.length), number: Number(digits) };
}

/**
 * What the names of frames, in natural order, give away: files of several names, which may be several sequences in one
 * folder; and numbers that jump, where files may be missing. Both are read all the same. `rest` is the file that was taken
 * out as the rest pose: what it leaves is no gap.
 */
export function frameNameNotes(frames: readonly string[], rest?: string): Note[] {
  const paths = rest !== undefined && isAmong(rest, frames) ? [...frames, rest].sort(naturalOrder) : frames;
  const parts = paths.map(partsOf);
  const k = parts.findIndex(({ prefix }) => prefix !== parts[0].prefix);
  // Frames without numbers, "a", "b", "c", have nothing but different names.
  if (k >= 0 && parts[0].number !== undefined) {
    return [note('frame-names-differ', { names: [fileName(paths[0]), fileName(paths[k])] })];
  }
  const numbers = parts.flatMap(({ number }) => number ?? []);
  if (k >= 0 || numbers.length < paths.length) return [];
  const steps = numbers.slice(1).map((number, at) => number - numbers[at]);
  const step = Math.min(...steps.filter((size) => size > 0));
  const jump = steps.findIndex((size) => size > step);
  if (jump < 0) return [];
  const [from, to] = [paths[jump], paths[jump + 1]].map(fileName);
  return [note('frame-numbers-jump', { from, to })];
}

/** What people call a rest pose. */
const REST_WORDS = new Set(['rest', 'reference', 'bind', 'neutral', 'base']);

/** The one file whose name has a word for the rest pose and no number at its end: `camel-reference`, `BindPose`. */
export function restByName(paths: readonly string[]): string | undefined {
  const saysSo = (path: string): boolean => {
    const words = stem(path).split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/);
    return partsOf(path).number === undefined && words.some((word) => REST_WORDS.has(word.toLowerCase()));
  };
  const found = paths.filter(saysSo);
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a file is numbered as frames are, and lies between the first and the last. */
function isAmong(path: string, frames: readonly string[]): boolean {
  const { prefix, number = -1 } = partsOf(path);
  const [first, last] = [partsOf(frames[0]), partsOf(frames[frames.length - 1])];
  return prefix === first.prefix && number > (first.number ?? Infinity) && number < (last.number ?? -Infinity);
}
