import { describe, expect, it } from 'vitest';
import { wrapUvs } from '../../src/mesh/wrap-uvs.ts';
import { type Mesh, validateMesh } from '../../src/model/mesh.ts';

/** A prism without ends: `sides` vertices in a ring at y = 0 and y = 2. */
function prism(sides: number): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const y of [0, 2]) {
    for (let s = 0; s < sides; s++) {
      const angle = (2 * Math.PI * (s + 0.5)) / sides;
      positions.push(3 + Math.sin(angle), y, Math.cos(angle));
    }
  }
  for (let s = 0; s < sides; s++) {
    const next = (s + 1) % sides;
    triangles.push(s, next, sides + next, s, sides + next, sides + s);
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

describe('wrapUvs', () => {
  const mesh = wrapUvs(prism(8), 3, 0);

  it('keeps positions and triangles, and is valid', () => {
    validateMesh(mesh);
    expect(mesh.positions).toEqual(prism(8).positions);
    expect(mesh.triangles).toEqual(prism(8).triangles);
  });

  it('runs u once around and v from bottom to top', () => {
    expect(mesh.uvs![0]).toBeCloseTo(1 / 16);
    expect(mesh.uvs![2 * 7]).toBeCloseTo(15 / 16);
    expect(mesh.uvs![1]).toBe(0);
    expect(mesh.uvs![2 * 8 + 1]).toBe(1);
  });

  it('splits only the vertices beyond the seam, and no triangle is smeared over the texture', () => {
    expect(mesh.uvs!.length / 2).toBe(16 + 2);
    const corners = mesh.seams!.triangles;
    for (let t = 0; t < corners.length; t += 3) {
      const us = [0, 1, 2].map((c) => mesh.uvs![2 * corners[t + c]]);
      expect(Math.max(...us) - Math.min(...us)).toBeCloseTo(1 / 8);
    }
  });

  it('needs no seam for a mesh on one side of the axis', () => {
    expect(wrapUvs(prism(8), 0, 0).seams).toBeUndefined();
  });
});
