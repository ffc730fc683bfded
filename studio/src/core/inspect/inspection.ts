import { type Signal, signal } from '@preact/signals-core';
import type { Decimation } from '../../../../src/doors/mesh.ts';
import type { FitOptions } from '../../../../src/index.ts';
import { Aside } from '../jobs/aside.ts';
import type { Component } from '../paint/vertex-deformation.ts';

/** Shares of the vertices that can be merged away: from 0 to `COARSEST`, in steps. */
export const COARSEST = 0.6;
export const LEVEL_STEP = 0.05;

export interface DeformationData {
  /** Per part N each: means over the frames. */
  averages: Record<Component, Float32Array>[];
  /** Where scales end: in any frame, and of the averages. */
  tops: { frames: Record<Component, number>; average: Record<Component, number> };
}

export interface CoarseData {
  /** Of all parts as one mesh. */
  decimation: Decimation;
  /** What each of a few levels costs, from all vertices down. */
  levels: CoarseLevel[];
}

/** Distances are between the surfaces, in % of the diagonal, over the poses that were looked at. */
export interface CoarseLevel {
  /** Share of the vertices that were merged away, asked for. */
  merged: number;
  vertices: number;
  triangles: number;
  mean: number;
  most: number;
}

/** State of the Inspect panel. */
export class Inspection {
  /** The result shown in place of the original; undefined is the original itself. */
  readonly against: Signal<number | undefined> = signal(undefined);
  /** Results whose curves are drawn beside that of the selected one. */
  readonly charted: Signal<ReadonlySet<number>> = signal(new Set());
  /** Whether deformation is averaged over all frames, or of the current frame. */
  readonly averaged: Signal<boolean> = signal(false);
  /** Share of the vertices of the original that are merged. */
  readonly merged: Signal<number> = signal(0);
  /** Deformation over all frames, of the original (0) and of results by their number. */
  readonly deformations: Map<number, Aside<DeformationData>> = new Map();
  /** The motion with fewer vertices, by where a merged vertex lies. */
  readonly coarse: Readonly<Record<FitOptions['placement'], Aside<CoarseData>>> = {
    second: new Aside<CoarseData>(),
    optimal: new Aside<CoarseData>(),
  };

  #closed = false;

  deformation(id: number): Aside<DeformationData> {
    const known = this.deformations.get(id) ?? new Aside<DeformationData>();
    if (this.#closed) known.close();
    this.deformations.set(id, known);
    return known;
  }

  /** Stops showing a result. */
  forget(id: number): void {
    if (this.against.value === id) this.against.value = undefined;
    this.charted.value = new Set([...this.charted.value].filter((other) => other !== id));
  }

  /** Stops running jobs and starts no more. */
  close(): void {
    this.#closed = true;
    for (const aside of [...this.deformations.values(), ...Object.values(this.coarse)]) aside.close();
  }
}
