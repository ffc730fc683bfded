/** Times closer than this are one time: writers compute and round them differently. */
export const SAME_TIME = 1e-6;

/** Two neighbours among samples: the value at a time is (1 − fraction) · before + fraction · after. */
export interface Bracket {
  before: number;
  after: number;
  /** In 0…1; 0 at a sample. */
  fraction: number;
}

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

/** All times of several lists, increasing. */
export function unionOfTimes(lists: readonly Float64Array[]): Float64Array {
  if (lists.length === 1) return lists[0];
  const sorted = Float64Array.from(lists.flatMap((list) => [...list])).sort();
  const out: number[] = [];
  for (const time of sorted) if (out.length === 0 || time - out[out.length - 1] > SAME_TIME) out.push(time);
  return Float64Array.from(out);
}
