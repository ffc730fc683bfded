import { describe, expect, it } from 'vitest';
import { chooseClip } from '../../cli/input/rigs.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';

/** Only the names of its clips matter here. */
const part = (...clips: string[]) => ({ clips: clips.map((name) => ({ name })) }) as unknown as SkinnedModel;

describe('the clip of a rig', () => {
  // As in RobotExpressive: a foot comes first, which the dance does not move.
  const parts = [part('death', 'jump'), part('dance', 'death', 'jump'), part('jump')];
  const order = ['unused', 'dance', 'death', 'jump'];

  it('is the first of the file, not of its first part or of most parts', () => {
    expect(chooseClip('skin', parts, 'a.glb', undefined, order)).toBe('dance');
    expect(chooseClip('skin', parts, 'a.glb', undefined)).toBe('death');
  });

  it('is one of those that the file has, listed in its order', () => {
    expect(chooseClip('skin', parts, 'a.glb', 'jump', order)).toBe('jump');
    expect(() => chooseClip('skin', parts, 'a.glb', 'unused', order)).toThrow(/expected dance, death, jump\)/);
    expect(() => chooseClip('skin', [part()], 'a.glb', undefined, order)).toThrow(/no clips/);
  });
});
