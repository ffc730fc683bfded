import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { triangulatePolygon } from '../../src/mesh/triangulate.ts';

type Point = readonly [number, number];

const range = (n: number): number[] => Array.from({ length: n }, (_, a) => a);

/** Triangulates a polygon of the xy plane; checks what always holds. */
function cut(points: readonly Point[]): { triangles: number[][]; clean: boolean } {
  const out: number[] = [];
  const positions = points.flatMap(([x, y]) => [x, y, 0]);
  const clean = triangulatePolygon(positions, range(points.length), out);
  expect(out.length).toBe(3 * Math.max(0, points.length - 2));
  expect(out.every((corner) => Number.isInteger(corner) && corner >= 0 && corner < points.length)).toBe(true);
  return { triangles: range(out.length / 3).map((t) => out.slice(3 * t, 3 * t + 3)), clean };
}

const area = (p: readonly Point[]): number =>
  p.reduce((sum, [x, y], a) => sum + (x * p[(a + 1) % p.length][1] - p[(a + 1) % p.length][0] * y) / 2, 0);

/** Sum of the absolute areas: equals the polygon's area exactly when the triangles tile it. */
const covered = (points: readonly Point[], triangles: number[][]): number =>
  triangles.reduce((sum, t) => sum + Math.abs(area(t.map((a) => points[a]))), 0);

describe('triangulatePolygon', () => {
  it('keeps a triangle, and makes nothing of fewer corners', () => {
    expect(
      cut([
        [0, 0],
        [1, 0],
        [0, 1],
      ]).triangles,
    ).toEqual([[0, 1, 2]]);
    expect(
      cut([
        [0, 0],
        [1, 0],
      ]).triangles,
    ).toEqual([]);
    expect(cut([]).triangles).toEqual([]);
  });

  it('cuts a convex quad along its shorter diagonal', () => {
    expect(
      cut([
        [0, 0],
        [4, 1],
        [0, 2],
        [-4, 1],
      ]).triangles,
    ).toEqual([
      [0, 1, 2],
      [0, 2, 3],
    ]);
    expect(
      cut([
        [-4, 1],
        [0, 0],
        [4, 1],
        [0, 2],
      ]).triangles,
    ).toEqual([
      [1, 2, 3],
      [1, 3, 0],
    ]);
  });

  it.each(range(4))('cuts an arrowhead from its reflex corner, starting at corner %i', (start) => {
    const arrow: Point[] = [
      [0, 0],
      [2, -3],
      [0, 5],
      [-2, -3],
    ];
    const points = range(4).map((a) => arrow[(a + start) % 4]);
    const { triangles, clean } = cut(points);
    expect(clean).toBe(true);
    expect(covered(points, triangles)).toBeCloseTo(area(points), 12);
  });

  it('tiles star-shaped polygons, whichever way they face', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 5, max: 60 }), (seed, n) => {
        const random = seededRandom(seed);
        const points = range(n).map((a): Point => {
          const radius = 0.1 + random();
          const angle = (2 * Math.PI * (a + 0.9 * random())) / n;
          return [radius * Math.cos(angle), radius * Math.sin(angle)];
        });
        const { triangles, clean } = cut(points);
        expect(covered(points, triangles)).toBeCloseTo(area(points), 9);
        expect(clean).toBe(true);
        const reversed = [...points].reverse();
        expect(covered(reversed, cut(reversed).triangles)).toBeCloseTo(area(points), 9);
      }),
    );
  });

  it('tiles a comb and a spiral', () => {
    const comb: Point[] = [
      [0, -1],
      ...range(20).flatMap((a): Point[] => [
        [a, 0],
        [a + 0.5, 10],
      ]),
      [20, 0],
      [20, -1],
    ];
    comb.reverse();
    const spiral: Point[] = [];
    for (let a = 0; a < 200; a++) spiral.push([(5 + a) * Math.cos(a / 5), (5 + a) * Math.sin(a / 5)]);
    for (let a = 199; a >= 0; a--) spiral.push([(3 + a) * Math.cos(a / 5), (3 + a) * Math.sin(a / 5)]);
    for (const points of [comb, spiral]) {
      const { triangles, clean } = cut(points);
      expect(clean).toBe(true);
      expect(covered(points, triangles) / Math.abs(area(points))).toBeCloseTo(1, 9);
    }
  });

  it('makes no flat triangle of a polygon with corners on its straight edges', () => {
    const points: Point[] = [
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 3],
      [2, 3],
      [1, 3],
      [0, 3],
      [0, 1],
    ];
    const { triangles, clean } = cut(points);
    expect(clean).toBe(true);
    expect(covered(points, triangles)).toBe(9);
  });

  it('tiles a square with a hole that a double edge joins to the border', () => {
    const points: Point[] = [
      [0, 0],
      [6, 0],
      [6, 6],
      [0, 6],
      [0, 0],
      [2, 2],
      [2, 4],
      [4, 4],
      [4, 2],
      [2, 2],
    ];
    const { triangles, clean } = cut(points);
    expect(clean).toBe(true);
    expect(covered(points, triangles)).toBe(32);
  });

  it('works in the plane of the polygon', () => {
    const out: number[] = [];
    // An L in the plane x + y + z = 0, traversed so that it faces (−1, −1, −1).
    const corners: Point[] = [
      [0, 0],
      [0, 2],
      [1, 2],
      [1, 1],
      [2, 1],
      [2, 0],
    ];
    const positions = corners.flatMap(([u, v]) => [u, v, -u - v]);
    expect(triangulatePolygon(positions, range(6), out)).toBe(true);
    const triangles = range(4).map((t) => out.slice(3 * t, 3 * t + 3));
    expect(covered(corners, triangles)).toBe(3);
  });

  it('always gives n − 2 triangles, whatever the corners', () => {
    const small = fc.integer({ min: -2, max: 2 });
    const point = fc.tuple(small, small);
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), (points) => void cut(points)),
      { numRuns: 500 },
    );
    const wild = fc.float({ noDefaultInfinity: false, noNaN: false });
    fc.assert(fc.property(fc.array(fc.tuple(wild, wild), { maxLength: 20 }), (points) => void cut(points)));
  });

  it('says when a polygon is flat or crosses itself', () => {
    expect(
      cut([
        [0, 0],
        [1, 0],
        [2, 0],
        [3, 0],
        [1.5, 0],
      ]).clean,
    ).toBe(false);
    expect(
      cut([
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ]).clean,
    ).toBe(false);
    expect(
      cut([
        [0, 0],
        [3, 3],
        [3, 2],
        [3, 1],
        [3, 0],
        [0, 3],
      ]).clean,
    ).toBe(false);
  });

  it('ends in good time on a crossing polygon of 30 000 corners', () => {
    const random = seededRandom(5);
    cut(range(30_000).map((): Point => [random(), random()]));
  });
});
