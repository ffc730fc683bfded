import { describe, expect, it } from 'vitest';
import { bakePoses, MIXED_POSE } from '../../src/light/bake-poses.ts';
import { invert34, multiply34 } from '../../src/math/matrix34.ts';
import type { ModelOrigin, SkinnedModel } from '../../src/model/skinned-model.ts';
import { DEFAULT_POSE } from '../../src/skin/choose-poses.ts';
import { smallFigure } from './small-figure.ts';

const model = smallFigure();

/** A bone's matrix seen from its parent's. */
function step(transforms: Float32Array, parent: number, j: number): number[] {
  const undo = new Float64Array(12);
  const out = new Float64Array(12);
  invert34(undo, 0, transforms, 12 * parent);
  multiply34(out, 0, undo, 0, transforms, 12 * j);
  return [...out];
}

describe('poses to trace', () => {
  it('are moments of clips and mixed ones in turn, the default pose first', () => {
    const poses = bakePoses([model], 12, 1);
    expect(poses.length).toBe(12);
    expect(poses[0].name).toBe(DEFAULT_POSE);
    expect(poses.map(({ name }) => name === MIXED_POSE)).toEqual(poses.map((_, p) => p % 2 === 1));
  });

  it('are the same for the same seed', () => {
    expect(bakePoses([model], 8, 3)).toEqual(bakePoses([model], 8, 3));
    const mixed = (seed: number) => bakePoses([model], 8, seed)[1].parts[0].transforms;
    expect(mixed(3)).not.toEqual(mixed(4));
  });

  it('mixed ones tear nothing apart: seen from their parents, bones stay where they are and only turn', () => {
    const { parents } = model.skeleton;
    for (const { name, parts } of bakePoses([model], 20, 1)) {
      if (name !== MIXED_POSE) continue;
      for (const [j, parent] of parents.entries()) {
        if (parent < 0) continue;
        const m = step(parts[0].transforms, parent, j);
        for (let r = 0; r < 9; r += 4) expect(Math.hypot(m[r], m[r + 1], m[r + 2])).toBeCloseTo(1, 3);
        // The joint itself, which the bone turns about, does not move against the parent.
        const joint = model.skeleton.inverseBind.subarray(12 * j, 12 * j + 12);
        for (const r of [0, 1, 2]) {
          const moved = m[4 * r + 3] - m[4 * r] * joint[3] - m[4 * r + 1] * joint[7] - m[4 * r + 2] * joint[11];
          expect(moved).toBeCloseTo(-joint[4 * r + 3], 4);
        }
      }
    }
  });

  it('mixed ones move models that share nodes alike', () => {
    const origin = { bones: Int32Array.from(model.skeleton.parents, (_, j) => 3 + j) } as ModelOrigin;
    const twins = [model, model].map((each): SkinnedModel => ({ ...each, origin }));
    for (const { parts } of bakePoses(twins, 12, 1)) expect(parts[1].transforms).toEqual(parts[0].transforms);
  });
});

it('the figure that these tests use has its outside outside', () => {
  const { positions: p, triangles } = model.mesh;
  for (let limb = 0; limb < triangles.length; limb += triangles.length / 7) {
    let volume = 0;
    for (let t = limb; t < limb + triangles.length / 7; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
      volume += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]);
      volume += p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]);
      volume += p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
    }
    expect(volume).toBeGreaterThan(0);
  }
});
