import type { Content } from './content.ts';

/** Milliseconds until a closed document has left the page. */
const UNTIL_GONE = 500;

/** Enough bytes to make any browser collect garbage. */
const MOST = 2 ** 28;

/**
 * Makes the browser release the frames of a closed document. They are in shared memory, which browsers ignore when they
 * decide whether to collect garbage: gigabytes could stay for long. Allocating an array that is never touched takes no
 * memory, but is counted.
 */
export function giveBackShared({ sequences, pairs = [] }: Content): void {
  const paired = pairs.flatMap(({ coarse, fine, repeat, body }) =>
    [coarse, fine, repeat ?? [], body?.sequence ?? []].flat(),
  );
  const shared = [...sequences, ...paired].filter(({ frames }) => !(frames.buffer instanceof ArrayBuffer));
  const bytes = shared.reduce((sum, { frames }) => sum + frames.byteLength, 0);
  if (bytes > 0) setTimeout(() => askForRoom(Math.min(bytes, MOST)), UNTIL_GONE);
}

function askForRoom(bytes: number): void {
  try {
    new ArrayBuffer(bytes);
  } catch {
    // Out of memory: the browser has collected garbage already.
  }
}
