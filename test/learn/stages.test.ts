import { describe, expect, it } from 'vitest';
import { edgeWeights } from '../../src/decompose/translations/edge-weights.ts';
import { translationSolves } from '../../src/decompose/translations/translation-solves.ts';
import { Translator } from '../../src/decompose/translations/translator.ts';
import { clusterBones } from '../../src/learn/bones/cluster-bones.ts';
import { chooseControlPoints, controlInputs } from '../../src/learn/control-points.ts';
import { collectExamples, poseDistances } from '../../src/learn/examples.ts';
import { medoids } from '../../src/learn/medoids.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { varimax } from '../../src/math/varimax.ts';
import { meshEdges } from '../../src/mesh/adjacency.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';
import { moved, rotationOf } from '../mesh/shapes.ts';
import { bendingTube, bentTube, tubeMesh } from './bending-tube.ts';
import { weightsOf } from './weights-of.ts';

const angles = Array.from({ length: 9 }, (_, k) => 0.4 * k);

describe('medoids', () => {
  it('finds the middle of each cluster', () => {
    const line = [0, 1, 2, 50, 51, 52, 53, 54, 100];
    const distances = Float64Array.from(line.flatMap((a) => line.map((b) => Math.abs(a - b))));
    const all = Array.from(line.keys());
    expect(medoids(distances, 9, all, 3)).toEqual([1, 5, 8]);
    expect(medoids(distances, 9, all, 1)).toEqual([4]);
    expect(medoids(distances, 9, all, 9)).toEqual(all);
  });
});

describe('collectExamples', () => {
  it('leaves duplicates out and keeps as many as wanted', async () => {
    const tube = bendingTube([0, 1, 1, 2, 0]);
    const all = await collectExamples([tube], 0);
    expect(all.frames).toEqual([0, 1, 3]);
    expect(all.duplicates).toBe(2);
    expect((await collectExamples([tube], 2)).poses.length).toBe(2);
  });

  it.each([
    ['one pose again and again', () => [bendingTube([1, 1, 1])], /1 distinct example among 3/],
    [
      'different meshes',
      () => [bendingTube([0, 1]), memorySequence('other', tubeMesh(5), [tubeMesh(5).positions])],
      /different/,
    ],
    [
      'other faces',
      () => {
        const tube = bendingTube([0, 1]);
        const triangles = tube.rest.triangles.slice();
        triangles.set([0, 13, 12], 0); // the other diagonal
        return [tube, memorySequence('other', { ...tube.rest, triangles }, [tube.rest.positions])];
      },
      /other has different faces than tube/,
    ],
    [
      'no triangles',
      () => [memorySequence('dust', { positions: new Float32Array(9), triangles: new Uint32Array() }, [])],
      /no tri/,
    ],
    ['nothing', () => [], /no sequences/],
  ])('refuses %s', async (_, make, message) => {
    await expect(collectExamples(make(), 0)).rejects.toThrow(message);
  });

  it('takes the same faces in another order', async () => {
    const tube = bendingTube([0, 1]);
    const { triangles, positions } = tube.rest;
    const turned = Uint32Array.from([...triangles.subarray(3), triangles[1], triangles[2], triangles[0]]);
    const other = memorySequence('other', { positions, triangles: turned }, [positions.map((x) => 2 * x)]);
    expect((await collectExamples([tube, other], 0)).poses.length).toBe(3);
  });

  it('measures distances between poses', () => {
    const rest = tubeMesh();
    const up = rest.positions.map((x, at) => (at % 3 === 1 ? x + 2 : x));
    expect(poseDistances([rest.positions, up], rest.positions.length / 3)[1]).toBeCloseTo(2, 6);
  });
});

describe('varimax', () => {
  it('turns columns without changing rows’ lengths, towards few large entries', () => {
    const next = seededRandom(2);
    const [rows, m] = [60, 4];
    // Blocks, mixed by a rotation: varimax should find the blocks again.
    const blocks = Float64Array.from({ length: rows * m }, (_, at) =>
      Math.floor(at / m / 15) === at % m ? 1 + next() : 0,
    );
    const a = blocks.slice();
    for (let r = 0; r < rows; r++) {
      for (const [p, q, angle] of [
        [0, 1, 0.5],
        [1, 2, 0.9],
        [2, 3, 0.3],
        [0, 3, 0.7],
      ]) {
        const [x, y] = [a[r * m + p], a[r * m + q]];
        a[r * m + p] = Math.cos(angle) * x - Math.sin(angle) * y;
        a[r * m + q] = Math.sin(angle) * x + Math.cos(angle) * y;
      }
    }
    const before = a.slice();
    varimax(a, m);
    for (let r = 0; r < rows; r++) {
      const length = (x: Float64Array): number => Math.hypot(...x.subarray(r * m, (r + 1) * m));
      expect(length(a)).toBeCloseTo(length(before), 9);
      const entries = [...a.subarray(r * m, (r + 1) * m)].map(Math.abs).sort((x, y) => y - x);
      expect(entries[0]).toBeCloseTo(length(before), 2); // one entry carries the row
    }
  });
});

describe('control points', () => {
  it.each(['greedy', 'spread'] as const)('%s: apart, different, and the bent end among them', async (choice) => {
    const examples = await collectExamples([bendingTube(angles)], 0);
    const points = await chooseControlPoints(examples, 5, choice, 'linear-gaussian', 1e-4);
    expect(new Set(points).size).toBe(5);
    const x = [...points].map((i) => examples.rest.positions[3 * i]);
    expect(Math.max(...x)).toBeGreaterThan(3);
    expect(controlInputs(examples.poses, points).length).toBe(9 * 15);
  });

  it('are as many as there are vertices at most', async () => {
    const examples = await collectExamples([bendingTube(angles)], 0);
    await expect(chooseControlPoints(examples, 1e6, 'spread', 'linear', 1e-4)).rejects.toThrow(
      /at most the 396 vertices/,
    );
  });
});

/** Two tubes' worth of parts, each moving rigidly by itself. */
function twoParts(): { rest: Mesh; poses: Float32Array[] } {
  const one = tubeMesh(9, 8);
  const n = one.positions.length / 3;
  const other = one.positions.map((x, at) => (at % 3 === 1 ? x + 3 : x));
  const rest = {
    positions: Float32Array.from([...one.positions, ...other]),
    triangles: Uint32Array.from([...one.triangles, ...one.triangles.map((i) => i + n)]),
  };
  const poses = [0, 0.5, 1, 1.5].map((t) =>
    Float32Array.from([
      ...moved(one.positions, rotationOf([0, 0, 1], t), 1, [t, 0, 0]),
      ...moved(other, rotationOf([1, 0, 0], -t), 1, [0, 2 * t, 0]),
    ]),
  );
  return { rest, poses };
}

describe('bones', () => {
  it('of rigid parts are the parts, and no more are made than can help', async () => {
    const { rest, poses } = twoParts();
    const examples = await collectExamples([memorySequence('parts', rest, poses)], 0);
    const bones = await clusterBones(examples, 2);
    expect(bones.count).toBe(2);
    const skin = await weightsOf(examples, bones);
    validateWeights(skin, rest.positions.length / 3, bones.count);
    for (let i = 0; i < rest.positions.length / 3; i++) expect(skin.weights[4 * i]).toBeGreaterThan(0.999);
  });

  it.each([1, 7, 20])('%i on a bending tube: as many as asked for, each with faces, rigid', async (wanted) => {
    const examples = await collectExamples([bendingTube(angles)], 0);
    const { count, boneOf, transforms } = await clusterBones(examples, wanted);
    expect(count).toBe(wanted);
    expect(new Set(boneOf).size).toBe(wanted);
    for (let b = 0; b < transforms.length; b += 12) {
      for (let r = 0; r < 3; r++) {
        const row = transforms.subarray(b + 4 * r, b + 4 * r + 3);
        expect(Math.hypot(...row)).toBeCloseTo(1, 9);
      }
    }
  });
});

describe('translations', () => {
  it.each(['poisson', 'control-points'] as const)(
    '%s: a rigid motion comes back, from rotations and points',
    async (mode) => {
      const examples = await collectExamples([bendingTube(angles)], 0);
      const bones = await clusterBones(examples, 6);
      const skin = await weightsOf(examples, bones);
      const { rest } = examples;
      const edges = meshEdges(rest.triangles, rest.positions.length / 3);
      const edgeSkin = await edgeWeights(examples, bones, skin, edges);
      const points = Uint32Array.from([0, 100, 200, 390]);
      const [solve] = translationSolves([mode], { positions: rest.positions, edges, skin, edgeSkin, points, bones: 6 });
      const rotation = rotationOf([0.6, 0, 0.8], 1);
      const shift = [2, -1, 3];
      const whole = moved(rest.positions, rotation, 1, [2, -1, 3]);
      const goals = Float64Array.from([...points].flatMap((i) => [...whole.subarray(3 * i, 3 * i + 3)]));
      // All bones turn right but are misplaced by the same offset.
      const transforms = new Float64Array(12 * 6);
      for (let b = 0; b < 6; b++) {
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) transforms[12 * b + 4 * r + c] = rotation[3 * r + c];
          transforms[12 * b + 4 * r + 3] = shift[r] + 0.3;
        }
      }
      const translator = new Translator(solve, 6);
      translator.solvePoisson(transforms, goals);
      translator.pullHome(
        transforms,
        goals.map(() => -0.3),
      );
      for (let b = 0; b < 6; b++) {
        // What holds translations near the predicted ones leaves a little of the offset.
        for (let r = 0; r < 3; r++) expect(Math.abs(transforms[12 * b + 4 * r + 3] - shift[r])).toBeLessThan(0.12);
      }
    },
  );

  it('are defined for parts that no edge connects', async () => {
    const { rest, poses } = twoParts();
    const examples = await collectExamples([memorySequence('parts', rest, poses)], 0);
    const bones = await clusterBones(examples, 2);
    const skin = await weightsOf(examples, bones);
    const edges = meshEdges(rest.triangles, rest.positions.length / 3);
    const edgeSkin = await edgeWeights(examples, bones, skin, edges);
    const input = { positions: rest.positions, edges, skin, edgeSkin, points: Uint32Array.of(0), bones: 2 };
    for (const { pull, turn } of translationSolves(['poisson'], input)) {
      expect([...pull, ...turn!].every(Number.isFinite)).toBe(true);
    }
  });
});

it('the exact bend of the tube keeps the length of its axis', () => {
  const rest = tubeMesh();
  const bent = bentTube(rest, 2);
  const centre = (pose: Float32Array, ring: number): number[] =>
    [0, 1, 2].map((c) =>
      Array.from({ length: 12 }, (_, a) => pose[3 * (12 * ring + a) + c]).reduce((s, x) => s + x / 12, 0),
    );
  let length = 0;
  for (let ring = 1; ring < 33; ring++) {
    const [a, b] = [centre(bent, ring - 1), centre(bent, ring)];
    length += Math.hypot(...a.map((x, c) => x - b[c]));
  }
  expect(length).toBeCloseTo(4, 2);
});
