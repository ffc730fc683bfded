/** What a person is told of work that there was not enough memory for. */

const REMEDY = 'Close what you do not need, here or elsewhere.';

export const NO_MEMORY: string = `There is not enough memory for this. ${REMEDY}`;

/** Of a worker that is gone without a word. */
export const ENDED: string = `The browser ended this before it was done, most likely for lack of memory. ${REMEDY}`;

/** Whether an error speaks of memory, as browsers word it. */
export const speaksOfMemory = (message: string): boolean =>
  /out of memory|allocation failed|allocate.* memory|array length/i.test(message);
