import { describe, expect, it } from 'vitest';
import { readBvh } from '../../src/io/read-bvh.ts';
import { transformPoint34 } from '../../src/math/matrix34.ts';
import { forwardKinematics } from '../../src/math/trs.ts';
import { type Note, note } from '../../src/model/note.ts';
import { clipFrame, validateClip, validateSkeleton } from '../../src/model/skeleton.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';
import { textSource } from './support.ts';

/** Hips with an arm to +x (two joints and a tip) and a leg that has positions of its own. */
const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 10 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Arm {
    OFFSET 2 0 0
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 3 0 0
    }
  }
  JOINT Leg
  {
    OFFSET 0 -4 0
    CHANNELS 6 Zrotation Yrotation Xrotation Zposition Yposition Xposition
    End Site
    { OFFSET 0 -5 0 }
  }
}
MOTION
Frames: 2
Frame Time: 0.25
0 10 0  0 0 0  0 0 0  0 0 0 0 -4 0
1 20 3  90 0 0  90 30 10  15 -25 35 7 -8 9
`;

const read = async (text: string, notes?: Note[]) => {
  const motion = await readBvh(textSource(text, 'folder/walk.bvh'), notes);
  validateSkeleton(motion.skeleton);
  for (const clip of motion.clips) validateClip(clip, motion.skeleton.names.length);
  return motion;
};

type Matrix = number[][];
const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => [0, 1, 2].map((c) => row[0] * b[0][c] + row[1] * b[1][c] + row[2] * b[2][c]));
const apply = (a: Matrix, p: number[]): number[] => a.map((row) => row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
const add = (a: number[], b: number[]) => a.map((x, c) => x + b[c]);
const rotation = (axis: 'x' | 'y' | 'z', degrees: number): Matrix => {
  const c = Math.cos((degrees * Math.PI) / 180);
  const s = Math.sin((degrees * Math.PI) / 180);
  if (axis === 'x')
    return [
      [1, 0, 0],
      [0, c, -s],
      [0, s, c],
    ];
  if (axis === 'y')
    return [
      [c, 0, s],
      [0, 1, 0],
      [-s, 0, c],
    ];
  return [
    [c, -s, 0],
    [s, c, 0],
    [0, 0, 1],
  ];
};

describe('readBvh', () => {
  it('reads the hierarchy', async () => {
    const { name, skeleton, clips } = await read(BVH);
    expect(name).toBe('walk');
    expect(skeleton.names).toEqual(['Hips', 'Left Arm', 'Left Arm_end', 'Leg', 'Leg_end']);
    expect([...skeleton.parents]).toEqual([-1, 0, 1, 0, 3]);
    expect([...clips[0].times]).toEqual([0, 0.25]);
  });

  it('shows the rest pose by identities: frame 0 is the rest pose here', async () => {
    const { clips } = await read(BVH);
    const frame = clipFrame(clips[0], 0);
    for (let j = 0; j < 5; j++)
      expect([...frame.slice(12 * j, 12 * j + 12)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  });

  it('turns in the order of the channels and lets positions replace offsets', async () => {
    const { skeleton, clips } = await read(BVH);
    const world = new Float64Array(12 * 5);
    forwardKinematics(world, skeleton.parents, clips[0].locals!, 50);
    const head = (j: number) => [world[12 * j + 3], world[12 * j + 7], world[12 * j + 11]];

    const hips = rotation('z', 90);
    const arm = product(hips, product(rotation('y', 90), product(rotation('z', 30), rotation('x', 10))));
    const leg = product(hips, product(rotation('z', 15), product(rotation('y', -25), rotation('x', 35))));
    const hipsAt = [1, 20, 3];
    const expected = [
      hipsAt,
      add(hipsAt, apply(hips, [2, 0, 0])),
      add(add(hipsAt, apply(hips, [2, 0, 0])), apply(arm, [3, 0, 0])),
      add(hipsAt, apply(hips, [9, -8, 7])),
      add(add(hipsAt, apply(hips, [9, -8, 7])), apply(leg, [0, -5, 0])),
    ];
    for (let j = 0; j < 5; j++) head(j).forEach((x, c) => void expect(x).toBeCloseTo(expected[j][c], 5));

    // The skin matrix moves the rest head of a bone to where it is now.
    const restTip = [5, 10, 0];
    const moved = [0, 0, 0];
    transformPoint34(moved, 0, clipFrame(clips[0], 1), 12 * 2, restTip, 0);
    moved.forEach((x, c) => void expect(x).toBeCloseTo(expected[2][c], 5));
  });

  it('reads a file without frames', async () => {
    const notes: Note[] = [];
    const text = BVH.slice(0, BVH.indexOf('Frames:'));
    expect((await read(`${text}Frames: 0\nFrame Time: 0.1\n`, notes)).clips).toEqual([]);
    expect(notes).toEqual([note('no-frames', {})]);
  });

  it.each<[string, string, Refusal]>([
    ['another kind of file', 'v 0 0 0\n', { file: 'folder/walk.bvh', line: 1, values: ['v', 'HIERARCHY'] }],
    ['an unknown keyword', BVH.replace('JOINT Leg', 'BONE Leg'), { line: 14, values: ['BONE', 'JOINT'] }],
    ['an unknown channel', BVH.replace('Xposition', 'Wposition'), { line: 5, values: ['Wposition'] }],
    ['a missing brace', BVH.replace('}\nMOTION', 'MOTION'), { values: ['MOTION', 'JOINT'] }],
    ['a short frame', BVH.slice(0, -4), { line: 26 }],
    ['more frames than the file holds', BVH.replace('Frames: 2', 'Frames: 2000000000'), { values: [2000000000] }],
    ['no frame time', BVH.replace('0.25', '0'), { values: [0, 0] }],
    ['NaN', BVH.replace('1 20 3', '1 nan 3'), { line: 26, values: ['nan'] }],
    ['no bones', 'HIERARCHY\nMOTION\n', { line: 2 }],
    ['offsets that add up to infinity', BVH.replace('3 0 0', '3e38 0 0').replace('2 0 0', '3e38 0 0'), { line: 22 }],
  ])('refuses %s', async (_, text, facts) => {
    await expectRefusal(read(text), 'bad-file', facts);
  });
});
