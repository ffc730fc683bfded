import { describe, expect, it } from 'vitest';
import { SCHEMAS } from '../../src/io/alembic/schemas.ts';
import { ACYCLIC } from '../../src/io/alembic/time-sampling.ts';
import { type ByteSource, memorySource } from '../../src/io/files.ts';
import { readAlembic } from '../../src/io/read-alembic.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { validateMesh } from '../../src/model/mesh.ts';
import { validateSequence } from '../../src/model/sequence.ts';
import { blobFiles } from '../../src/platform/browser/files.ts';
import {
  addFaceSet,
  addInstance,
  addMesh,
  addOther,
  addXform,
  archiveOf,
  fullArchive,
  moved,
  OPS,
  openBytes,
  rate,
  SQUARE,
  setVisibility,
} from './alembic-fixtures.ts';
import { expectRefusal, memoryFiles } from './support.ts';

const rounded = (numbers: Iterable<number>): number[] =>
  Array.from(numbers, (value) => Math.round(1e5 * value) / 1e5 + 0);

/** Reads an archive and checks all that it holds. */
async function opened(bytes: Uint8Array) {
  const asset = await openBytes(bytes);
  for (const mesh of asset.meshes) validateMesh(mesh);
  for (const sequence of asset.sequences) await validateSequence(sequence);
  return asset;
}

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
    await expectRefusal(sequence.readFrame(5), 'bad-option', /no frame 5/);
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
    expect(notes).toEqual(['m: 3 values of uv left out: they fit neither corners, vertices nor faces.']);
  });

  it('of another kind are left out, with a note', async () => {
    const uv = { values: SQUARE.points, scope: 'vtx', extent: 3 };
    const { meshes, notes } = await opened(await archiveOf(async (top) => void (await addMesh(top, 'm', { uv }))));
    expect(meshes[0].uvs).toBeUndefined();
    expect(notes).toEqual(['m: uv left out: it has 3 float32 each (expected 2 floats).']);
  });

  it('an index beyond the values is refused', async () => {
    const uv = { values: [0, 0], indices: [0, 0, 0, 1], scope: 'fvr' };
    const bytes = await archiveOf(async (top) => void (await addMesh(top, 'm', { uv })));
    await expectRefusal(openBytes(bytes), 'bad-file', /uv refers to value 1 \(expected 0 to 0\)/);
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
      'strip: 1 face of face sets that the mesh does not have.',
      'strip: 1 face in several face sets: each stays in the first.',
      'strip: 1 face of fewer than 3 corners left out.',
    ]);
  });
});

describe('transforms', () => {
  const point = { frames: [[1, 0, 0, 0, 1, 0, 0, 0, 1]], counts: [[3]], indices: [[0, 1, 2]] };
  const baked = async (spec: Parameters<typeof addXform>[2]): Promise<number[]> => {
    const bytes = await archiveOf(async (top) => void (await addMesh(await addXform(top, 'x', spec), 'm', point)));
    return rounded((await opened(bytes)).meshes[0].positions);
  };

  it.each<[string, number, number[], number[]]>([
    ['translate', OPS.translate, [1, 2, 3], [2, 2, 3, 1, 3, 3, 1, 2, 4]],
    ['scale', OPS.scale, [2, 3, 4], [2, 0, 0, 0, 3, 0, 0, 0, 4]],
    ['rotate x', OPS.rotateX, [90], [1, 0, 0, 0, 0, 1, 0, -1, 0]],
    ['rotate y', OPS.rotateY, [90], [0, 0, -1, 0, 1, 0, 1, 0, 0]],
    ['rotate z', OPS.rotateZ, [90], [0, 1, 0, -1, 0, 0, 0, 0, 1]],
    ['rotate about an axis of any length', OPS.rotate, [0, 0, 5, 90], [0, 1, 0, -1, 0, 0, 0, 0, 1]],
    ['matrix', OPS.matrix, [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1], [5, 7, 7, 4, 6, 7, 5, 6, 8]],
  ])('%s', async (_, op, values, expected) => {
    // The lower bits say what the operation is used for, and change nothing.
    expect(await baked({ ops: [op | 3], values: [values] })).toEqual(expected);
    expect(await baked({ ops: [op], values: [values], asArray: true })).toEqual(expected);
  });

  it('the last operation comes first', async () => {
    const values = [[10, 0, 0, 90, 2, 1, 1]];
    expect(await baked({ ops: [OPS.translate, OPS.rotateZ, OPS.scale], values })).toEqual([
      10, 2, 0, 9, 0, 0, 10, 0, 1,
    ]);
  });

  it('multiply down the tree, unless one does not inherit', async () => {
    for (const inherits of [true, false]) {
      const bytes = await archiveOf(async (top) => {
        const outer = await addXform(top, 'outer', { ops: [OPS.translate], values: [[100, 0, 0]] });
        const inner = await addXform(outer, 'inner', { ops: [OPS.rotateZ], values: [[90]], inherits: [inherits] });
        await addMesh(inner, 'm', point);
      });
      const { positions } = (await opened(bytes)).meshes[0];
      expect(rounded(positions.subarray(0, 3))).toEqual(inherits ? [100, 1, 0] : [0, 1, 0]);
    }
  });

  it('that move make a sequence of a rigid mesh, whose points are read once', async () => {
    const bytes = await archiveOf(async (top, archive) => {
      const sampling = archive.addSampling(rate(24));
      const x = await addXform(top, 'x', {
        ops: [OPS.translate],
        values: [
          [0, 0, 0],
          [1, 0, 0],
          [1, 0, 0],
          [3, 0, 0],
        ],
        sampling,
      });
      await addMesh(x, 'm');
    });
    const counted = countingSource(bytes);
    const [sequence] = (await readAlembic(counted)).sequences;
    expect(sequence.frameCount).toBe(4);
    const before = counted.largest();
    for (const [k, x] of [0, 1, 1, 3].entries()) {
      expect([...(await sequence.readFrame(k))]).toEqual(moved(SQUARE.points, x, 0, 0));
    }
    expect(counted.largest()).toBe(before);
  });

  it('and points at other times: frames at all of them, each interpolated where it has no sample', async () => {
    const bytes = await archiveOf(async (top, archive) => {
      const half = archive.addSampling(rate(2));
      const quarter = archive.addSampling(rate(4));
      const x = await addXform(top, 'x', { ops: [OPS.rotateZ], values: [[0], [90]], sampling: half });
      await addMesh(x, 'm', {
        ...point,
        frames: [0, 1, 2, 3].map((z) => moved(point.frames[0], 0, 0, z)),
        sampling: quarter,
      });
    });
    const [sequence] = (await opened(bytes)).sequences;
    expect([...sequence.times]).toEqual([0, 0.25, 0.5, 0.75]);
    const h = Math.SQRT1_2;
    const firstPoint = async (k: number) => rounded((await sequence.readFrame(k)).subarray(0, 3));
    expect(await firstPoint(1)).toEqual(rounded([h, h, 1]));
    expect(await firstPoint(2)).toEqual([0, 1, 2]);
    // Behind its last sample a transform stays.
    expect(await firstPoint(3)).toEqual([0, 1, 3]);
  });

  it('that mirror turn the triangles around, and normals go along', async () => {
    const N = { values: [0, 0, 1], scope: 'con' };
    const bytes = await archiveOf(async (top) => {
      const x = await addXform(top, 'x', { ops: [OPS.scale], values: [[-2, 1, 1]] });
      await addMesh(x, 'm', { N });
    });
    const [mesh] = (await opened(bytes)).meshes;
    const [a, b, c] = Array.from(mesh.triangles.subarray(0, 3), (i) => mesh.positions.subarray(3 * i, 3 * i + 2));
    expect((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).toBeGreaterThan(0);
    expect(rounded(mesh.normals!.subarray(0, 3))).toEqual([0, 0, 1]);
  });
});

describe('visibility', () => {
  const scene = (own: number[], parent: number[]) =>
    archiveOf(async (top, archive) => {
      const sampling = archive.addSampling(rate(24));
      const x = await addXform(top, 'x');
      if (parent.length) await setVisibility(x, parent, sampling);
      const mesh = await addMesh(x, 'm');
      if (own.length) await setVisibility(mesh, own, sampling);
    });

  it.each<[string, number[], number[], boolean]>([
    ['none said', [], [], true],
    ['hidden', [0], [], false],
    ['below a hidden parent', [], [0], false],
    ['as its hidden parent', [-1], [0], false],
    ['visible below a hidden parent', [1], [0], true],
    ['hidden throughout', [0, 0, 0], [1], false],
    ['hidden or as its hidden parent', [0, -1], [0], false],
  ])('%s', async (_, own, parent, shown) => {
    const { meshes, notes } = await opened(await scene(own, parent));
    expect(meshes).toHaveLength(shown ? 1 : 0);
    expect(notes).toEqual(shown ? [] : ['/x/m is hidden: left out.']);
  });

  it('is not what else has its name', async () => {
    const bytes = await archiveOf(async (top) => {
      const mesh = await addMesh(top, 'm');
      await mesh.properties.scalar('visible', { pod: 'string' }).setTexts(['no']);
    });
    expect((await opened(bytes)).meshes).toHaveLength(1);
  });

  it('that changes is told, and the mesh kept', async () => {
    for (const [own, parent] of [
      [[1, 0, 1], []],
      [[], [1, 0]],
      [[-1, 1], [0]],
    ]) {
      const { meshes, notes } = await opened(await scene(own, parent));
      expect(meshes).toHaveLength(1);
      expect(notes).toEqual(['/x/m is hidden at some times: it is shown throughout.']);
    }
  });
});

describe('instances', () => {
  it('stand for the object they name, with all below it', async () => {
    const bytes = await archiveOf(async (top) => {
      const source = await addXform(top, 'source', { ops: [OPS.translate], values: [[1, 0, 0]] });
      await addMesh(source, 'm');
      const place = await addXform(top, 'place', { ops: [OPS.translate], values: [[0, 10, 0]] });
      await addInstance(place, 'copy', '/source');
    });
    const { meshes, objects } = await opened(bytes);
    expect(meshes.map(({ name }) => name)).toEqual(['source/m', 'place/copy/m']);
    expect([...meshes[1].positions]).toEqual(moved(SQUARE.points, 1, 10, 0));
    expect(objects?.at(-1)).toMatchObject({ path: '/place/copy', kind: 'instance of /source' });
  });

  it('of what is not there, or of themselves, are refused', async () => {
    const missing = await archiveOf(async (top) => addInstance(top, 'copy', '/nowhere'));
    await expectRefusal(openBytes(missing), 'bad-file', /\/copy is an instance of \/nowhere, which is not there/);
    const loop = await archiveOf(async (top) => addInstance(await addXform(top, 'x'), 'copy', '/x'));
    await expectRefusal(openBytes(loop), 'bad-file', /\/x\/copy\/copy is an instance of itself/);
  });
});

describe('what is not read', () => {
  it('archives without meshes say what they hold', async () => {
    const bytes = await archiveOf(async (top) => {
      await addOther(top, 'hair', 'AbcGeom_Curve_v2');
      await addOther(top, 'eye', 'AbcGeom_Camera_v1');
      await addOther(top, 'eye2', 'AbcGeom_Camera_v1');
      await addOther(top, 'thing', 'Studio_Thing_v3');
    });
    const asset = await opened(bytes);
    expect([...asset.meshes, ...asset.sequences]).toEqual([]);
    expect(asset.notes).toEqual(['Left out: 1 object of curves, 2 cameras, 1 Studio_Thing_v3.']);
    expect(asset.objects?.map(({ kind }) => kind)).toEqual(['curves', 'camera', 'camera', 'Studio_Thing_v3']);
  });

  const changing = { counts: [[4], [4], [3, 3]], indices: [SQUARE.indices, SQUARE.indices, [0, 2, 1, 0, 3, 2]] };
  const frames = [SQUARE.points, SQUARE.points, [...SQUARE.points, 5, 5, 5]];

  it('faces that change are refused, with the sample and the numbers', async () => {
    const bytes = await archiveOf(async (top) => void (await addMesh(top, 'fluid', { ...changing, frames })));
    await expectRefusal(
      openBytes(bytes),
      'unsupported',
      /test\.abc: \/fluid changes its faces at sample 2, from 4 vertices and 1 face to 5 vertices and 2 faces/,
    );
  });

  it('and left out with a note where there are other meshes', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(top, 'fluid', { ...changing, frames });
      await addMesh(top, 'glass');
    });
    const { meshes, notes } = await opened(bytes);
    expect(meshes.map(({ name }) => name)).toEqual(['glass']);
    expect(notes[0]).toMatch(/^\/fluid changes its faces at sample 2, .*: left out\.$/);
  });

  it('faces that come back to what they were change too', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(top, 'm', { counts: [[4], [4]], indices: [SQUARE.indices, [1, 0, 3, 2]] });
    });
    await expectRefusal(openBytes(bytes), 'unsupported', /sample 1, still 4 vertices and 1 face, but joined otherwise/);
  });

  it('meshes without samples or vertices are left out', async () => {
    const bytes = await archiveOf(async (top) => {
      await addMesh(top, 'never', { frames: [], counts: [], indices: [] });
      await addMesh(top, 'empty', { frames: [[]], counts: [[]], indices: [[]] });
    });
    expect((await opened(bytes)).notes).toEqual([
      '/never has no samples: left out.',
      '/empty has no vertices: left out.',
    ]);
  });

  it('the rest pose of an archive is a frame, not another file', async () => {
    const files = memoryFiles({ 'a.abc': await fullArchive(), 'r.obj': 'v 0 0 0\n' });
    await expectRefusal(
      readAsset(files, ['a.abc'], { rest: 'r.obj' }),
      'bad-option',
      /rest r\.obj beside the file.s own mesh/,
    );
    await expectRefusal(readAsset(files, ['a.abc'], { rest: '99' }), 'bad-option', /no frame 99/);
    expect(files.openCount()).toBe(0);
    const asset = await readAsset(files, ['a.abc'], { rest: '1' });
    expect(asset.sequences[0].rest.positions).toEqual(await asset.sequences[0].readFrame(1));
  });
});

/** A source that knows its largest read so far, and how often it was closed. */
function countingSource(bytes: Uint8Array): ByteSource & { largest(): number; closed(): number; reads(): number } {
  const source = memorySource('test.abc', bytes);
  let largest = 0;
  let reads = 0;
  let closed = 0;
  return {
    ...source,
    read(offset, length) {
      reads++;
      largest = Math.max(largest, length);
      return source.read(offset, length);
    },
    async close() {
      closed++;
    },
    largest: () => largest,
    reads: () => reads,
    closed: () => closed,
  };
}

describe('files', () => {
  it('may be dropped on a page', async () => {
    const files = blobFiles([new File([new Uint8Array(await fullArchive())], 'sim.abc')]);
    const { sequences } = await readAsset(files, ['sim.abc']);
    await validateSequence(sequences[0]);
  });

  it('are closed with the last sequence, or at once', async () => {
    const source = countingSource(await fullArchive());
    const { sequences } = await readAlembic(source);
    expect(sequences).toHaveLength(3);
    for (const sequence of sequences) {
      expect(source.closed()).toBe(0);
      await sequence.close?.();
      await sequence.close?.();
    }
    expect(source.closed()).toBe(1);
    const still = countingSource(await archiveOf(async (top) => void (await addMesh(top, 'm'))));
    await readAlembic(still);
    expect(still.closed()).toBe(1);
    const broken = countingSource((await fullArchive()).slice(0, 1000));
    await expect(readAlembic(broken)).rejects.toThrow(/test\.abc/);
    expect(broken.closed()).toBe(1);
  });

  it('are opened by their index: many objects in few reads, frames not at all', async () => {
    const n = 2_000;
    const bytes = await archiveOf(async (top, archive) => {
      const sampling = archive.addSampling(rate(24));
      const points = (z: number) => Array.from({ length: 3 * n }, (_, c) => (c % 3 === 2 ? z : c));
      for (let m = 0; m < 40; m++) {
        const x = await addXform(top, `x${m}`, { ops: [OPS.translate], values: [[m, 0, 0]] });
        const frames = Array.from({ length: 10 }, (_, k) => points(10 * m + k));
        await addMesh(x, 'm', { frames, counts: [[3]], indices: [[0, 1, 2]], sampling });
      }
    });
    const source = countingSource(bytes);
    const { sequences } = await readAlembic(source);
    expect(sequences).toHaveLength(40);
    // About 9.6 MB, of which the first samples are a tenth; some ten thousand groups and blocks.
    const opening = source.reads();
    expect(opening).toBeLessThan(40 * 12);
    await sequences[3].readFrame(7);
    expect(source.reads() - opening).toBe(1);
    await sequences[3].readFrame(7);
    expect(source.reads() - opening).toBe(1);
  });
});
