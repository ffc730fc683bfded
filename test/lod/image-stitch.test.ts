import { describe, expect, it } from 'vitest';
import { baseComplex, gridTriangles, sampleNumbers } from '../../src/lod/images/base-complex.ts';
import {
  type Fetch,
  Stitcher,
  stitchedMesh,
  stitchedNormals,
  stitchedPositions,
  stitchedSample,
} from '../../src/lod/images/stitch.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { coarserImages, type GeometryImages, validateGeometryImages } from '../../src/model/geometry-images.ts';
import { grid, icosphere, rotationOf, torus } from '../mesh/shapes.ts';
import { borderSteps, unmatchedSides } from './cracks.ts';
import { madeImages } from './made-images.ts';

const randomLevels = (images: GeometryImages, random: () => number): Uint8Array =>
  images.depths.map((depth) => Math.floor(random() * (depth + 1)));

describe('samples of patches', () => {
  it('are numbered once per corner, side and inside', () => {
    const { triangles } = icosphere(0);
    const base = baseComplex(triangles);
    for (const level of [0, 1, 2, 3]) {
      const { count, of } = sampleNumbers(base, level);
      const n = 1 << level;
      expect(count).toBe(12 + 30 * (n - 1) + (20 * ((n - 1) * (n - 2))) / 2);
      expect(new Set(of).size).toBe(count);
      // Together the grids are a closed surface: every directed edge has its opposite.
      const edges = new Set<string>();
      const faces = gridTriangles(level);
      for (let p = 0; p < 20; p++) {
        const at = (c: number): number => of[(p * of.length) / 20 + faces[c]];
        for (let c = 0; c < faces.length; c++) edges.add(`${at(c)} ${at(c % 3 === 2 ? c - 2 : c + 1)}`);
      }
      expect(edges.size).toBe(3 * 20 * n * n);
      for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true);
    }
  });
});

describe('stitching', () => {
  for (const [name, mesh] of Object.entries({ sphere: icosphere(0), torus: torus(4, 4), sheet: grid(3, 2) })) {
    for (const skin of [false, true]) {
      it(`leaves no cracks in a ${name}${skin ? ' that moves' : ''}, whatever the levels`, () => {
        const images = madeImages(mesh, 4, { skin });
        validateGeometryImages(images);
        const stitcher = new Stitcher(baseComplex(images.corners));
        const words = new Uint32Array(images.depths.length);
        const random = seededRandom(7);
        for (let trial = 0; trial < 170; trial++) {
          const levels = randomLevels(images, random);
          stitcher.sew(levels, words);
          const bones = Float32Array.from(
            [0, 1, 2].flatMap((b) => {
              const r = rotationOf([random(), random(), random() + 0.1], 2 * random());
              return [0, 1, 2].flatMap((row) => [...r.slice(3 * row, 3 * row + 3), b * random()]);
            }),
          );
          const stitched = stitchedMesh(images, words);
          const open = unmatchedSides(
            stitched.triangles,
            stitchedPositions(images, stitched, skin ? bones : undefined),
          );
          expect(open).toBe(borderSteps(images, levels));
        }
      });
    }
  }

  it('finds the cracks that it would leave without', () => {
    const images = madeImages(icosphere(0), 4);
    const levels = randomLevels(images, seededRandom(7));
    // Words of patches that know nothing of their neighbours.
    const alone = Uint32Array.from(levels, (level) => level * 0x1111111);
    const stitched = stitchedMesh(images, alone);
    expect(unmatchedSides(stitched.triangles, stitchedPositions(images, stitched))).toBeGreaterThan(20);
  });

  it('never turns a triangle over in its patch', () => {
    const fetch: Fetch = { level: 0, i: 0, j: 0 };
    for (const level of [1, 2, 3]) {
      const n = 1 << level;
      const faces = gridTriangles(level);
      for (let mix = 0; mix < (level + 1) ** 3; mix++) {
        const sides = [0, 1, 2].map((s) => Math.floor(mix / (level + 1) ** s) % (level + 1));
        const corners = [0, 1, 2].map((c) => Math.min(sides[c], sides[(c + 2) % 3]));
        const word = [level, ...sides, ...corners].reduce((sum, l, q) => sum | (l << (4 * q)), 0);
        const points: [number, number][] = [];
        for (let j = 0; j <= n; j++) {
          for (let i = 0; i <= n - j; i++) {
            stitchedSample(fetch, word, i, j);
            points.push([fetch.i / (1 << fetch.level), fetch.j / (1 << fetch.level)]);
          }
        }
        let total = 0;
        for (let t = 0; t < faces.length; t += 3) {
          const [a, b, c] = [points[faces[t]], points[faces[t + 1]], points[faces[t + 2]]];
          const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
          expect(area).toBeGreaterThanOrEqual(0);
          total += area;
        }
        expect(total).toBeCloseTo(1, 12);
      }
    }
  });

  it('draws a prefix of the levels as it draws those levels of all', () => {
    const images = madeImages(icosphere(0), 4);
    const coarser = coarserImages(images, 2);
    validateGeometryImages(coarser);
    const words = new Uint32Array(20);
    new Stitcher(baseComplex(images.corners)).sew(coarser.depths, words);
    const [a, b] = [stitchedMesh(images, words), stitchedMesh(coarser, words)];
    expect(stitchedPositions(coarser, b)).toEqual(stitchedPositions(images, a));
  });

  it('stores positions within half a step, and normals within a thousandth of a degree or so', () => {
    const mesh = icosphere(0);
    const images = madeImages(mesh, 1, { noise: 0 });
    const stitched = stitchedMesh(images, new Uint32Array(20));
    const positions = stitchedPositions(images, stitched);
    const normals = stitchedNormals(images, stitched);
    mesh.triangles.forEach((v, c) => {
      for (let d = 0; d < 3; d++) {
        expect(Math.abs(positions[3 * c + d] - mesh.positions[3 * v + d])).toBeLessThan(0.51 * images.step);
        expect(Math.abs(normals[3 * c + d] - mesh.positions[3 * v + d])).toBeLessThan(5e-5);
      }
    });
  });
});
