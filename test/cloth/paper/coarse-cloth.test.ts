import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseExamples } from '../../../src/cloth/paper/choose-examples.ts';
import { CoarsePoints } from '../../../src/cloth/paper/coarse-points.ts';
import { DihedralAngles, PoseInput } from '../../../src/cloth/paper/dihedral-angles.ts';
import { TriangleRotations } from '../../../src/cloth/paper/triangle-rotations.ts';
import { seededRandom } from '../../../src/math/rng.ts';
import { rotationOfVector, rotationVector } from '../../../src/math/rotation-vector.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { coarseSheet, fineSheet, waves } from './waves.ts';

const vector = fc.tuple(fc.double(), fc.double(), fc.double()).map((v) => v.map((x) => Math.tanh(x || 0) * 1.8));

/** R·x + t of all points. */
function moved(x: ArrayLike<number>, v: readonly number[], t: readonly number[]): Float64Array {
  const r = new Float64Array(9);
  rotationOfVector(r, 0, [...v], 0);
  return Float64Array.from(x, (_, at) => {
    const o = at - (at % 3);
    const row = 3 * (at % 3);
    return r[row] * x[o] + r[row + 1] * x[o + 1] + r[row + 2] * x[o + 2] + t[at % 3];
  });
}

describe('rotation vectors', () => {
  it('come back from their rotations', () => {
    fc.assert(
      fc.property(vector, (v) => {
        const r = new Float64Array(9);
        const back = new Float64Array(3);
        rotationOfVector(r, 0, v, 0);
        rotationVector(back, 0, r, 0);
        v.forEach((x, c) => {
          expect(back[c]).toBeCloseTo(x, 9);
        });
      }),
      { seed: 3 },
    );
  });
});

describe('dihedral angles', () => {
  const hinge: Mesh = {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1),
    triangles: Uint32Array.of(0, 1, 2, 1, 0, 3),
  };

  it('are the angle by which one triangle is turned', () => {
    const angles = new DihedralAngles(hinge);
    const out = new Float64Array(1);
    for (const turn of [-3, -1, 0, 0.5, 2]) {
      angles.measure([0, 0, 0, 1, 0, 0, 0, 0, 1, 0, Math.sin(turn), -Math.cos(turn)], out);
      expect(Math.abs(out[0])).toBeCloseTo(Math.abs(turn), 6);
    }
  });

  it('do not change when everything moves', async () => {
    const angles = new DihedralAngles(coarseSheet);
    const pose = await waves('one', [0.7]).coarse.readFrame(0);
    const [a, b] = [new Float64Array(angles.count), new Float64Array(angles.count)];
    angles.measure(pose, a);
    fc.assert(
      fc.property(vector, vector, (v, t) => {
        angles.measure(moved(pose, v, t), b);
        b.forEach((x, h) => {
          expect(x).toBeCloseTo(a[h], 6);
        });
      }),
      { seed: 4, numRuns: 20 },
    );
  });

  it('have velocities per second', async () => {
    const { coarse } = waves('two', [0.2, 0.25]);
    const [before, now] = [await coarse.readFrame(0), await coarse.readFrame(1)];
    const angles = new DihedralAngles(coarseSheet);
    const [a, b] = [new Float64Array(angles.count), new Float64Array(angles.count)];
    angles.measure(before, a);
    angles.measure(now, b);
    const input = new PoseInput(angles, 0.5);
    input.set(now, before, 0.1);
    input.values.forEach((x, at) => {
      const h = at % angles.count;
      expect(x).toBeCloseTo(at < angles.count ? b[h] : 5 * (b[h] - a[h]), 9);
    });
  });
});

it('triangles turn as the whole mesh does, and carry points along', () => {
  const rotations = new TriangleRotations(coarseSheet);
  const points = new CoarsePoints(
    coarseSheet,
    fineSheet.positions.map((x) => x + 0.01),
  );
  const rest = new Float64Array(3 * points.count);
  points.place(coarseSheet.positions, rotations.rotations, rest);
  rest.forEach((x, c) => {
    expect(x).toBeCloseTo(fineSheet.positions[c] + 0.01, 6);
  });
  fc.assert(
    fc.property(vector, vector, (v, t) => {
      const pose = moved(coarseSheet.positions, v, t);
      const r = new Float64Array(9);
      rotationOfVector(r, 0, v, 0);
      rotations.measure(pose);
      rotations.rotations.forEach((x, c) => {
        expect(x).toBeCloseTo(r[c % 9], 6);
      });
      const placed = new Float64Array(3 * points.count);
      points.place(pose, rotations.rotations, placed);
      const expected = moved(rest, v, t);
      placed.forEach((x, c) => {
        expect(x).toBeCloseTo(expected[c], 5);
      });
    }),
    { seed: 5, numRuns: 10 },
  );
});

it('examples are different frames, one for each group of like ones', () => {
  const random = seededRandom(2);
  const groups = 5;
  const rows = Float64Array.from({ length: 40 * 3 }, (_, at) => 10 * (Math.floor(at / 3) % groups) + 0.1 * random());
  const chosen = chooseExamples(rows, 3, groups, 1);
  expect(chosen).toHaveLength(groups);
  expect(new Set(chosen.map((k) => k % groups)).size).toBe(groups);
  expect(chooseExamples(rows, 3, 100, 1)).toEqual(Array.from({ length: 40 }, (_, k) => k));
});
