import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { expandToSplit, splitVertices, weldVertices } from '../../src/mesh/seams.ts';
import { uniqueRows } from '../../src/mesh/unique-rows.ts';
import { type Mesh, validateMesh } from '../../src/model/mesh.ts';

/** Two triangles of a unit square with all six corners split: 0 3 and 2 4 coincide. */
const square = (): Mesh => ({
  positions: new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, -0, 0, -0, 1, 1, 0, 0, 1, 0]),
  triangles: new Uint32Array([0, 1, 2, 3, 4, 5]),
  uvs: new Float32Array([0, 0, 1, 0, 1, 1, 0.5, 0, 1, 1, 0, 1]),
});

describe('weldVertices', () => {
  it('welds coinciding vertices in order of first occurrence, −0 with 0', () => {
    const { mesh, vertexOf } = weldVertices(square());
    expect([...vertexOf]).toEqual([0, 1, 2, 0, 2, 3]);
    expect([...mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    validateMesh(mesh);
  });

  it('keeps vertices apart whose keys differ', () => {
    const frames = new Float32Array(12);
    frames[2 * 4] = 1; // the second number of vertex 4
    const { mesh } = weldVertices(square(), { keys: [frames] });
    expect(mesh.positions.length).toBe(3 * 5);
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 3, 4]);
  });

  it('returns a mesh in which nothing coincides as it is', () => {
    const mesh = { positions: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: new Uint32Array([0, 1, 2]) };
    expect(weldVertices(mesh).mesh).toBe(mesh);
    expect(weldVertices({ positions: new Float32Array(), triangles: new Uint32Array() }).vertexOf.length).toBe(0);
  });

  it('refuses a mesh with seams and keys of another length', () => {
    expect(() => weldVertices(weldVertices(square()).mesh)).toThrow(expect.objectContaining({ code: 'bad-input' }));
    expect(() => weldVertices(square(), { keys: [new Float32Array(7)] })).toThrow(
      /7 numbers \(expected a multiple of 6/,
    );
  });

  it('is undone by splitVertices', () => {
    const corner = fc.integer({ min: 0, max: 11 });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 36, maxLength: 36 }),
        fc.array(fc.tuple(corner, corner, corner), { maxLength: 20 }),
        (coordinates, faces) => {
          const mesh: Mesh = {
            positions: new Float32Array(coordinates),
            triangles: new Uint32Array(faces.flat()),
            normals: Float32Array.from({ length: 36 }, (_, c) => c),
            uvs: Float32Array.from({ length: 24 }, (_, c) => c),
          };
          const before = structuredClone(mesh);
          const welded = weldVertices(mesh).mesh;
          validateMesh(welded);
          expect(splitVertices(welded)).toEqual(before);
          expect(mesh).toEqual(before);
        },
      ),
    );
  });

  it('takes linear time on many equal and many different vertices', () => {
    const random = seededRandom(1);
    const positions = Float32Array.from({ length: 900_000 }, (_, c) => (c < 450_000 ? Math.floor(random() * 8) : c));
    const { mesh } = weldVertices({ positions, triangles: new Uint32Array() });
    expect(mesh.positions.length / 3).toBe(512 + 150_000);
  });
});

describe('splitVertices', () => {
  it('expands any array per vertex, and leaves a mesh without seams alone', () => {
    const seams = { vertexOf: new Uint32Array([1, 0, 1]), triangles: new Uint32Array() };
    expect(expandToSplit(new Uint16Array([1, 2, 3, 4]), 2, seams)).toEqual(new Uint16Array([3, 4, 1, 2, 3, 4]));
    const mesh = square();
    expect(splitVertices(mesh)).toBe(mesh);
  });
});

describe('uniqueRows', () => {
  it('agrees with a map of strings', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))), (rows) => {
        const { classOf, firstOf } = uniqueRows(rows.length, [rows.map((r) => r[0]), rows.map((r) => r[1])]);
        const seen = new Map<string, number>();
        const firsts: number[] = [];
        const expected = rows.map((row, r) => {
          const key = row.join();
          if (!seen.has(key)) {
            seen.set(key, seen.size);
            firsts.push(r);
          }
          return seen.get(key);
        });
        expect([...classOf]).toEqual(expected);
        expect([...firstOf]).toEqual(firsts);
      }),
    );
  });
});
