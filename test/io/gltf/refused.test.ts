import { describe, expect, it } from 'vitest';
import type { PliantErrorCode } from '../../../src/error.ts';
import { expectRefusal } from '../../refusal.ts';
import { Bin, glbOf, readGlb } from './fixtures.ts';
import { TRIANGLE, triangleFile } from './triangle.ts';

describe('files that are not what they claim', () => {
  const bin = new Bin();
  const POSITION = bin.add('VEC3', TRIANGLE);
  const indices = bin.add('SCALAR', Uint8Array.of(0, 1, 2));
  const times = bin.add('SCALAR', Float32Array.of(0, 1));
  const base = () => ({
    ...structuredClone(
      bin.json({ nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION }, indices }] }] }),
    ),
  });
  type Change = (json: ReturnType<typeof base>) => void;
  // biome-ignore lint/suspicious/noExplicitAny: the point is to put in what the types forbid.
  const set = (path: string, value: any): Change => {
    return (json) => {
      const keys = path.split('.');
      // biome-ignore lint/suspicious/noExplicitAny: see above.
      let at: any = json;
      for (const key of keys.slice(0, -1)) at = at[key];
      at[keys.at(-1)!] = value;
    };
  };
  const meshopt = (more: Record<string, unknown>) => [
    {
      buffer: 0,
      byteLength: 36,
      extensions: {
        EXT_meshopt_compression: { buffer: 0, byteLength: 36, byteStride: 12, count: 3, mode: 'ATTRIBUTES', ...more },
      },
    },
    { buffer: 0, byteLength: 3 },
    { buffer: 0, byteLength: 8 },
  ];

  const cases: [what: string, change: Change, values: (string | number)[], code?: PliantErrorCode][] = [
    ['no asset', set('asset', undefined), ['glTF', 'asset']],
    ['version 1', set('asset.version', '1.0'), ['1.0', '2.0', 'gltf-pipeline'], 'unsupported'],
    ['version 3', set('asset.version', '3.0'), ['3.0', '2.0'], 'unsupported'],
    ['unknown extension', set('extensionsRequired', ['ACME_x']), ['ACME_x'], 'unsupported'],
    ['long accessor', set('accessors.0.count', 4), ['accessors[0]', 48, 36]],
    ['huge accessor', set('accessors.0.count', 4e9), ['accessors[0]']],
    [
      'accessor without data',
      set('accessors.0', { type: 'VEC3', componentType: 5126, count: 4e9 }),
      ['accessors[0]'],
      'too-large',
    ],
    ['fractional count', set('accessors.0.count', 2.5), ['accessors[0].count', 2.5, 1, 4294967296]],
    ['negative offset', set('accessors.0.byteOffset', -4), ['accessors[0].byteOffset', -4]],
    ['component type', set('accessors.0.componentType', 5130), ['accessors[0].componentType', 5130]],
    ['stride', set('bufferViews.0.byteStride', 8), ['accessors[0]']],
    ['view beyond its buffer', set('bufferViews.0.byteLength', 999), ['bufferViews[0]']],
    ['view of no buffer', set('bufferViews.0.buffer', 3), ['bufferViews[0].buffer', 3, 0, 0]],
    ['buffer longer than its data', set('buffers.0.byteLength', 1e6), ['buffers[0]']],
    ['index of a vertex', set('accessors.0.count', 2), ['meshes[0].primitives[0].indices', 2, 2, 2]],
    ['mesh of a node', set('nodes.0.mesh', 1), ['nodes[0].mesh', 1, 0, 0]],
    ['skin of a node', set('nodes.0.skin', 0), ['nodes[0].skin', 0]],
    ['child of itself', set('nodes.0.children', [0]), ['nodes[0]']],
    ['child of two', set('nodes', [{ children: [2] }, { children: [2] }, {}]), ['nodes[2]']],
    ['circle', set('nodes', [{}, { children: [2] }, { children: [1] }]), ['nodes[1]']],
    ['nodes that are none', set('nodes', { length: 5 }), ['length', 5]],
    ['null', set('nodes.0', null), ['nodes[0]']],
    ['text for a number', set('nodes.0.translation', ['a', 0, 0]), ['nodes[0].translation']],
    ['kind of accessor', set('accessors.0.type', 'VEC2'), ['accessors[0]', 'VEC2', 'VEC3']],
    ['indices that are numbers', set('meshes.0.primitives.0.indices', times), ['accessors[2]']],
    [
      'sparse count',
      set('accessors.0.sparse', {
        count: 9,
        indices: { bufferView: 0, componentType: 5121 },
        values: { bufferView: 0 },
      }),
      ['accessors[0].sparse.count', 9, 3],
    ],
    [
      'sparse places',
      set('accessors.0.sparse', {
        count: 2,
        indices: { bufferView: 0, componentType: 5125 },
        values: { bufferView: 0 },
      }),
      ['accessors[0].sparse.indices', 1, 0],
    ],
    [
      'compressed gigabytes',
      set('bufferViews', meshopt({ count: 3e8 })),
      ['bufferViews[0].meshopt_compression.count', 300000000, 3072, 36],
    ],
    ['compressed rubbish', set('bufferViews', meshopt({})), [-1]],
    ['compressed stride', set('bufferViews', meshopt({ byteStride: 6 })), ['byteStride', 6, 4]],
    ['compressed length', set('bufferViews', meshopt({ count: 4 })), ['meshopt_compression', 4, 3, 'byteLength']],
    ['way out', set('buffers.0.uri', '../secret.bin'), ['buffers[0].uri']],
    ['encoded way out', set('buffers.0.uri', '%2e%2e/secret.bin'), ['buffers[0].uri']],
    ['absolute path', set('buffers.0.uri', '/etc/passwd'), ['buffers[0].uri']],
    ['backslash', set('buffers.0.uri', 'a\\..\\b'), ['buffers[0].uri']],
    ['network', set('buffers.0.uri', 'https://example.com/a.bin'), ['buffers[0].uri'], 'unsupported'],
    ['file URI', set('buffers.0.uri', 'file:///etc/passwd'), ['buffers[0].uri'], 'unsupported'],
    ['bad data URI', set('buffers.0.uri', 'data:;base64,***'), ['buffers[0].uri', 'URI']],
    [
      'sampler',
      set('animations', [{ samplers: [], channels: [{ sampler: 0, target: { node: 0, path: 'scale' } }] }]),
      ['animations[0].channels[0].sampler', 0, 0],
    ],
    [
      'keys',
      set('animations', [
        {
          samplers: [{ input: times, output: POSITION }],
          channels: [{ sampler: 0, target: { node: 0, path: 'scale' } }],
        },
      ]),
      [9, 2],
    ],
  ];
  it.each(cases)('%s', async (_, change, values, code = 'bad-file') => {
    const json = base();
    change(json);
    await expectRefusal(readGlb(glbOf(json, bin.data())), code, { file: 'folder/file.glb', values });
  });

  it('the file they are made from is good', async () => {
    expect((await readGlb(glbOf(base(), bin.data()))).meshes.length).toBe(1);
  });

  it('containers', async () => {
    const good = glbOf(base(), bin.data());
    const changed = (offset: number, value: number) => {
      const out = good.slice();
      new DataView(out.buffer).setUint32(offset, value, true);
      return readGlb(out);
    };
    await expect(changed(4, 1)).rejects.toMatchObject({ code: 'unsupported' });
    await expectRefusal(changed(8, 1e9), 'bad-file', { values: ['GLB'] });
    await expectRefusal(changed(12, 1e9), 'bad-file', { values: [1000000000, 12] });
    await expectRefusal(changed(16, 7), 'bad-file', { values: ['GLB', 'JSON'] });
    await expectRefusal(readGlb(good.slice(0, 10)), 'bad-file', { values: ['GLB'] });
    await expectRefusal(readGlb(new TextEncoder().encode('v 0 0 0')), 'bad-file', { values: ['glTF'] });
    await expectRefusal(readGlb(Uint8Array.of(0xff, 0xfe, 0x80)), 'bad-file', { values: ['glTF'] });
    await expectRefusal(readGlb(new TextEncoder().encode('['.repeat(1e5))), 'bad-file', { values: [128] });
    await expectRefusal(readGlb(new Uint8Array(0)), 'bad-file', { values: ['glTF'] });
  });

  it('numbers that are none, or overflow', async () => {
    const bad = new Bin();
    const position = bad.add('VEC3', Float32Array.of(Number.NaN, 0, 0, 1, 0, 0, 0, 1, 0));
    const json = { nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: position } }] }] };
    await expectRefusal(readGlb(bad.glb(json)), 'bad-file', { values: ['accessors[0]', 0, 'NaN'] });
    await expect(readGlb(triangleFile({ node: { scale: [1e30, 1e300, 1] } }))).rejects.toMatchObject({
      code: 'bad-file',
    });
  });

  it('a mesh used by very many nodes, and very many accessors over the same bytes', async () => {
    const many = new Bin();
    const position = many.add('VEC3', new Float32Array(30_000));
    const nodes = Array.from({ length: 50_000 }, () => ({ mesh: 0 }));
    const meshes = [{ primitives: [{ attributes: { POSITION: position }, mode: 4 }] }];
    await expect(readGlb(many.glb({ nodes, meshes }))).rejects.toMatchObject({ code: 'bad-file' }); // 10000 corners
    const good = new Bin();
    const right = good.add('VEC3', new Float32Array(27_000));
    await expect(
      readGlb(good.glb({ nodes, meshes: [{ primitives: [{ attributes: { POSITION: right } }] }] })),
    ).rejects.toMatchObject({ code: 'too-large' });
    const alias = Array.from({ length: 20_000 }, () => ({
      bufferView: 0,
      componentType: 5126,
      count: 9000,
      type: 'VEC3',
    }));
    await expect(readGlb(good.glb({ accessors: alias }))).rejects.toMatchObject({ code: 'too-large' });
  });
});
