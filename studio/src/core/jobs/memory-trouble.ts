/** Messages about a lack of memory. */

const REMEDY = 'Close other tabs or programs, then try again.';

const NO_MEMORY = `Not enough memory. ${REMEDY}`;

/** For a worker that ended without a message. */
export const ENDED: string = `The browser stopped this job, most likely because memory ran out. ${REMEDY}`;

/** Whether a browser's error message is about memory. A wrong length that is not large is a bug instead. */
export const speaksOfMemory = (message: string): boolean =>
  /out of memory|allocation failed|allocate.* memory|array length: \d{9}/i.test(message);

/** The message for an unexpected error; the browser's own words go to the console. */
export function inWords(message: string): string {
  if (!speaksOfMemory(message)) return message;
  console.warn(message);
  return NO_MEMORY;
}
