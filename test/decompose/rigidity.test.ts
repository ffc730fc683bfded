import { expect, it } from 'vitest';
import { expandToFrames } from '../../src/decompose/bones/bone-frames.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { pullTowardsRotations, solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { emptySupport } from '../../src/decompose/problem.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { determinant34 } from '../../src/math/matrix34.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { memorySequence } from '../../src/model/sequence.ts';

/** One bone whose vertices lie nearly in a plane, and stretch a little: across the plane data are only noise. */
async function thinBone() {
  const random = seededRandom(8);
  const positions = Float32Array.from({ length: 120 }, (_, c) => (c % 3 === 2 ? 1e-3 : 1) * (random() - 0.5));
  const frames = Array.from({ length: 10 }, (_, k) => {
    const [cos, sin] = [Math.cos(0.3 * k), Math.sin(0.3 * k)];
    const out = positions.slice();
    for (let i = 0; i < 120; i += 3) {
      const [x, y] = [1.1 * positions[i], positions[i + 1]];
      out.set([cos * x - sin * y, sin * x + cos * y, positions[i + 2]], i);
      for (let c = 0; c < 3; c++) out[i + c] += 0.01 * (random() - 0.5);
    }
    return out;
  });
  const rest = { positions, triangles: new Uint32Array(0) };
  const problem = await reduceSequence(memorySequence('thin', rest, frames), 1e-7);
  const support = emptySupport(40, 1);
  support.count.fill(1);
  support.weights.fill(1);
  const equations = assembleNormalEquations(problem, support, 1);
  return { problem, equations, free: solveAffine(equations, new Float64Array(4 * problem.rank), 1e-12) };
}

/** Per frame the determinant of the linear part. */
function determinants(frames: Float64Array, count: number): number[] {
  return Array.from({ length: count }, (_, k) => {
    const m = new Float64Array(12);
    for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) m[4 * r + c] = frames[c * 3 * count + 3 * k + r];
    return determinant34(m);
  });
}

it('tames what the data do not determine, and leaves alone what they do', async () => {
  const { problem, equations, free } = await thinBone();
  const before = structuredClone(equations);
  let bones = free;
  for (let step = 0; step < 5; step++) {
    bones = solveAffine(pullTowardsRotations(problem, equations, bones, 1e-3), bones, 1e-12);
  }
  expect(equations).toEqual(before);
  const wild = determinants(expandToFrames(problem, free), 10);
  const tame = determinants(expandToFrames(problem, bones), 10);
  const spread = (values: number[]) => Math.max(...values.map((d) => Math.abs(d - 1.1)));
  expect(spread(wild)).toBeGreaterThan(1);
  expect(spread(tame)).toBeLessThan(0.3);
  // In the plane the stretch of 1.1 is data, which a pull of a thousandth hardly moves.
  const columns = expandToFrames(problem, bones);
  for (let k = 0; k < 10; k++) {
    const length = Math.hypot(columns[3 * k], columns[3 * k + 1], columns[3 * k + 2]);
    expect(length).toBeGreaterThan(1.08);
  }
});

it('changes nothing at strength 0', async () => {
  const { problem, equations, free } = await thinBone();
  expect(pullTowardsRotations(problem, equations, free, 0)).toEqual(equations);
});
