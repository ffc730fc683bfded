import { PliantError } from '../../error.ts';
import { readCheckedFrame } from '../../measure/frames.ts';
import type { Mesh } from '../../model/mesh.ts';
import type { RunOptions } from '../../model/options.ts';
import { checkpoint } from '../../model/run.ts';
import type { ClothPair } from '../pairs.ts';
import { requireOneCloth } from '../require-pairs.ts';
import { chooseExamples } from './choose-examples.ts';
import { DihedralAngles, PoseInput } from './dihedral-angles.ts';
import { TriangleRotations } from './triangle-rotations.ts';

/** What training needs of a pair. */
export type TrainingPair = Pick<ClothPair, 'coarse' | 'fine' | 'pinned'>;

/** E poses of coarse and fine cloth, and what is known of the coarse ones. */
export interface PaperExamples {
  coarse: Mesh;
  fine: Mesh;
  /** E of 3N, and E of 3V. */
  poses: Float32Array[];
  coarsePoses: Float32Array[];
  /** E of 9T: G. */
  rotations: Float64Array[];
  /** E × 2H: Θ, and Θ̇ scaled. */
  inputs: Float64Array;
  velocityScale: number;
}

/** Angles of flat cloth in single precision, radians. */
const ROUNDING = 1e-4;

/** Reads all coarse frames and, of those that k-means chooses, the fine ones. The first frame of a motion has no velocity. */
export async function readExamples(
  pairs: readonly TrainingPair[],
  { examples, seed }: { examples: number; seed: number },
  run: RunOptions,
): Promise<PaperExamples> {
  requireOneCloth(pairs);
  const { coarse, fine } = { coarse: pairs[0].coarse.rest, fine: pairs[0].fine.rest };
  const angles = new DihedralAngles(coarse);
  const h = angles.count;
  const input = new PoseInput(angles, 1);
  const moments: { pair: TrainingPair; k: number; pose: Float32Array; input: Float64Array }[] = [];
  const total = pairs.reduce((sum, pair) => sum + pair.coarse.frameCount, 0);
  for (const pair of pairs) {
    const { times, frameCount } = pair.coarse;
    let previous: Float32Array | undefined;
    for (let k = 0; k < frameCount; k++) {
      await checkpoint(run, 'cloth', moments.length, total, 'reading coarse frames');
      const pose = await readCheckedFrame('cloth', pair.coarse, k, new Float32Array(coarse.positions.length));
      if (previous) {
        input.set(pose, previous, times[k] - times[k - 1]);
        moments.push({ pair, k, pose, input: input.values.slice() });
      }
      previous = pose;
    }
  }
  if (moments.length < 2) {
    throw new PliantError('bad-input', 'cloth', `${total} frames (expected at least 3 of a motion)`);
  }
  const theta = new Float64Array(moments.length * h);
  moments.forEach((each, row) => {
    theta.set(each.input.subarray(0, h), row * h);
  });
  if (theta.every((angle, at) => Math.abs(angle - theta[at % h]) < ROUNDING)) {
    const cause = `${pairs[0].coarse.name}: triangles never turn against each other (expected coarse cloth that folds)`;
    throw new PliantError('bad-input', 'cloth', cause);
  }
  const chosen = chooseExamples(theta, h, examples, seed).map((row) => moments[row]);
  const poses: Float32Array[] = [];
  for (const { pair, k } of chosen) {
    await checkpoint(run, 'cloth', poses.length, chosen.length, 'reading fine frames');
    poses.push(await readCheckedFrame('cloth', pair.fine, k, new Float32Array(fine.positions.length)));
  }
  const inputs = new Float64Array(2 * h * chosen.length);
  const velocityScale = alike(chosen.map((each) => each.input));
  chosen.forEach((each, row) => {
    inputs.set(
      each.input.map((x, c) => (c < h ? x : velocityScale * x)),
      2 * h * row,
    );
  });
  const triangles = new TriangleRotations(coarse);
  const rotations = chosen.map(({ pose }) => {
    triangles.measure(pose);
    return triangles.rotations.slice();
  });
  return { coarse, fine, poses, coarsePoses: chosen.map(({ pose }) => pose), rotations, inputs, velocityScale };
}

/** What the second half of rows must be multiplied by to vary as much as the first. */
function alike(rows: readonly Float64Array[]): number {
  const d = rows[0].length;
  const spread = (from: number, to: number): number => {
    let sum = 0;
    for (let c = from; c < to; c++) {
      const mean = rows.reduce((total, row) => total + row[c] / rows.length, 0);
      for (const row of rows) sum += (row[c] - mean) ** 2;
    }
    return Math.sqrt(sum);
  };
  const velocities = spread(d / 2, d);
  return velocities > 0 ? spread(0, d / 2) / velocities : 0;
}
