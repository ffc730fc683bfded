import { expect } from 'vitest';
import type { ModelGlbOptions } from '../../../src/io/glb/options.ts';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { diagonalOf } from '../../../src/mesh/bounds.ts';
import { splitVertices } from '../../../src/mesh/seams.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { clipFrame } from '../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { expectValidGlb } from '../../validate-glb.ts';
import { largestDistance, naiveLbs, readGlb } from '../gltf/fixtures.ts';

/** Each triangle starting at its smallest corner: compression may turn triangles. */
function turned(triangles: Uint32Array): number[][] {
  return Array.from({ length: triangles.length / 3 }, (_, f) => {
    const t = [...triangles.subarray(3 * f, 3 * f + 3)];
    const first = t.indexOf(Math.min(...t));
    return [...t.slice(first), ...t.slice(0, first)];
  });
}

export function expectSameMesh(got: Mesh, expected: Mesh): void {
  expect(got.positions).toEqual(expected.positions);
  expect(turned(got.triangles)).toEqual(turned(expected.triangles));
  expect(got.seams?.vertexOf).toEqual(expected.seams?.vertexOf);
  expect(turned(splitVertices(got).triangles)).toEqual(turned(splitVertices(expected).triangles));
  expect(got.groups).toEqual(expected.groups);
  expect(got.materials).toEqual(expected.materials);
  for (const name of ['uvs', 'normals'] as const) {
    expect(got[name]?.length).toBe(expected[name]?.length);
    for (const [c, x] of (got[name] ?? []).entries()) expect(x).toBeCloseTo(expected[name]![c], 6);
  }
}

/** Poses agree at every key of every clip. */
export function expectSamePoses(got: SkinnedModel, expected: SkinnedModel, tolerance: number): void {
  const diagonal = diagonalOf(expected.mesh.positions);
  expect(got.clips.map((clip) => clip.name)).toEqual(expected.clips.map((clip) => clip.name));
  got.clips.forEach((clip, c) => {
    expect([...clip.times]).toEqual([...expected.clips[c].times]);
    for (let k = 0; k < clip.times.length; k++) {
      const ours = naiveLbs(got, clipFrame(clip, k));
      const theirs = naiveLbs(expected, clipFrame(expected.clips[c], k));
      expect(largestDistance(ours, theirs) / diagonal, `${clip.name} key ${k}`).toBeLessThan(tolerance);
    }
  });
}

/** A model as a file, which the validator accepts, and as it is read back. */
export const written = async (model: SkinnedModel | SkinnedModel[], options: Partial<ModelGlbOptions> = {}) => {
  const { bytes, report } = await writeModelGlb(model, options);
  await expectValidGlb(bytes);
  return { bytes, report, asset: await readGlb(bytes) };
};
