/** Frames of a motion, both ends included. */
export interface FrameRange {
  from: number;
  to: number;
}

/** What a person asked for: an end that is left open is that of the motion. */
export type AskedRange = Partial<FrameRange>;

/** The frames that are meant of a motion with the frames 0 … last. What another motion does not have is left open again. */
export function rangeWithin({ from = 0, to = Infinity }: AskedRange, last: number): FrameRange {
  const end = Math.min(to, last);
  return { from: from <= end ? from : 0, to: end };
}

export const isWhole = ({ from, to }: FrameRange, last: number): boolean => from === 0 && to === last;
