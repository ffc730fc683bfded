import { expect, it } from 'vitest';
import { InsideFill } from '../../src/light/fill-inside.ts';

it('vertices inside take what their neighbours have, ring by ring; a part that is inside as a whole gets nothing', () => {
  // A strip of vertices 0 … 4, each next to the two after it, and a triangle apart.
  const triangles = Uint32Array.of(0, 1, 2, 1, 2, 3, 2, 3, 4, 5, 6, 7);
  const values = Float32Array.of(1, 9, 9, 9, 9, 9, 9, 9);
  new InsideFill(triangles, 8).fill(values, 1, Uint8Array.of(0, 1, 1, 1, 1, 1, 1, 1));
  expect([...values]).toEqual([1, 1, 1, 1, 1, 0, 0, 0]);

  const two = Float32Array.of(1, 10, 2, 20, 9, 9, 4, 40, 5, 50);
  new InsideFill(triangles.subarray(0, 9), 5).fill(two, 2, Uint8Array.of(0, 0, 1, 0, 0));
  expect([...two.subarray(4, 6)]).toEqual([3, 30]);
});
