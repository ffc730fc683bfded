import { type Bvh, MAX_BVH_DEPTH } from '../../src/mesh/bvh.ts';

/** Rounding of the slab test: a ray that grazes a flat box must not slip past it. */
const SLACK = 1 + 1e-12;

const stack = new Uint32Array(MAX_BVH_DEPTH + 1);

/**
 * The faces in all leaves whose boxes a ray meets: a superset of those it hits, in no order. `o` and `d` are its origin
 * and direction (3 each).
 */
export function facesAlongRay(bvh: Bvh, o: ArrayLike<number>, d: ArrayLike<number>): number[] {
  const { boxes, right, start, count, faces } = bvh;
  const found: number[] = [];
  if (right.length === 0) return found;
  let depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (!meetsBox(boxes, 6 * node, o, d)) continue;
    if (right[node] > 0) {
      stack[depth++] = right[node];
      stack[depth++] = node + 1;
    } else {
      for (let q = start[node]; q < start[node] + count[node]; q++) found.push(faces[q]);
    }
  }
  return found;
}

/** Whether the ray o + t·d, t ≥ 0, meets the box at b. */
function meetsBox(boxes: Float32Array, b: number, o: ArrayLike<number>, d: ArrayLike<number>): boolean {
  let near = 0;
  let far = Infinity;
  for (let c = 0; c < 3; c++) {
    const low = boxes[b + c] - o[c];
    const high = boxes[b + 3 + c] - o[c];
    if (d[c] === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    const t0 = (d[c] > 0 ? low : high) / d[c];
    const t1 = ((d[c] > 0 ? high : low) / d[c]) * SLACK;
    if (t0 > near) near = t0;
    if (t1 < far) far = t1;
    if (near > far) return false;
  }
  return true;
}
