import { describe, expect, it } from 'vitest';
import { RIG_FILES } from '../../bench/engines/rig-files.ts';
import { binOf, glbOf, jsonOf } from '../io/gltf/fixtures.ts';
import { compareGltf, unexpected } from './compare-gltf.ts';

const fileOf = (name: string): Uint8Array => RIG_FILES.find((file) => file.name.includes(name))!.make();

/** A file after a change of its JSON or bytes. */
function edited(glb: Uint8Array, edit: (json: ReturnType<typeof jsonOf>, bin: Uint8Array) => void): Uint8Array {
  const [json, bin] = [jsonOf(glb), binOf(glb)];
  edit(json, bin);
  return glbOf(json, bin);
}

describe('compareGltf', () => {
  it.each(RIG_FILES)('finds no difference between a file and itself: $name', ({ make }) => {
    expect(compareGltf(make(), make())).toEqual([]);
  });

  it('finds what is gone, new and different, by its place', () => {
    const glb = fileOf('every texture');
    const after = edited(glb, (json) => {
      delete json.materials![0].normalTexture;
      json.materials![0].alphaCutoff = 0.3;
      json.nodes![1].name = 'Pelvis';
      json.nodes!.push({ name: 'New' });
      json.nodes![2].extras = { ours: 1 };
      json.nodes![0].children!.push(json.nodes!.length - 1);
      json.animations![0].channels.pop();
    });
    expect(compareGltf(glb, after)).toEqual([
      'added nodes/0/children/1',
      'added nodes/2/extras/ours',
      'added nodes/7',
      'changed materials/0/alphaCutoff',
      'changed nodes/1/name',
      'removed animations/0/channels/4',
      'removed materials/0/normalTexture',
    ]);
  });

  it('compares numbers and pictures by their bytes, wherever they are stored', () => {
    const glb = fileOf('every texture');
    const { json, moved } = movedData(glb);
    expect(compareGltf(glb, moved)).toEqual([]);
    const { attributes } = json.meshes![0].primitives[0];
    const at = (view: number) => json.bufferViews![view].byteOffset ?? 0;
    const after = edited(moved, (_, bin) => {
      bin[at(json.accessors![attributes.WEIGHTS_0].bufferView!)] ^= 1;
      bin[at(json.images![2].bufferView!)] ^= 1;
    });
    expect(compareGltf(glb, after)).toEqual([
      'changed images/2/bufferView',
      'changed meshes/0/primitives/0/attributes/WEIGHTS_0',
    ]);
  });

  it('finds accessors that an unknown extension names, when they move', () => {
    const glb = fileOf('unknown extensions');
    const after = edited(glb, (json) => {
      const { accessor } = json.extensions!.EXAMPLE_curves as { accessor: number };
      json.accessors![accessor] = json.accessors![0];
    });
    expect(compareGltf(glb, after)).toContain('changed accessors/7');
  });

  it('allows what a pattern names', () => {
    const found = ['added nodes/7', 'changed meshes/0/primitives/1/attributes/WEIGHTS_0', 'removed materials/0'];
    expect(unexpected(found, ['added nodes/*', 'changed meshes/**/WEIGHTS_*'])).toEqual(['removed materials/0']);
    expect(unexpected(found, ['added *', 'changed meshes/*/WEIGHTS_0'])).toEqual(found);
  });
});

/** The same file with another accessor and view before all others. */
function movedData(glb: Uint8Array): { json: ReturnType<typeof jsonOf>; moved: Uint8Array } {
  const json = jsonOf(glb);
  const bin = binOf(glb);
  const next = (index: number | undefined) => (index === undefined ? undefined : index + 1);
  for (const accessor of json.accessors!) accessor.bufferView = next(accessor.bufferView);
  for (const image of json.images!) image.bufferView = next(image.bufferView);
  for (const skin of json.skins!) skin.inverseBindMatrices = next(skin.inverseBindMatrices);
  for (const { primitives } of json.meshes!) {
    for (const primitive of primitives) {
      primitive.indices = next(primitive.indices);
      for (const name of Object.keys(primitive.attributes)) primitive.attributes[name] += 1;
    }
  }
  for (const sampler of json.animations!.flatMap(({ samplers }) => samplers)) {
    sampler.input += 1;
    sampler.output += 1;
  }
  json.bufferViews!.unshift({ buffer: 0, byteLength: 4 });
  for (const view of json.bufferViews!.slice(1)) view.byteOffset = (view.byteOffset ?? 0) + 4;
  json.buffers![0].byteLength += 4;
  json.accessors!.unshift({ bufferView: 0, componentType: 5126, type: 'SCALAR', count: 1 });
  return { json, moved: glbOf(json, Uint8Array.of(1, 2, 3, 4, ...bin)) };
}
