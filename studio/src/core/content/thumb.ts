import { SAMPLE_NAMES } from '../../../../src/index.ts';
import { LAB_TITLE } from '../lab/lab-state.ts';

/** What the start page has pictures of: samples, the figure in its cape, and the lab. */
export const THUMB_NAMES = [...SAMPLE_NAMES, 'caped figure', LAB_TITLE] as const;
export type ThumbName = (typeof THUMB_NAMES)[number];

/** One frame of a small picture. */
export interface Thumb {
  /** 6 per triangle, back to front: x and y of its corners; the height goes from −`THUMB_UNIT` to `THUMB_UNIT`, y points down. */
  corners: Int16Array;
  /** 0…255 per triangle. */
  shades: Uint8Array;
}

/** Half the height of a picture. */
export const THUMB_UNIT = 10_000;
