import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyTimes, sampleTrack, type Track, timesBetween } from '../../src/io/gltf-tracks.ts';
import { slerp } from '../../src/math/quaternion.ts';
import { splitVertices } from '../../src/mesh/seams.ts';
import { clipFrame, clipMorphWeights } from '../../src/model/skeleton.ts';
import { Bin, glbOf, largestDistance, naiveLbs, PNG, readGlb } from './gltf-fixtures.ts';

const TRIANGLE = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const S = Math.SQRT1_2;

/** One mesh of one triangle, on one node. `node`, `mesh` and `more` add to them. */
function triangleFile({ node = {}, mesh = {}, more = {} } = {}, bin = new Bin()): Uint8Array {
  const POSITION = bin.add('VEC3', TRIANGLE);
  return bin.glb({
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0, ...node }],
    meshes: [{ primitives: [{ attributes: { POSITION } }], ...mesh }],
    ...more,
  });
}

describe('static meshes', () => {
  it('have their nodes applied, also in hierarchies, and turn around where nodes mirror', async () => {
    const file = triangleFile({
      node: { mesh: undefined, scale: [2, 2, 2], translation: [0, 0, 5], children: [1] },
      more: {
        nodes: [
          { scale: [2, 2, 2], translation: [0, 0, 5], children: [1] },
          { mesh: 0, name: 'leaf', scale: [-1, 1, 1], rotation: [0, 0, S, S] },
        ],
      },
    });
    const { meshes, format, space, bytes } = await readGlb(file);
    expect(meshes[0].name).toBe('leaf');
    expect([...meshes[0].positions].map((x) => x + 0 || 0)).toEqual(
      [0, 0, 5, 0, -2, 5, -2, 0, 5].map((x) => expect.closeTo(x, 5)),
    );
    expect([...meshes[0].triangles]).toEqual([0, 2, 1]);
    expect({ format, space, bytes }).toEqual({
      format: 'glTF 2.0 (binary)',
      space: { up: 'y', metresPerUnit: 1 },
      bytes: file.length,
    });
  });

  it('take the exact matrix of a node, shear and all', async () => {
    const matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const { meshes } = await readGlb(triangleFile({ node: { matrix } }));
    expect([...meshes[0].positions]).toEqual([0, 0, 0, 1, 0, 0, 0.5, 1, 0]);
  });

  it('join primitives into groups; strips and fans become triangles, points are left out with a note', async () => {
    const bin = new Bin();
    const POSITION = bin.add(
      'VEC3',
      Float32Array.from({ length: 15 }, (_, c) => c % 7),
    );
    const strip = bin.add('SCALAR', Uint8Array.of(0, 1, 2, 3, 3, 4));
    const fan = bin.add('SCALAR', Uint16Array.of(0, 1, 2, 3));
    const file = bin.glb({
      nodes: [{ mesh: 0 }],
      materials: [{ name: 'red', pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } }],
      meshes: [
        {
          primitives: [
            { attributes: { POSITION }, mode: 5, indices: strip },
            { attributes: { POSITION }, mode: 0 },
            { attributes: { POSITION }, mode: 6, indices: fan, material: 0 },
          ],
        },
      ],
    });
    const { meshes, notes } = await readGlb(file);
    expect([...splitVertices(meshes[0]).triangles]).toEqual([0, 1, 2, 1, 3, 2, 1, 2, 0, 2, 3, 0]);
    expect(meshes[0].groups).toEqual([
      { name: 'part 0', start: 0, count: 2, material: undefined },
      { name: 'red', start: 2, count: 2, material: 0 },
    ]);
    expect(meshes[0].materials?.map(({ baseColor, metallic }) => ({ baseColor, metallic }))).toEqual([
      { baseColor: [1, 0, 0, 1], metallic: 1 },
    ]);
    expect(meshes[0].positions.length).toBe(15);
    expect(notes).toEqual(['mesh 0: 1 primitives without triangles (points, lines) were left out.']);
  });

  it('weld vertices that were split at seams and can restore them', async () => {
    const bin = new Bin();
    const quad = Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0);
    const POSITION = bin.add('VEC3', quad);
    const TEXCOORD_0 = bin.add(
      'VEC2',
      Float32Array.from({ length: 12 }, (_, c) => c / 16),
    );
    const file = bin.glb({
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION, TEXCOORD_0 } }] }],
    });
    const [mesh] = (await readGlb(file)).meshes;
    expect([...mesh.triangles]).toEqual([0, 1, 2, 0, 2, 3]);
    expect(splitVertices(mesh).positions).toEqual(quad);
    expect(mesh.uvs?.[1]).toBe(1 - 1 / 16);
  });

  it('are the nodes of the default scene only', async () => {
    const nodes = [
      { mesh: 0, name: 'a' },
      { mesh: 0, name: 'b' },
      { mesh: 0, name: 'c' },
    ];
    const scenes = [{ nodes: [0] }, { nodes: [1] }];
    expect((await readGlb(triangleFile({ more: { nodes, scenes, scene: 1 } }))).meshes.map((m) => m.name)).toEqual([
      'b',
    ]);
    const all = await readGlb(triangleFile({ more: { nodes, scenes: undefined } }));
    expect(all.meshes.map((m) => m.name)).toEqual(['a', 'b', 'c']);
  });
});

describe('how numbers are stored', () => {
  it('sparse accessors, with and without a base', async () => {
    const bin = new Bin();
    const sparse = {
      count: 1,
      indices: { bufferView: bin.view(Uint8Array.of(2)), componentType: 5121 },
      values: { bufferView: bin.view(Float32Array.of(7, 8, 9)) },
    };
    const based = bin.add('VEC3', TRIANGLE, { sparse });
    const bare = bin.accessors.push({ componentType: 5126, count: 3, type: 'VEC3', sparse }) - 1;
    const read = async (POSITION: number) => {
      const json = { nodes: [{ mesh: 0 }], meshes: [{ primitives: [{ attributes: { POSITION } }] }] };
      return [...splitVertices((await readGlb(bin.glb(json))).meshes[0]).positions];
    };
    expect(await read(based)).toEqual([0, 0, 0, 1, 0, 0, 7, 8, 9]);
    expect(await read(bare)).toEqual([0, 0, 0, 0, 0, 0, 7, 8, 9]);
  });

  it('quantised and normalised integers, interleaved', async () => {
    const bytes = new Uint8Array(3 * 12);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < 3; i++) {
      [100 * i, 200, 300 + i].forEach((x, c) => {
        view.setInt16(12 * i + 2 * c, x, true);
      });
      [0, 127, 0].forEach((x, c) => {
        view.setInt8(12 * i + 8 + c, x);
      });
    }
    const bin = new Bin();
    const bufferView = bin.view(bytes, { byteStride: 12 });
    const POSITION = bin.accessors.push({ bufferView, componentType: 5122, count: 3, type: 'VEC3' }) - 1;
    const NORMAL =
      bin.accessors.push({ bufferView, byteOffset: 8, componentType: 5120, normalized: true, count: 3, type: 'VEC3' }) -
      1;
    const file = bin.glb({
      extensionsUsed: ['KHR_mesh_quantization'],
      extensionsRequired: ['KHR_mesh_quantization'],
      nodes: [{ mesh: 0, scale: [0.01, 0.01, 0.01] }],
      meshes: [{ primitives: [{ attributes: { POSITION, NORMAL } }] }],
    });
    const [mesh] = (await readGlb(file)).meshes;
    expect(largestDistance(mesh.positions, [0, 2, 3, 1, 2, 3.01, 2, 2, 3.02])).toBeLessThan(1e-6);
    expect([...mesh.normals!]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0]);
  });

  it('files beside the glTF, and data URIs', async () => {
    const bin = new Bin();
    const POSITION = bin.add('VEC3', TRIANGLE);
    const data = bin.data();
    const base = {
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION }, material: 0 }] }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
      textures: [{ source: 0 }],
    };
    const text = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
    const beside = text(
      bin.json({
        ...base,
        buffers: [{ uri: 'sub/mesh%201.bin', byteLength: data.length }],
        images: [{ uri: 'a.png' }],
      }),
    );
    const files = { 'folder/sub/mesh 1.bin': data, 'folder/a.png': PNG };
    const external = await readGlb(beside, files, 'folder/file.gltf');
    expect(external.format).toBe('glTF 2.0 (JSON)');
    expect(external.bytes).toBe(beside.length + data.length);
    expect(external.meshes[0].materials![0].baseColorTexture).toEqual({ mimeType: 'image/png', bytes: PNG });

    const base64 = btoa(String.fromCharCode(...data));
    const uri = `data:application/octet-stream;base64,${base64}`;
    const image = { uri: `data:image/png;base64,${btoa(String.fromCharCode(...PNG))}` };
    const inside = await readGlb(
      text(bin.json({ ...base, buffers: [{ uri, byteLength: data.length }], images: [image] })),
    );
    expect(inside.meshes).toEqual(external.meshes);

    const missing = await readGlb(beside, { 'folder/sub/mesh 1.bin': data }, 'folder/file.gltf');
    expect(missing.notes).toEqual(['images[0] was left out: open: folder/a.png: no such file.']);
    await expect(readGlb(beside, {}, 'folder/file.gltf')).rejects.toMatchObject({
      code: 'not-found',
      message: 'readGltf: folder/file.gltf: buffers[0].uri: there is no file folder/sub/mesh 1.bin',
    });
  });

  it('a texture transform, baked into the uvs', async () => {
    const bin = new Bin();
    const POSITION = bin.add('VEC3', TRIANGLE);
    const TEXCOORD_1 = bin.add('VEC2', Float32Array.of(0, 0, 1, 0, 0, 1));
    const transform = { offset: [0.5, 0.25], rotation: Math.PI / 2, scale: [2, 4], texCoord: 1 };
    const file = bin.glb({
      extensionsRequired: ['KHR_texture_transform'],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION, TEXCOORD_1 }, material: 0 }] }],
      materials: [
        { pbrMetallicRoughness: { baseColorTexture: { index: 0, extensions: { KHR_texture_transform: transform } } } },
      ],
      textures: [{ source: 0 }],
      images: [{ bufferView: bin.view(PNG), mimeType: 'image/png' }],
    });
    const [mesh] = (await readGlb(file)).meshes;
    // u' = c·2u + s·4v + 0.5, v' = −s·2u + c·4v + 0.25, and v up.
    const expected = [0.5, 0.75, 0.5, 2.75, 4.5, 0.75];
    expect([...mesh.uvs!]).toEqual(expected.map((x) => expect.closeTo(x, 5)));
  });
});

/** A track over the given keys. */
const track = (
  interpolation: Track['interpolation'],
  path: Track['path'],
  times: number[],
  values: number[],
): Track => {
  const curve = {
    node: 0,
    path,
    times: Float32Array.from(times),
    values: Float32Array.from(values),
    stride: path === 'rotation' ? 4 : 3,
    interpolation,
  };
  return { ...curve, between: timesBetween(curve) };
};

describe('tracks', () => {
  const sample = (of: Track, t: number) => {
    const out = new Float64Array(of.stride);
    sampleTrack(of, t, out);
    return [...out];
  };

  it('are linear, or stay until the next key, and do not move before the first or after the last', () => {
    const values = [0, 0, 0, 2, 4, 6];
    const linear = track('LINEAR', 'translation', [1, 3], values);
    expect([0, 1, 1.5, 3, 9].map((t) => sample(linear, t))).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [0.5, 1, 1.5],
      [2, 4, 6],
      [2, 4, 6],
    ]);
    const step = track('STEP', 'translation', [1, 3], values);
    expect([0, 2.9, 3].map((t) => sample(step, t))).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [2, 4, 6],
    ]);
  });

  it('turn on the sphere, the short way', () => {
    const a = [0, 0, 0, 1];
    const b = [0, -S, 0, -S]; // The same turn as (0, S, 0, S).
    const expected = [0, 0, 0, 0];
    slerp(expected, 0, a, 0, b, 0, 0.25);
    const got = sample(track('LINEAR', 'rotation', [0, 1], [...a, ...b]), 0.25);
    expect(got).toEqual(expected.map((x) => expect.closeTo(x, 6)));
    expect(got[1]).toBeCloseTo(Math.sin(Math.PI / 16), 6);
  });

  it('follow cubic splines exactly', () => {
    // x(t) = t³ − 2t between t = 0.5 and 2, from its values and slopes.
    const x = (t: number) => t ** 3 - 2 * t;
    const slope = (t: number) => 3 * t * t - 2;
    const key = (t: number) => [slope(t), 0, 0, x(t), t, 1, slope(t), 0, 0];
    const cubic = track('CUBICSPLINE', 'translation', [0.5, 2], [...key(0.5), ...key(2)]);
    for (const t of [0.5, 0.7, 1, 1.9, 2]) expect(sample(cubic, t)[0]).toBeCloseTo(x(t), 5);
    expect(sample(cubic, 1)[2]).toBeCloseTo(1, 6);
    expect(sample(cubic, 5)).toEqual([x(2), 2, 1]);
  });

  it('share the keys that differ by rounding only', () => {
    const a = track('STEP', 'scale', [0, 1 / 3, 1], Array(9).fill(1));
    const b = track('STEP', 'scale', [0, 1 / 3 + 1e-7, 2], Array(9).fill(1));
    expect([...keyTimes([a, b])]).toEqual([0, Math.fround(1 / 3 + 1e-7), 1, 2]);
  });

  it('have a time more just before every step that changes something', () => {
    const step = track('STEP', 'translation', [1, 2, 8], [0, 0, 0, 0, 0, 0, 0, 5, 0]);
    const times = keyTimes([step]);
    expect(times.length).toBe(4);
    expect(times[2]).toBeGreaterThan(8 - 1e-4);
    expect(Math.fround(times[2])).toBeLessThan(8);
    expect(sample(step, times[2])).toEqual([0, 0, 0]);
  });

  it('have times within cubic segments where those bend, so that chords follow the curve', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 9 * 4, maxLength: 9 * 4 }),
        (v) => {
          const cubic = track('CUBICSPLINE', 'translation', [0, 0.5, 0.625, 2], v);
          const times = keyTimes([cubic]);
          // 32 chords per segment, of ordinates that lie within ±4.4.
          const tolerance = (0.75 * 2 * Math.sqrt(3) * 8.8) / 32 ** 2;
          for (let k = 0; k + 1 < times.length; k++) {
            const [a, b] = [sample(cubic, times[k]), sample(cubic, times[k + 1])];
            for (const s of [0.25, 0.5, 0.75]) {
              const at = sample(cubic, times[k] + s * (times[k + 1] - times[k]));
              for (let c = 0; c < 3; c++) expect(Math.abs(at[c] - a[c] - s * (b[c] - a[c]))).toBeLessThan(tolerance);
            }
          }
        },
      ),
      { seed: 7, numRuns: 10 },
    );
    const straight = track(
      'CUBICSPLINE',
      'translation',
      [0, 1],
      [0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0],
    );
    expect([...keyTimes([straight])]).toEqual([0, 1]);
  });
});

/** Two joints under a root that is not one; the second bends. Mesh space is z up and ten times too large. */
function skinnedFile(
  skin: Record<string, unknown> = {},
  weights = Float32Array.of(1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0),
) {
  const bin = new Bin();
  const POSITION = bin.add('VEC3', Float32Array.of(0, 0, 0, 0, 0, 10, 10, 0, 20));
  const JOINTS_0 = bin.add('VEC4', Uint8Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0));
  const WEIGHTS_0 = bin.add('VEC4', weights);
  // Inverse bind: first joint at the origin, second at z = 10.
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const second = identity.with(14, -10);
  const inverseBindMatrices = bin.add('MAT4', Float32Array.of(...identity, ...second));
  const input = bin.add('SCALAR', Float32Array.of(0, 1));
  const output = bin.add('VEC4', Float32Array.of(0, 0, 0, 1, 0, S, 0, S));
  return bin.glb({
    scenes: [{ nodes: [0, 4] }],
    nodes: [
      { name: 'convert', children: [1], rotation: [-S, 0, 0, S], scale: [0.1, 0.1, 0.1] },
      { name: 'lower', children: [2] },
      { name: 'between', children: [3], translation: [0, 0, 4] },
      { name: 'upper', translation: [0, 0, 6] },
      { name: 'body', mesh: 0, skin: 0, translation: [9, 9, 9] },
    ],
    skins: [{ joints: [1, 3], inverseBindMatrices, ...skin }],
    meshes: [{ primitives: [{ attributes: { POSITION, JOINTS_0, WEIGHTS_0 } }] }],
    animations: [
      {
        name: 'bend',
        samplers: [{ input, output }],
        channels: [
          { sampler: 0, target: { node: 3, path: 'rotation' } },
          { sampler: 0, target: { path: 'rotation' } },
        ],
      },
    ],
  });
}

describe('skins', () => {
  it('keep the nodes above and between joints, and stand in the scene as they rest there', async () => {
    const { models, notes } = await readGlb(skinnedFile());
    const [model] = models;
    expect(notes).toEqual([]);
    expect(model.name).toBe('body');
    expect(model.skeleton.names).toEqual(['convert', 'lower', 'between', 'upper']);
    expect([...model.skeleton.parents]).toEqual([-1, 0, 1, 2]);
    // y up and in metres: (x, y, z) of the file is (x, z, −y) / 10 here.
    expect(largestDistance(model.mesh.positions, [0, 0, 0, 0, 1, 0, 1, 2, 0])).toBeLessThan(1e-6);
    expect(model.weights.influences).toBe(2);
    expect([...model.weights.joints]).toEqual([1, 0, 1, 3, 3, 0]);
    const rest = clipFrame(model.clips[0], 0);
    for (let j = 0; j < 4; j++) {
      const expected = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0].map((x) => expect.closeTo(x, 5));
      expect([...rest.subarray(12 * j, 12 * j + 12)], `bone ${j}`).toEqual(expected);
    }
  });

  it('pose the mesh as the file says', async () => {
    const [model] = (await readGlb(skinnedFile())).models;
    const [clip] = model.clips;
    expect([clip.name, ...clip.times]).toEqual(['bend', 0, 1]);
    // The upper joint turns by 90° about the file's y: there (10, 0, 10) from the joint becomes (10, 0, −10).
    expect(largestDistance(naiveLbs(model, clipFrame(clip, 1)), [0, 0, 0, 0, 1, 0, 1, 0, 0])).toBeLessThan(1e-6);
  });

  it('without inverse bind matrices have identities', async () => {
    const [model] = (await readGlb(skinnedFile({ inverseBindMatrices: undefined }))).models;
    const bent = naiveLbs(model, clipFrame(model.clips[0], 1));
    // The third vertex, (10, 0, 20) in the frame of the upper joint: turned to (20, 0, −10), lifted by 10.
    expect(largestDistance(bent.subarray(6), [2, 0, 0])).toBeLessThan(1e-6);
  });

  it('normalise weights that do not sum to 1, with a note, and bind vertices without any', async () => {
    const { models, notes } = await readGlb(skinnedFile({}, Float32Array.of(0, 0, 0, 0, 1, 3, 0, 0, 0, 1, 0, 0)));
    expect([...models[0].weights.weights]).toEqual([1, 0, 0.75, 0.25, 1, 0]);
    expect(notes).toEqual([
      'body: the weights of 1 vertex did not sum to 1 and were normalised.',
      'body: 1 vertex without weights bound to the first joint.',
    ]);
  });

  it('refuse influences of joints that are not there', async () => {
    await expect(readGlb(skinnedFile({ joints: [1] }))).rejects.toThrow(
      'readGltf: folder/file.glb: body: vertex 1 follows joint 1 (expected < 1)',
    );
  });

  it('meshes below animated nodes follow them rigidly', async () => {
    const bin = new Bin();
    const input = bin.add('SCALAR', Float32Array.of(0, 2));
    const output = bin.add('VEC3', Float32Array.of(1, 0, 0, 1, 5, 0));
    const file = triangleFile(
      {
        more: {
          nodes: [
            { name: 'lift', children: [1], translation: [1, 0, 0] },
            { name: 'part', mesh: 0, scale: [2, 2, 2] },
          ],
          animations: [
            {
              samplers: [{ input, output, interpolation: 'STEP' }],
              channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }],
            },
          ],
        },
      },
      bin,
    );
    const { models, meshes, notes } = await readGlb(file);
    expect(meshes).toEqual([]);
    expect(models[0]).toMatchObject({ name: 'part', operator: 'rigid', weights: { influences: 1 } });
    expect([...models[0].mesh.positions]).toEqual([1, 0, 0, 3, 0, 0, 1, 2, 0]);
    const raised = naiveLbs(models[0], clipFrame(models[0].clips[0], 2));
    expect(largestDistance(raised, [1, 5, 0, 3, 5, 0, 1, 7, 0])).toBeLessThan(1e-6);
    expect(notes).toEqual(['Frames were added between keys, so that steps and cubic splines keep their shape.']);
  });

  it('animated nodes without a mesh are a motion', async () => {
    const bin = new Bin();
    const input = bin.add('SCALAR', Float32Array.of(0, 2));
    const output = bin.add('VEC3', Float32Array.of(1, 0, 0, 1, 5, 0));
    const channels = [{ sampler: 0, target: { node: 1, path: 'translation' } }];
    const file = bin.glb({
      nodes: [{ name: 'hips', children: [1] }, { name: 'head' }],
      animations: [{ name: 'nod', samplers: [{ input, output }], channels }],
    });
    const { motions } = await readGlb(file);
    expect(motions[0].skeleton.names).toEqual(['hips', 'head']);
    expect(motions[0].clips[0].locals?.[10 + 10 + 10 + 1]).toBe(5);
  });
});

describe('morph targets', () => {
  /** Two targets: the second vertex up, the third one along z. */
  function morphFile(animate: boolean, node: Record<string, unknown> = {}, poseNode = false): Uint8Array {
    const bin = new Bin();
    const up = bin.add('VEC3', Float32Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0));
    const out = bin.add('VEC3', Float32Array.of(0, 0, 0, 0, 0, 0, 0, 0, 1));
    const POSITION = bin.add('VEC3', TRIANGLE);
    const input = bin.add('SCALAR', Float32Array.of(0, 1, 2));
    const output = bin.add('SCALAR', Float32Array.of(0, 0, 1, 0, 0.5, 2));
    const poses = bin.add('SCALAR', Float32Array.of(0.5));
    const moved = bin.add('VEC3', Float32Array.of(7, 0, 0));
    const channels = [{ sampler: 0, target: { node: 0, path: 'weights' } }];
    if (poseNode) channels.push({ sampler: 1, target: { node: 0, path: 'translation' } });
    const samplers = [{ input, output }, ...(poseNode ? [{ input: poses, output: moved }] : [])];
    return bin.glb({
      nodes: [{ name: 'face', mesh: 0, ...node }],
      meshes: [
        {
          primitives: [{ attributes: { POSITION }, targets: [{ POSITION: up }, { POSITION: out }] }],
          extras: { targetNames: ['up', 'out'] },
        },
      ],
      ...(animate ? { animations: [{ samplers, channels }] } : {}),
    });
  }

  it('that are animated are a sequence with a frame per key', async () => {
    const { sequences, notes } = await readGlb(morphFile(true, { scale: [2, 2, 2] }));
    const [sequence] = sequences;
    expect(notes).toEqual([]);
    expect(sequence.name).toBe('face');
    expect([...sequence.times]).toEqual([0, 1, 2]);
    expect([...sequence.rest.positions]).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 0]);
    expect([...(await sequence.readFrame(1))]).toEqual([0, 0, 0, 2, 2, 0, 0, 2, 0]);
    expect([...(await sequence.readFrame(2))]).toEqual([0, 0, 0, 2, 1, 0, 0, 2, 4]);
    await expect(sequence.readFrame(3)).rejects.toThrow('no frame 3 (expected 0 to 2)');
  });

  it('of a node that moves are morphs of a model, at the keys of both', async () => {
    const { models, sequences } = await readGlb(morphFile(true, {}, true));
    expect(sequences).toEqual([]);
    const [{ morphs, operator, clips }] = models;
    expect(operator).toBe('rigid');
    expect(morphs!.map(({ name }) => name)).toEqual(['up', 'out']);
    expect([...clips[0].times]).toEqual([0, 0.5, 1, 2]);
    const half = naiveLbs(models[0], clipFrame(clips[0], 1), clipMorphWeights(clips[0], 1));
    expect([...half]).toEqual([7, 0, 0, 8, 0.5, 0, 7, 1, 0]);
  });

  it('without an animation are one frame each, with a note', async () => {
    const { sequences, notes } = await readGlb(morphFile(false, { weights: [0, 1] }));
    expect(sequences[0].frameCount).toBe(2);
    expect([...sequences[0].rest.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 1]);
    expect([...(await sequences[0].readFrame(0))]).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect(notes).toEqual(['face: no animation of its morph targets, so each target became one frame.']);
  });

  it('keep vertices apart that targets move apart', async () => {
    const bin = new Bin();
    const POSITION = bin.add('VEC3', Float32Array.of(...TRIANGLE, ...TRIANGLE));
    const apart = bin.add(
      'VEC3',
      Float32Array.from({ length: 18 }, (_, c) => (c === 9 ? 1 : 0)),
    );
    const file = bin.glb({
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION }, targets: [{ POSITION: apart }] }] }],
    });
    const [sequence] = (await readGlb(file)).sequences;
    expect(sequence.rest.positions.length).toBe(3 * 4);
  });
});

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
    expect(failure).toMatchObject({ code, place: { file: 'folder/file.glb' } });
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
