/** By their numbers, as people name them. */
export const AXES = ['x', 'y', 'z'] as const;
export type Axis = (typeof AXES)[number];
