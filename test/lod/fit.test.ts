import { describe, expect, it } from 'vitest';
import { BlockSystem } from '../../src/lod/block-system.ts';
import { gatherCandidates } from '../../src/lod/candidates.ts';
import { fitFrame } from '../../src/lod/fit-frames.ts';
import { FIT_SETTINGS, sampleCount } from '../../src/lod/fit-level.ts';
import { levelNormals } from '../../src/lod/fit-normals.ts';
import { SkinFit } from '../../src/lod/fit-skin.ts';
import type { LevelMesh } from '../../src/lod/level-mesh.ts';
import { gatherMoments, type PosePair } from '../../src/lod/moments.ts';
import { ChartSurface, nearestSamples } from '../../src/lod/nearest-samples.ts';
import { posedBy, trimmedWeights } from '../../src/lod/pose.ts';
import { projectValues } from '../../src/lod/project-values.ts';
import { DIRECTION, newSamples, type Samples } from '../../src/lod/samples.ts';
import { type GuardedFrames, guardFrames, guardVertices, unfittedLevel } from '../../src/lod/step-back.ts';
import { after } from '../../src/lod/weld.ts';
import { choleskyFactor, choleskySolve } from '../../src/math/cholesky.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { meshEdges } from '../../src/mesh/adjacency.ts';
import { buildBvh } from '../../src/mesh/bvh.ts';
import { faceArea, faceNormal } from '../../src/mesh/triangle.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';
import { grid, icosphere } from '../mesh/shapes.ts';
import { tube } from './surfaces.ts';

/** Points anywhere on both: random pairs are as good as any for the algebra. */
function randomSamples(count: number, triangles: number, faces: number, seed: number): Samples {
  const random = seededRandom(seed);
  const out = newSamples(count);
  for (let s = 0; s < count; s++) {
    out.triangle[s] = Math.floor(random() * triangles);
    out.face[s] = Math.floor(random() * faces);
    [out.a[s], out.b[s]] = inTriangle(random);
    [out.u[s], out.v[s]] = inTriangle(random);
    out.share[s] = random() / count;
  }
  return out;
}

const inTriangle = (random: () => number): [number, number] => {
  const [a, b] = [random(), random()];
  return a + b > 1 ? [1 - a, 1 - b] : [a, b];
};

/** Σ w ‖Σ b x − y‖²_W, written out; `start`: the level where it has the normals that are its own. */
function objective(
  samples: Samples,
  triangles: Uint32Array,
  x: ArrayLike<number>,
  faces: Uint32Array,
  y: ArrayLike<number>,
  epsilon: number,
  start: ArrayLike<number> = x,
): number {
  const normal = new Float64Array(3);
  let sum = 0;
  for (let s = 0; s < samples.count; s++) {
    const b = [samples.a[s], samples.b[s], 1 - samples.a[s] - samples.b[s]];
    const u = [samples.u[s], samples.v[s], 1 - samples.u[s] - samples.v[s]];
    const apart = [0, 1, 2].map((k) =>
      [0, 1, 2].reduce(
        (d, c) =>
          d +
          b[c] * x[3 * triangles[3 * samples.triangle[s] + c] + k] -
          u[c] * y[3 * faces[3 * samples.face[s] + c] + k],
        0,
      ),
    );
    if (samples.direction[s] === DIRECTION.offLevel) faceNormal(normal, start, triangles, 3 * samples.triangle[s]);
    else faceNormal(normal, y, faces, 3 * samples.face[s]);
    const across = apart[0] * normal[0] + apart[1] * normal[1] + apart[2] * normal[2];
    const all = apart[0] ** 2 + apart[1] ** 2 + apart[2] ** 2;
    sum += samples.share[s] * (across ** 2 + epsilon * (all - across ** 2));
  }
  return sum;
}

describe('the fit of a level', () => {
  it('solves systems of blocks as a dense solver does', () => {
    const random = seededRandom(5);
    const { triangles } = icosphere(0);
    const { vertices: ends } = meshEdges(triangles, 12);
    const system = new BlockSystem(12, ends);
    const dense = new Float64Array(36 * 36);
    // Positive definite: the sum of squares of random rows over the ends of each edge.
    for (let e = 0; e < ends.length / 2; e++) {
      for (let row = 0; row < 4; row++) {
        const g = Array.from({ length: 6 }, () => random() - 0.5);
        const at = [0, 1, 2, 3, 4, 5].map((c) => 3 * ends[2 * e + Math.floor(c / 3)] + (c % 3));
        for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) dense[36 * at[r] + at[c]] += g[r] * g[c];
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) {
            system.vertices[9 * ends[2 * e] + 3 * r + c] += g[r] * g[c];
            system.vertices[9 * ends[2 * e + 1] + 3 * r + c] += g[3 + r] * g[3 + c];
            system.edges[9 * e + 3 * r + c] += g[r] * g[3 + c];
          }
        }
      }
    }
    const b = Float64Array.from({ length: 36 }, () => random() - 0.5);
    system.b.set(b);
    const x = new Float64Array(36);
    system.solve(x, 1e-12, 500);
    choleskyFactor(dense, 36);
    choleskySolve(dense, 36, b, 1);
    x.forEach((value, c) => {
      expect(value).toBeCloseTo(b[c], 6);
    });
  });

  it('of frames is at the minimum of what it minimises', () => {
    const original = icosphere(1);
    const { triangles, positions } = icosphere(0);
    const samples = randomSamples(400, 20, 80, 1);
    samples.direction.fill(DIRECTION.offLevel, 200);
    const edges = meshEdges(triangles, 12);
    const pair = { level: positions, original: original.positions };
    const x = fitFrame(samples, triangles, edges, original.triangles, pair, { epsilon: 0.2, damping: 0 });
    const value = (at: ArrayLike<number>): number =>
      objective(samples, triangles, at, original.triangles, original.positions, 0.2, positions);
    const least = value(x);
    expect(least).toBeLessThan(value(positions));
    for (let c = 0; c < x.length; c++) {
      for (const step of [-1e-3, 1e-3]) {
        const moved = Float64Array.from(x);
        moved[c] += step;
        expect(value(moved)).toBeGreaterThan(least - 1e-9);
      }
    }
  });

  it('of a skin: moments are the objective written out, which never rises', () => {
    const surface = tube(120);
    const skin = surface.skin!;
    const { triangles } = surface.mesh;
    const n = surface.mesh.positions.length / 3;
    const edges = meshEdges(triangles, n);
    const rest = surface.mesh.positions.map((x, c) => x + 0.02 * Math.sin(12.9 * c));
    const weights = trimmedWeights(
      skin.weights,
      Array.from({ length: n }, (_, i) => (i + 1) % n),
    );
    const same = randomSamples(3000, triangles.length / 3, triangles.length / 3, 7);
    same.face.set(same.triangle);
    same.u.set(same.a);
    same.v.set(same.b);
    const candidates = gatherCandidates(same, triangles, n, triangles, skin.weights, weights);
    const settings = { damping: 0, weightPull: 0, rounds: 0, sweeps: 0 };
    const fit = new SkinFit(rest, weights, edges, { skin, candidates }, settings);
    const poses = (): Float64Array[] => surface.poses.map((_, p) => posedBy(surface, p, fit.x, fit.weights, []));
    const start = poses();
    const pairs = start.map((level, p): PosePair => ({ level, original: surface.poses[p] }));
    const slow = (): number =>
      poses().reduce((sum, pose, p) => sum + objective(same, triangles, pose, triangles, surface.poses[p], 0.1), 0) /
      start.length;

    const before = slow();
    fit.fit(gatherMoments(same, triangles, edges, triangles, pairs, 0.1), start);
    const values = [before, fit.objective()];
    expect(fit.objective()).toBeCloseTo(slow(), 7);
    for (let round = 0; round < 6; round++) {
      fit.solveWeights();
      values.push(fit.objective());
      fit.solvePositions();
      values.push(fit.objective());
    }
    for (let q = 1; q < values.length; q++) expect(values[q]).toBeLessThanOrEqual(values[q - 1] * (1 + 1e-6) + 1e-12);
    expect(fit.objective()).toBeCloseTo(slow(), 7);
    validateWeights(fit.weights, n, 4);
    // The original itself is in reach: all of the error goes.
    expect(values.at(-1)!).toBeLessThan(0.02 * before);
  });

  it('projects values that the level can show exactly', () => {
    const { triangles } = grid(4, 4);
    const samples = randomSamples(2000, 32, 32, 3);
    samples.face.set(samples.triangle);
    samples.u.set(samples.a);
    samples.v.set(samples.b);
    const values = Float64Array.from({ length: 50 }, (_, c) => Math.sin(c));
    const start = Float64Array.from(values, (x) => x + 1e-3);
    const found = projectValues(samples, triangles, start, { size: 2, corners: triangles, values });
    found.forEach((x, c) => {
      expect(x).toBeCloseTo(values[c], 3);
    });
  });

  it('brings back a seam that has slid', () => {
    const { triangles, positions } = grid(4, 4);
    const chartOf = Uint32Array.from({ length: 32 }, (_, f) =>
      [0, 1, 2].reduce((sum, c) => sum + positions[3 * triangles[3 * f + c]] / 3, 0) < 2 ? 0 : 1,
    );
    const isSeam = (i: number): boolean => positions[3 * i] === 2;
    const isLine = Uint8Array.from(triangles, (i, c) => (isSeam(i) && isSeam(triangles[after(c)]) ? 1 : 0));
    const original = new ChartSurface(triangles, positions, chartOf, isLine);
    const faces = Uint32Array.from(chartOf.keys());
    const edges = meshEdges(triangles, 25);
    let level: Float64Array = Float64Array.from(positions, (x, c) => (c % 3 === 0 && x === 2 ? 2.3 : x));
    const apart = (): number =>
      Math.max(...Array.from(positions, (x, c) => (c % 3 === 0 && x === 2 ? Math.abs(level[c] - 2) : 0)));
    for (let round = 0; round < 3; round++) {
      const coarse = new ChartSurface(triangles, Float32Array.from(level), chartOf, isLine);
      const samples = nearestSamples({ faces } as LevelMesh, coarse, original, 4000);
      const settings = { epsilon: 0.005, damping: 1e-4 };
      if (round === 0) {
        const unheld = { ...samples, direction: new Uint8Array(samples.count) };
        const flat = fitFrame(unheld, triangles, edges, triangles, { level, original: positions }, settings);
        expect(Math.abs(flat[3 * 2] - level[3 * 2])).toBeLessThan(0.15);
      }
      level = fitFrame(samples, triangles, edges, triangles, { level, original: positions }, settings);
    }
    expect(apart()).toBeLessThan(0.05);
  });

  it('looks at narrow faces as at wide ones, and counts them by area', () => {
    const { triangles, positions } = grid(8, 2);
    const uneven = positions.map((x, c) => (c % 3 === 0 ? x ** 4 : x));
    const faces = Uint32Array.from({ length: triangles.length / 3 }, (_, f) => f);
    const surface = () =>
      new ChartSurface(triangles, uneven, new Uint32Array(faces.length), new Uint8Array(faces.length * 3));
    const { count, face, direction, share } = nearestSamples({ faces } as LevelMesh, surface(), surface(), 1000);
    const [points, shares] = [new Float64Array(faces.length), new Float64Array(faces.length)];
    for (let s = 0; s < count; s++) {
      if (direction[s] !== DIRECTION.offLevel) continue; // points of the level
      points[face[s]]++;
      shares[face[s]] += share[s];
    }
    const all = shares.reduce((sum, x) => sum + x, 0);
    for (const f of faces) {
      expect(points[f]).toBeGreaterThan(0.4 * (1000 / faces.length));
      expect(shares[f] / all).toBeCloseTo(faceArea(uneven, triangles, 3 * f) / (8 ** 4 * 2), 2);
    }
  });

  it('takes back what is thrown off in a frame, in that frame alone', () => {
    const { triangles, positions } = grid(6, 6);
    const still = Float32Array.from(positions);
    const turned = Float32Array.from(positions, (_, c) => positions[c - (c % 3) + ((c + 1) % 3)]);
    const poses = [positions, positions, turned].map((pose) => Float64Array.from(pose));
    poses[2][3 * 10] += 30; // off the grid, where that is in this frame
    poses[2][3 * 20 + 1] += 0.1; // within the limit
    const fit: GuardedFrames = {
      poses: () => poses,
      movedIn: (p, i) =>
        Math.hypot(...[0, 1, 2].map((c) => poses[p][3 * i + c] - [still, still, turned][p][3 * i + c])),
      stepBackIn(p, i, share) {
        for (let c = 3 * i; c < 3 * i + 3; c++) {
          const start = [still, still, turned][p][c];
          poses[p][c] = start + share * (poses[p][c] - start);
        }
      },
    };
    const original = { triangles, poses: [still, still, turned] };
    expect(guardFrames(triangles, original, { positions: still, distance: 0.5 }, fit)).toBe(1);
    expect([...poses[2].subarray(30, 33)]).toEqual([...turned.subarray(30, 33)]);
    expect(poses[2][61]).toBeCloseTo(turned[61] + 0.1, 6);
    expect(guardFrames(triangles, original, { positions: still, distance: 0.5 }, fit)).toBe(0);
  });

  it('takes as many points as settings say', () => {
    const count = (faces: number, settings = {}) => sampleCount(faces, { ...FIT_SETTINGS, ...settings });
    expect([1000, 8000, 100_000].map((faces) => count(faces))).toEqual([20_000, 40_000, 60_000]);
    expect(count(1000, { leastSamples: 2000 })).toBe(5000);
    expect(count(1000, { leastSamples: 2000, samplesPerFace: 1 })).toBe(2000);
    expect(count(100_000, { leastSamples: 2000, mostSamples: 3000 })).toBe(3000);
  });

  it('counts no point where there is no surface', () => {
    const { triangles } = grid(2, 2);
    const faces = Uint32Array.from({ length: triangles.length / 3 }, (_, f) => f);
    const nothing = new Float32Array(27);
    const surface = () =>
      new ChartSurface(triangles, nothing, new Uint32Array(faces.length), new Uint8Array(triangles.length));
    const { share } = nearestSamples({ faces } as LevelMesh, surface(), surface(), 100);
    expect(share.every((x) => x === 0)).toBe(true);
  });

  it('finds the normal of most points, not the mean of all', () => {
    const [one, two] = [Uint32Array.of(0, 1, 2), Uint32Array.of(0, 1, 2, 3, 4, 5)];
    const samples = randomSamples(1000, 1, 1, 11);
    samples.share.fill(1 / 1000);
    for (let s = 0; s < 250; s++) samples.face[s] = 1;
    const normals = Float32Array.from({ length: 18 }, (_, c) => (c % 3 === (c < 9 ? 2 : 0) ? 1 : 0));
    const level = { corners: one, splitOf: one } as LevelMesh;
    const found = levelNormals(normals, two, level, samples, one);
    for (let i = 0; i < 9; i += 3) expect(found[i + 2]).toBeGreaterThan(Math.cos(0.05));
  });

  it('takes back vertices that were thrown off, and faces that were turned over', () => {
    const { triangles, positions } = icosphere(1);
    const fine = icosphere(3);
    const original = buildBvh(fine.positions, fine.triangles);
    const unfitted = unfittedLevel(triangles, positions, original);
    const now = positions.map((x, c) => x * (Math.floor(c / 3) === 5 ? 1.5 : 1.02));
    const steps: number[] = [];
    const back = guardVertices(triangles, original, unfitted, {
      positions: () => now,
      stepBack(i, share) {
        steps.push(i);
        for (let c = 3 * i; c < 3 * i + 3; c++) now[c] = positions[c] + share * (now[c] - positions[c]);
      },
    });
    expect(back).toBeGreaterThan(0);
    expect(back).toBeLessThan(12);
    expect(steps).toContain(5);
    expect(Math.hypot(now[15], now[16], now[17])).toBeCloseTo(1, 5);
    expect(guardVertices(triangles, original, unfitted, { positions: () => positions, stepBack: () => {} })).toBe(0);
    // Where the level is farther off in another pose, there is as much room in the default one.
    const [level, other] = [positions, fine.positions].map((pose) => pose.map((x) => 3 * x));
    expect(unfittedLevel(triangles, positions, original, { level: [level], original: [other] }).distance).toBeCloseTo(
      3 * unfitted.distance,
      5,
    );
  });
});
