import type { GLTF } from '@gltf-transform/core';
import { type BufferAttribute, SkinnedMesh, type WebGLRenderer } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { LightLoaderPlugin, type LightOptions, useLight, useSkinning } from '../../adapters/three/index.ts';
import { lightBake } from '../../src/verbs/light-bake.ts';
import { binOf, glbOf, jsonOf } from '../io/gltf/fixtures.ts';
import { smallFigure } from '../light/small-figure.ts';

/** A file with something changed. */
function editGlb(file: Uint8Array, change: (json: GLTF.IGLTF, bin: Uint8Array) => void): Uint8Array {
  const [json, bin] = [jsonOf(file), binOf(file).slice()];
  change(json, bin);
  return glbOf(json, bin);
}

describe('LightLoaderPlugin', () => {
  let file: Uint8Array;
  const warnings: string[] = [];
  beforeAll(async () => {
    const made = await lightBake(smallFigure(), { poses: 4, rays: 16, modes: 2, fit: false, glb: {} });
    file = made.file!;
    vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
  });

  /** Loads a file, which `change` may change first. */
  async function load(bytes = file) {
    warnings.length = 0;
    const loader = new GLTFLoader().register((parser) => new LightLoaderPlugin(parser));
    const gltf = await loader.parseAsync(bytes.slice().buffer as ArrayBuffer, '');
    let mesh!: SkinnedMesh;
    gltf.scene.traverse((object) => {
      if (object instanceof SkinnedMesh) mesh = object;
    });
    return { gltf, mesh };
  }

  const sky = new Float32Array(75).fill(0.1);
  const codesOf = (gltf: Awaited<ReturnType<typeof load>>['gltf'], options: LightOptions = {}) => {
    const light = useLight(gltf.scene, sky, options);
    light.update({ info: { render: { frame: 1 } } } as WebGLRenderer);
    const codes = light.notes.map(({ code }) => code);
    const shown = light.baked.length;
    light.dispose();
    return { codes, shown };
  };

  it('gives useLight what was baked, and says nothing', async () => {
    const { gltf, mesh } = await load();
    expect(gltf.userData.bakedLights).toBe(1);
    expect(codesOf(gltf)).toEqual({ codes: [], shown: 1 });
    expect(codesOf(gltf, { baked: false })).toEqual({ codes: [], shown: 0 });
    expect(mesh.geometry.hasAttribute('pliantRow')).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('notes another operator, and another albedo', async () => {
    const { gltf, mesh } = await load();
    const skinning = useSkinning(mesh, 'dqs');
    expect(codesOf(gltf).codes).toEqual(['light-operator']);
    skinning.dispose();
    expect(codesOf(gltf, { albedo: 0.2 }).codes).toEqual(['light-albedo']);
    expect(warnings).toHaveLength(2);
  });

  it('notes another mesh, and other weights', async () => {
    const moved = await load(
      editGlb(file, (json, bin) => {
        const accessor = json.accessors![json.meshes![0].primitives[0].attributes.POSITION];
        const { byteOffset = 0 } = json.bufferViews![accessor.bufferView!];
        const positions = new Float32Array(bin.buffer, bin.byteOffset + byteOffset, 3 * accessor.count);
        for (let c = 0; c < positions.length; c += 3) positions[c] += 0.05;
      }),
    );
    expect(codesOf(moved.gltf).codes).toEqual(['light-changed']);
    const { gltf, mesh } = await load(
      editGlb(file, (json, bin) => {
        const accessor = json.accessors![json.meshes![0].primitives[0].attributes.JOINTS_0];
        const { byteOffset = 0, byteLength } = json.bufferViews![accessor.bufferView!];
        bin.fill(3, byteOffset, byteOffset + byteLength);
      }),
    );
    expect((mesh.geometry.getAttribute('skinIndex') as BufferAttribute).getX(0)).toBe(3);
    expect(codesOf(gltf).codes).toEqual(['light-changed']);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['light-outdated', { version: 2 }],
    ['light-not-read', { order: 9 }],
  ])('leaves out what it cannot read: %s', async (code, spoilt) => {
    const { gltf } = await load(
      editGlb(file, (json) => {
        const { extensions } = json.meshes![0].primitives[0];
        Object.assign(extensions!.PLIANT_light as object, spoilt);
      }),
    );
    expect(gltf.userData.bakedLights).toBeUndefined();
    expect(warnings[0]).toContain(code);
    expect(codesOf(gltf)).toEqual({ codes: [], shown: 0 });
  });
});
