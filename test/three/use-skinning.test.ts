import { MeshDepthMaterial, MeshStandardMaterial, SkinnedMesh, Vector3 } from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { describe, expect, it, vi } from 'vitest';
import { skinMaterial, THREE_OPERATORS, useSkinning } from '../../adapters/three/index.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { farthest, randomPose, randomRig } from '../skin/rigs.ts';
import { threeModel } from '../three-mesh.ts';

/** The shader that three.js would compile for a material. */
function compile(material: MeshStandardMaterial): string {
  const shader = {
    vertexShader: '#include <skinning_pars_vertex> #include <skinbase_vertex> #include <skinning_vertex>',
    fragmentShader: '',
    uniforms: {},
  };
  material.onBeforeCompile(shader as never, undefined as never);
  return shader.vertexShader;
}

describe('useSkinning', () => {
  it.each(THREE_OPERATORS)('%s: applyBoneTransform is what the library computes', (operator) => {
    const model = randomRig({ seed: 11, vertices: 60 });
    const { mesh, pose } = threeModel(model);
    useSkinning(mesh, operator);
    const transforms = randomPose(model, { seed: 12, scale: 1.3 });
    pose(transforms);
    const point = new Vector3();
    const found = Array.from({ length: 60 }, (_, i) => mesh.getVertexPosition(i, point).toArray()).flat();
    expect(farthest(found, skinPlain(model, transforms, { operator }).positions)).toBeLessThan(1e-6);
  });

  it.each(['dqs', 'mix'] as const)('%s: clones by SkeletonUtils are blended alike, shadows too', (operator) => {
    const model = randomRig({ seed: 21, vertices: 60 });
    const { mesh, pose } = threeModel(model);
    const skinning = useSkinning(mesh, operator, { antipodality: true });
    const own = new MeshDepthMaterial();
    mesh.customDepthMaterial = own;
    useSkinning(mesh, operator);
    const copy = clone(mesh) as SkinnedMesh;
    expect(copy.skeleton).not.toBe(mesh.skeleton);
    expect(copy.customDepthMaterial).toBe(own);
    expect(copy.customDistanceMaterial).toBeDefined();
    expect(copy.customDistanceMaterial).not.toBe(mesh.customDistanceMaterial);
    // The clone has a pose of its own, also in the texture that the shader reads.
    const [here, there] = [31, 32].map((seed) => randomPose(model, { seed, scale: 1.2 }));
    pose(here);
    copy.skeleton.bones.forEach((bone, j) => {
      bone.matrix.copy(mesh.skeleton.bones[j].matrix);
    });
    copy.updateMatrixWorld(true);
    pose(there);
    const positionsOf = (of: SkinnedMesh) =>
      Array.from({ length: 60 }, (_, i) => of.getVertexPosition(i, new Vector3()).toArray()).flat();
    expect(farthest(positionsOf(copy), skinPlain(model, here, { operator }).positions)).toBeLessThan(1e-6);
    expect(farthest(positionsOf(mesh), skinPlain(model, there, { operator }).positions)).toBeLessThan(1e-6);
    const { data } = copy.skeleton.boneTexture!.image as { data: Float32Array };
    expect(data[data.length - 1]).toBe(2); // a palette of ours
    skinning.dispose();
  });

  it('keeps the material’s own onBeforeCompile and cache key, and gives them back', () => {
    const material = new MeshStandardMaterial();
    const own = vi.fn((shader: { vertexShader: string }) => {
      shader.vertexShader += '// mine';
    });
    material.onBeforeCompile = own as never;
    const key = material.customProgramCacheKey();
    const { mesh } = threeModel(randomRig({ seed: 1 }), material);
    const skinning = useSkinning(mesh, 'dqs');
    expect(compile(material)).toMatch(/pliantSkinMatrix[\s\S]*\/\/ mine/);
    expect(own).toHaveBeenCalledOnce();
    expect(material.customProgramCacheKey()).toContain(key);
    expect(material.customProgramCacheKey()).not.toBe(key);
    skinning.dispose();
    expect(material.onBeforeCompile).toBe(own);
    expect(material.customProgramCacheKey()).toBe(key);
    expect(compile(material)).not.toContain('pliant');
  });

  it('has a cache key of its own for every operator, with and without antipodality', () => {
    const keys = THREE_OPERATORS.flatMap((operator) =>
      [true, false].map((antipodality) => {
        const material = new MeshStandardMaterial();
        skinMaterial(material, operator, { antipodality });
        return material.customProgramCacheKey();
      }),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('counts the meshes that share a material and a skeleton', () => {
    const material = new MeshStandardMaterial();
    const { mesh } = threeModel(randomRig({ seed: 1 }), material);
    const other = new SkinnedMesh(mesh.geometry, material);
    other.bind(mesh.skeleton, mesh.bindMatrix);
    const first = useSkinning(mesh, 'sdqs');
    const second = useSkinning(other, 'sdqs');
    const texture = mesh.skeleton.boneTexture;
    first.dispose();
    first.dispose();
    expect(mesh.skeleton.boneTexture).toBe(texture);
    expect(compile(material)).toContain('pliant');
    second.dispose();
    expect(mesh.skeleton.boneTexture).toBeNull();
    expect(mesh.skeleton.boneMatrices).toHaveLength(16 * mesh.skeleton.bones.length);
    expect(compile(material)).not.toContain('pliant');
    expect([mesh.customDepthMaterial, mesh.customDistanceMaterial]).toEqual([undefined, undefined]);
    expect(Object.keys(mesh)).not.toContain('applyBoneTransform');
  });

  it('takes a list of materials, even with one of them twice', () => {
    const material = new MeshStandardMaterial();
    const { mesh } = threeModel(randomRig({ seed: 1 }), material);
    mesh.material = [material, new MeshStandardMaterial(), material];
    useSkinning(mesh, 'dqs').dispose();
    expect(compile(material)).not.toContain('pliant');
  });

  it('changes the operator when called again', () => {
    const material = new MeshStandardMaterial();
    const { mesh } = threeModel(randomRig({ seed: 1 }), material);
    useSkinning(mesh, 'dqs');
    expect(useSkinning(mesh, 'mix').operator).toBe('mix');
    expect(compile(material)).toContain('_mix');
  });

  it('follows the mesh to another material when it is drawn, and refuses WebGPURenderer', () => {
    const { mesh } = threeModel(randomRig({ seed: 1 }));
    const before = mesh.material as MeshStandardMaterial;
    useSkinning(mesh, 'dqs');
    const after = new MeshStandardMaterial();
    mesh.material = after;
    const draw = (renderer: object) =>
      mesh.onBeforeRender(renderer as never, ...([] as unknown as [never, never, never, never, never]));
    draw({ isWebGLRenderer: true });
    expect(compile(after)).toContain('pliant');
    expect(compile(before)).not.toContain('pliant');
    expect(() => draw({ isWebGPURenderer: true })).toThrow(
      expect.objectContaining({ code: 'unsupported', operation: 'useSkinning' }),
    );
  });

  it('says what is wrong', () => {
    const rig = randomRig({ seed: 1 });
    const { mesh } = threeModel(rig);
    expect(() => useSkinning(mesh, 'dib' as never)).toThrow(
      expect.objectContaining({ code: 'bad-option', operation: 'useSkinning' }),
    );
    mesh.geometry.deleteAttribute('_mix');
    expect(() => useSkinning(mesh, 'mix')).toThrow(
      expect.objectContaining({ code: 'bad-input', operation: 'useSkinning' }),
    );
    expect(() => useSkinning(new SkinnedMesh(), 'dqs')).toThrow(
      expect.objectContaining({ code: 'bad-input', operation: 'useSkinning' }),
    );
    const material = new MeshStandardMaterial({ name: 'skin' });
    skinMaterial(material, 'dqs');
    const { mesh: third } = threeModel(rig, material);
    expect(() => useSkinning(third, 'sdqs')).toThrow(
      expect.objectContaining({ code: 'bad-input', operation: 'useSkinning' }),
    );
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = '#include <skinning_pars_vertex>';
    };
    const bare = material.clone();
    bare.onBeforeCompile = material.onBeforeCompile;
    skinMaterial(bare, 'dqs');
    expect(() => compile(bare)).toThrow(expect.objectContaining({ code: 'unsupported', operation: 'useSkinning' }));
    expect([third.skeleton.boneTexture, third.customDepthMaterial]).toEqual([null, undefined]);
  });
});
