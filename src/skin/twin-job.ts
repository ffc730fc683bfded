import { bufferOf } from '../kernels/load.ts';
import { boneLayout } from './bone-layout.ts';
import type { SkinJob } from './skin-job.ts';

/** A `SkinJob` as the twins read it: views of its memory, and offsets that count their elements instead of bytes. */
export interface TwinJob {
  f: Float32Array;
  u: Uint16Array;
  /** Influences per vertex. */
  k: number;
  antipodality: boolean;
  /** k: ±1 for the influences of the vertex at hand, as `linearDual` found them. */
  signs: Float64Array;
  /** In `u`; all others in `f`. */
  joints: number;
  weights: number;
  mix: number;
  /** Where the matrix of bone 0 begins, where its dual quaternion, and how many floats further on the next bone's. */
  matrices: number;
  duals: number;
  stride: number;
  restPositions: number;
  /** 0 means positions only. */
  restNormals: number;
  positions: number;
  normals: number;
}

export function twinJob({ memory, kernel, k, antipodality, at }: SkinJob): TwinJob {
  const f = new Float32Array(bufferOf(memory));
  const u = new Uint16Array(bufferOf(memory));
  const floats = (bytes: number): number => bytes / f.BYTES_PER_ELEMENT;
  const { stride, dual } = boneLayout(kernel);
  return {
    f,
    u,
    k,
    antipodality,
    signs: new Float64Array(k),
    joints: at.joints / u.BYTES_PER_ELEMENT,
    weights: floats(at.weights),
    mix: floats(at.mix),
    matrices: floats(at.bones),
    duals: floats(at.bones) + dual,
    stride,
    restPositions: floats(at.restPositions),
    restNormals: floats(at.restNormals),
    positions: floats(at.positions),
    normals: floats(at.normals),
  };
}
