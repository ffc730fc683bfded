import type { ClothPair } from '../../../../src/cloth/pairs.ts';
import type { TrainedCloth } from '../../../../src/doors/cloth.ts';
import { frameTimes } from '../../../../src/doors/skin.ts';
import {
  type AssetObject,
  type Clip,
  type Mesh,
  type MeshSequence,
  type Motion,
  memorySequence,
  type Note,
  type Predictor,
  type SkinnedModel,
  type Space,
} from '../../../../src/index.ts';
import type { PathFile } from './file-groups.ts';

/** A sequence as plain data that can be sent to a worker; shared memory if the page is cross-origin isolated. */
export interface SequenceData {
  name: string;
  rest: Mesh;
  /** P seconds. */
  times: Float64Array;
  /** P × 3N. */
  frames: Float32Array;
}

/** Coarse and fine simulation of one motion, as plain data: see `ClothPair`. */
export interface PairData extends Pick<ClothPair, 'name' | 'use' | 'pinned' | 'thickness'> {
  coarse: SequenceData;
  fine: SequenceData;
  repeat?: SequenceData;
  body?: Omit<NonNullable<ClothPair['body']>, 'sequence'> & { sequence: SequenceData };
}

/** What was opened as one unit: a file, a folder, or files that belong together. */
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
  notes: Note[];
  /** Cloth to learn folds from: the motions of one garment. */
  pairs?: PairData[];
  /** Trained cloth of the file. */
  cloths?: TrainedCloth[];
  /** Set if the file stores neither its up axis nor its unit: both can be chosen. */
  spaceUnknown?: boolean;
  /** Clips that play at once, under this name among the clips of models. */
  clipsTogether?: string;
  /** What new files do not have of the glTF file that was opened. */
  lost?: Note[];
  /** The glTF file of its models, then the files beside it. Exports edit it; sessions hold its bytes. */
  files?: PathFile[];
}

/** The 3N positions of frame k: a view. */
export function frameOf({ frames, times }: SequenceData, k: number): Float32Array {
  const stride = frames.length / times.length;
  return frames.subarray(k * stride, (k + 1) * stride);
}

/** A pair as the library has it. */
export const asPair = ({ coarse, fine, repeat, body, ...pair }: PairData): ClothPair => ({
  ...pair,
  coarse: asSequence(coarse),
  fine: asSequence(fine),
  ...(repeat && { repeat: asSequence(repeat) }),
  ...(body && { body: { ...body, sequence: asSequence(body.sequence) } }),
});

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

/** Up axis and unit of its first surface. */
export function spaceOf({ sequences, models, meshes }: Pick<Content, 'sequences' | 'models' | 'meshes'>): Space {
  const mesh = sequences[0]?.rest ?? models[0]?.mesh ?? meshes[0];
  return mesh?.space ?? { up: 'y', metresPerUnit: 1 };
}

/** The names of all clips, each once. */
export const clipNames = ({ models, motions, pairs = [] }: Content): string[] => [
  ...new Set([...models, ...motions].flatMap(({ clips }) => clips.map(({ name }) => name))),
  ...pairs.map(({ name }) => name),
];

/** P seconds: times of the motion, of the first clip of that name, or of the rest pose alone. */
export function timesOf({ sequences, models, motions, pairs = [] }: Content, name: string): Float64Array {
  if (sequences.length > 0) return sequences[0].times;
  if (pairs.length > 0) return (pairs.find((pair) => pair.name === name) ?? pairs[0]).coarse.times;
  const clip = [...models, ...motions].flatMap(({ clips }) => clips).find((other) => other.name === name);
  return clip ? smoothTimes(clip) : Float64Array.of(0);
}

/** Clips with fewer keys per second than `LEAST_RATE` are shown at `SMOOTH_RATE`. */
const SMOOTH_RATE = 60;
const LEAST_RATE = 20;

/** A clip's own keys if they are dense enough to look smooth, otherwise a steady rate. */
function smoothTimes(clip: Clip): Float64Array {
  const times = frameTimes(clip);
  const seconds = times[times.length - 1] - times[0];
  if (seconds === 0 || times.length / seconds >= LEAST_RATE) return times;
  const count = Math.max(2, Math.round(seconds * SMOOTH_RATE) + 1);
  return Float64Array.from({ length: count }, (_, k) => times[0] + (k * seconds) / (count - 1));
}
