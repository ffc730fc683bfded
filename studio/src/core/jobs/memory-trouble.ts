/** Messages about a lack of memory, and about scripts that do not come. */

const REMEDY = 'Close other tabs or programs, then try again.';

const NO_MEMORY = `Not enough memory. ${REMEDY}`;

/** For a worker that ended without a message. */
export const ENDED: string = `The browser stopped this job, most likely because memory ran out. ${REMEDY}`;

export const LOST_PART = 'This part of the studio could not be loaded. Is its server still running?';

/** What browsers say of scripts that are loaded on demand, and Vite of style sheets, and in workers. */
const speaksOfParts = (message: string): boolean =>
  /dynamically imported module|importing a module|unable to preload|window is not defined/i.test(message);

/** Whether a browser's error message is about memory. A wrong length that is not large is a bug instead. */
export const speaksOfMemory = (message: string): boolean =>
  /out of memory|allocation failed|allocate.* memory|array length: \d{9}/i.test(message);

/** The message for an unexpected error; the browser's own words go to the console. */
export function inWords(message: string): string {
  if (speaksOfParts(message)) return LOST_PART;
  if (!speaksOfMemory(message)) return message;
  console.warn(message);
  return NO_MEMORY;
}
