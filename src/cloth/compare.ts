/** How well the fine cloth of a motion follows from its coarse cloth, by several ways. */
import { measureDetail } from '../measure/detail.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { pickFrames } from '../model/frames.ts';
import type { RunOptions } from '../model/options.ts';
import type { PaperModel } from '../model/paper-cloth.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { ClothPhysics, UpsamplerModel } from '../model/trained-cloth.ts';
import { Embedding } from './embedding.ts';
import { foldMotion } from './fold-motion.ts';
import { barycentric } from './guide.ts';
import type { ClothPair } from './pairs.ts';

/** How near a way comes to the truth. */
export interface FoldFigures {
  /** RMS distance, % of the diagonal of the rest pose. */
  E: number;
  /** Share of the squared error of the barycentric embedding that is removed, %. */
  W: number;
  /** Mean angle between vertex normals, degrees. */
  N: number;
  /** Vigour: mean angle to the normals of the embedding, relative to the truth's. */
  V: number;
  /** Jitter: RMS second difference in time, relative to the truth's. */
  J: number;
}

/** A way to the fine cloth. */
export interface Contender {
  name: string;
  physics: ClothPhysics;
  upsampler?: UpsamplerModel;
  paper?: PaperModel;
}

/** How a contender did. */
export interface Compared {
  name: string;
  figures: FoldFigures;
  /** Per frame: RMS distance, % of the diagonal. */
  curve: Float64Array;
  /** All frames of the motion, as long as they are kept. */
  frames?: MeshSequence;
}

/** Frames from the start that are not compared, as the detail has yet to form; fewer of a short motion. */
const SKIPPED = 12;

/** The frames of a motion that are compared. */
export const comparedFrom = (frameCount: number): number => Math.min(SKIPPED, Math.floor(frameCount / 3));

/** The fine cloth of a motion by a way. */
export function foldPair(pair: ClothPair, { name, physics, ...learned }: Contender, run: RunOptions) {
  const { coarse, fine, body, pinned, thickness, collider } = pair;
  const cloth = { coarse: coarse.rest, fine: fine.rest, pinned: pinned?.fine, thickness, collider, ...learned };
  return foldMotion(cloth, { coarse, body }, { physics }, `trying ${name}`, run);
}

/** The figures of frames by any way. */
export async function compare(name: string, pair: ClothPair, frames: MeshSequence, run: RunOptions): Promise<Compared> {
  const first = comparedFrom(pair.fine.frameCount);
  const [x, p, b] = [pair.fine, frames, barycentricSequence(pair)].map((each) => framesFrom(each, first));
  const n = pair.fine.rest.positions.length / 3;
  const diagonal = diagonalOf(pair.fine.rest.positions);
  const curve = new Float64Array(pair.fine.frameCount);
  let squares = 0;
  for (let k = 0; k < curve.length; k++) {
    const [truth, found] = [await pair.fine.readFrame(k), await frames.readFrame(k)];
    let sum = 0;
    for (let c = 0; c < truth.length; c++) sum += (found[c] - truth[c]) ** 2;
    curve[k] = (100 * Math.sqrt(sum / n)) / diagonal;
    if (k >= first) squares += sum / n;
  }
  const detail = await measureDetail(x, p, b, run);
  const figures = {
    E: (100 * Math.sqrt(squares / x.frameCount)) / diagonal,
    W: detail.detailRecoveredPercent ?? 0,
    N: detail.normalErrorDegrees ?? 0,
    V: detail.vigour ?? 0,
    J: detail.jitter ?? 0,
  };
  return { name, figures, curve, frames };
}

/** The plain embedding Σ β X. */
function barycentricSequence({ coarse, fine }: ClothPair): MeshSequence {
  const embedding = new Embedding(coarse.rest, fine.rest);
  const out = new Float64Array(3 * embedding.count);
  return {
    ...fine,
    name: 'embedding',
    async readFrame(k, into = new Float32Array(out.length)) {
      barycentric(embedding, await coarse.readFrame(k), out);
      into.set(out);
      return into;
    },
  };
}

/** Frames `first` … `last` of a sequence. */
export const framesFrom = (sequence: MeshSequence, first: number, last = sequence.frameCount - 1): MeshSequence =>
  pickFrames(sequence, last - first + 1, (k) => first + k);
