import { describe, expect, it } from 'vitest';
import { affineKind, type BoneKind, RIGID, trsKind } from '../../src/decompose/bones/bone-kinds.ts';
import { assembleNormalEquations } from '../../src/decompose/bones/normal-equations.ts';
import { solveAffine } from '../../src/decompose/bones/transforms-affine.ts';
import { quadraticValue } from '../../src/decompose/bones/transforms-per-frame.ts';
import { transformsForWeights, weightsForTransforms } from '../../src/decompose/locked.ts';
import { skinWeightsOf } from '../../src/decompose/skin-weights.ts';
import { FIT_OPTIONS } from '../../src/fit/fit-options.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { defaultsOf } from '../../src/model/options.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { grid, rotationOf, torus } from '../mesh/shapes.ts';
import { type BakedRig, bake, lbs, neighboursOf, problemOf } from './rigs.ts';

const TRS = trsKind(0);

const KINDS = ['affine', 'rigid', 'trs'] as const;
const MESHES = [
  { name: 'torus', mesh: torus(14, 8) },
  { name: 'flat grid', mesh: grid(12, 8) },
];

/** Root mean square error of the best bones for the rig's own weights, in diagonals. */
async function lockedError(rig: BakedRig, kind: (typeof KINDS)[number]): Promise<number> {
  const problem = await problemOf(rig.sequence);
  const settings = { ...defaultsOf(FIT_OPTIONS), bones: rig.boneCount, rigidity: 0, kind };
  const found = await transformsForWeights(problem, neighboursOf(rig.mesh), skinWeightsOf(rig.support), settings);
  return Math.sqrt(found.error / (problem.vertexCount * problem.frameCount));
}

/** The rig with a scale of every bone along its own constant axes. */
function scaling(rig: BakedRig): BakedRig {
  const transforms = rig.transforms.slice();
  for (let k = 0; k < rig.frameCount; k++) {
    for (let b = 0; b < rig.boneCount; b++) {
      const v = rotationOf([1, b, 0.5], 0.6 + b);
      const s = [1 + 0.4 * Math.sin(k + b), 1 - 0.3 * Math.cos(2 * k), 1 + 0.1 * k];
      const m = 12 * (k * rig.boneCount + b);
      // A·V·S·Vᵀ.
      const stretch = Array.from({ length: 9 }, (_, c) =>
        [0, 1, 2].reduce((sum, a) => sum + v[3 * Math.floor(c / 3) + a] * s[a] * v[3 * (c % 3) + a], 0),
      );
      for (let r = 0; r < 3; r++) {
        const row = rig.transforms.subarray(m + 4 * r, m + 4 * r + 3);
        for (let c = 0; c < 3; c++) {
          transforms[m + 4 * r + c] = row[0] * stretch[c] + row[1] * stretch[3 + c] + row[2] * stretch[6 + c];
        }
      }
    }
  }
  const frames = Array.from({ length: rig.frameCount }, (_, k) =>
    Float32Array.from(lbs(rig.mesh.positions, rig.support, transforms, rig.boneCount, k)),
  );
  return { ...rig, transforms, sequence: memorySequence('scaling', rig.mesh, frames) };
}

describe('transforms for given weights', () => {
  it.each(MESHES)('no step raises the error, whatever the kind: $name', async ({ mesh }) => {
    for (let seed = 1; seed <= 4; seed++) {
      const rig = bake(mesh, { bones: 4, frames: 8, angle: 2, shear: 0.4, seed });
      const problem = await problemOf(rig.sequence);
      const equations = assembleNormalEquations(problem, rig.support, rig.boneCount);
      const free = solveAffine(equations, new Float64Array(4 * rig.boneCount * problem.rank), 1e-9);
      for (const kind of [RIGID, TRS, affineKind(0)] as BoneKind<never>[]) {
        // Scales across flat supports are pulled towards 1, which new axes may turn the pull of.
        const slack = kind.name === 'trs' ? 2e-5 : 1e-9;
        let bones = kind.solve(problem, equations, kind.fromAffine(problem, free), 1e-7);
        let before = quadraticValue(problem, equations, kind.frames(problem, bones));
        for (let round = 0; round < 30; round++) {
          bones = kind.solve(problem, equations, bones, 1e-7);
          const value = quadraticValue(problem, equations, kind.frames(problem, bones));
          expect(value - before, `${kind.name}, seed ${seed}, round ${round}`).toBeLessThan(slack * Math.abs(before));
          before = value;
        }
      }
    }
  });

  it('are those of the rig', async () => {
    const rig = bake(torus(14, 8), { bones: 3, frames: 8 });
    for (const kind of KINDS) expect(await lockedError(rig, kind), kind).toBeLessThan(1e-5);
    const scaled = scaling(rig);
    expect(await lockedError(scaled, 'affine')).toBeLessThan(1e-5);
    expect(await lockedError(scaled, 'trs')).toBeLessThan(1e-5);
    expect(await lockedError(scaled, 'rigid')).toBeGreaterThan(1e-2);
  });

  it.each(MESHES)('the more a kind can do, the smaller the error: $name', async ({ mesh }) => {
    const rig = bake(mesh, { bones: 4, frames: 8, angle: 1.5, shear: 0.3, seed: 5 });
    const [affine, rigid, trs] = await Promise.all(KINDS.map((kind) => lockedError(rig, kind)));
    expect(affine).toBeLessThan(trs);
    expect(trs).toBeLessThan(rigid);
  });

  it('and weights for its transforms are those of the rig', async () => {
    const rig = bake(torus(14, 8), { bones: 3, frames: 8 });
    const problem = await problemOf(rig.sequence);
    const settings = { ...defaultsOf(FIT_OPTIONS), bones: 3, kind: 'affine' as const };
    const found = await weightsForTransforms(problem, neighboursOf(rig.mesh), rig.transforms, settings);
    expect(Math.sqrt(found.error / (vertexCount(rig.mesh) * rig.frameCount))).toBeLessThan(1e-5);
  });
});
