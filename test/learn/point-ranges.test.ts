import { expect, it } from 'vitest';
import { learn } from '../../src/learn/learn.ts';
import { pointRanges } from '../../src/learn/point-ranges.ts';
import { bendingTube } from './bending-tube.ts';

it('says where control points rest, and where the examples took them', async () => {
  const tube = bendingTube([0, 0.5, 1]);
  const axes = [1, 1, 1, 0, 1, 0];
  const { predictor } = await learn([tube], { bones: 4, given: { points: [5, 40], axes, names: ['low', 'high'] } });
  const ranges = pointRanges(predictor);
  expect(ranges.map(({ name, vertex }) => [name, vertex])).toEqual([
    ['low', 5],
    ['high', 40],
  ]);
  const frames = await Promise.all(Array.from({ length: tube.frameCount }, (_, k) => tube.readFrame(k)));
  ranges.forEach(({ vertex, rest, min, max }, l) => {
    expect(rest).toEqual([...tube.rest.positions.subarray(3 * vertex, 3 * vertex + 3)]);
    for (let c = 0; c < 3; c++) {
      const places = frames.map((frame) => frame[3 * vertex + c]);
      const [low, high] = axes[3 * l + c] ? [Math.min(...places), Math.max(...places)] : [undefined, undefined];
      if (low === undefined) expect([min[c], max[c]]).toEqual([low, high]);
      else {
        expect(min[c]).toBeCloseTo(low, 6);
        expect(max[c]).toBeCloseTo(high!, 6);
      }
    }
  });
});
