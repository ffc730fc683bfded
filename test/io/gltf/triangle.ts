import { Bin } from './fixtures.ts';

export const TRIANGLE = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
export const S = Math.SQRT1_2;

/** One mesh of one triangle, on one node. `node`, `mesh` and `more` add to them. */
export function triangleFile({ node = {}, mesh = {}, more = {} } = {}, bin = new Bin()): Uint8Array {
  const POSITION = bin.add('VEC3', TRIANGLE);
  return bin.glb({
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, ...node }],
    meshes: [{ primitives: [{ attributes: { POSITION } }], ...mesh }],
    ...more,
  });
}
