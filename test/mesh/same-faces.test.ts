import { expect, it } from 'vitest';
import { sameFaces } from '../../src/mesh/adjacency.ts';

it('knows the same faces in any order, from any corner, and other faces', () => {
  const faces = Uint32Array.of(0, 1, 2, 2, 1, 3);
  expect(sameFaces(faces, Uint32Array.of(1, 3, 2, 1, 2, 0))).toBe(true);
  expect(sameFaces(faces, Uint32Array.of(0, 2, 1, 2, 1, 3))).toBe(false); // turned over
  expect(sameFaces(faces, Uint32Array.of(0, 1, 2))).toBe(false);
  expect(sameFaces(new Uint32Array(0), faces)).toBe(true);
  expect(sameFaces(faces, new Uint32Array(0))).toBe(true);
});
