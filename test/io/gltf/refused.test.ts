import { describe, expect, it } from 'vitest';
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

  const cases: [what: string, change: Change, message: string | RegExp, code?: string][] = [
    ['no asset', set('asset', undefined), 'not glTF: no "asset"'],
    ['version 1', set('asset.version', '1.0'), 'glTF version 1.0 (expected 2.0)', 'unsupported'],
    [
      'Draco',
      set('extensionsRequired', ['KHR_draco_mesh_compression']),
      /requires KHR_draco_mesh_compression.*meshopt/,
      'unsupported',
    ],
    ['unknown extension', set('extensionsRequired', ['ACME_x']), 'requires ACME_x', 'unsupported'],
    [
      'long accessor',
      set('accessors.0.count', 4),
      'accessors[0] is longer than its buffer view (got 48 bytes, expected ≤ 36)',
    ],
    ['huge accessor', set('accessors.0.count', 4e9), 'accessors[0] is longer than its buffer view'],
    [
      'accessor without data',
      set('accessors.0', { type: 'VEC3', componentType: 5126, count: 4e9 }),
      'accessors[0] unfolds to too much',
      'too-large',
    ],
    ['fractional count', set('accessors.0.count', 2.5), 'accessors[0].count (got 2.5, expected 1 to 4294967296)'],
    ['negative offset', set('accessors.0.byteOffset', -4), 'accessors[0].byteOffset (got -4'],
    ['component type', set('accessors.0.componentType', 5130), 'accessors[0].componentType (got 5130'],
    ['stride', set('bufferViews.0.byteStride', 8), 'accessors[0] overlaps itself'],
    ['view beyond its buffer', set('bufferViews.0.byteLength', 999), 'bufferViews[0] ends beyond its buffer'],
    ['view of no buffer', set('bufferViews.0.buffer', 3), 'bufferViews[0].buffer (got 3, expected 0 to 0)'],
    ['buffer longer than its data', set('buffers.0.byteLength', 1e6), 'buffers[0] is too short'],
    ['index of a vertex', set('accessors.0.count', 2), 'meshes[0].primitives[0].indices: entry 2 is 2 (expected < 2)'],
    ['mesh of a node', set('nodes.0.mesh', 1), 'nodes[0].mesh (got 1, expected 0 to 0)'],
    ['skin of a node', set('nodes.0.skin', 0), 'nodes[0].skin (got 0, expected no index, since there are no skins)'],
    ['child of itself', set('nodes.0.children', [0]), 'nodes[0] is its own ancestor'],
    ['child of two', set('nodes', [{ children: [2] }, { children: [2] }, {}]), 'nodes[2] is the child of two nodes'],
    ['circle', set('nodes', [{}, { children: [2] }, { children: [1] }]), 'nodes[1] is its own ancestor'],
    ['nodes that are none', set('nodes', { length: 5 }), 'nodes (got {"length":5}, expected a list'],
    ['null', set('nodes.0', null), 'nodes[0] (got null, expected an object)'],
    ['text for a number', set('nodes.0.translation', ['a', 0, 0]), 'nodes[0].translation'],
    ['kind of accessor', set('accessors.0.type', 'VEC2'), 'accessors[0] is VEC2 (expected VEC3)'],
    [
      'indices that are numbers',
      set('meshes.0.primitives.0.indices', times),
      /accessors\[2\] is not of unsigned integers/,
    ],
    [
      'sparse count',
      set('accessors.0.sparse', {
        count: 9,
        indices: { bufferView: 0, componentType: 5121 },
        values: { bufferView: 0 },
      }),
      'accessors[0].sparse.count (got 9, expected ≤ 3)',
    ],
    [
      'sparse places',
      set('accessors.0.sparse', {
        count: 2,
        indices: { bufferView: 0, componentType: 5125 },
        values: { bufferView: 0 },
      }),
      'accessors[0].sparse.indices: entry 1 is 0',
    ],
    [
      'compressed gigabytes',
      set('bufferViews', meshopt({ count: 3e8 })),
      'bufferViews[0].meshopt_compression.count (got 300000000, expected ≤ 3072 in 36 bytes)',
    ],
    ['compressed rubbish', set('bufferViews', meshopt({})), 'compressed data is damaged'],
    [
      'compressed stride',
      set('bufferViews', meshopt({ byteStride: 6 })),
      'byteStride (got 6, expected a multiple of 4)',
    ],
    [
      'compressed length',
      set('bufferViews', meshopt({ count: 4 })),
      'meshopt_compression.count (got 4, expected 3, as byteLength says)',
    ],
    ['way out', set('buffers.0.uri', '../secret.bin'), 'buffers[0].uri leads out of the folder'],
    ['encoded way out', set('buffers.0.uri', '%2e%2e/secret.bin'), 'buffers[0].uri leads out of the folder'],
    ['absolute path', set('buffers.0.uri', '/etc/passwd'), 'buffers[0].uri leads out of the folder'],
    ['backslash', set('buffers.0.uri', 'a\\..\\b'), 'buffers[0].uri leads out of the folder'],
    ['network', set('buffers.0.uri', 'https://example.com/a.bin'), 'Pliant fetches nothing', 'unsupported'],
    ['file URI', set('buffers.0.uri', 'file:///etc/passwd'), 'Pliant fetches nothing', 'unsupported'],
    ['bad data URI', set('buffers.0.uri', 'data:;base64,***'), 'buffers[0].uri is not a readable data URI'],
    [
      'sampler',
      set('animations', [{ samplers: [], channels: [{ sampler: 0, target: { node: 0, path: 'scale' } }] }]),
      'animations[0].channels[0].sampler (got 0, expected < 0)',
    ],
    [
      'keys',
      set('animations', [
        {
          samplers: [{ input: times, output: POSITION }],
          channels: [{ sampler: 0, target: { node: 0, path: 'scale' } }],
        },
      ]),
      '9 numbers for 2 keys of a scale track',
    ],
  ];
  it.each(cases)('%s', async (_, change, message, code = 'bad-file') => {
    const json = base();
    change(json);
    const failure = await readGlb(glbOf(json, bin.data())).then(
      () => undefined,
      (error: Error & { code: string }) => error,
    );
    expect(failure?.message).toMatch(message);
    expect(failure).toMatchObject({ code, file: 'folder/file.glb' });
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
    await expect(changed(8, 1e9)).rejects.toThrow('GLB ends early');
    await expect(changed(12, 1e9)).rejects.toThrow('first chunk of 1000000000 bytes at 12');
    await expect(changed(16, 7)).rejects.toThrow('the first chunk of the GLB is not JSON');
    await expect(readGlb(good.slice(0, 10))).rejects.toThrow('GLB ends early');
    await expect(readGlb(new TextEncoder().encode('v 0 0 0'))).rejects.toThrow('not glTF');
    await expect(readGlb(Uint8Array.of(0xff, 0xfe, 0x80))).rejects.toThrow('not glTF');
    await expect(readGlb(new TextEncoder().encode('['.repeat(1e5)))).rejects.toThrow('nested deeper than 128');
    await expect(readGlb(new Uint8Array(0))).rejects.toThrow('not glTF');
  });

  it('numbers that are none, or overflow', async () => {
    const bad = new Bin();
    const position = bad.add('VEC3', Float32Array.of(Number.NaN, 0, 0, 1, 0, 0, 0, 1, 0));
    const json = { nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION: position } }] }] };
    await expect(readGlb(bad.glb(json))).rejects.toThrow('accessors[0]: number 0 is NaN (expected finite)');
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
