import type { Mesh } from '../model/mesh.ts';
import type { ClothMaterial } from './body.ts';
import type { Collider } from './colliders.ts';
import type { Stage } from './stage.ts';
import type { Wind } from './wind.ts';

/** Everything a simulation starts from. Metres, y up. */
export interface ClothScene {
  name: string;
  /** The undeformed cloth, where it is at time 0. */
  mesh: Mesh;
  material: ClothMaterial;
  /** Vertices that never move, or as the stage says. */
  pinned: Uint32Array;
  colliders: readonly Collider[];
  wind?: Wind;
  /** A closed body's gas: its over-pressure (N/m²) were it squeezed to half its volume. None: air passes through. */
  pressure?: number;
  /** The distance that layers of the cloth keep, in edges; 0: they may pass through each other. */
  layers: number;
  /** A body that moves: what it holds, and what it pushes. */
  stage?: Stage;
}

export const CLOTH_SCENE_NAMES = ['flag', 'tablecloth', 'balloon', 'collapse'] as const;
export type ClothSceneName = (typeof CLOTH_SCENE_NAMES)[number];

/** Poses that Antonopoulos 2010 uses of each. */
export const SCENE_FRAMES: Readonly<Record<ClothSceneName, number>> = {
  flag: 70,
  tablecloth: 70,
  balloon: 60,
  collapse: 35,
};

/** Scenes that pairs of coarse and fine simulations are made of. */
export const PAIR_SCENE_NAMES = ['flag', 'drag', 'skirt', 'cape'] as const;
/** A scene of `cloth pair`. */
export type PairSceneName = (typeof PAIR_SCENE_NAMES)[number];
