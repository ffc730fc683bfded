import { expect, it } from 'vitest';
import { bonesOf } from '../../../src/io/bones.ts';
import { bindOthers } from '../../../src/io/collada/bones.ts';
import { multiply34 } from '../../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../../src/model/skeleton.ts';

it('bones that a skin does not list are bound as those that it lists', () => {
  // An armature, a hip, a spine with an end, and a prop that stands elsewhere.
  const parents = [-1, 0, 1, 2, -1];
  const bones = bonesOf(Int32Array.from(parents.keys()), {
    name: (node) => `node ${node}`,
    parent: (node) => parents[node],
    pose: (node, local) => local.set([0.1 * node, 1, 0, 0.6, 0, 0, 0.8, 1.5, 1.5, 1.5]),
  });
  const { inverseBind } = bones.skeleton;
  const prop = inverseBind.slice(4 * MATRIX_STRIDE);
  // The mesh is bound mirrored, and twice as large.
  const mirror = [-2, 0, 0, 0.3, 0, 2, 0, 0, 0, 0, 2, 0];
  for (const j of [1, 2]) multiply34(inverseBind, MATRIX_STRIDE * j, inverseBind, MATRIX_STRIDE * j, mirror, 0);
  bindOthers(bones, [1, 2]);
  const atRest = new Float64Array(MATRIX_STRIDE);
  for (let j = 0; j < 4; j++) {
    multiply34(atRest, 0, bones.worlds, MATRIX_STRIDE * j, inverseBind, MATRIX_STRIDE * j);
    for (const [c, x] of mirror.entries()) expect(atRest[c]).toBeCloseTo(x, 5);
  }
  expect(inverseBind.slice(4 * MATRIX_STRIDE)).toEqual(prop);
});
