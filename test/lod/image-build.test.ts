import { describe, expect, it } from 'vitest';
import { baseComplex } from '../../src/lod/images/base-complex.ts';
import { geometryImages, type ImageOptions } from '../../src/lod/images/build.ts';
import { makePatches, prepareSurface } from '../../src/lod/images/patches.ts';
import { samplePatches, sampleValues } from '../../src/lod/images/sample-patches.ts';
import { Stitcher, stitchedMesh, stitchedNormals, stitchedPositions } from '../../src/lod/images/stitch.ts';
import { unfold } from '../../src/lod/images/unfold.ts';
import { posedBy } from '../../src/lod/pose.ts';
import type { PosedSurface } from '../../src/lod/surface.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { type GeometryImages, validateGeometryImages } from '../../src/model/geometry-images.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { grid, icosphere, rotationOf } from '../mesh/shapes.ts';
import { unmatchedSides } from './cracks.ts';

const still = (mesh: Mesh): PosedSurface => ({ mesh, poses: [mesh.positions] });

/** A bumpy ball: 1,280 triangles. */
function ball(): Mesh {
  const mesh = icosphere(3);
  const positions = mesh.positions.slice();
  for (let i = 0; i < positions.length; i += 3) {
    const r = 1 + 0.1 * Math.sin(4 * positions[i]) * Math.cos(5 * positions[i + 1]);
    for (let d = 0; d < 3; d++) positions[i + d] *= r;
  }
  return { ...mesh, positions };
}

/** A sheet that two bones bend about x = 8. */
function bending(): PosedSurface {
  const mesh = grid(16, 8);
  const n = mesh.positions.length / 3;
  const joints = Uint16Array.from({ length: 2 * n }, (_, c) => c % 2);
  const weights = Float32Array.from({ length: 2 * n }, (_, c) => {
    const share = Math.max(0, Math.min(1, (mesh.positions[3 * Math.floor(c / 2)] - 6) / 4));
    return c % 2 === 0 ? 1 - share : share;
  });
  const bones = [0, 0.6, 1.2].map((angle) => {
    const r = rotationOf([0, 1, 0], angle);
    const turned = [0, 1, 2].flatMap((row) => [
      ...r.slice(3 * row, 3 * row + 3),
      8 * ((row === 0 ? 1 : 0) - r[3 * row]),
    ]);
    return Float32Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...turned]);
  });
  const skin = { weights: { influences: 2, joints, weights }, bones };
  const surface = { mesh, poses: [mesh.positions], skin };
  return {
    ...surface,
    poses: bones.map((_, p) => Float32Array.from(posedBy(surface, p, mesh.positions, skin.weights, []))),
  };
}

const randomWords = (images: GeometryImages, random: () => number): Uint32Array => {
  const words = new Uint32Array(images.depths.length);
  const levels = images.depths.map((depth) => Math.floor(random() * (depth + 1)));
  new Stitcher(baseComplex(images.corners)).sew(levels, words);
  return words;
};

describe('geometryImages', () => {
  it('comes nearer from level to level, and fits better than it samples', async () => {
    const options: ImageOptions = { patches: 60, depth: 3 };
    const sampled = await geometryImages(still(ball()), { ...options, fit: false });
    const fitted = await geometryImages(still(ball()), options);
    validateGeometryImages(fitted.images);
    expect(fitted.images.depths).toHaveLength(60);
    expect(fitted.figures.map(({ triangles }) => triangles)).toEqual([60, 240, 960, 3840]);
    fitted.figures.forEach(({ rmsPercent }, d) => {
      if (d < 3) expect(rmsPercent).toBeLessThan(0.8 * sampled.figures[d].rmsPercent);
      if (d > 0) expect(rmsPercent).toBeLessThan(0.6 * fitted.figures[d - 1].rmsPercent);
    });
    expect(fitted.figures.map(({ turned }) => turned)).toEqual([0, 0, 0, 0]);
    const { errors } = fitted.images;
    for (let q = 0; q < errors.length; q++) if (q % 4 > 0) expect(errors[q]).toBeLessThanOrEqual(errors[q - 1]);
  });

  it('turns triangles back that face against the surface', async () => {
    const prepared = prepareSurface(still(grid(12, 12)), 30);
    const patches = await makePatches(prepared, 8, [], {});
    const sampled = samplePatches(patches, 3);
    const normals = sampleValues(patches, 3, patches.normals, 3);
    const rest = sampled.positions.slice();
    const turnedBy = (moved: Float64Array): number =>
      unfold(sampled, moved, normals, patches.base.vertexCount, patches.bvh);
    expect(turnedBy(rest)).toBe(0);
    expect(rest).toEqual(sampled.positions);
    // Samples that lie wrong themselves have no way back: they go between their neighbours.
    const inner = sampled.of.slice(0, 45).filter((i) => i >= patches.base.vertexCount);
    const i = inner[14];
    rest[3 * i] = sampled.positions[3 * i] += 3;
    expect(turnedBy(rest)).toBe(0);
    expect(rest[3 * i]).not.toBe(sampled.positions[3 * i]);
    expect(rest.filter((_, c) => c % 3 === 2).every((z) => z === 0)).toBe(true);
  });

  it('has no cracks in any mix of fitted levels, closed, open and moving', async () => {
    const random = seededRandom(4);
    for (const surface of [still(ball()), still(grid(12, 12)), bending()]) {
      const { images } = await geometryImages(surface, { patches: 24, depth: 2 });
      const border = baseComplex(images.corners).beyond;
      for (let trial = 0; trial < 20; trial++) {
        const words = randomWords(images, random);
        const mesh = stitchedMesh(images, words);
        let open = 0;
        border.forEach((other, c) => {
          if (other < 0) open += 1 << (words[Math.floor(c / 3)] & 15);
        });
        const bones = surface.skin?.bones[trial % 3];
        expect(unmatchedSides(mesh.triangles, stitchedPositions(images, mesh, bones))).toBe(open);
      }
    }
  });

  it('follows the bones: a level in a pose is where the surface is', async () => {
    const surface = bending();
    const { images, figures } = await geometryImages(surface, { patches: 24, depth: 3 });
    expect(figures[3].maxPercent).toBeLessThan(0.5);
    const words = new Uint32Array(images.depths.length);
    new Stitcher(baseComplex(images.corners)).sew(images.depths, words);
    const mesh = stitchedMesh(images, words);
    for (const [p, bones] of surface.skin!.bones.entries()) {
      const posed = stitchedPositions(images, mesh, bones);
      const low = Math.min(...Array.from(surface.poses[p]).filter((_, c) => c % 3 === 2));
      const found = Math.min(...posed.filter((_, c) => c % 3 === 2));
      expect(Math.abs(found - low)).toBeLessThan(0.1);
    }
  });

  it('grows with its input, and does not change it', async () => {
    const mesh = ball();
    const before = structuredClone(mesh);
    const options: ImageOptions = { patches: 40, depth: 1 };
    const here = await geometryImages(still(mesh), options);
    expect(mesh).toEqual(before);
    const larger = { ...mesh, positions: mesh.positions.map((x) => 4 * x) };
    const there = await geometryImages(still(larger), options);
    here.figures.forEach(({ rmsPercent }, d) => {
      expect(there.figures[d].rmsPercent / rmsPercent).toBeCloseTo(1, 4);
    });
    expect(await geometryImages(still(mesh), options)).toMatchObject({ images: here.images });
  });

  it('keeps both sides of a uv seam, and hard normals', async () => {
    // Two halves of a sheet, far apart in texture space, folded along the middle.
    const mesh = grid(8, 8);
    const n = mesh.positions.length / 3;
    const right = (i: number): boolean => mesh.positions[3 * i] > 4;
    const onLine = (i: number): boolean => mesh.positions[3 * i] === 4;
    const positions = mesh.positions.map((x, c) => (c % 3 === 2 ? Math.abs(mesh.positions[c - 2] - 4) : x));
    const twin = new Map<number, number>();
    const vertexOf = Array.from({ length: n }, (_, i) => i);
    for (let i = 0; i < n; i++) if (onLine(i)) twin.set(i, vertexOf.push(i) - 1);
    const triangles = mesh.triangles.map((i, c) => {
      const t = c - (c % 3);
      const isRight = [t, t + 1, t + 2].some((k) => right(mesh.triangles[k]));
      return isRight ? (twin.get(i) ?? i) : i;
    });
    const side = (w: number): boolean => w >= n || right(vertexOf[w]);
    const normals = Float32Array.from(
      vertexOf.flatMap((_, w) => [side(w) ? -Math.SQRT1_2 : Math.SQRT1_2, 0, Math.SQRT1_2]),
    );
    const uvs = Float32Array.from(
      vertexOf.flatMap((i, w) => [(side(w) ? 10 : 0) + positions[3 * i] / 8, positions[3 * i + 1] / 8]),
    );
    const folded: Mesh = {
      positions,
      triangles: mesh.triangles,
      normals,
      uvs,
      seams: { vertexOf: Uint32Array.from(vertexOf), triangles },
    };
    const { images } = await geometryImages(still(folded), { patches: 8, depth: 2 });
    const words = new Uint32Array(images.depths.length);
    new Stitcher(baseComplex(images.corners)).sew(images.depths, words);
    const stitched = stitchedMesh(images, words);
    const at = stitchedPositions(images, stitched);
    const normal = stitchedNormals(images, stitched);
    const sides = new Set<string>();
    stitched.texels.forEach((t, v) => {
      const { uvs: stored } = images.levels[stitched.levels[v]];
      const u = images.uvs!.origin[0] + images.uvs!.step[0] * stored![2 * t];
      const isRight = u > 5;
      // UV and position belong together, on the side that the patch is on.
      expect(Math.abs(u - (isRight ? 10 : 0) - at[3 * v] / 8)).toBeLessThan(0.01);
      expect(normal[3 * v] < 0).toBe(isRight);
      if (Math.abs(at[3 * v] - 4) < 1e-3) sides.add(isRight ? 'right' : 'left');
    });
    expect([...sides].sort()).toEqual(['left', 'right']);
  });

  it('makes something of very little, and says when patches cannot be had', async () => {
    const one = { positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]), triangles: Uint32Array.from([0, 1, 2]) };
    const { images, figures } = await geometryImages(still(one), { depth: 2 });
    expect(images.depths).toEqual(Uint8Array.from([0]));
    expect(figures[2].maxPercent).toBeLessThan(1e-3);
    const few = await geometryImages(still(icosphere(1)), { patches: 1, depth: 1 });
    expect(few.report.notes.map(({ code }) => code)).toEqual(['patches-not-reached']);
    await expect(
      geometryImages(still({ positions: new Float32Array(9), triangles: new Uint32Array(0) })),
    ).rejects.toThrow();
  });
});
