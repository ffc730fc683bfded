import { AnimationClip, Mesh, type SkinnedMesh } from 'three';
import { describe, expect, it } from 'vitest';
import {
  BlendBoneDriver,
  ClothMesh,
  computeClipBounds,
  exactBounds,
  GeometryImageMesh,
  LodMesh,
  PredictorMesh,
  SkinnedCrowd,
  skinMaterial,
  useSkinning,
} from '../../adapters/three/index.ts';
import { randomRig } from '../skin/rigs.ts';
import { threeModel } from '../three-mesh.ts';

/** What a program has when `getObjectByName` found nothing, a clip's name was wrong, or types were not looked at. */
const nothing = undefined as never;

describe('what is not there', () => {
  const { mesh } = threeModel(randomRig({ seed: 3 }));
  const clip = new AnimationClip('still', 1, []);

  it.each<[string, () => unknown]>([
    ['useSkinning', () => useSkinning(nothing, 'dqs')],
    ['useSkinning', () => useSkinning(null as never, 'dqs')],
    ['useSkinning', () => useSkinning(new Mesh() as unknown as SkinnedMesh, 'dqs')],
    ['useSkinning', () => skinMaterial(nothing, 'dqs')],
    ['exactBounds', () => exactBounds(nothing)],
    ['computeClipBounds', () => computeClipBounds(nothing, clip)],
    ['computeClipBounds', () => computeClipBounds(mesh, nothing)],
    ['BlendBoneDriver', () => new BlendBoneDriver(nothing)],
    ['LodMesh', () => new LodMesh(nothing, [{ geometry: mesh.geometry, error: 0 }])],
    ['LodMesh', () => new LodMesh(mesh, [nothing])],
    ['LodMesh', () => new LodMesh(mesh, [{ geometry: nothing, error: 0 }])],
    ['SkinnedCrowd', () => new SkinnedCrowd(nothing)],
    ['SkinnedCrowd', () => new SkinnedCrowd(mesh, { clips: [nothing] })],
    ['GeometryImageMesh', () => new GeometryImageMesh(nothing, mesh.material)],
    ['PredictorMesh', () => new PredictorMesh(nothing)],
  ])('is refused by %s as bad input', (operation, act) => {
    let thrown: unknown;
    try {
      act();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ name: 'PliantError', code: 'bad-input', operation });
  });

  it('is refused by ClothMesh as bad input', async () => {
    await expect(ClothMesh.create(mesh, nothing)).rejects.toMatchObject({ code: 'bad-input' });
    await expect(ClothMesh.create(nothing, mesh)).rejects.toMatchObject({ code: 'bad-input' });
  });
});
