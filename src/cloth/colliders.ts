import type { Vector } from '../math/vector.ts';
import type { ClothBody } from './body.ts';
import { offSegment, segmentDistance } from './segment.ts';

/**
 * Obstacles as signed distances: negative inside. A vertex nearer than the cloth's thickness is moved out along the
 * normal, and its sideways way of this sub-step is shortened by Coulomb's friction, in proportion to the push.
 */

/** What cloth falls on: places and sizes in the units of the mesh, y up. */
export type Collider =
  | { kind: 'floor'; height: number }
  | { kind: 'sphere'; center: Vector; radius: number }
  | { kind: 'capsule'; a: Vector; b: Vector; radius: number }
  /** Half sizes include the rounding of its edges. */
  | { kind: 'box'; center: Vector; halfSize: Vector; rounding: number };

/** Distance from the collider's surface; its outward unit normal at the nearest point goes into `normal` (3). */
export function colliderDistance(collider: Collider, x: number, y: number, z: number, normal: Float64Array): number {
  switch (collider.kind) {
    case 'floor':
      normal[0] = normal[2] = 0;
      normal[1] = 1;
      return y - collider.height;
    case 'sphere': {
      const { center, radius } = collider;
      return fromPoint(x - center[0], y - center[1], z - center[2], normal) - radius;
    }
    case 'capsule': {
      const { a, b, radius } = collider;
      segmentDistance(a, b, x, y, z);
      return fromPoint(offSegment.x, offSegment.y, offSegment.z, normal) - radius;
    }
    case 'box': {
      const { center, halfSize, rounding } = collider;
      const px = x - center[0];
      const py = y - center[1];
      const pz = z - center[2];
      // Beyond the core, the box without its rounding, in each direction.
      const qx = Math.abs(px) - halfSize[0] + rounding;
      const qy = Math.abs(py) - halfSize[1] + rounding;
      const qz = Math.abs(pz) - halfSize[2] + rounding;
      if (qx <= 0 && qy <= 0 && qz <= 0) {
        // In the core the nearest face decides.
        const deepest = Math.max(qx, qy, qz);
        normal[0] = deepest === qx ? Math.sign(px) || 1 : 0;
        normal[1] = deepest === qy && normal[0] === 0 ? Math.sign(py) || 1 : 0;
        normal[2] = normal[0] === 0 && normal[1] === 0 ? Math.sign(pz) || 1 : 0;
        return deepest - rounding;
      }
      const ox = Math.max(0, qx) * (px < 0 ? -1 : 1);
      const oy = Math.max(0, qy) * (py < 0 ? -1 : 1);
      const oz = Math.max(0, qz) * (pz < 0 ? -1 : 1);
      return fromPoint(ox, oy, oz, normal) - rounding;
    }
  }
}

/** Length of a vector; its direction goes into `normal`, upwards when it is zero. */
function fromPoint(x: number, y: number, z: number, normal: Float64Array): number {
  const length = Math.sqrt(x * x + y * y + z * z);
  normal[0] = length > 0 ? x / length : 0;
  normal[1] = length > 0 ? y / length : 1;
  normal[2] = length > 0 ? z / length : 0;
  return length;
}

/** Scratch of `collide`. */
const normal = new Float64Array(3);

/** Moves free vertices out of the obstacles, in place. */
export function collide(body: ClothBody, colliders: readonly Collider[], thickness: number, friction: number): void {
  const { x, previous, inverseMass } = body;
  for (const collider of colliders) {
    for (let i = 0; i < inverseMass.length; i++) {
      if (inverseMass[i] === 0) continue;
      const o = 3 * i;
      const push = thickness - colliderDistance(collider, x[o], x[o + 1], x[o + 2], normal);
      if (push <= 0) continue;
      const nx = normal[0];
      const ny = normal[1];
      const nz = normal[2];
      const wayX = x[o] - previous[o];
      const wayY = x[o + 1] - previous[o + 1];
      const wayZ = x[o + 2] - previous[o + 2];
      const into = wayX * nx + wayY * ny + wayZ * nz;
      const sideX = wayX - into * nx;
      const sideY = wayY - into * ny;
      const sideZ = wayZ - into * nz;
      const side = Math.sqrt(sideX * sideX + sideY * sideY + sideZ * sideZ);
      const brake = side > friction * push ? (friction * push) / side : 1;
      x[o] += push * nx - brake * sideX;
      x[o + 1] += push * ny - brake * sideY;
      x[o + 2] += push * nz - brake * sideZ;
    }
  }
}
