import type { ParallelPool } from '../kernels/parallel.ts';
import type { FitProblem, Support, VertexNeighbours } from './problem.ts';
import type { WatchedRun } from './so-far.ts';

/** What goes into the skinning decomposition, beside a problem, and what comes out. */
export interface DecomposeSettings {
  bones: number;
  kind: 'rigid' | 'trs' | 'affine';
  influences: number;
  iterations: number;
  tolerance: number;
  moves: number;
  sample: number;
  /** Pull of affine and TRS bones towards rotations; see transforms-affine.ts. */
  rigidity: number;
  /** By how much the error may rise for steadier bones, in % of it; see settle.ts. */
  steadiness: number;
  /** Weights are whole numbers of 1/levels; 0 leaves them free. */
  weightLevels: number;
  /** A smaller problem to do most of the work on, instead of a sample. */
  coarse?: Coarse;
}

/** A problem of fewer vertices with the same bones. */
export interface Coarse {
  problem: FitProblem;
  neighbours: VertexNeighbours;
  /** N: vertex of the full problem → the vertex that stands for it. */
  cellOf: Uint32Array;
}

/** Bones and weights to refine, instead of placing bones anew. */
export interface Start {
  /** 4B × 3P. */
  frames: Float64Array;
  support: Support;
}

export interface Decomposition {
  /** 4B × 3P: see bone-frames.ts. */
  frames: Float64Array;
  /** 9B, for TRS bones: the constant scale axes. */
  axes?: Float64Array;
  support: Support;
  boneCount: number;
  /** Sum of squared errors in squared diagonals, what the reduction discarded included. */
  error: number;
  iterations: number;
  converged: boolean;
  /** Whether more bones would gain nothing: before it was settled, all was as exact as positions are known. */
  explained: boolean;
  moves: { tries: number; accepted: number };
  /** N: the cluster of each vertex that bones began with, where they were placed and not given. */
  clusters?: Int32Array;
}

export type DecomposeRun = WatchedRun & { pool?: ParallelPool };

/** A decomposition to be made. */
export interface Task {
  problem: FitProblem;
  neighbours: VertexNeighbours;
  settings: DecomposeSettings;
  run: DecomposeRun;
  start?: Start;
}
