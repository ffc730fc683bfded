import { COMPONENTS } from '../paint/vertex-deformation.ts';

/** The ways to look at a document. */

export const PANELS = ['fit', 'rig', 'inspect', 'learn', 'export', 'info'] as const;
export type PanelName = (typeof PANELS)[number];

export const COMPARISONS = ['original', 'fitted', 'side', 'overlay', 'wipe'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What the colours of the surface say. */
export const PAINTS = [
  'plain',
  'error',
  ...COMPONENTS,
  'bones',
  'regions',
  'influence',
  'blend',
  'linear',
  'mix',
] as const;
export type Paint = (typeof PAINTS)[number];

export type Point = readonly [x: number, y: number, z: number];

export interface Camera {
  position: Point;
  target: Point;
}
