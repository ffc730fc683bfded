import type { Mesh } from './mesh.ts';

/** How the fine cloth gets its folds: by regression, by linear regression, as in Feng 2010, or not at all. */
export const CLOTH_METHODS = ['learned', 'linear', 'paper', 'embed'] as const;
export type ClothMethod = (typeof CLOTH_METHODS)[number];

/** What physics of the detail adds. */
export const CLOTH_PHYSICS = ['off', 'still', 'quiet', 'lively', 'alone'] as const;
export type ClothPhysics = (typeof CLOTH_PHYSICS)[number];

/**
 * Coarse pose → detail, patch by patch. V patches, one per coarse vertex, N fine vertices, d inputs, m modes, E centres.
 * Most numbers are bytes with a scale per group: value = byte · scale.
 */
export interface UpsamplerModel {
  modes: number;
  inputs: number;
  /** 0 for linear regression. */
  centres: number;
  /** What positions and nearness to the body are multiplied by. */
  scales: [position: number, body: number];
  /** Per patch d × (the numbers it sees), and V × d scales: what it sees → inputs. */
  directions: Int8Array;
  directionScales: Float32Array;
  /** V × d × 2: inputs stay within these. */
  limits: Float32Array;
  /** V × (1 + d) × m: constant and linear part. */
  matrices: Float32Array;
  /** V × E × d, and V × d scales: where Gaussians stand. */
  points: Int8Array;
  pointScales: Float32Array;
  /** V × E × m, and V × m scales: what they are multiplied by. */
  blends: Int8Array;
  blendScales: Float32Array;
  /** 3N × 3 × m: the detail's shapes, in 1/127: of each fine vertex under each of its three coarse ones. */
  basis: Int8Array;
}

/** Cloth that was trained: a coarse mesh to simulate, and how a fine one follows it. In metres, y up. Plain data. */
export interface TrainedCloth {
  name: string;
  coarse: Mesh;
  fine: Mesh;
  /** Vertices that a body holds. */
  pinned: { coarse: Uint32Array; fine: Uint32Array };
  /** The distance that the fine cloth keeps from a body, m. */
  thickness: number;
  method: ClothMethod;
  physics: ClothPhysics;
  upsampler?: UpsamplerModel;
}
