import { describe, expect, it } from 'vitest';
import { boundsOf, diagonalOf } from '../../src/mesh/bounds.ts';
import { smoothingGroups, vertexNormals } from '../../src/mesh/normals.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { cube, icosphere, rotationOf, transformed } from './shapes.ts';

describe('vertexNormals', () => {
  it('by angle are the diagonals of a cube, however its sides are cut', () => {
    const mesh = cube();
    const normals = vertexNormals(mesh);
    for (let c = 0; c < normals.length; c++) {
      expect(normals[c]).toBeCloseTo((mesh.positions[c] * 2 - 1) / Math.sqrt(3), 6);
    }
    // By area a corner leans towards the sides that give it two triangles.
    const byArea = vertexNormals(mesh, mesh.positions, 'area');
    expect(Math.max(...byArea.map((n, c) => Math.abs(n - normals[c])))).toBeGreaterThan(0.1);
  });

  it.each(['angle', 'area'] as const)('by %s are close to radial on a sphere', (weighting) => {
    const mesh = icosphere(3);
    const normals = vertexNormals(mesh, mesh.positions, weighting);
    for (let c = 0; c < normals.length; c++) expect(normals[c]).toBeCloseTo(mesh.positions[c], 1.5);
  });

  it('turn with the mesh', () => {
    const mesh = icosphere(1);
    const turned = transformed(mesh, rotationOf([1, 2, 3], 1), 5, [4, 5, 6]);
    const expected = transformed({ ...mesh, positions: vertexNormals(mesh) }, rotationOf([1, 2, 3], 1));
    const normals = vertexNormals(turned);
    for (let c = 0; c < normals.length; c++) expect(normals[c]).toBeCloseTo(expected.positions[c], 5);
  });

  it('keep creases and smooth uv seams', () => {
    // Two faces of a roof that meet in the edge 0–1: split there.
    const roof: Mesh = {
      positions: new Float32Array([0, 0, 1, 0, 1, 1, 1, 0, 0, -1, 0, 0]),
      triangles: new Uint32Array([0, 2, 1, 0, 1, 3]),
      seams: { vertexOf: new Uint32Array([0, 1, 2, 0, 1, 3]), triangles: new Uint32Array([0, 2, 1, 3, 4, 5]) },
    };
    const smooth = vertexNormals(roof);
    expect([...smooth.subarray(0, 3)]).toEqual([...smooth.subarray(9, 12)]);
    const s = Math.fround(Math.SQRT1_2);
    const creased = { ...roof, normals: new Float32Array([s, 0, s, s, 0, s, s, 0, s, -s, 0, s, -s, 0, s, -s, 0, s]) };
    expect(vertexNormals(creased)).toEqual(creased.normals);
    expect([...smoothingGroups(creased)]).toEqual([0, 1, 2, 3, 4, 5]);
    const sameNormals = { ...roof, normals: new Float32Array(18).fill(1) };
    expect([...smoothingGroups(sameNormals)]).toEqual([0, 1, 2, 0, 1, 3]);
  });

  it('are unit vectors even where no face has an area', () => {
    const mesh: Mesh = {
      positions: new Float32Array([0, 0, 0, 1, 0, 0, 2, 0, 0, 9, 9, 9]),
      triangles: new Uint32Array([0, 1, 2, 1, 1, 1]),
    };
    expect([...vertexNormals(mesh)]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1]);
  });
});

describe('bounds', () => {
  it('are those of the points', () => {
    expect(boundsOf([1, -2, 3, -4, 5, 6])).toEqual({ min: [-4, -2, 3], max: [1, 5, 6] });
    expect(diagonalOf([0, 0, 0, 2, 3, 6])).toBe(7);
  });

  it('are defined for no points and for one', () => {
    expect(boundsOf([])).toEqual({ min: [0, 0, 0], max: [0, 0, 0] });
    expect(boundsOf([1, 2, 3])).toEqual({ min: [1, 2, 3], max: [1, 2, 3] });
    expect(diagonalOf([])).toBe(0);
    expect(diagonalOf([1, 2, 3])).toBe(0);
  });
});
