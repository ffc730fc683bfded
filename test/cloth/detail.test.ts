import { describe, expect, it } from 'vitest';
import { coarseMesh } from '../../src/cloth/coarse-mesh.ts';
import { colourConstraints } from '../../src/cloth/colouring.ts';
import { DETAIL_MODES, DetailPhysics } from '../../src/cloth/detail.ts';
import { Embedding } from '../../src/cloth/embedding.ts';
import { coarseHats, halvedHats } from '../../src/cloth/hats.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { meshEdges, vertexNeighbours } from '../../src/mesh/adjacency.ts';
import { curtain } from './ball.ts';
import { moved } from './body.ts';
import { expectNear } from './near.ts';
import { vectorsOf } from './vectors.ts';

const sheet = curtain(600).mesh;
const none = new Uint32Array(0);
const sheetCoarse = await coarseMesh(sheet, none, 30);
const sheetRest = Float64Array.from(sheetCoarse.mesh.positions);
const MODES = Object.keys(DETAIL_MODES) as (keyof typeof DETAIL_MODES)[];

/** Folds along y that the coarse mesh shows only as a shorter sheet with a slight wave. */
const folded = sheetRest.map((x, c) => {
  return c % 3 === 0 ? 0.9 * x : c % 3 === 2 ? x + 0.03 * Math.sin(9 * sheetRest[c - 2]) : x;
});
const between = (a: Float64Array, b: Float64Array, t: number) => a.map((x, c) => x + t * (b[c] - x));

/** Offsets of a few millimetres, the same for the same seed. */
function someOffsets(seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: sheet.positions.length }, () => 0.01 * (random() - 0.5));
}

const detailOf = (mode: keyof typeof DETAIL_MODES, coarse: Float64Array = sheetRest) =>
  new DetailPhysics(new Embedding(sheetCoarse.mesh, sheet), sheet, undefined, coarse, DETAIL_MODES[mode]);

describe.each(MODES)('detail, %s', (mode) => {
  it.each([
    ['a sheet', sheet],
    ['a ball', geodesicSphere('ball', 642, [0, 0, 0], 0.3)],
  ])('%s keeps its detail at zero when the coarse cloth moves rigidly', async (_, fine) => {
    const coarse = await coarseMesh(fine, none, 60);
    const embedding = new Embedding(coarse.mesh, fine);
    const rest = Float64Array.from(coarse.mesh.positions);
    const detail = new DetailPhysics(embedding, fine, undefined, moved(rest), DETAIL_MODES[mode]);
    for (let k = 0; k < 5; k++) {
      const shift = rest.map((x, c) => x + (c % 3 === 0 ? 0.1 * k : 0));
      detail.step(moved(shift), 1 / 30);
      const expected = moved(Float64Array.from(fine.positions, (x, c) => x + (c % 3 === 0 ? 0.1 * k : 0)));
      expectNear(detail.x, expected, 1e-5);
    }
  });

  it('follows when everything is turned and carried along', () => {
    const turn = (v: Float64Array) => {
      const zero = moved(new Float64Array(v.length));
      return moved(v).map((x, c) => x - zero[c]);
    };
    const here = detailOf(mode);
    const there = detailOf(mode, moved(sheetRest));
    for (let k = 1; k <= 6; k++) {
      const offsets = k === 4 ? undefined : someOffsets(k);
      const coarse = between(sheetRest, folded, k / 6);
      const way = (x: number, c: number) => x + (c % 3 === 1 ? 0.2 * k : 0);
      here.step(coarse, 1 / 30, offsets && vectorsOf(offsets));
      there.step(moved(coarse).map(way), 1 / 30, offsets && vectorsOf(turn(offsets)));
      expectNear(there.x, moved(here.x).map(way), 1e-5); // floats inside
    }
  });

  it('goes on from the offsets that it is reset to', () => {
    const offsets = someOffsets(1);
    const detail = detailOf(mode);
    const base = detail.x.slice();
    detail.reset(sheetRest, vectorsOf(offsets));
    const { gain } = DETAIL_MODES[mode];
    expectNear(
      detail.x,
      base.map((b, c) => b + gain * offsets[c]),
      1e-9,
    );
    detail.reset(sheetRest);
    expect(detail.x).toEqual(base);
  });

  it('lowers the strain of the embedding where the coarse cloth is compressed', () => {
    const detail = detailOf(mode);
    for (let k = 0; k < 31; k++) detail.step(folded, 1 / 30);
    const base = detailOf(mode, folded).x;
    expect(strain(detail.x)).toBeLessThan(0.85 * strain(base));
  });
});

/** Mean distance of vertices from the middle of their neighbours. */
function bentBy(x: Float64Array): number {
  const edges = meshEdges(sheet.triangles, x.length / 3);
  const { offsets, items } = vertexNeighbours(edges, x.length / 3);
  let sum = 0;
  for (let i = 0; i + 1 < offsets.length; i++) {
    const near = items.subarray(offsets[i], offsets[i + 1]);
    sum += Math.hypot(...[0, 1, 2].map((c) => x[3 * i + c] - near.reduce((s, j) => s + x[3 * j + c], 0) / near.length));
  }
  return sum;
}

function strain(x: ArrayLike<number>): number {
  const { triangles, positions } = sheet;
  const length = (p: ArrayLike<number>, i: number, j: number) =>
    Math.hypot(p[i] - p[j], p[i + 1] - p[j + 1], p[i + 2] - p[j + 2]);
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j] = [3 * triangles[t], 3 * triangles[t + 1]];
    sum += Math.abs(length(x, i, j) / length(positions, i, j) - 1);
  }
  return sum;
}

describe('detail', () => {
  it('quiet with offsets of zero is alone', () => {
    const [alone, quiet] = [detailOf('alone'), detailOf('quiet')];
    const zero = new Float64Array(sheet.positions.length);
    for (let k = 1; k <= 5; k++) {
      const coarse = between(sheetRest, folded, k / 5);
      alone.step(coarse, 1 / 30);
      quiet.step(coarse, 1 / 30, vectorsOf(zero));
    }
    expect(quiet.x).toEqual(alone.x);
  });

  it('folds more where cloth is softer', () => {
    const bends = [1e-6, 1e-5, 1e-4, undefined, 1].map((stiffness) => {
      const detail = detailOf('alone');
      if (stiffness !== undefined) detail.setStiffness(stiffness);
      for (let k = 0; k < 20; k++) detail.step(folded, 1 / 30);
      return bentBy(detail.x);
    });
    const [silk, cotton, denim, usual, board] = bends;
    expect(denim).toBe(usual);
    expect(silk).toBeGreaterThan(cotton);
    expect(cotton).toBeGreaterThan(denim);
    expect(denim).toBeGreaterThan(board);
  });

  it('comes near a target that lies on the cloth, in every mode', () => {
    // The target is the folded cloth, the base the cloth at rest.
    const target = detailOf('alone', folded).x;
    const start = detailOf('alone').x;
    const offsets = target.map((p, c) => p - start[c]);
    const distance = (x: Float64Array) => Math.hypot(...x.map((value, c) => value - target[c]));
    for (const mode of ['still', 'quiet', 'lively'] as const) {
      const detail = detailOf(mode);
      for (let k = 0; k < 20; k++) detail.step(sheetRest, 1 / 30, vectorsOf(offsets));
      expect(distance(detail.x)).toBeLessThan(0.6 * distance(start));
    }
  });
});

describe.each(MODES)('kernels, %s', (mode) => {
  it.each([
    ['a sheet', sheet],
    ['a ball', geodesicSphere('ball', 642, [0, 0, 0], 0.3)],
  ])('do with %s what their twins in TypeScript do', async (_, fine) => {
    const coarse = await coarseMesh(fine, none, 30);
    const rest = Float64Array.from(coarse.mesh.positions);
    const [simd, plain] = [true, false].map((wasm) => {
      const embedding = new Embedding(coarse.mesh, fine);
      return new DetailPhysics(embedding, fine, undefined, rest, DETAIL_MODES[mode], wasm);
    });
    const random = seededRandom(7);
    for (let k = 1; k <= 4; k++) {
      const pose = rest.map((x) => 0.95 * x + 0.02 * random());
      const offsets = k > 2 ? fine.positions.map(() => 0.01 * random()) : undefined;
      for (const each of [simd, plain]) each.step(pose, 1 / 30, offsets && vectorsOf(offsets));
      expectNear(simd.x, plain.x, 1e-5);
    }
  });
});

describe('colouring', () => {
  it.each([
    ['edges', meshEdges(sheet.triangles, 600).vertices, 2],
    ['a fan', Uint32Array.from({ length: 200 }, (_, c) => (c % 2 === 0 ? 0 : 1 + (c >> 1))), 2],
    ['triangles', sheet.triangles, 3],
  ])('gives %s that share a vertex different colours', (_, vertices, size) => {
    const colours = colourConstraints(vertices, size, 1 + vertices.reduce((most, i) => Math.max(most, i), 0));
    const seen = colours.flatMap((list) => [...list]).sort((a, b) => a - b);
    expect(seen).toEqual(Array.from({ length: vertices.length / size }, (_, e) => e));
    for (const list of colours) {
      const used = [...list].flatMap((e) => [...vertices.subarray(size * e, size * e + size)]);
      expect(new Set(used).size).toBe(used.length);
    }
  });
});

describe('hats', () => {
  it.each([coarseHats, halvedHats])('%o: points are the mean of the places of their hats', (hatsOf) => {
    // All corners, middles and quarters of the coarse triangles.
    const { positions, triangles } = sheetCoarse.mesh;
    const points: number[] = [];
    for (let t = 0; t < triangles.length; t += 3) {
      for (let a = 0; a <= 4; a++) {
        for (let b = 0; a + b <= 4; b++) {
          const share = [a / 4, b / 4, 1 - (a + b) / 4];
          for (let c = 0; c < 3; c++) {
            points.push(share.reduce((sum, s, corner) => sum + s * positions[3 * triangles[t + corner] + c], 0));
          }
        }
      }
    }
    const fine = { positions: Float32Array.from(points), triangles: none };
    const { items, weights, count } = hatsOf(new Embedding(sheetCoarse.mesh, fine));
    const places = new Float64Array(3 * count);
    items.forEach((v, h) => {
      const j = Math.floor(h / 3);
      if (weights[h] > 1 - 1e-5) places.set(fine.positions.subarray(3 * j, 3 * j + 3), 3 * v);
    });
    const means = fine.positions.map((_, c) => {
      const j = Math.floor(c / 3);
      return [0, 1, 2].reduce((sum, h) => sum + weights[3 * j + h] * places[3 * items[3 * j + h] + (c % 3)], 0);
    });
    expectNear(means, fine.positions, 1e-5);
    expect(Math.min(...weights)).toBeGreaterThan(-1e-9);
  });
});
