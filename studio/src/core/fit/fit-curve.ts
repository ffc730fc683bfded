import { type Signal, signal } from '@preact/signals-core';

/** The error of a quick fit with so many bones. */
export interface CurvePoint {
  bones: number;
  rmsePercent: number;
  /** Size of its GLB. */
  bytes: number;
}

/** Error against bones and size: what there is to choose from. */
export class FitCurve {
  /** Rising; filled while it is computed. */
  readonly points: Signal<readonly CurvePoint[]> = signal([]);
}
