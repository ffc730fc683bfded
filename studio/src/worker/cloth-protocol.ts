import type { Mesh, PliantErrorCode, SkinnedModel } from '../../../src/index.ts';
import type { WornFacts } from '../core/cloth/cloth-work.ts';
import type { Breeze, Dress } from '../core/cloth/dress.ts';

/** Messages between the page and the worker of a garment that is worn. The page waits for each answer. */
export type ToCloth = { wear: Wearing } | { step: ClothStep };

/** A body, what it puts on, and the pose it is in. */
export interface Wearing extends Weather {
  dress: Dress;
  model: SkinnedModel;
  /** 12B, rest → pose. */
  transforms: Float32Array;
}

/** What may change at any time. */
interface Weather {
  breeze: Breeze;
  /** N·m. */
  bending: number;
}

/** Time passes, and the body goes to a pose. Places are in the axes and units of the body. */
export interface ClothStep extends Weather {
  transforms: Float32Array;
  seconds: number;
  /** The vertex that is dragged, and where to. */
  grip?: { vertex: number; place: readonly [number, number, number] };
  /** Puts the garment on anew. */
  reset: boolean;
  /** What the view shows beside the folds. */
  shows: { embedding: boolean; coarse: boolean };
}

/** The cloth as it is now: 3N, 3N and 3V. */
export interface ClothPose {
  folds: Float32Array;
  embedding?: Float32Array;
  coarse?: Float32Array;
  /** Fixed steps made, and what they took. */
  steps: number;
  milliseconds: number;
}

export interface WornCloth {
  mesh: Mesh;
  coarse: Mesh;
  facts: WornFacts;
  pose: ClothPose;
}

export type FromCloth =
  | { progress: { done: number; total: number; label: string } }
  | { worn: WornCloth }
  | { stepped: ClothPose }
  | { failed: { code: PliantErrorCode; message: string } };
