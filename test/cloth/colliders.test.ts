import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Collider, collide, colliderDistance } from '../../src/cloth/colliders.ts';
import { squareBody } from './body.ts';

const COLLIDERS: readonly Collider[] = [
  { kind: 'floor', height: 0.1 },
  { kind: 'sphere', center: [0.2, 0.9, -0.4], radius: 0.4 },
  { kind: 'capsule', a: [0, 0.5, 0], b: [1, 1, -0.8], radius: 0.2 },
  { kind: 'box', center: [0.5, 0.8, -0.5], halfSize: [0.4, 0.3, 0.2], rounding: 0.05 },
];
const coordinate = fc.double({ min: -2, max: 2, noNaN: true });
const normal = new Float64Array(3);

describe.each(COLLIDERS)('$kind', (collider) => {
  it('distance falls to zero along the normal, whose length is 1', () => {
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, (x, y, z) => {
        const d = colliderDistance(collider, x, y, z, normal);
        const [nx, ny, nz] = normal;
        expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 9);
        // Points outside, and inside near the surface, have one nearest point.
        if (d > -0.04) {
          expect(colliderDistance(collider, x - d * nx, y - d * ny, z - d * nz, normal)).toBeCloseTo(0, 9);
        }
      }),
    );
  });

  it('no two points differ in distance by more than their own distance', () => {
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate, (x, y, z, u, v, w) => {
        const gap = colliderDistance(collider, x, y, z, normal) - colliderDistance(collider, u, v, w, normal);
        expect(Math.abs(gap)).toBeLessThanOrEqual(Math.hypot(x - u, y - v, z - w) + 1e-9);
      }),
    );
  });

  it('collide leaves no vertex nearer than the thickness, and touches no other', () => {
    const body = squareBody(400);
    for (let o = 1; o < body.x.length; o += 3) body.x[o] = 0.9 * body.x[o] - body.x[o - 1] * 0.8;
    const before = body.x.slice();
    collide(body, [collider], 0.005, 0.5);
    for (let o = 0; o < before.length; o += 3) {
      const was = colliderDistance(collider, before[o], before[o + 1], before[o + 2], normal);
      if (was >= 0.005) expect(body.x.slice(o, o + 3)).toEqual(before.slice(o, o + 3));
      else if (was > -0.04) {
        // Friction moves vertices sideways, off a curved surface by a little.
        const is = colliderDistance(collider, body.x[o], body.x[o + 1], body.x[o + 2], normal);
        expect(is).toBeGreaterThan(-0.005);
      }
    }
  });
});

it('a capsule whose ends coincide is a sphere', () => {
  const at = [0.2, 0.9, -0.4] as const;
  const distance = (collider: Collider) => colliderDistance(collider, 0.5, 0.1, 0.3, normal);
  expect(distance({ kind: 'capsule', a: at, b: at, radius: 0.4 })).toBe(
    distance({ kind: 'sphere', center: at, radius: 0.4 }),
  );
});

describe('friction', () => {
  const slide = (friction: number) => {
    const body = squareBody(9);
    for (let o = 0; o < body.x.length; o += 3) {
      body.x[o + 1] = 0.004; // a millimetre too deep
      body.previous[o] = body.x[o] - 0.01; // a centimetre sideways in this sub-step
    }
    collide(body, [{ kind: 'floor', height: 0 }], 0.005, friction);
    return body.x[0] - body.previous[0];
  };

  it('shortens the way by the coefficient times the push, and stops it at most', () => {
    expect(slide(0)).toBeCloseTo(0.01, 12);
    expect(slide(0.5)).toBeCloseTo(0.0095, 12);
    expect(slide(50)).toBeCloseTo(0, 12);
  });
});
