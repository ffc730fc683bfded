/** Frames of a motion, both ends included. */
export interface FrameRange {
  from: number;
  to: number;
}

/** A requested range: an open end is that of the motion. */
export type AskedRange = Partial<FrameRange>;

/** The requested frames of a motion with frames 0 … last. Ends that do not exist are left open. */
export function rangeWithin({ from = 0, to = Infinity }: AskedRange, last: number): FrameRange {
  const end = Math.min(to, last);
  return { from: from <= end ? from : 0, to: end };
}

export const isWhole = ({ from, to }: FrameRange, last: number): boolean => from === 0 && to === last;
