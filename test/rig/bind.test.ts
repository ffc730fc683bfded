import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { limbFunction, smoothUnion } from '../../src/mesh/implicit/implicit.ts';
import { polygonize } from '../../src/mesh/implicit/polygonize.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import type { SkinWeights } from '../../src/model/skinned-model.ts';
import { bind } from '../../src/rig/bind/bind.ts';
import { BIND_METHODS } from '../../src/rig/bind/bind-options.ts';
import { icosphere, rotationOf, soup, transformed } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';
import {
  jointsAt,
  RINGS,
  SIDES,
  shattered,
  TUBE,
  TWO,
  together,
  tube,
  type Vector,
  weightOf,
  weightsOf,
} from './bind-shapes.ts';

const distanceTo = (p: ArrayLike<number>, i: number, a: Vector, b: Vector): number => {
  let best = Infinity;
  for (let step = 0; step <= 1000; step++) {
    const t = step / 1000;
    best = Math.min(best, Math.hypot(...[0, 1, 2].map((c) => p[3 * i + c] - a[c] - t * (b[c] - a[c]))));
  }
  return best;
};

describe('bind', () => {
  it('by inverse distance is the formula of the lecture', async () => {
    const weights = await weightsOf(TUBE, TWO, { method: 'inverse-distance', exponent: 1, cutoff: 0 });
    for (let i = 0; i < vertexCount(TUBE); i += 7) {
      const [d1, d2] = [
        distanceTo(TUBE.positions, i, [-3.6, 0, 0], [0, 0, 0]),
        distanceTo(TUBE.positions, i, [0, 0, 0], [3.6, 0, 0]),
      ];
      if (d1 > 0 && d2 > 0) expect(weightOf(weights, i, 0)).toBeCloseTo(1 / d1 / (1 / d1 + 1 / d2), 3);
      else expect(weightOf(weights, i, d1 === 0 ? 0 : 1)).toBe(1);
    }
  });

  it('rigidly takes the nearest bone', async () => {
    const mesh = soup(seededRandom(3), 200, 50);
    const weights = await weightsOf(mesh, TWO, { method: 'rigid' });
    for (let i = 0; i < 200; i++) {
      const nearer = Number(
        distanceTo(mesh.positions, i, [0, 0, 0], [3.6, 0, 0]) < distanceTo(mesh.positions, i, [-3.6, 0, 0], [0, 0, 0]),
      );
      expect(weightOf(weights, i, nearer)).toBe(1);
    }
  });

  it.each([0.25, 1, 4])('by heat of %s follows the analytic solution on a tube', async (heat) => {
    // −w″ + (c/r²)(w − p) = 0 on −4…4, no flux at the ends: ½·cosh at the other bone's side.
    const weights = await weightsOf(TUBE, TWO, { method: 'heat', heat });
    const rate = Math.sqrt(heat) / 0.5;
    const other = (x: number) => (0.5 * Math.cosh((4 - x) * rate)) / Math.cosh(4 * rate);
    let most = 0;
    for (let i = 0; i < RINGS * SIDES; i++) {
      const x = TUBE.positions[3 * i];
      const expected = x < 0 ? other(-x) : 1 - other(x);
      // The caps are no part of the solution: they matter less the farther they are.
      if (Math.abs(x) < 2.5) most = Math.max(most, Math.abs(weightOf(weights, i, 1) - expected));
    }
    expect(most).toBeLessThan(0.012);
  });

  it.each(['geodesic', 'heat'] as const)(
    'by %s never reaches from one capsule into another beside it',
    async (method) => {
      const mesh = together(tube(-2, 2, 0.5, 17, 12), tube(-2, 2, 0.5, 17, 12, 1.1));
      const skeleton = jointsAt([
        ['left', undefined, [-2, 0, 0]],
        ['left_end', 'left', [2, 0, 0]],
        ['right', undefined, [-2, 1.1, 0]],
        ['right_end', 'right', [2, 1.1, 0]],
      ]);
      const n = vertexCount(mesh) / 2;
      const leak = (weights: SkinWeights) => Math.max(...Array.from({ length: n }, (_, i) => weightOf(weights, i, 2)));
      expect(leak(await weightsOf(mesh, skeleton, { method }))).toBe(0);
      expect(leak(await weightsOf(mesh, skeleton, { method: 'inverse-distance' }))).toBeGreaterThan(0.3);
    },
  );

  it.each(['geodesic', 'heat'] as const)(
    'by %s prefers a bone that is seen to a nearer one behind the surface',
    async (method) => {
      // A U: a thick leg, a bridge, and a thin leg close beside it.
      const legs = smoothUnion(
        [
          limbFunction({ a: [0, 0, 0], b: [0, 3, 0], ra: 0.5, rb: 0.5 }),
          limbFunction({ a: [0, 0, 0], b: [0.8, 0, 0], ra: 0.15, rb: 0.15 }),
          limbFunction({ a: [0.8, 0, 0], b: [0.8, 3, 0], ra: 0.15, rb: 0.15 }),
        ],
        0.05,
      );
      const mesh = polygonize(legs, { min: [-0.8, -0.8, -0.8], max: [1.2, 3.8, 0.8] }, 1000);
      const skeleton = jointsAt([
        ['thick', undefined, [0, 0, 0]],
        ['thick_end', 'thick', [0, 3, 0]],
        ['thin', undefined, [0.8, 0, 0]],
        ['thin_end', 'thin', [0.8, 3, 0]],
      ]);
      const inner = Array.from({ length: vertexCount(mesh) }, (_, i) => i).filter((i) => {
        const [x, y] = [mesh.positions[3 * i], mesh.positions[3 * i + 1]];
        return x > 0.45 && x < 0.55 && y > 1 && y < 3;
      });
      expect(inner.length).toBeGreaterThan(3);
      const weights = await weightsOf(mesh, skeleton, { method });
      const straight = await weightsOf(mesh, skeleton, { method: 'rigid' });
      for (const i of inner) {
        expect(weightOf(straight, i, 2)).toBe(1);
        expect(weightOf(weights, i, 0)).toBeGreaterThan(0.95);
      }
    },
  );

  // Voxels stand along the axes: volume.test.ts has what it owes.
  it.each(BIND_METHODS.filter((method) => method !== 'volume'))(
    'by %s does not depend on where the mesh is, how it is turned and how large',
    async (method) => {
      const before = await weightsOf(TUBE, TWO, { method });
      const [scale, offset] = [25, [300, -40, 7]] as const;
      // The skeleton's frames are unturned: it is turned by its places.
      const turn = rotationOf([1, 2, 3], 1.1);
      const place = (x: number): Vector =>
        [0, 1, 2].map((c) => scale * turn[3 * c] * x + offset[c]) as unknown as Vector;
      const skeleton = jointsAt([
        ['lower', undefined, place(-3.6)],
        ['upper', 'lower', place(0)],
        ['upper_end', 'upper', place(3.6)],
      ]);
      const after = await weightsOf(transformed(TUBE, turn, scale, offset), skeleton, { method });
      let most = 0;
      for (let i = 0; i < vertexCount(TUBE); i++) {
        // Vertices half-way between two bones go either way by rounding.
        const tied = method === 'rigid' && Math.abs(TUBE.positions[3 * i]) < 1e-3;
        if (!tied) most = Math.max(most, Math.abs(weightOf(before, i, 0) - weightOf(after, i, 0)));
      }
      expect(most).toBeLessThan(2e-4);
    },
  );

  it.each(['volume', 'heat', 'geodesic', 'inverse-distance'] as const)(
    'by %s is symmetric where mesh and skeleton are',
    async (method) => {
      const weights = await weightsOf(TUBE, TWO, { method, smoothing: 3 });
      for (let r = 0; r < RINGS; r++) {
        for (let s = 0; s < SIDES; s++) {
          const mirrored = (RINGS - 1 - r) * SIDES + s;
          expect(Math.abs(weightOf(weights, r * SIDES + s, 0) - weightOf(weights, mirrored, 1))).toBeLessThan(2e-3);
        }
      }
    },
  );

  it.each(BIND_METHODS)('by %s gives triangles that share no vertices the weights of the whole', async (method) => {
    const whole = await weightsOf(TUBE, TWO, { method });
    const pieces = await weightsOf(shattered(TUBE), TWO, { method });
    const differences = TUBE.triangles.map(
      (vertex, c) => 1e6 * Math.abs(weightOf(pieces, c, 0) - weightOf(whole, vertex, 0)),
    );
    expect(Math.max(...differences)).toBeLessThan(1);
  });

  it('lets parts without a bone ride on the nearest that has one', async () => {
    const button = transformed(icosphere(1), rotationOf([1, 0, 0], 0), 0.02, [0.5, 0, 0.53]);
    const mesh = together(TUBE, button, { positions: Float32Array.of(-0.5, 0, 3), triangles: new Uint32Array() });
    for (const method of ['heat', 'geodesic'] as const) {
      const { weights, report } = await bind(mesh, TWO, { method });
      const first = vertexCount(TUBE);
      const below = Array.from({ length: first }, (_, i) => i).reduce((best, i) => {
        const far = (v: number) =>
          Math.hypot(TUBE.positions[3 * v] - 0.5, TUBE.positions[3 * v + 1], TUBE.positions[3 * v + 2] - 0.5);
        return far(i) < far(best) ? i : best;
      }, 0);
      for (let i = first; i < first + 42; i++) {
        expect(Math.abs(weightOf(weights, i, 1) - weightOf(weights, below, 1))).toBeLessThan(0.1);
      }
      expect(weightOf(weights, first + 42, 0)).toBeGreaterThan(0.5);
      const data = { without: 2, parts: 3, points: 43 };
      expect(report.notes).toContainEqual({ code: 'parts-without-bones', data });
    }
  });

  it('says when most bones have no vertex, as when a skeleton stands elsewhere', async () => {
    const beside = jointsAt([
      ['a', undefined, [-3.6, 9, 0]],
      ['b', 'a', [0, 2, 0]],
      ['c', 'b', [0, 9, 0]],
      ['d', 'c', [0, 12, 0]],
      ['e', 'd', [0, 15, 0]],
    ]);
    const { report } = await bind(TUBE, beside, { method: 'rigid' });
    expect(codesOf(report.notes)).toEqual(['bones-unfollowed']);
    expect((await bind(TUBE, TWO)).report.notes).toEqual([]);
  });

  it('says that an open surface has no inside', async () => {
    const open = {
      positions: TUBE.positions.slice(0, -6),
      triangles: TUBE.triangles.slice(0, (RINGS - 1) * SIDES * 6),
    };
    const { report } = await bind(open, TWO, { method: 'heat' });
    expect(report.notes).toEqual([{ code: 'surface-open', data: { open: 1, parts: 1 } }]);
    expect((await bind(TUBE, TWO)).report.notes).toEqual([]);
  });

  it('smooths: more rounds, longer blends, and none for a constant', async () => {
    const width = async (smoothing: number) => {
      const weights = await weightsOf(TUBE, TWO, { method: 'rigid', smoothing });
      return weights.weights.filter((w, s) => s % weights.influences === 0 && w < 0.99).length;
    };
    expect(await width(0)).toBe(0);
    expect(await width(4)).toBeGreaterThan(await width(1));
  });

  it.each(['volume', 'heat'] as const)('by %s turns inside out without a difference', async (method) => {
    const turned = {
      ...TUBE,
      triangles: TUBE.triangles.map((_, c) => TUBE.triangles[c - (c % 3) + ((3 - (c % 3)) % 3)]),
    };
    const [a, b] = [await weightsOf(turned, TWO, { method }), await weightsOf(TUBE, TWO, { method })];
    const differences = Array.from({ length: vertexCount(TUBE) }, (_, i) => weightOf(a, i, 0) - weightOf(b, i, 0));
    expect(Math.max(...differences.map(Math.abs))).toBeLessThan(1e-6);
  });
});
