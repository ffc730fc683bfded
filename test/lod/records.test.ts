import { describe, expect, it } from 'vitest';
import { collapse, collapsedTo } from '../../src/lod/collapse.ts';
import { COLLAPSE_SETTINGS, type CollapseSettings } from '../../src/lod/collapser.ts';
import { findFeatures } from '../../src/lod/features.ts';
import { type LevelMesh, levelMesh } from '../../src/lod/level-mesh.ts';
import type { CollapseRecords, FacePoint } from '../../src/lod/records.ts';
import type { PosedSurface } from '../../src/lod/surface.ts';
import { fanMesh } from '../../src/lod/weld.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { icosphere, torus } from '../mesh/shapes.ts';
import { patchwork, still, tube } from './surfaces.ts';

interface Collapsed {
  surface: PosedSurface;
  level: LevelMesh;
  records: CollapseRecords;
  chartOf: Uint32Array;
}

async function collapsed(surface: PosedSurface, faces: number, more?: Partial<CollapseSettings>): Promise<Collapsed> {
  const fans = fanMesh(surface.mesh.triangles, surface.poses[0]);
  const features = findFeatures(surface.mesh, fans, { crease: 30 });
  const kept = new Uint8Array(fans.vertexOf.length);
  const settings = { ...COLLAPSE_SETTINGS, ...more };
  const collapses = await collapse(fans, features, surface.poses, kept, faces, {}, settings);
  const level = levelMesh(collapsedTo(fans, features, collapses, faces), fans, features);
  return { surface, level, records: collapses.records, chartOf: features.chartOf };
}

const point = (): FacePoint => ({ face: -1, u: 0, v: 0, w: 0 });

function carried({ level, records, surface }: Collapsed, f: number, u: number, v: number): number[] {
  const out = point();
  records.carry(level.last, level.faces[f], u, v, 1 - u - v, out);
  const { triangles, positions } = surface.mesh;
  const at = [0, 1, 2].map((c) => 3 * triangles[3 * out.face + c]);
  return [0, 1, 2].map(
    (c) => out.u * positions[at[0] + c] + out.v * positions[at[1] + c] + out.w * positions[at[2] + c],
  );
}

describe('records of collapses', async () => {
  const sphere = await collapsed(still(icosphere(3)), 100);
  const skinned = await collapsed(tube(600), 150, { seamCost: Infinity });
  const givenUp = await collapsed(patchwork(), 150);

  it('carry points of faces that did not change to themselves', async () => {
    const same = await collapsed(still(icosphere(2)), 1000);
    const out = point();
    same.records.carry(same.level.last, 5, 0.2, 0.3, 0.5, out);
    expect(out).toEqual({ face: 5, u: 0.2, v: 0.3, w: 0.5 });
  });

  it('carry vertices to themselves', () => {
    const { level, surface } = skinned;
    for (let f = 0; f < level.faces.length; f++) {
      for (let c = 0; c < 3; c++) {
        const there = carried(skinned, f, c === 0 ? 1 : 0, c === 1 ? 1 : 0);
        const vertex = 3 * level.vertexOf[level.triangles[3 * f + c]];
        const off = Math.hypot(...there.map((x, k) => x - surface.mesh.positions[vertex + k]));
        expect(off).toBeLessThan(1e-5);
      }
    }
  });

  it.each([
    ['closed', sphere],
    ['with seams', skinned],
    ['with seams given up', givenUp],
  ])('agree along an edge from both sides (%s)', (_, made) => {
    const { triangles } = made.level;
    const sides = new Map<string, [number, number]>();
    for (let c = 0; c < triangles.length; c++) {
      const next = c % 3 === 2 ? c - 2 : c + 1;
      sides.set(`${triangles[c]} ${triangles[next]}`, [Math.floor(c / 3), c % 3]);
    }
    const along = (f: number, corner: number, t: number): number[] => {
      const b = [0, 0, 0];
      b[corner] = 1 - t;
      b[(corner + 1) % 3] = t;
      return carried(made, f, b[0], b[1]);
    };
    let compared = 0;
    for (const [name, [f, corner]] of sides) {
      const [a, b] = name.split(' ');
      const other = sides.get(`${b} ${a}`);
      if (!other) continue;
      compared++;
      for (const t of [0.25, 0.6]) {
        const here = along(f, corner, t);
        const there = along(...other, 1 - t);
        expect(Math.hypot(...here.map((x, c) => x - there[c]))).toBeLessThan(1e-4);
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('cover the original once: areas of carried pieces add up to all of it', () => {
    const parts = 24;
    let area = 0;
    for (let f = 0; f < sphere.level.faces.length; f++) {
      for (let i = 0; i < parts; i++) {
        for (let j = 0; i + j < parts; j++) {
          const p = carried(sphere, f, i / parts, j / parts);
          const q = carried(sphere, f, (i + 1) / parts, j / parts);
          const r = carried(sphere, f, i / parts, (j + 1) / parts);
          area += signedArea(p, q, r);
          if (i + j + 1 < parts) area += signedArea(q, carried(sphere, f, (i + 1) / parts, (j + 1) / parts), r);
        }
      }
    }
    expect(area).toBeGreaterThan(0.985 * 4 * Math.PI);
    expect(area).toBeLessThan(1.001 * 4 * Math.PI);
  });

  it('stay on their side of a seam', () => {
    const random = seededRandom(3);
    const { level, records, chartOf } = skinned;
    const out = point();
    for (let f = 0; f < level.faces.length; f++) {
      for (let s = 0; s < 20; s++) {
        const u = 0.01 + 0.97 * random();
        const v = 0.01 + random() * (0.98 - u);
        records.carry(level.last, level.faces[f], u, v, 1 - u - v, out);
        expect(chartOf[out.face]).toBe(chartOf[level.faces[f]]);
      }
    }
  });

  it('work on surfaces with handles', async () => {
    const made = await collapsed(still(torus(24, 12)), 80);
    expect(made.level.faces.length).toBe(80);
  });
});

/** Area as seen from outside of the sphere around the origin. */
function signedArea(p: number[], q: number[], r: number[]): number {
  const [a, b] = [q.map((x, c) => x - p[c]), r.map((x, c) => x - p[c])];
  const n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return (Math.hypot(...n) * Math.sign(n[0] * p[0] + n[1] * p[1] + n[2] * p[2])) / 2;
}
