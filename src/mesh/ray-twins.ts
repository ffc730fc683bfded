import { MAX_BVH_DEPTH } from './bvh.ts';
import { LEAF_FACES, LEAF_WORDS, NODE_CHILDREN, NODE_WORDS, type RayMemory } from './ray-memory.ts';

/**
 * Rays against a packed hierarchy: the twins of kernels/assembly/rays.ts, in double precision. Boxes are tested by slabs,
 * as (side − origin) · (1 / direction): exact 0 for a side through the origin, so that rays along an axis need no case of
 * their own. Triangles by Möller & Trumbore 1997 from either side; a hit may be `SLACK` outside, so that no ray slips
 * through between two neighbours.
 */

/** Widens the far side of boxes by what rounding may have taken (Ize 2013, "Robust BVH ray traversal"). */
const WIDER = 1.0000004;
/** In units of a triangle's edges; single precision needs as much. */
const SLACK = 4e-6;
/** Directions closer to 0 are taken as this: 1 / x stays finite, and 0 · (1 / x) is 0. */
const TINY = 1e-18;

const stack = new Int32Array(3 * (MAX_BVH_DEPTH + 2));
const distances = new Float64Array(stack.length);

const inverse = (x: number): number => 1 / (Math.abs(x) < TINY ? (Object.is(x, -0) || x < 0 ? -TINY : TINY) : x);

/** The first face that each of `count` rays meets. */
export function twinClosest(rays: RayMemory, count: number): void {
  for (let i = 0; i < count; i++) trace(rays, i, false);
}

/** Whether each of `count` rays meets a face: one of them. */
export function twinAny(rays: RayMemory, count: number): void {
  for (let i = 0; i < count; i++) trace(rays, i, true);
}

function trace(rays: RayMemory, i: number, any: boolean): void {
  const { nodes, nodeInts, leaves, leafInts, origins, directions } = rays;
  const ox = origins[3 * i];
  const oy = origins[3 * i + 1];
  const oz = origins[3 * i + 2];
  const dx = directions[3 * i];
  const dy = directions[3 * i + 1];
  const dz = directions[3 * i + 2];
  const ix = inverse(dx);
  const iy = inverse(dy);
  const iz = inverse(dz);
  const nearX = ix < 0 ? 4 : 0;
  const nearY = iy < 0 ? 12 : 8;
  const nearZ = iz < 0 ? 20 : 16;

  let limit = rays.limits[i];
  let face = -1;
  let hitU = 0;
  let hitV = 0;
  let top = 0;
  stack[top] = rays.root[0];
  distances[top++] = 0;
  while (top > 0) {
    const current = stack[--top];
    if (!(distances[top] < limit)) continue;
    if (current >= 0) {
      const node = current * NODE_WORDS;
      const bottom = top;
      for (let lane = 0; lane < 4; lane++) {
        const at = node + lane;
        const enter = Math.max(
          0,
          (nodes[at + nearX] - ox) * ix,
          (nodes[at + nearY] - oy) * iy,
          (nodes[at + nearZ] - oz) * iz,
        );
        const leave = Math.min(
          (nodes[at + (nearX ^ 4)] - ox) * ix,
          (nodes[at + (nearY ^ 4)] - oy) * iy,
          (nodes[at + (nearZ ^ 4)] - oz) * iz,
        );
        if (!(enter <= leave * WIDER && enter <= limit)) continue;
        // Into its place among those of this node, the farthest lowest.
        let place = top++;
        while (place > bottom && distances[place - 1] < enter) {
          distances[place] = distances[place - 1];
          stack[place] = stack[place - 1];
          place--;
        }
        distances[place] = enter;
        stack[place] = nodeInts[node + NODE_CHILDREN + lane];
      }
      continue;
    }
    const leaf = ~current * LEAF_WORDS;
    for (let lane = 0; lane < 4; lane++) {
      const at = leaf + lane;
      const e1x = leaves[at + 12];
      const e1y = leaves[at + 16];
      const e1z = leaves[at + 20];
      const e2x = leaves[at + 24];
      const e2y = leaves[at + 28];
      const e2z = leaves[at + 32];
      const px = dy * e2z - dz * e2y;
      const py = dz * e2x - dx * e2z;
      const pz = dx * e2y - dy * e2x;
      const scale = 1 / (e1x * px + e1y * py + e1z * pz);
      const tx = ox - leaves[at];
      const ty = oy - leaves[at + 4];
      const tz = oz - leaves[at + 8];
      const u = (tx * px + ty * py + tz * pz) * scale;
      const qx = ty * e1z - tz * e1y;
      const qy = tz * e1x - tx * e1z;
      const qz = tx * e1y - ty * e1x;
      const v = (dx * qx + dy * qy + dz * qz) * scale;
      const t = (e2x * qx + e2y * qy + e2z * qz) * scale;
      // Without area or along the plane, `scale` is infinite and nothing holds.
      if (!(u >= -SLACK && v >= -SLACK && u + v <= 1 + SLACK && t > 0 && t < limit)) continue;
      limit = t;
      face = leafInts[leaf + LEAF_FACES + lane];
      hitU = u;
      hitV = v;
    }
    if (any && face >= 0) break;
  }
  rays.faces[i] = face;
  if (any) return;
  rays.limits[i] = limit;
  rays.us[i] = hitU;
  rays.vs[i] = hitV;
}
