import type { Random } from '../../src/math/rng.ts';

/** 3n: random directions. */
export function unitVectors(rng: Random, n: number): Float32Array {
  const out = new Float32Array(3 * n);
  for (let i = 0; i < n; i++) {
    const z = 2 * rng() - 1;
    const angle = 2 * Math.PI * rng();
    const radius = Math.sqrt(1 - z * z);
    out.set([radius * Math.cos(angle), radius * Math.sin(angle), z], 3 * i);
  }
  return out;
}

/** A random rotation, 3 × 3 row-major. */
export function randomRotation(rng: Random): number[] {
  const [x, y, z] = unitVectors(rng, 1);
  const angle = Math.PI * rng();
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const t = 1 - c;
  return [
    ...[t * x * x + c, t * x * y - s * z, t * x * z + s * y],
    ...[t * x * y + s * z, t * y * y + c, t * y * z - s * x],
    ...[t * x * z - s * y, t * y * z + s * x, t * z * z + c],
  ];
}
