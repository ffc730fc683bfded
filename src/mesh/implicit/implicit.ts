/**
 * Smooth bodies as implicit functions: negative inside, zero on the surface, roughly the distance near it. They are
 * unions of tapered capsules that melt into each other. Only arithmetic and square roots, so that a body is the same to
 * the last bit on every machine.
 */
export type ImplicitFunction = (x: number, y: number, z: number) => number;

export type Point = readonly [number, number, number];

/** A capsule whose radius runs from `ra` at `a` to `rb` at `b`; with a = b an ellipsoid. */
export interface Limb {
  a: Point;
  b: Point;
  ra: number;
  rb: number;
  /** Factors of the radius along x, y, z: [1, 1, 0.6] is flattened front to back. */
  squash?: Point;
}

/** The function of one limb. */
export function limbFunction({ a, b, ra, rb, squash = [1, 1, 1] }: Limb): ImplicitFunction {
  const [ax, ay, az] = a;
  const dx = b[0] - ax;
  const dy = b[1] - ay;
  const dz = b[2] - az;
  const length2 = dx * dx + dy * dy + dz * dz;
  const inverse = length2 > 0 ? 1 / length2 : 0;
  const sx = 1 / squash[0];
  const sy = 1 / squash[1];
  const sz = 1 / squash[2];
  // Stretching space by 1/squash makes distances too long by at most this factor: the result never overestimates.
  const shortest = Math.min(...squash);
  return (x, y, z) => {
    const px = x - ax;
    const py = y - ay;
    const pz = z - az;
    const t = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) * inverse));
    const qx = (px - t * dx) * sx;
    const qy = (py - t * dy) * sy;
    const qz = (pz - t * dz) * sz;
    return (Math.sqrt(qx * qx + qy * qy + qz * qz) - (ra + t * (rb - ra))) * shortest;
  };
}

/** The union of functions, rounded where two of them meet within `blend` (a length) of each other. */
export function smoothUnion(parts: readonly ImplicitFunction[], blend: number): ImplicitFunction {
  return (x, y, z) => {
    let d = Number.POSITIVE_INFINITY;
    for (const part of parts) {
      const e = part(x, y, z);
      // A parabola that is tangent to both branches of min(d, e).
      const h = Math.max(0, blend - Math.abs(d - e));
      d = Math.min(d, e) - (h * h) / (4 * blend);
    }
    return d;
  };
}

/** Mirrors limbs in the plane x = 0: a body's left from its right. */
export const mirrored = (limb: Limb): Limb => ({
  ...limb,
  a: [-limb.a[0], limb.a[1], limb.a[2]],
  b: [-limb.b[0], limb.b[1], limb.b[2]],
});
