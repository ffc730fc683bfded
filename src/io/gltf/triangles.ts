import type { GLTF } from '@gltf-transform/core';
import type { Accessors } from './accessors.ts';
import { GltfFault } from './limits.ts';

// Modes of primitives; those below are points and lines.
const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;
const TRIANGLE_FAN = 6;

export const hasTriangles = ({ mode = TRIANGLES }: GLTF.IMeshPrimitive): boolean => mode >= TRIANGLES;

/** The triangles of a list, strip or fan (glTF 2.0 §3.7.2.1). Strips turn on degenerate triangles: those are dropped. */
export function primitiveTriangles(
  primitive: GLTF.IMeshPrimitive,
  vertices: number,
  accessors: Accessors,
  at: string,
): Uint32Array {
  const indices =
    primitive.indices === undefined
      ? Uint32Array.from({ length: vertices }, (_, i) => i)
      : Uint32Array.from(accessors.integers(primitive.indices, 'SCALAR', `${at}.indices`));
  const far = indices.findIndex((i) => i >= vertices);
  if (far >= 0) throw new GltfFault(`${at}.indices: entry ${far} is ${indices[far]} (expected < ${vertices})`);

  if ((primitive.mode ?? TRIANGLES) === TRIANGLES) {
    if (indices.length % 3 !== 0) throw new GltfFault(`${at}: ${indices.length} corners (expected a multiple of 3)`);
    return indices;
  }
  const out: number[] = [];
  for (let t = 0; t + 2 < indices.length; t++) {
    const corners =
      primitive.mode === TRIANGLE_FAN ? [t + 1, t + 2, 0] : t % 2 === 0 ? [t, t + 1, t + 2] : [t, t + 2, t + 1];
    const [a, b, c] = corners.map((corner) => indices[corner]);
    if (primitive.mode === TRIANGLE_STRIP && (a === b || b === c || a === c)) continue;
    out.push(a, b, c);
  }
  return Uint32Array.from(out);
}
