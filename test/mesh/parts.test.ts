import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { facesOutward } from '../../src/mesh/parts.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, flipped, grid, icosphere, rotationOf, torus, transformed } from './shapes.ts';

const beside = (a: Mesh, b: Mesh): Mesh => ({
  positions: Float32Array.from([...a.positions, ...b.positions.map((x) => x + 5)]),
  triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((i) => i + a.positions.length / 3)]),
});

describe('facesOutward', () => {
  it('is so of closed surfaces, not of open, inverted or flat ones', () => {
    for (const solid of [cube(), icosphere(2), torus(8, 5)]) {
      expect(facesOutward(solid)).toBe(true);
      expect(facesOutward(flipped(solid))).toBe(false);
      expect(facesOutward({ ...solid, triangles: solid.triangles.subarray(3) })).toBe(false);
    }
    expect(facesOutward(grid(3, 3))).toBe(false);
    expect(facesOutward({ positions: new Float32Array(), triangles: new Uint32Array() })).toBe(false);
    const sheet = grid(3, 3);
    const bothSides = Uint32Array.from([...sheet.triangles, ...flipped(sheet).triangles]);
    expect(facesOutward({ ...sheet, triangles: bothSides })).toBe(false);
  });

  it('looks at every part, and at every triangle', () => {
    expect(facesOutward(beside(cube(), icosphere(1)))).toBe(true);
    expect(facesOutward(beside(icosphere(3), flipped(cube())))).toBe(false);
    const turned = cube().triangles.slice();
    turned.subarray(0, 3).reverse();
    expect(facesOutward({ ...cube(), triangles: turned })).toBe(false);
  });

  it('does not depend on place, pose or size', () => {
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(angle, fc.constantFrom(1e-6, 1, 1e6), fc.boolean(), (turn, size, inverted) => {
        const mesh = inverted ? flipped(icosphere(1)) : icosphere(1);
        const matrix = rotationOf([1, 2, 3], turn);
        const placed = transformed(mesh, matrix, size, [10 * size, -20 * size, 5 * size]);
        expect(facesOutward(placed)).toBe(!inverted);
      }),
      { seed: 1 },
    );
  });
});
