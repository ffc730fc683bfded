/** The ways to look at a document. */

export const PANELS = ['fit', 'rig', 'inspect', 'learn', 'export', 'info'] as const;
export type PanelName = (typeof PANELS)[number];

export const COMPARISONS = ['original', 'fitted', 'side', 'overlay', 'wipe'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What the surface can be painted by: its name, and what the colours say. */
export const PAINT_TEXTS = {
  plain: { text: 'Plain', help: 'the surface as it is' },
  error: { text: 'Error', help: 'how far each vertex is from its place in this frame' },
  rotation: { text: 'Rotation', help: 'how far each facet has turned since the rest pose' },
  scale: { text: 'Scale', help: 'how much each facet is longer or shorter: 0 as at rest, 1 twice as long one way' },
  shear: { text: 'Shear', help: 'how much each facet is slanted: 0 as at rest' },
  bones: { text: 'Bones', help: 'the bone that each vertex follows most' },
  regions: { text: 'Regions', help: 'the region, or cluster, of each vertex that bones began with' },
  influence: { text: 'Influence', help: 'how much each vertex follows the joint that is selected' },
  blend: { text: 'Blend bones', help: 'how much each vertex follows the blend bone that is selected, or all of them' },
  linear: { text: 'Linear error', help: 'how far linear blending with blend bones is off in this pose' },
  mix: { text: 'Mix weights', help: 'how much each vertex is mixed: 0 is linear blending, 1 dual quaternions' },
} as const;
export type Paint = keyof typeof PAINT_TEXTS;
export const PAINTS = Object.keys(PAINT_TEXTS) as Paint[];

export type Point = readonly [x: number, y: number, z: number];

export interface Camera {
  position: Point;
  target: Point;
}
