import { describe, expect, it } from 'vitest';
import { note } from '../../../src/model/note.ts';
import { clipFrame } from '../../../src/model/skeleton.ts';
import { boneSegments } from '../../../src/rig/bind/bone-segments.ts';
import { Bin, largestDistance, naiveLbs, readGlb } from './fixtures.ts';
import { S, triangleFile } from './triangle.ts';

/** Two joints under a root that is not one; the second bends. Mesh space is z up and ten times too large. */
function skinnedFile(
  skin: Record<string, unknown> = {},
  weights = Float32Array.of(1, 0, 0, 0, 0.5, 0.5, 0, 0, 0, 1, 0, 0),
  below: Record<string, unknown>[] = [],
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
      { name: 'upper', translation: [0, 0, 6], ...(below.length > 0 && { children: below.map((_, c) => 5 + c) }) },
      { name: 'body', mesh: 0, skin: 0, translation: [9, 9, 9] },
      ...below,
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

  it('keep a leaf that ends a chain of joints, as a bone that no vertex may follow', async () => {
    const [model] = (await readGlb(skinnedFile({}, undefined, [{ name: 'crown', translation: [0, 0, 5] }]))).models;
    expect(model.skeleton.names).toEqual(['convert', 'lower', 'between', 'upper', 'crown']);
    expect(model.skeleton.ends).toEqual([4]);
    // Where it stands in the bind pose: z = 15 in the file.
    const [, , , x, , , , y, , , , z] = model.skeleton.inverseBind.subarray(48);
    expect([x, y, z].map((c) => c + 0)).toEqual([0, 0, -15].map((c) => expect.closeTo(c, 4)));
    const { bones, ends } = boneSegments(model.skeleton, 'test', (bone) => bone > 0);
    expect([...bones]).toEqual([1, 2, 3]);
    expect([...ends.subarray(12, 18)]).toEqual([0, 1, 0, 0, 1.5, 0].map((c) => expect.closeTo(c, 5)));
  });

  it('leave out sockets, and what shows something', async () => {
    const socket = { name: 'socket', translation: [0, 0, 5] };
    const namesBelow = async (below: Record<string, unknown>[]) =>
      (await readGlb(skinnedFile({}, undefined, below))).models
        .find(({ name }) => name === 'body')!
        .skeleton.names.slice(4);
    expect(await namesBelow([socket, { name: 'grip' }])).toEqual([]);
    expect(await namesBelow([socket, { name: 'Head_End' }])).toEqual(['Head_End']);
    expect(await namesBelow([{ name: 'hat', mesh: 0 }])).toEqual([]);
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
      note('weights-normalised', { vertices: 1 }, 'body'),
      note('unweighted-vertices', { vertices: 1 }, 'body'),
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
    expect(notes).toEqual([note('frames-added', {})]);
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
