/** The fine cloth of a coarse motion that is known: a simulation, or a cache by another simulator. */
import { readCheckedFrame } from '../measure/frames.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import type { Mesh } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import type { BodyMotion } from './body-motion.ts';
import { Embedding } from './embedding.ts';
import { type FoldSettings, Folds, type FoldsOf } from './folds.ts';
import { requireRoom } from './require-cloth.ts';
import { stageFrames } from './stage-frames.ts';

/** Rest meshes in the same place, and what was learned of them. */
export interface FoldedCloth extends Pick<FoldsOf, 'upsampler' | 'paper'> {
  coarse: Mesh;
  fine: Mesh;
  /** Fine vertices that the body holds. */
  pinned?: Uint32Array;
  /** The distance that the fine cloth keeps from the body, m. */
  thickness?: number;
  /** What the body is to the cloth [default capsules, where it has any]. */
  collider?: 'capsules' | 'surface';
}

/** Where a coarse vertex goes farther than this in a frame, in diagonals of the cloth on average, folds start anew. */
const JUMP = 0.5;

/** `motion.coarse` has the vertices of the coarse mesh; the body has its frames. */
export async function foldMotion(
  cloth: FoldedCloth,
  { coarse, body }: { coarse: MeshSequence; body?: BodyMotion },
  settings: FoldSettings,
  label: string,
  run: RunOptions,
): Promise<{ sequence: MeshSequence; notes: Note[] }> {
  const { fine, pinned, thickness, collider } = cloth;
  requireRoom('cloth', fine, coarse.frameCount);
  const embedding = new Embedding(cloth.coarse, fine);
  const frame = new Float32Array(3 * embedding.coarseCount);
  const pose = new Float64Array(3 * embedding.coarseCount);
  const jump = JUMP * diagonalOf(fine.positions);
  const frames: Float32Array[] = [];
  const jumps: number[] = [];
  let folds: Folds | undefined;
  const staged = { mesh: fine, pinned, body, frames: coarse.frameCount, thickness, collider };
  for await (const stage of stageFrames(staged)) {
    const k = frames.length;
    await checkpoint(run, 'cloth', k, coarse.frameCount, label);
    await readCheckedFrame('cloth', coarse, k, frame);
    const way = k === 0 ? 0 : meanWay(pose, frame);
    pose.set(frame);
    if (!folds) folds = new Folds({ ...cloth, embedding, stage }, settings, pose);
    else if (way > jump) {
      jumps.push(k);
      folds.reset(pose);
    } else folds.step(pose, coarse.times[k] - coarse.times[k - 1]);
    frames.push(Float32Array.from(folds.x));
  }
  run.onProgress?.(1, 1, label);
  return {
    sequence: memorySequence(fine.name ?? 'cloth', fine, frames, coarse.times),
    notes: jumps.length > 0 ? [note('coarse-jumps', { frames: jumps.length, first: jumps[0] })] : [],
  };
}

function meanWay(from: Float64Array, to: Float32Array): number {
  let sum = 0;
  for (let c = 0; c < to.length; c += 3) {
    sum += Math.hypot(to[c] - from[c], to[c + 1] - from[c + 1], to[c + 2] - from[c + 2]);
  }
  return (3 * sum) / to.length;
}
