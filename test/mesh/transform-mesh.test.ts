import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { determinant34 } from '../../src/math/matrix34.ts';
import { signedVolume } from '../../src/measure/area.ts';
import { transformMesh, transformVectors } from '../../src/mesh/transform-mesh.ts';
import type { Mesh } from '../../src/model/mesh.ts';

/** A tetrahedron whose faces have their own vertices and normals. */
function tetrahedron(): Mesh {
  const corners = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const faces = [
    [0, 2, 1],
    [0, 1, 3],
    [0, 3, 2],
    [1, 2, 3],
  ];
  const positions = Float32Array.from(faces.flat().flatMap((corner) => corners[corner]));
  return { positions, triangles: Uint32Array.from({ length: 12 }, (_, i) => i), normals: faceNormals(positions) };
}

/** The normal of each face at each of its three corners. */
function faceNormals(p: Float32Array): Float32Array {
  const out = new Float32Array(p.length);
  for (let f = 0; f < p.length; f += 9) {
    const [ax, ay, az] = [p[f + 3] - p[f], p[f + 4] - p[f + 1], p[f + 5] - p[f + 2]];
    const [bx, by, bz] = [p[f + 6] - p[f], p[f + 7] - p[f + 1], p[f + 8] - p[f + 2]];
    const n = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    const length = Math.hypot(...n);
    for (let corner = 0; corner < 9; corner += 3)
      out.set(
        n.map((x) => x / length),
        f + corner,
      );
  }
  return out;
}

describe('transformMesh', () => {
  const numbers = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 12, maxLength: 12 });
  const matrices = numbers.filter((m) => Math.abs(determinant34(m)) > 0.05);

  it('keeps the outside outside and normals upright, for any affine map, mirrors too', () => {
    fc.assert(
      fc.property(matrices, (m) => {
        const mesh = tetrahedron();
        const moved = transformMesh(mesh, m);
        const volume = signedVolume(mesh.positions, mesh.triangles);
        const expected = volume * Math.abs(determinant34(m));
        expect(signedVolume(moved.positions, moved.triangles) / expected).toBeCloseTo(1, 2);
        // Corners in the order of the turned triangles; the normal of a face is at each of its corners.
        const ordered = Float32Array.from(moved.triangles, (i) => i).reduce<number[]>((all, i) => {
          all.push(...moved.positions.subarray(3 * i, 3 * i + 3));
          return all;
        }, []);
        const normals = faceNormals(Float32Array.from(ordered));
        for (let c = 0; c < normals.length; c++) {
          const i = moved.triangles[Math.floor(c / 3)];
          expect(moved.normals![3 * i + (c % 3)]).toBeCloseTo(normals[c], 2);
        }
      }),
    );
  });

  it('leaves its input alone, and flattens without breaking', () => {
    const mesh = tetrahedron();
    const before = structuredClone(mesh);
    const flat = transformMesh(mesh, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 5]);
    expect(mesh).toEqual(before);
    expect([...flat.positions.filter((_, c) => c % 3 === 2)]).toEqual(Array(12).fill(5));
    expect([...flat.normals!.subarray(0, 3)]).toEqual([0, 0, -1]);
  });
});

describe('transformVectors', () => {
  it('takes displacements to the displacements of what is moved', () => {
    const mesh = tetrahedron();
    const m = [1, 2, 0, 7, 0.5, -1, 3, 8, 0, 0.25, 2, 9];
    const vectors = mesh.positions.map((_, c) => Math.sin(c));
    const displaced = { ...mesh, positions: mesh.positions.map((x, c) => x + vectors[c]) };
    const [a, b] = [mesh, displaced].map((one) => transformMesh(one, m).positions);
    transformVectors(vectors, m).forEach((x, c) => {
      expect(x).toBeCloseTo(b[c] - a[c], 5);
    });
  });
});
