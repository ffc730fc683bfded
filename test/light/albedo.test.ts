import { describe, expect, it } from 'vitest';
import { type DecodedPicture, materialAlbedo } from '../../src/light/albedo.ts';
import type { Material, Mesh } from '../../src/model/mesh.ts';
import type { Note } from '../../src/model/note.ts';
import { grid } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';

const material = (more: Partial<Material> = {}): Material => ({
  name: 'skin',
  baseColor: [0.5, 0.25, 1, 1],
  metallic: 0,
  roughness: 1,
  doubleSided: false,
  ...more,
});
const painted = (mesh: Mesh, ...materials: Material[]): Mesh => ({
  ...mesh,
  materials,
  groups: materials.map((each, m) => {
    const count = mesh.triangles.length / 3 / materials.length;
    return { name: each.name, start: m * count, count, material: m };
  }),
});
const image = { mimeType: 'image/png', bytes: new Uint8Array(0) };
/** A grid over the unit square of uvs. */
const mapped = (n: number): Mesh => {
  const mesh = grid(n, n);
  const uvs = new Float32Array((2 * mesh.positions.length) / 3).map(
    (_, q) => mesh.positions[3 * Math.floor(q / 2) + (q % 2)] / n,
  );
  return { ...mesh, uvs };
};

describe('materialAlbedo', () => {
  it('is the base colour of what is not metal, and clay without a material', async () => {
    const plain = await materialAlbedo(painted(grid(2, 2), material()));
    expect(Array.from(plain.slice(0, 3))).toEqual([0.5, 0.25, 1]);
    const metal = await materialAlbedo(painted(grid(2, 2), material({ metallic: 0.75 })));
    expect(Array.from(metal.slice(3, 6))).toEqual([0.125, 0.0625, 0.25]);
    const clay = await materialAlbedo(grid(1, 1));
    expect(new Set(clay)).toEqual(new Set([Math.fround(0.6)]));
  });

  it('is multiplied by vertex colours of any kind', async () => {
    const mesh = grid(1, 1);
    const values = new Uint8Array(16).fill(51);
    const coloured = { ...mesh, attributes: { COLOR_0: { size: 4, values, normalized: true } } };
    const albedo = await materialAlbedo(painted(coloured, material()));
    expect(albedo[0]).toBeCloseTo(0.1, 6);
    expect(albedo[10]).toBeCloseTo(0.05, 6);
  });

  it('is the mean of the faces around a vertex where materials meet', async () => {
    const both = painted(grid(1, 2), material(), material({ baseColor: [1, 0.75, 0, 1] }));
    const albedo = await materialAlbedo(both);
    // Vertices 2 and 3 are between the two squares; one has two faces of one and one of the other.
    const middle = [albedo[6], albedo[9]].sort();
    expect(middle[0]).toBeCloseTo(0.5 + 0.5 / 3, 5);
    expect(middle[1]).toBeCloseTo(0.5 + 1 / 3, 5);
    expect(albedo[0]).toBe(0.5);
  });

  it('reads textures where they lie, as light', async () => {
    // Left half white, right half black, and grey below the middle of the picture, v down.
    const picture: DecodedPicture = { width: 8, height: 8, data: new Uint8Array(4 * 64) };
    for (let p = 0; p < 64; p++) {
      const level = p >= 32 ? 188 : p % 8 < 4 ? 255 : 0;
      picture.data.set([level, level, level, 255], 4 * p);
    }
    const white = material({ baseColor: [1, 1, 1, 1], baseColorTexture: image });
    const notes: Note[] = [];
    const albedo = await materialAlbedo(painted(mapped(8), white), async () => picture, notes);
    const at = (x: number, y: number) => albedo[3 * (9 * y + x)];
    expect(at(2, 6)).toBeCloseTo(1, 5);
    expect(at(6, 6)).toBeCloseTo(0, 5);
    expect(at(2, 2)).toBeCloseTo(0.503, 2);
    expect(at(6, 2)).toBeCloseTo(0.503, 2);
    expect(notes).toEqual([]);
  });

  it('says which textures it cannot read', async () => {
    const mesh = painted(mapped(1), material({ baseColorTexture: image }));
    for (const decode of [undefined, async () => undefined]) {
      const notes: Note[] = [];
      const albedo = await materialAlbedo(mesh, decode, notes);
      expect(Array.from(albedo.slice(0, 3))).toEqual([0.5, 0.25, 1]);
      expect(codesOf(notes)).toEqual(['not-read']);
    }
  });
});
