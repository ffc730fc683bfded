import type { SkinnedMesh } from 'three';
import { describe, expect, it } from 'vitest';
import { BlendBoneDriver, useSkinning } from '../../adapters/three/index.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { expandToSplit } from '../../src/mesh/seams.ts';
import { clipFrame } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { farthest } from '../skin/rigs.ts';
import { loadInThree, type ThreeScene, threeVertices } from '../three-scene.ts';

const FRAME = 8;

/** Writes a model and loads it with three.js, posed as its first clip has it at `FRAME`. */
async function posedInThree(model: SkinnedModel): Promise<ThreeScene & { mesh: SkinnedMesh; update(): void }> {
  const { bytes } = await writeModelGlb(model, { weights: 'float' });
  const loaded = await loadInThree(bytes);
  const clip = loaded.animations.find(({ name }) => name === model.clips[0].name)!;
  const update = () => loaded.pose(clip, model.clips[0].times[FRAME]);
  update();
  return { ...loaded, update, mesh: loaded.meshes[0] as SkinnedMesh };
}

/** The vertices of a model in a pose, per split vertex, sorted: files may have them in another order. */
const sorted = (positions: ArrayLike<number>): number[] => {
  const points = Array.from({ length: positions.length / 3 }, (_, i) => [0, 1, 2].map((c) => positions[3 * i + c]));
  return points.sort((a, b) => compare(a, b)).flat();
};
const compare = (a: number[], b: number[]): number => {
  const c = a.findIndex((x, n) => Math.abs(x - b[n]) > 1e-5);
  return c < 0 ? 0 : a[c] - b[c];
};

describe('GLB files of Pliant in three.js', () => {
  it.each(['dqs', 'sdqs'] as const)(
    'BlendBoneDriver brings a linearized rig to its baked pose: %s',
    async (operator) => {
      const result = await linearize(sampleBox(120, 12, 24), { operator, blendBones: 3, measure: false });
      const { mesh, meshes } = await posedInThree(result.model);
      const baked = threeVertices(meshes);
      const driver = new BlendBoneDriver(mesh);
      expect(driver.bones.length).toBe(result.model.blendBones!.bones.length);
      // Whatever the clip says of blend bones, the driver knows better.
      for (const bone of driver.bones) bone.matrix.makeScale(7, 7, 7);
      driver.update();
      expect(farthest(threeVertices(meshes), baked)).toBeLessThan(1e-4);
    },
  );

  it('mix weights arrive as the attribute _mix', async () => {
    const model = sampleBox(120, 12, 24);
    const n = model.mesh.positions.length / 3;
    model.mixWeights = Float32Array.from({ length: n }, (_, i) => model.mesh.positions[3 * i + 1] / 2);
    const { mesh, meshes } = await posedInThree(model);
    useSkinning(mesh, 'mix');
    const { positions } = skinPlain(model, clipFrame(model.clips[0], FRAME), { operator: 'mix' });
    const expected = expandToSplit(Float32Array.from(positions), 3, model.mesh.seams!);
    const error = farthest(sorted(threeVertices(meshes)), sorted(expected));
    expect(error / diagonalOf(model.mesh.positions)).toBeLessThan(1e-4);
  });
});
