import { expect, it } from 'vitest';
import { sheet } from '../../src/cloth/shapes.ts';
import { poissonSolve } from '../../src/decompose/translations/translation-solves.ts';
import { Translator } from '../../src/decompose/translations/translator.ts';
import { choleskyFactor, choleskySolve } from '../../src/math/cholesky.ts';
import { type Random, seededRandom } from '../../src/math/rng.ts';
import { rotationOfVector } from '../../src/math/rotation-vector.ts';
import { edgeCount, meshEdges } from '../../src/mesh/adjacency.ts';
import type { SkinWeights } from '../../src/model/skinned-model.ts';

const BONES = 5;
const STRENGTH = { pull: 0.3, hold: 0.02 };
const { positions: v, triangles } = sheet('sheet', 40, [0, 0, 0], [1, 0, 0], [0, 1, 0]);
const edges = meshEdges(triangles, v.length / 3);

/** Two bones for each of `count` things, weights sum 1. */
function someWeights(count: number, random: Random): SkinWeights {
  const joints = new Uint16Array(2 * count);
  const weights = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const first = Math.floor(BONES * random());
    joints.set([first, (first + 1) % BONES], 2 * i);
    const w = random();
    weights.set([w, 1 - w], 2 * i);
  }
  return { influences: 2, joints, weights };
}

it('the prepared solution of (2.11) is that of its rows, solved densely', () => {
  const random = seededRandom(6);
  const skin = someWeights(v.length / 3, random);
  const edgeSkin = someWeights(edgeCount(edges), random);
  const points = Uint32Array.of(0, 7, 20, 33);
  const transforms = new Float64Array(12 * BONES);
  for (let b = 0; b < BONES; b++) {
    const r = new Float64Array(9);
    rotationOfVector(r, 0, [2 * random(), -random(), random()], 0);
    for (let c = 0; c < 9; c++) transforms[12 * b + 4 * Math.floor(c / 3) + (c % 3)] = r[c];
    for (let c = 0; c < 3; c++) transforms[12 * b + 4 * c + 3] = random();
  }
  const goals = Float64Array.from({ length: 3 * points.length }, () => random());

  // One row per edge, per point and per bone: coefficients of the translations, and what they shall add up to.
  const rows: { a: number[]; goal: number[]; weight: number }[] = [];
  const weightOf = ({ influences, joints, weights }: SkinWeights, i: number, b: number): number =>
    [...Array(influences).keys()].reduce((sum, s) => {
      const at = i * influences + s;
      return sum + (joints[at] === b ? weights[at] : 0);
    }, 0);
  const turned = (b: number, x: number[]): number[] =>
    [0, 1, 2].map((r) => x.reduce((sum, value, c) => sum + transforms[12 * b + 4 * r + c] * value, 0));
  const place = (i: number): number[] => [...v.subarray(3 * i, 3 * i + 3)];
  const bones = [...Array(BONES).keys()];
  const sumUp = (parts: number[][]): number[] => [0, 1, 2].map((c) => parts.reduce((sum, part) => sum + part[c], 0));
  for (let e = 0; e < edgeCount(edges); e++) {
    const [p, q] = edges.vertices.subarray(2 * e, 2 * e + 2);
    const wish = bones.map((b) => {
      const [wp, wq, we] = [weightOf(skin, p, b), weightOf(skin, q, b), weightOf(edgeSkin, e, b)];
      return turned(
        b,
        place(p).map((x, c) => we * (x - place(q)[c]) - wp * x + wq * place(q)[c]),
      );
    });
    rows.push({ a: bones.map((b) => weightOf(skin, p, b) - weightOf(skin, q, b)), goal: sumUp(wish), weight: 1 });
  }
  const trace = rows.reduce((sum, { a }) => sum + a.reduce((square, x) => square + x * x, 0), 0);
  points.forEach((i, l) => {
    const there = sumUp(bones.map((b) => turned(b, place(i)).map((x) => weightOf(skin, i, b) * x)));
    rows.push({
      a: bones.map((b) => weightOf(skin, i, b)),
      goal: [...goals.subarray(3 * l, 3 * l + 3)].map((x, c) => x - there[c]),
      weight: (STRENGTH.pull * edgeCount(edges)) / points.length,
    });
  });
  bones.forEach((b) => {
    const predicted = [3, 7, 11].map((c) => transforms[12 * b + c]);
    rows.push({ a: bones.map((o) => (o === b ? 1 : 0)), goal: predicted, weight: (STRENGTH.hold * trace) / BONES });
  });
  const normal = new Float64Array(BONES * BONES);
  const expected = new Float64Array(BONES * 3);
  for (const { a, goal, weight } of rows) {
    for (const b of bones) {
      for (const o of bones) normal[b * BONES + o] += weight * a[b] * a[o];
      for (let c = 0; c < 3; c++) expected[3 * b + c] += weight * a[b] * goal[c];
    }
  }
  choleskyFactor(normal, BONES);
  choleskySolve(normal, BONES, expected, 3);

  const solve = poissonSolve({ positions: v, edges, skin, edgeSkin, points, bones: BONES }, STRENGTH);
  new Translator(solve, BONES).solvePoisson(transforms, goals);
  for (const b of bones) {
    for (let c = 0; c < 3; c++) expect(transforms[12 * b + 4 * c + 3]).toBeCloseTo(expected[3 * b + c], 6);
  }
});
