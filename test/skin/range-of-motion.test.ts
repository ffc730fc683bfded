import { describe, expect, it } from 'vitest';
import { transformPoint34, translation34 } from '../../src/math/matrix34.ts';
import { decomposeTrs, worldMatrices } from '../../src/math/trs.ts';
import { distance3 } from '../../src/math/vector.ts';
import { LOCAL_STRIDE, MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { impliedParents } from '../../src/skin/implied-parents.ts';
import { rangeOfMotion } from '../../src/skin/range-of-motion.ts';
import { smallSample } from '../rig/linearize-rigs.ts';

const tube = await smallSample('tube', 60, 2);

/** The angle by which a bone's local rotation differs from its rest pose, radians. */
function turnOf(locals: Float32Array, rest: Float32Array, frame: number, bone: number): number {
  const at = frame * rest.length + LOCAL_STRIDE * bone + 3;
  let dot = 0;
  for (let c = 0; c < 4; c++) dot += locals[at + c] * rest[LOCAL_STRIDE * bone + 3 + c];
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

describe('rangeOfMotion', () => {
  const { clip, poses, joints } = rangeOfMotion(tube);
  const { restLocals } = tube.skeleton;

  it('is a sound clip that starts and ends at rest', () => {
    validateModel({ ...tube, clips: [clip] });
    for (const k of [0, clip.times.length - 1]) {
      for (const j of joints) expect(turnOf(clip.locals!, restLocals, k, j)).toBeLessThan(1e-3);
    }
  });

  it('takes every joint but the root to its limits, and never beyond', () => {
    expect(joints).toEqual([1, 2, 3]);
    for (const j of joints) {
      const turns = poses.map((k) => turnOf(clip.locals!, restLocals, k, j));
      expect(Math.max(...turns)).toBeGreaterThan((74 * Math.PI) / 180);
      expect(Math.max(...turns)).toBeLessThan(Math.PI);
      expect(new Set(turns.map((x) => x.toFixed(2))).size).toBeGreaterThan(1);
    }
    expect(poses.every((k) => turnOf(clip.locals!, restLocals, k, 0) < 1e-3)).toBe(true);
  });

  it('moves what hangs from a joint, also where all joints are side by side', () => {
    const { skeleton } = tube;
    const bones = skeleton.names.length;
    const worlds = worldMatrices(skeleton.parents, skeleton.restLocals);
    const flat = new Float32Array(LOCAL_STRIDE * bones);
    for (let j = 0; j < bones; j++) decomposeTrs(flat, LOCAL_STRIDE * j, worlds, MATRIX_STRIDE * j);
    const model = { ...tube, skeleton: { ...skeleton, restLocals: flat, parents: new Int32Array(bones).fill(-1) } };
    const { parents, hung } = impliedParents(model);
    expect(hung).toHaveLength(bones - 1);
    expect(hung.every((j) => Math.abs(parents[j] - j) === 1)).toBe(true);
    const motion = rangeOfMotion(model);
    expect(motion.joints).toEqual([...hung].sort());
    for (const k of motion.poses) {
      for (const j of hung) {
        const place = (b: number): number[] => {
          const out = [0, 0, 0];
          const o = MATRIX_STRIDE * (bones * k + b);
          transformPoint34(out, 0, motion.clip.transforms, o, translation34(worlds, j), 0);
          return out;
        };
        expect(distance3(place(j), place(parents[j]))).toBeLessThan(1e-5);
      }
    }
    expect(impliedParents(tube)).toEqual({ parents: skeleton.parents, hung: [] });
  });

  it('moves only the bones asked for, as far as asked for, in an order that the seed chooses', () => {
    const few = rangeOfMotion(tube, { only: [2], bend: 0.2, twist: 0.1, poses: 6 });
    expect(few.poses).toHaveLength(6);
    expect(few.poses.every((k) => turnOf(few.clip.locals!, restLocals, k, 1) < 1e-3)).toBe(true);
    expect(Math.max(...few.poses.map((k) => turnOf(few.clip.locals!, restLocals, k, 2)))).toBeCloseTo(0.2, 2);
    expect(rangeOfMotion(tube, { seed: 5 }).clip.locals).not.toEqual(clip.locals);
    expect(rangeOfMotion(tube).clip).toEqual(clip);
  });
});
