import { describe, expect, it } from 'vitest';
import { ValueQuadrics } from '../../src/lod/value-quadrics.ts';
import { grid } from '../mesh/shapes.ts';

/** A sheet whose normals are a function of the place. */
function sheet(normalAt: (x: number, y: number) => number[]) {
  const { positions, triangles } = grid(4, 4);
  const normals = Float64Array.from(
    Array.from({ length: 25 }, (_, i) => normalAt(positions[3 * i], positions[3 * i + 1])).flat(),
  );
  const corners = new Float32Array(3 * triangles.length);
  triangles.forEach((v, c) => {
    for (let k = 0; k < 3; k++) corners[3 * c + k] = normals[3 * v + k];
  });
  const isOne = Uint8Array.from({ length: 25 }, (_, i) => (normals[3 * i + 2] > 0 ? 1 : 0));
  const shown = { size: 3, ofCorners: corners, ofVertices: normals, isOne };
  return new ValueQuadrics(Float64Array.from(positions), triangles, shown, 1);
}

describe('quadrics of values', () => {
  it('cost nothing where normals are linear, before and after merging', () => {
    const linear = sheet((x, y) => [0.1 * x, 0.2 * y - 0.1 * x, 1]);
    expect(linear.cost(12, 13)).toBeLessThan(1e-9);
    linear.merge(12, 13);
    expect(linear.cost(13, 14)).toBeLessThan(1e-9);
    expect(linear.cost(11, 13)).toBeLessThan(1e-9);
  });

  it('cost area times the squared difference from the faces that are continued', () => {
    // Bent at x = 2: from there on the normals lean by 1 per unit.
    const bent = sheet((x) => [Math.max(0, x - 2), 0, 1]);
    expect(bent.cost(11, 12)).toBeLessThan(1e-9); // both on the level part: at the bend the values are the same
    expect(bent.cost(11, 6)).toBeLessThan(1e-9);
    // From (3, 2) to (2, 2): the faces right of the bend, continued, have the bend's value there.
    expect(bent.cost(13, 12)).toBeLessThan(1e-9);
    // From (1, 2) over to (3, 2): the level faces around it, continued, have 0 where the normal leans by 1. Areas: 6 × ½.
    expect(bent.cost(11, 13)).toBeGreaterThan(2.9);
  });

  it('leave out vertices without a normal of their own', () => {
    const none = sheet((x) => (x === 2 ? [0, 0, 0] : [x, 0, 1]));
    expect(none.cost(12, 13)).toBe(0);
    expect(none.cost(13, 12)).toBe(0);
  });
});
