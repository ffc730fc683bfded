/** What training looks at in pairs of coarse and fine cloth, frame by frame. */
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { Embedding } from '../embedding.ts';
import type { ClothPair } from '../pairs.ts';
import { stageFrames } from '../stage-frames.ts';
import { type Basis, coefficientsOf, type Detail } from './basis.ts';
import type { LocalFeatures } from './features.ts';

export interface Observation {
  /** Per frame what all patches see. */
  seen: Float32Array[];
  /** The detail of the frames that are examples. */
  examples: Detail[];
}

/** Of `pairs` one after the other; `examples` are frames of them all, rising. */
export async function observe(
  pairs: readonly ClothPair[],
  embedding: Embedding,
  features: LocalFeatures,
  examples: Uint32Array,
  run: RunOptions,
): Promise<Observation> {
  const { coarseCount: v, count: n } = embedding;
  const out: Observation = { seen: [], examples: [] };
  const pose = new Float64Array(3 * v);
  const base = new Float64Array(3 * n);
  const total = frameTotal(pairs);
  for (const pair of pairs) {
    let k = 0;
    const { body, coarse, pinned, collider } = pair;
    const staged = { mesh: coarse.rest, pinned: pinned?.coarse, body, frames: coarse.frameCount, collider };
    for await (const stage of stageFrames(staged)) {
      const at = out.seen.length;
      await checkpoint(run, 'train', at, total, 'reading pairs');
      pose.set(await coarse.readFrame(k));
      embedding.apply(pose, base);
      const numbers = new Float32Array(features.offsets[v]);
      features.fill(pose, embedding.rotations, stage, numbers);
      out.seen.push(numbers);
      if (examples[out.examples.length] === at) {
        const world = await detailOf(pair, k, base);
        out.examples.push({ world, rotations: embedding.rotations.slice() });
      }
      k++;
    }
  }
  return out;
}

/** Coefficients (V × m) of every frame. */
export async function observeCoefficients(
  pairs: readonly ClothPair[],
  embedding: Embedding,
  basis: Basis,
  run: RunOptions,
): Promise<Float32Array[]> {
  const { coarseCount: v, count: n, rotations } = embedding;
  const out: Float32Array[] = [];
  const pose = new Float64Array(3 * v);
  const base = new Float64Array(3 * n);
  const world = new Float32Array(3 * n);
  const total = frameTotal(pairs);
  for (const pair of pairs) {
    for (let k = 0; k < pair.coarse.frameCount; k++) {
      await checkpoint(run, 'train', out.length, total, 'measuring shapes');
      pose.set(await pair.coarse.readFrame(k));
      embedding.apply(pose, base);
      await detailOf(pair, k, base, world);
      const c = new Float32Array(v * basis.modes);
      coefficientsOf(embedding, basis, { world, rotations }, c);
      out.push(c);
    }
  }
  return out;
}

export const frameTotal = (pairs: readonly ClothPair[]): number =>
  pairs.reduce((sum, { coarse }) => sum + coarse.frameCount, 0);

/** x − b (3N). */
async function detailOf({ fine }: ClothPair, k: number, base: Float64Array, out?: Float32Array): Promise<Float32Array> {
  const x = await fine.readFrame(k, out);
  for (let c = 0; c < x.length; c++) x[c] -= base[c];
  return x;
}
