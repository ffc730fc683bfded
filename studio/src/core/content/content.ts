import type { AssetObject, Motion } from '../../../../src/model/asset.ts';
import type { Mesh } from '../../../../src/model/mesh.ts';
import type { Notes } from '../../../../src/model/note.ts';
import type { Predictor } from '../../../../src/model/predictor.ts';
import { type MeshSequence, memorySequence } from '../../../../src/model/sequence.ts';
import type { SkinnedModel } from '../../../../src/model/skinned-model.ts';

/** A sequence as plain data: it can cross to a worker, shared where the page is cross-origin isolated. */
export interface SequenceData {
  name: string;
  rest: Mesh;
  /** P seconds. */
  times: Float64Array;
  /** P × 3N. */
  frames: Float32Array;
}

/** Everything that was opened as one: a file, a folder, or files that belong together. */
export interface Content {
  name: string;
  format: string;
  bytes: number;
  meshes: Mesh[];
  /** Parts of one scene: all have the same times. */
  sequences: SequenceData[];
  models: SkinnedModel[];
  motions: Motion[];
  predictors: Predictor[];
  objects: AssetObject[];
  notes: Notes;
}

/** The 3N positions of frame k: a view. */
export function frameOf({ frames, times }: SequenceData, k: number): Float32Array {
  const stride = frames.length / times.length;
  return frames.subarray(k * stride, (k + 1) * stride);
}

export function asSequence(data: SequenceData): MeshSequence {
  const frames = Array.from(data.times, (_, k) => frameOf(data, k));
  return memorySequence(data.name, data.rest, frames, data.times);
}

/** 3N of all parts, one after the other, in frame k. */
export function positionsOf({ sequences }: Content, k: number): Float32Array {
  if (sequences.length === 1) return frameOf(sequences[0], k);
  const parts = sequences.map((part) => frameOf(part, k));
  const out = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => {
    out.set(part, at);
    return at + part.length;
  }, 0);
  return out;
}
