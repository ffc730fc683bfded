import { describe, expect, it } from 'vitest';
import { namesByBones } from '../../src/learn/given.ts';
import { learn } from '../../src/learn/learn.ts';
import { codesOf } from '../notes.ts';
import { bendingTube } from './bending-tube.ts';

/** Every control point has a name of its own. */

describe('names of control points', () => {
  it.each([
    [
      ['arm', 'arm 2'],
      [0, 0, 1, 1],
      ['arm', 'arm 2', 'arm 2 2', 'arm 2 3'],
    ],
    [
      ['arm', 'arm 2'],
      [1, 0, 0, 0],
      ['arm 2', 'arm', 'arm 3', 'arm 4'],
    ],
    [
      ['point 2', ''],
      [0, 1, 0, 1],
      ['point 2', 'point 2 2', 'point 2 3', 'point 4'],
    ],
  ])('of bones %j, followed as %j, are %j', (bones, joints, names) => {
    const weights = { influences: 1, joints: Uint16Array.from(joints), weights: new Float32Array(4).fill(1) };
    expect(namesByBones(Uint32Array.of(0, 1, 2, 3), weights, bones)).toEqual(names);
  });

  it('say how many points are chosen where nothing else does', async () => {
    const names = ['left', 'right'];
    const { predictor, report } = await learn([bendingTube([0, 1])], { bones: 4, given: { names } });
    expect([predictor.points.length, predictor.names]).toEqual([2, names]);
    expect(codesOf(report.notes)).not.toContain('fewer-control-points');
  });

  it.each([
    [['a'], { points: 2 }],
    [['a', 'a'], {}],
    [['a', ''], {}],
    [[], {}],
  ])('that do not do are refused before anything is looked for: %j', async (names, options) => {
    const onProgress = () => expect.unreachable('work was begun');
    await expect(learn([bendingTube([0, 1])], { ...options, onProgress, given: { names } })).rejects.toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });
});
