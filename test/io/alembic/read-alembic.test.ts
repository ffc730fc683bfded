import { describe, expect, it } from 'vitest';
import { SCHEMAS } from '../../../src/io/alembic/schemas.ts';
import { ACYCLIC } from '../../../src/io/alembic/time-sampling.ts';
import { note } from '../../../src/model/note.ts';
import { expectRefusal } from '../../refusal.ts';

import { addFaceSet, addMesh, addXform, archiveOf, moved, openBytes, rate, SQUARE } from './fixtures.ts';
import { opened, rounded } from './opened.ts';

describe('meshes of an archive', () => {
  it('that do not move are static, with faces seen from outside turned counter-clockwise', async () => {
    const asset = await opened(await archiveOf(async (top) => void (await addMesh(top, 'square'))));
    const [mesh] = asset.meshes;
    expect(asset.sequences).toEqual([]);
    expect(mesh.name).toBe('square');
    expect([...mesh.positions]).toEqual(SQUARE.points);
    // The normal is along +z.
    const [a, b, c] = mesh.triangles;
    const at = (i: number) => mesh.positions.subarray(3 * i, 3 * i + 2);
    const area = (at(b)[0] - at(a)[0]) * (at(c)[1] - at(a)[1]) - (at(b)[1] - at(a)[1]) * (at(c)[0] - at(a)[0]);
    expect(area).toBe(1);
  });

  it('of any float type, and subdivision meshes as their control mesh', async () => {
    for (const pod of ['float32', 'float64', 'float16'] as const) {
      const ones = pod === 'float16' ? SQUARE.points.map((value) => (value ? 0x3c00 : 0)) : SQUARE.points;
      const bytes = await archiveOf(
        async (top) => void (await addMesh(top, 'm', { frames: [ones], pod, schema: SCHEMAS.subD })),
      );
      const asset = await opened(bytes);
      expect([...asset.meshes[0].positions]).toEqual(SQUARE.points);
      expect(asset.objects).toMatchObject([{ path: '/m', kind: 'subdivision mesh', samples: 1 }]);
    }
  });

  it('that move are sequences, whose frames are read when asked', async () => {
    const frames = [0, 1, 2, 2, 3].map((z) => moved(SQUARE.points, 0, 0, z));
    const bytes = await archiveOf(async (top, archive) => {
      await addMesh(top, 'm', { frames, sampling: archive.addSampling(rate(25, 2)) });
    });
    const [sequence] = (await opened(bytes)).sequences;
    expect(rounded(sequence.times)).toEqual([2, 2.04, 2.08, 2.12, 2.16]);
    for (const [k, frame] of frames.entries()) expect([...(await sequence.readFrame(k))]).toEqual(frame);
    await expectRefusal(sequence.readFrame(5), 'bad-option', { values: [5] });
  });

  it.each([
    ['uniform', rate(2), [0, 0.5, 1, 1.5]],
    ['cyclic', { timePerCycle: 1, stored: Float64Array.of(0.25, 0.5) }, [0.25, 0.5, 1.25, 1.5]],
    ['acyclic', { timePerCycle: ACYCLIC, stored: Float64Array.of(1, 2, 4, 8) }, [1, 2, 4, 8]],
  ])('have %s times', async (_, times, expected) => {
    const bytes = await archiveOf(async (top, archive) => {
      const frames = expected.map((z) => moved(SQUARE.points, 0, 0, z));
      await addMesh(top, 'm', { frames, sampling: archive.addSampling(times) });
    });
    const [sequence] = (await opened(bytes)).sequences;
    expect([...sequence.times]).toEqual(expected);
  });

  it('whose shutter is open for whole frames have one frame where two samples meet: the later', async () => {
    const bytes = await archiveOf(async (top, archive) => {
      const frames = [0, 1, 2, 3, 4, 5].map((z) => moved(SQUARE.points, 0, 0, z));
      const sampling = archive.addSampling({ timePerCycle: 1, stored: Float64Array.of(0, 1) });
      await addMesh(top, 'm', { frames, sampling });
    });
    const [{ times, readFrame }] = (await opened(bytes)).sequences;
    expect([...times]).toEqual([0, 1, 2, 3]);
    const heights = await Promise.all(Array.from(times, async (_, k) => (await readFrame(k))[2]));
    expect(heights).toEqual([0, 2, 4, 5]);
  });

  it('that share a name are called by their paths', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(await addXform(top, 'a'), 'shape');
      await addMesh(await addXform(top, 'b'), 'shape');
      await addMesh(top, 'other');
    });
    expect((await opened(bytes)).meshes.map(({ name }) => name)).toEqual(['a/shape', 'b/shape', 'other']);
  });
});

describe('values of meshes', () => {
  /** Two quads side by side. */
  const TWO = {
    frames: [[0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0]],
    counts: [[4, 4]],
    indices: [[0, 3, 4, 1, 1, 4, 5, 2]],
  };
  const uvOfVertex = [0, 0, 0.5, 0, 1, 0, 0, 1, 0.5, 1, 1, 1];
  const uvOfCorner = TWO.indices[0].flatMap((i) => uvOfVertex.slice(2 * i, 2 * i + 2));

  it.each<[string, { values: number[]; scope: string; indices?: number[] }]>([
    ['vertices', { values: uvOfVertex, scope: 'vtx' }],
    ['vertices, called varying', { values: uvOfVertex, scope: 'var' }],
    ['corners', { values: uvOfCorner, scope: 'fvr' }],
    ['corners, by index', { values: uvOfVertex, indices: TWO.indices[0], scope: 'fvr' }],
    ['vertices, by index', { values: uvOfVertex, indices: [0, 1, 2, 3, 4, 5], scope: 'vtx' }],
    ['corners, wrongly said to be of vertices', { values: uvOfCorner, scope: 'vtx' }],
    ['corners, without a scope', { values: uvOfCorner, scope: '' }],
  ])('uvs of %s', async (_, uv) => {
    const { meshes, notes } = await opened(
      await archiveOf(async (top) => void (await addMesh(top, 'm', { ...TWO, uv }))),
    );
    const [mesh] = meshes;
    expect(notes).toEqual([]);
    expect(mesh.seams).toBeUndefined();
    expect([...mesh.uvs!]).toEqual(uvOfVertex);
  });

  it('normals of faces split the vertices between them', async () => {
    const N = { values: [0, 0, 2, 0, 3, 0], scope: 'uni' };
    const [mesh] = (await opened(await archiveOf(async (top) => void (await addMesh(top, 'm', { ...TWO, N }))))).meshes;
    expect(mesh.seams?.vertexOf).toHaveLength(8);
    const normals = Array.from(mesh.seams!.triangles, (w) => [...mesh.normals!.subarray(3 * w, 3 * w + 3)]);
    expect(normals.slice(0, 6)).toEqual(Array(6).fill([0, 0, 1]));
    expect(normals.slice(6)).toEqual(Array(6).fill([0, 1, 0]));
  });

  it('one normal for all', async () => {
    const N = { values: [0, 1, 0], scope: 'con' };
    const [mesh] = (await opened(await archiveOf(async (top) => void (await addMesh(top, 'm', { N }))))).meshes;
    expect([...mesh.normals!]).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]);
  });

  it('that fit nothing are left out, with a note', async () => {
    const uv = { values: [0, 0, 1, 1, 2, 2], scope: 'fvr' };
    const { meshes, notes } = await opened(await archiveOf(async (top) => void (await addMesh(top, 'm', { uv }))));
    expect(meshes[0].uvs).toBeUndefined();
    expect(notes).toEqual([note('attribute-count', { attribute: 'uv', count: 3 }, 'm')]);
  });

  it('of another kind are left out, with a note', async () => {
    const uv = { values: SQUARE.points, scope: 'vtx', extent: 3 };
    const { meshes, notes } = await opened(await archiveOf(async (top) => void (await addMesh(top, 'm', { uv }))));
    expect(meshes[0].uvs).toBeUndefined();
    expect(notes).toEqual([note('attribute-type', { attribute: 'uv', extent: 3, type: 'float32', expected: 2 }, 'm')]);
  });

  it('an index beyond the values is refused', async () => {
    const uv = { values: [0, 0], indices: [0, 0, 0, 1], scope: 'fvr' };
    const bytes = await archiveOf(async (top) => void (await addMesh(top, 'm', { uv })));
    await expectRefusal(openBytes(bytes), 'bad-file', { values: [1, 0, 0] });
  });

  it('face sets are groups; faces in none are the last group, and faces in two stay in the first', async () => {
    const strip = {
      frames: [Array.from({ length: 8 }, (_, i) => [Math.floor(i / 2), i % 2, 0]).flat()],
      counts: [[4, 4, 4, 2]],
      indices: [[0, 1, 3, 2, 2, 3, 5, 4, 4, 5, 7, 6, 0, 7]],
    };
    const bytes = await archiveOf(async (top) => {
      const mesh = await addMesh(top, 'strip', strip);
      await addFaceSet(mesh, 'end', [2]);
      await addFaceSet(mesh, 'both', [0, 2, 99]);
    });
    const { meshes, notes } = await opened(bytes);
    expect(meshes[0].groups).toEqual([
      { name: 'end', start: 0, count: 2, material: 0 },
      { name: 'both', start: 2, count: 2, material: 1 },
      { name: 'strip', start: 4, count: 2 },
    ]);
    expect(meshes[0].materials?.map(({ name }) => name)).toEqual(['end', 'both']);
    expect(new Set(meshes[0].triangles.subarray(0, 6))).toEqual(new Set([4, 5, 6, 7]));
    expect(notes).toEqual([
      note('face-set-unknown-faces', { count: 1 }, 'strip'),
      note('face-sets-overlap', { count: 1 }, 'strip'),
      note('not-read', { what: 'small-faces', count: 1 }, 'strip'),
    ]);
  });
});
