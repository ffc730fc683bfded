import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { polar3 } from '../../src/math/svd3.ts';
import {
  analyseDeformation,
  deformationGradients,
  deformationOfPose,
  type FacetDeformation,
  facetFrames,
  rotationAngle,
} from '../../src/measure/facet-deformation.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { cube, grid, icosphere, moved, rotationOf, soup } from '../mesh/shapes.ts';
import { expectRefusal } from '../refusal.ts';

const largest = (part: Float32Array) => part.reduce((a, b) => Math.max(a, b), 0);
const parts = (d: FacetDeformation) => Object.entries(d) as [keyof FacetDeformation, Float32Array][];
const map = (mesh: Mesh, f: (x: number, y: number, z: number) => number[]): Float32Array =>
  Float32Array.from(
    Array.from({ length: mesh.positions.length / 3 }, (_, i) =>
      f(mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]),
    ).flat(),
  );

describe('deformation of facets', () => {
  it('the rest pose has none', () => {
    const mesh = icosphere(2);
    for (const [, part] of parts(deformationOfPose(facetFrames(mesh), mesh.positions))) {
      expect(largest(part)).toBeLessThan(1e-6);
    }
  });

  it.each([0.1, 1, 3, Math.PI])('a turn by %f is rotation only', (angle) => {
    const mesh = cube();
    const d = deformationOfPose(facetFrames(mesh), moved(mesh.positions, rotationOf([1, 2, 3], angle), 1, [4, 5, 6]));
    for (const value of d.rotation) expect(value).toBeCloseTo(angle, 5);
    for (const part of ['scale', 'shear', 'area'] as const) expect(largest(d[part])).toBeLessThan(1e-5);
    expect(largest(d.dihedral)).toBeLessThanOrEqual(angle + 1e-6);
  });

  it('uniform scale by s: ‖diag(S) − I‖ = √3·|s − 1|, area s² − 1', () => {
    const mesh = icosphere(1);
    const d = deformationOfPose(facetFrames(mesh), moved(mesh.positions, rotationOf([0, 0, 1], 0.5), 1.2));
    for (const value of d.scale) expect(value).toBeCloseTo(Math.sqrt(3) * 0.2, 5);
    for (const value of d.area) expect(value).toBeCloseTo(0.44, 5);
    for (const value of d.rotation) expect(value).toBeCloseTo(0.5, 5);
    expect(largest(d.shear)).toBeLessThan(1e-5);
  });

  it('a stretched plane: S = diag(2, 1, √2), the fourth vertex following the area (2.62)', () => {
    const mesh = grid(2, 2);
    const frames = facetFrames(mesh);
    const pose = map(mesh, (x, y, z) => [2 * x, y, z]);
    const gradients = new Float64Array(9 * 8);
    deformationGradients(frames, pose, gradients);
    const expected = [2, 0, 0, 0, 1, 0, 0, 0, Math.SQRT2];
    for (let c = 0; c < 72; c++) expect(gradients[c]).toBeCloseTo(expected[c % 9], 9);
    const d = deformationOfPose(frames, pose);
    for (const value of d.scale) expect(value).toBeCloseTo(Math.hypot(1, 0, Math.SQRT2 - 1), 5);
    for (const value of d.total) expect(value).toBeCloseTo(d.scale[0], 5);
  });

  it('turning the pose afterwards adds rotation and leaves the stretch alone', () => {
    const mesh = icosphere(1);
    const bent = map(mesh, (x, y, z) => [x + 0.2 * y * y, 1.3 * y, z - 0.1 * x]);
    const frames = facetFrames(mesh);
    const before = deformationOfPose(frames, bent);
    const after = deformationOfPose(frames, moved(bent, rotationOf([1, 1, 0], 2), 1, [1, 2, 3]));
    for (const part of ['scale', 'shear', 'area'] as const) {
      for (let f = 0; f < before[part].length; f++) expect(after[part][f]).toBeCloseTo(before[part][f], 5);
    }
  });

  it('in the plane of the facet is the polar decomposition of its gradient', () => {
    const random = seededRandom(9);
    const mesh = icosphere(2);
    const frames = facetFrames(mesh);
    const count = frames.areas.length;
    const gradients = new Float64Array(9 * count);
    const [r, s] = [new Float64Array(9), new Float64Array(9)];
    for (let look = 0; look < 20; look++) {
      const pose = mesh.positions.map((x) => x + (look / 20) * (random() - 0.5));
      const d = deformationOfPose(frames, pose);
      deformationGradients(frames, pose, gradients);
      for (let f = 0; f < count; f++) {
        polar3(r, s, gradients.subarray(9 * f, 9 * f + 9));
        expect(d.rotation[f]).toBeCloseTo(rotationAngle(r), 5);
        expect(d.scale[f]).toBeCloseTo(Math.hypot(s[0] - 1, s[4] - 1, s[8] - 1), 5);
        expect(d.shear[f]).toBeCloseTo(Math.SQRT2 * Math.hypot(s[1], s[2], s[5]), 5);
      }
    }
  });

  it('facets without area, at rest or in a pose, never give NaN', () => {
    const random = seededRandom(4);
    const mesh = soup(random, 12, 60); // many facets use a vertex twice
    const folded = map(mesh, (x) => [x, 0, 0]);
    const point = map(mesh, () => [1, 1, 1]);
    for (const pose of [mesh.positions, folded, point]) {
      for (const [name, part] of parts(deformationOfPose(facetFrames(mesh), pose))) {
        expect([name, [...part].every(Number.isFinite)]).toEqual([name, true]);
      }
    }
    const degenerate = deformationOfPose(facetFrames({ ...mesh, positions: point }), mesh.positions);
    for (const [, part] of parts(degenerate)) expect(largest(part)).toBe(0);
  });

  it('averages over all frames', async () => {
    const mesh = cube();
    const frames = [0.2, 0.4, 0.9].map((angle) => moved(mesh.positions, rotationOf([0, 1, 0], angle)));
    const d = await analyseDeformation(memorySequence('turns', mesh, frames));
    for (const value of d.rotation) expect(value).toBeCloseTo(0.5, 5);
    expect(d.total[0]).toBeCloseTo(d.rotation[0] + d.scale[0] + d.shear[0], 6);
  });

  it('can be cancelled', async () => {
    const mesh = cube();
    const run = analyseDeformation(memorySequence('one', mesh, [mesh.positions]), {
      signal: { aborted: true } as AbortSignal,
    });
    await expectRefusal(run, 'cancelled');
  });
});
