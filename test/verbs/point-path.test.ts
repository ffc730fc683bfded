import { describe, expect, it } from 'vitest';
import { parseMove } from '../../cli/commands/drive.ts';
import type { PointRange } from '../../src/learn/point-ranges.ts';
import { movesPath, pathOfData } from '../../src/verbs/point-path.ts';

const POINTS: PointRange[] = ['a', 'b', 'c'].map((name, l) => ({
  name,
  vertex: l,
  rest: [10 * l, 20 * l, 30 * l],
  min: [0, l === 2 ? undefined : 0, 0],
  max: [1, l === 2 ? undefined : 1, 1],
}));

const points = (path: unknown) => [...pathOfData(path, POINTS).points];

describe('a path of control points', () => {
  const frames = [[1, 2, 3, 4, 5, 6, 7, 8, 9]];

  it('may name them in any order; without names the order is their own', () => {
    expect(points({ frames })).toEqual(frames[0]);
    expect(points(frames)).toEqual(frames[0]);
    expect(points({ frames, points: ['c', 'a', 'b'] })).toEqual([4, 5, 6, 7, 8, 9, 1, 2, 3]);
  });

  it('may be of offsets from rest, of some of them', () => {
    expect(points({ offsets: frames })).toEqual([1, 2, 3, 14, 25, 36, 27, 48, 69]);
    expect(points({ offsets: [[[1, 2, 3]], [[0, 0, 5]]], points: ['b'] })).toEqual([
      ...[0, 0, 0, 11, 22, 33, 20, 40, 60],
      ...[0, 0, 0, 10, 20, 35, 20, 40, 60],
    ]);
  });

  it.each([
    { frames, points: ['a', 'a', 'b'] },
    { frames, points: ['a'] },
    { frames, points: null },
    { offsets: frames, points: ['d'] },
    { offsets: frames, points: [] },
    { offsets: frames, points: ['a', 'b'] },
    { offsets: frames, frames },
    { frames: [[1, 2, 3, 4, 5, 6, 7, 8, null]] },
    { frames, times: [1, 2] },
    {},
    [],
  ])('is refused: %j', (path) =>
    expect(() => points(path)).toThrow(expect.objectContaining({ code: 'bad-input', option: 'points' })),
  );
});

describe('moves', () => {
  it('go in a second from rest to where they lead', () => {
    const { times, points: path } = movesPath([parseMove('b=1,0,-2'), parseMove(' c = 4, 0, 0')], POINTS, 2);
    expect([...times]).toEqual([0, 0.5, 1]);
    expect([...path]).toEqual([
      ...[0, 0, 0, 10, 20, 30, 20, 40, 60],
      ...[0, 0, 0, 10.5, 20, 29, 22, 40, 60],
      ...[0, 0, 0, 11, 20, 28, 24, 40, 60],
    ]);
  });

  it('take names with any sign in them', () =>
    expect(parseMove('left=cheek=1,2,3')).toEqual({ name: 'left=cheek', offset: [1, 2, 3] }));

  it.each(['', 'a', 'a=', 'a=1,2', 'a=1,2,x', 'a=1,2,', 'a=1,2,Infinity', '=1,2,3'])('refuse "%s"', (text) =>
    expect(() => parseMove(text)).toThrow(expect.objectContaining({ code: 'bad-option', option: 'by' })),
  );

  it('know their points', () =>
    expect(() => movesPath([parseMove('d=1,2,3')], POINTS, 24)).toThrow(
      expect.objectContaining({ option: 'by', got: 'd', candidates: ['a', 'b', 'c'] }),
    ));

  it('are of each point once, along what steers', () => {
    const refused = expect.objectContaining({ code: 'bad-option', option: 'by' });
    const move = (...texts: string[]) => movesPath(texts.map(parseMove), POINTS, 24);
    expect(() => move('a=1,0,0', 'a=0,1,0')).toThrow(refused);
    expect(() => move('c=1,2,0')).toThrow(refused);
  });

  it('take a second, however few frames there are in it', () =>
    expect([...movesPath([parseMove('a=1,0,0')], POINTS, 0.5).times]).toEqual([0, 1]));
});
