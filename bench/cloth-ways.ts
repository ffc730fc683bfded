/** Every way from a coarse to a fine cloth, tried on a motion: figures, and processor time per frame. */

import { compare, comparedFrom, type FoldFigures } from '../src/cloth/compare.ts';
import { Embedding } from '../src/cloth/embedding.ts';
import { Folds } from '../src/cloth/folds.ts';
import { barycentric } from '../src/cloth/guide.ts';
import type { ClothPair } from '../src/cloth/pairs.ts';
import { trainPaper } from '../src/cloth/paper/train-paper.ts';
import { stageFrames } from '../src/cloth/stage-frames.ts';
import { trainUpsampler, type UpsamplerOptions } from '../src/cloth/upsampler/train.ts';
import { type Mesh, memorySequence } from '../src/index.ts';
import type { PaperModel } from '../src/model/paper-cloth.ts';
import type { ClothPhysics, UpsamplerModel } from '../src/model/trained-cloth.ts';

export interface Way {
  name: string;
  /** None: the barycentric embedding. */
  physics?: ClothPhysics;
  upsampler?: UpsamplerModel;
  paper?: PaperModel;
  /** Whether layers keep apart [default false]. */
  selfCollision?: boolean;
}

export interface Judged extends FoldFigures {
  name: string;
  /** Processor time per frame, without the coarse simulation. */
  milliseconds: number;
  /** The farthest that a vertex is from the truth, m. */
  worst: number;
  /** The deepest that a free vertex is inside the body, mm; one that starts inside may stay as deep. */
  depth: number;
  /** 3N each. */
  frames: Float32Array[];
}

/** Processor seconds that some work takes. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ result: T; seconds: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}

/** Everything that is trained, and how long it took. */
export async function trainWays(
  pairs: readonly ClothPair[],
  { paper: withPaper = true, ...options }: Partial<UpsamplerOptions> & { paper?: boolean } = {},
): Promise<{ ways: Way[]; seconds: Record<string, number> }> {
  const linear = await timed(() => trainUpsampler(pairs, { ...options, kernel: 'linear' }));
  const learned = await timed(() => trainUpsampler(pairs, { ...options, kernel: 'gaussian' }));
  const paper = withPaper ? await timed(() => trainPaper(pairs)) : undefined;
  const { upsampler } = learned.result;
  return {
    ways: [
      { name: 'barycentric' },
      { name: '⅓ Phong, push', physics: 'off' },
      { name: 'linear', physics: 'off', upsampler: linear.result.upsampler },
      ...(paper ? [{ name: 'paper', physics: 'off', paper: paper.result.paper } as const] : []),
      { name: 'learned', physics: 'off', upsampler },
      { name: 'still', physics: 'still', upsampler },
      { name: 'quiet', physics: 'quiet', upsampler },
      { name: 'lively', physics: 'lively', upsampler },
      { name: 'alone', physics: 'alone' },
    ],
    seconds: { linear: linear.seconds, learned: learned.seconds, ...(paper && { paper: paper.seconds }) },
  };
}

/** A way on a motion. */
export async function judge(pair: ClothPair, way: Way): Promise<Judged> {
  const { coarse, fine, pinned, body, thickness } = pair;
  const embedding = new Embedding(coarse.rest, fine.rest);
  const pose = new Float64Array(3 * embedding.coarseCount);
  const flat = new Float64Array(3 * embedding.count);
  const distances = new Float64Array(embedding.count);
  const isPinned = new Set(pinned?.fine);
  const frames: Float32Array[] = [];
  let folds: Folds | undefined;
  let [seconds, depth] = [0, 0];
  const staged = { mesh: fine.rest, pinned: pinned?.fine, body, frames: coarse.frameCount, thickness };
  for await (const stage of stageFrames(staged)) {
    const k = frames.length;
    pose.set(await coarse.readFrame(k));
    const step = await timed(() => {
      if (!way.physics) barycentric(embedding, pose, flat);
      else if (folds) folds.step(pose, coarse.times[k] - coarse.times[k - 1]);
      else
        folds = new Folds(
          { coarse: coarse.rest, fine: fine.rest, embedding, stage, ...way },
          { physics: way.physics, selfCollision: way.selfCollision },
          pose,
        );
    });
    if (k > 0) seconds += step.seconds;
    frames.push(Float32Array.from(folds?.x ?? flat));
    if (!stage) continue;
    distances.fill(Infinity);
    for (const obstacle of stage.obstacles) obstacle.moveTo(1);
    for (const obstacle of stage.obstacles) obstacle.distances(frames[k], distances);
    distances.forEach((distance, i) => {
      if (!isPinned.has(i)) depth = Math.max(depth, Math.min(0, stage.margin[i]) - distance);
    });
  }
  return judged(pair, frames, way.name, {
    milliseconds: (1000 * seconds) / Math.max(1, frames.length - 1),
    depth: 1000 * depth,
  });
}

/** The truth simulated again. */
export async function judgeRepeat(pair: ClothPair): Promise<Judged | undefined> {
  if (!pair.repeat) return undefined;
  const frames: Float32Array[] = [];
  for (let k = 0; k < pair.repeat.frameCount; k++) frames.push(await pair.repeat.readFrame(k));
  return judged(pair, frames, 'truth again', { milliseconds: Number.NaN, depth: Number.NaN });
}

async function judged(
  pair: ClothPair,
  frames: Float32Array[],
  name: string,
  more: Pick<Judged, 'milliseconds' | 'depth'>,
): Promise<Judged> {
  const { figures } = await compare(
    name,
    pair,
    memorySequence(name, pair.fine.rest as Mesh, frames, pair.fine.times),
    {},
  );
  let worst = 0;
  for (let k = comparedFrom(frames.length); k < frames.length; k++) {
    const truth = await pair.fine.readFrame(k);
    for (let o = 0; o < truth.length; o += 3) {
      const [x, y, z] = [0, 1, 2].map((c) => frames[k][o + c] - truth[o + c]);
      worst = Math.max(worst, Math.hypot(x, y, z));
    }
  }
  return { name, ...figures, ...more, worst, frames };
}
