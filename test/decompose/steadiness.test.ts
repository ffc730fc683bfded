import { describe, expect, it } from 'vitest';
import { BoneSolver } from '../../src/decompose/bone-solver.ts';
import { expandToFrames } from '../../src/decompose/bones/bone-frames.ts';
import { affineKind, type BoneKind, RIGID, trsKind } from '../../src/decompose/bones/bone-kinds.ts';
import { assembleNormalEquations, type NormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { halfWayError, pullTowardsNeighbours } from '../../src/decompose/bones/steadiness.ts';
import { solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { quadraticValue } from '../../src/decompose/bones/transforms-per-frame.ts';
import { plainEngine } from '../../src/decompose/engine/engine.ts';
import { supportOf } from '../../src/decompose/problem.ts';
import { reduceSequence } from '../../src/decompose/reduce.ts';
import { settle } from '../../src/decompose/settle.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { memorySequence } from '../../src/model/sequence.ts';

const AFFINE = affineKind(0);
const TRS = trsKind(0);

const VERTICES = 60;
const FRAMES = 12;

/** Two bones on one shaft that is thin as a needle: about it, they may turn as they like, and noise decides. */
async function needle(turnPerFrame = 0.1, noise = 0.004) {
  const random = seededRandom(11);
  const positions = Float32Array.from({ length: 3 * VERTICES }, (_, c) => (c % 3 === 0 ? 1 : 0.01) * (random() - 0.5));
  const frames = Array.from({ length: FRAMES }, (_, k) => {
    const out = positions.slice();
    for (let i = 0; i < 3 * VERTICES; i += 3) {
      const angle = k * turnPerFrame * (positions[i] > 0 ? 1 : -1);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [x, y] = [positions[i], positions[i + 1]];
      out.set([cos * x - sin * y, sin * x + cos * y, positions[i + 2]], i);
      for (let c = 0; c < 3; c++) out[i + c] += noise * (random() - 0.5);
    }
    return out;
  });
  const rest = { positions, triangles: new Uint32Array(0) };
  const problem = await reduceSequence(memorySequence('needle', rest, frames), 1e-9);
  const support = supportOf(Int32Array.from({ length: VERTICES }, (_, i) => (positions[3 * i] > 0 ? 1 : 0)));
  const equations = assembleNormalEquations(problem, support, 2);
  const free = solveAffine(equations, new Float64Array(8 * problem.rank), 1e-12);
  return { problem, support, equations, free };
}

type Needle = Awaited<ReturnType<typeof needle>>;
const KINDS: BoneKind<never>[] = [AFFINE, RIGID, TRS] as never[];

/** The squared errors at keys and half-way, the first but for a constant. */
function errors({ problem, equations }: Needle, frames: Float64Array): [number, number] {
  return [quadraticValue(problem, equations, frames), halfWayError(problem, equations, frames)];
}

describe('steadiness', () => {
  it.each(KINDS)('lowers the sum of errors at keys and half-way: $name', async (kind) => {
    const given = await needle();
    const { problem, equations, free } = given;
    let bones = kind.fromAffine(problem, free);
    for (let round = 0; round < 20; round++) bones = kind.solve(problem, equations, bones, 1e-12);
    const [keys, between] = errors(given, kind.frames(problem, bones));
    let steady = bones;
    let before = keys + between;
    for (let round = 0; round < 20; round++) {
      steady = kind.solve(problem, equations, steady, 1e-12, 1);
      const [a, b] = errors(given, kind.frames(problem, steady));
      expect(a + b).toBeLessThan(before + 1e-6 * Math.abs(before));
      before = a + b;
    }
    const [keysAfter, betweenAfter] = errors(given, kind.frames(problem, steady));
    expect(betweenAfter).toBeLessThan(between);
    expect(keysAfter + betweenAfter).toBeLessThan(keys + between + 1e-6 * Math.abs(keys));
  });

  it.each(KINDS)('changes nothing where nothing moves, and nothing at strength 0: $name', async (kind) => {
    const { problem, equations, free } = await needle(0, 0);
    const bones = kind.solve(problem, equations, kind.fromAffine(problem, free), 1e-12);
    const again = kind.frames(problem, kind.solve(problem, equations, bones, 1e-12));
    const steady = kind.frames(problem, kind.solve(problem, equations, bones, 1e-12, 1));
    for (let c = 0; c < again.length; c++) expect(steady[c]).toBeCloseTo(again[c], 6);
    const moving = await needle();
    expect(pullTowardsNeighbours(moving.problem, moving.equations, moving.free, 0)).toEqual(moving.equations);
  });

  it('holds a single turn to the half-way error of a turn', async () => {
    const { problem, equations } = await needle(0.2, 0);
    const frames = new Float64Array(8 * 3 * FRAMES);
    for (let b = 0; b < 2; b++) {
      for (let k = 0; k < FRAMES; k++) {
        const [cos, sin] = [Math.cos(0.2 * k), Math.sin(0.2 * k)];
        const linear = [cos, sin, 0, -sin, cos, 0, 0, 0, 1];
        for (let c = 0; c < 3; c++) frames.set(linear.slice(3 * c, 3 * c + 3), (4 * b + c) * 3 * FRAMES + 3 * k);
      }
    }
    // The needle lies across the axis: all of its variance is off by 1 − cos 0.1, in 2 × 11 steps.
    let expected = 0;
    for (let b = 0; b < 2; b++) expected += 11 * (1 - Math.cos(0.1)) ** 2 * traceOf(equations, b);
    const found = halfWayError(problem, equations, frames);
    expect(found / expected).toBeGreaterThan(0.5);
    expect(found / expected).toBeLessThan(5);
  });

  it('does not reach across clips', async () => {
    const given = await needle();
    const cut = { ...given.problem, clipStarts: Array.from({ length: FRAMES - 1 }, (_, k) => k + 1) };
    expect(pullTowardsNeighbours(cut, given.equations, given.free, 1)).toEqual(given.equations);
    const frames = expandToFrames(cut, given.free);
    expect(halfWayError(cut, given.equations, frames)).toBe(0);
    const rigid = RIGID.fromAffine(cut, given.free);
    expect(RIGID.solve(cut, given.equations, rigid, 0, 1)).toEqual(RIGID.solve(cut, given.equations, rigid, 0));
  });
});

const traceOf = ({ boneCount, h }: NormalEquations, b: number): number => {
  const at = (s: number, t: number) => h[(4 * b + s) * 4 * boneCount + 4 * b + t];
  return [0, 1, 2].reduce((sum, s) => sum + at(s, s) - at(s, 3) ** 2 / at(3, 3), 0);
};

/** Vertices without neighbours. */
const alone = (n: number) => ({ offsets: new Uint32Array(n + 1), items: new Uint32Array(0) });

describe('settle', () => {
  it.each(KINDS)('never raises the error beyond what is allowed: $name', async (kind) => {
    const { problem, support, equations, free } = await needle(0.4);
    const solver = new BoneSolver(plainEngine(problem, alone(problem.vertexCount)), kind);
    let bones = kind.fromAffine(problem, free);
    for (let round = 0; round < 20; round++) bones = kind.solve(problem, equations, bones, 1e-12);
    const error = await solver.solveWeights(bones, support, { exchange: false });
    const before = structuredClone(support);
    for (const allowance of [0, 1, 20]) {
      const settled = await settle(solver, { bones, support, error }, allowance);
      expect(settled.error).toBeLessThanOrEqual(error * (1 + allowance / 100) ** 2);
      expect(support).toEqual(before);
      if (allowance === 0) expect(settled).toEqual({ bones, support, error, steadiness: 0 });
      if (allowance === 20) expect(settled.steadiness).toBeGreaterThan(0);
    }
  });
});
