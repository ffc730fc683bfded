/** How matrices of bones move a vertex: its heaviest bone alone, or blends of several. */
export const SKIN_OPERATORS = ['rigid', 'lbs', 'dqs', 'sdqs', 'dib', 'mix'] as const;
/** A skinning operator. */
export type SkinOperator = (typeof SKIN_OPERATORS)[number];
