/** Shares of the vertices that can be merged away to look at: from none to so many, in steps. */
export const COARSEST = 0.6;
export const LEVEL_STEP = 0.05;
