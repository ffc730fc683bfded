/** What a person is told of work that there was not enough memory for. */

const REMEDY = 'Close what you do not need, here or elsewhere.';

const NO_MEMORY = `There is not enough memory for this. ${REMEDY}`;

/** Of a worker that is gone without a word. */
export const ENDED: string = `The browser ended this before it was done, most likely for lack of memory. ${REMEDY}`;

/** Whether an error speaks of memory, as browsers word it. Lengths that are wrong without being large are mistakes. */
export const speaksOfMemory = (message: string): boolean =>
  /out of memory|allocation failed|allocate.* memory|array length: \d{9}/i.test(message);

/** What is told of an error that nobody foresaw; what the browser said stays in its console. */
export function inWords(message: string): string {
  if (!speaksOfMemory(message)) return message;
  console.warn(message);
  return NO_MEMORY;
}
