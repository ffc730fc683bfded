import { browserPool } from '../../../src/platform/browser/index.ts';
import { skinPlain } from '../../../src/skin/plain.ts';
import { Skinner } from '../../../src/skin/skinner.ts';
import { farthest, randomPose, randomRig } from '../../skin/rigs.ts';

/** Poses a rig by kernel and threads, and tells how far from the plain operator that is. */
async function poseWithPool(threads: number): Promise<{ threads: number; kernel: string; error: number }> {
  const pool = await browserPool(threads);
  const rig = randomRig({ seed: 1, vertices: 20_003 });
  const pose = randomPose(rig, { seed: 2, scale: 1.3 });
  const skinner = new Skinner(rig, { operator: 'sdqs' }, pool);
  const expected = skinPlain(rig, pose, { operator: 'sdqs' }).positions;
  let error = 0;
  for (let k = 0; k < 50; k++) error = Math.max(error, farthest(skinner.pose(pose).positions, expected));
  await pool.close();
  return { threads: pool.threads, kernel: skinner.kernel, error };
}

Object.assign(globalThis, { poseWithPool });
