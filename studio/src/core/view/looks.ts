/** The ways to look at a document. */

export const PANELS = ['fit', 'rig', 'inspect', 'learn', 'cloth', 'levels', 'light', 'export', 'info'] as const;
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

/** What an unpainted surface looks like. */
export const SURFACE_LOOKS = {
  material: { text: 'Material', help: 'the materials of the file, lit by an environment' },
  clay: { text: 'Clay', help: 'one matte material for everything' },
  matcap: { text: 'Matcap', help: 'shaded by the direction of the surface alone: shows small bumps' },
  normals: { text: 'Normals', help: 'the direction of the surface as a colour' },
  checker: { text: 'UV checker', help: 'squares in texture space: shows seams and stretching' },
} as const;
export type SurfaceLook = keyof typeof SURFACE_LOOKS;

/** Limits of the exposure. */
export const MOST_STOPS = 4;

/** Views along an axis, as Blender has them: from the front, from the right, from above. */
export const AXIS_VIEWS = ['front', 'right', 'top', 'back', 'left', 'bottom'] as const;
export type AxisView = (typeof AXIS_VIEWS)[number];

export type Point = readonly [x: number, y: number, z: number];

export interface Camera {
  position: Point;
  target: Point;
}
