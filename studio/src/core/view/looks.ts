/** The ways to look at a document. */

export const PANELS = ['fit', 'rig', 'inspect', 'learn', 'cloth', 'levels', 'export', 'info'] as const;
export type PanelName = (typeof PANELS)[number];

export const COMPARISONS = ['original', 'fitted', 'side', 'overlay', 'wipe'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What the surface can be painted by: its name, and what the colours say. */
export const PAINT_TEXTS = {
  plain: { text: 'Plain', help: 'the surface as it is' },
  error: { text: 'Error', help: 'the distance of each vertex from the original in this frame' },
  rotation: { text: 'Rotation', help: 'the rotation of each face since the rest pose' },
  scale: { text: 'Scale', help: 'the stretch of each face: 0 at rest, 1 at twice the length in one direction' },
  shear: { text: 'Shear', help: 'the shear of each face: 0 at rest' },
  bones: { text: 'Bones', help: 'the bone with the largest weight at each vertex' },
  regions: { text: 'Regions', help: 'the region or cluster of each vertex that bones started from' },
  influence: { text: 'Influence', help: 'the weight of the selected joint at each vertex' },
  blend: { text: 'Blend bones', help: 'the weight of the selected blend bone, or of all of them, at each vertex' },
  linear: { text: 'Linear error', help: 'the error of linear blending with blend bones in this pose' },
  mix: { text: 'Mix weights', help: 'the mix weight of each vertex: 0 is linear blending, 1 dual quaternions' },
} as const;
export type Paint = keyof typeof PAINT_TEXTS;
export const PAINTS = Object.keys(PAINT_TEXTS) as Paint[];

export type Point = readonly [x: number, y: number, z: number];

export interface Camera {
  position: Point;
  target: Point;
}
