import type { Content } from './content.ts';

/** Milliseconds until nothing of what was closed is on the page any more. */
const UNTIL_GONE = 500;

/** Bytes that are enough for any browser to look for garbage. */
const MOST = 2 ** 28;

/**
 * Has the frames of what was closed given back. They are in memory that threads share, which browsers leave out of account
 * when they decide whether it is time to collect garbage: gigabytes would stay until the page has made as much garbage of
 * other kinds. An array that is never touched takes no memory, and is counted.
 */
export function giveBackShared({ sequences }: Content): void {
  const shared = sequences.filter(({ frames }) => !(frames.buffer instanceof ArrayBuffer));
  const bytes = shared.reduce((sum, { frames }) => sum + frames.byteLength, 0);
  if (bytes > 0) setTimeout(() => askForRoom(Math.min(bytes, MOST)), UNTIL_GONE);
}

function askForRoom(bytes: number): void {
  try {
    new ArrayBuffer(bytes);
  } catch {
    // Where there is no room the browser has looked for garbage already.
  }
}
