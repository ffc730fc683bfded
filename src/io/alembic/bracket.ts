/** Times closer than this are one time: writers compute and round them differently. */
const SAME_TIME = 1e-6;

/** Two neighbours among samples: the value at a time is (1 − fraction) · before + fraction · after. */
export interface Bracket {
  before: number;
  after: number;
  /** In 0…1; 0 at a sample. */
  fraction: number;
}

/** Where every time lies for what never changes. */
export const ALWAYS: Bracket = { before: 0, after: 0, fraction: 0 };

/** Where a time lies among increasing ones. Before the first and behind the last the value is held. */
export function bracket(times: Float64Array, time: number): Bracket {
  let low = 0;
  let high = times.length - 1;
  // The last sample at or before the time.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (times[middle] <= time + SAME_TIME) low = middle;
    else high = middle - 1;
  }
  const next = Math.min(low + 1, times.length - 1);
  const step = times[next] - times[low];
  if (step === 0 || time - times[low] <= SAME_TIME) return { before: low, after: low, fraction: 0 };
  return { before: low, after: next, fraction: (time - times[low]) / step };
}

/** All times of several lists that never fall, each once and increasing. */
export function unionOfTimes(lists: readonly Float64Array[]): Float64Array {
  return lists.reduce((union, list) => (isEqual(union, list) ? union : merged(union, list)), new Float64Array(0));
}

const isEqual = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((time, k) => Math.abs(time - b[k]) <= SAME_TIME);

function merged(a: Float64Array, b: Float64Array): Float64Array {
  const sorted = new Float64Array(a.length + b.length);
  sorted.set(a);
  sorted.set(b, a.length);
  sorted.sort();
  let count = 0;
  for (const time of sorted) if (count === 0 || time - sorted[count - 1] > SAME_TIME) sorted[count++] = time;
  return sorted.slice(0, count);
}
