import { describe, expect, it } from 'vitest';
import { readAlembic } from '../../../src/io/read-alembic.ts';
import { note } from '../../../src/model/note.ts';
import { expectRefusal } from '../../refusal.ts';

import {
  addInstance,
  addMesh,
  addXform,
  archiveOf,
  moved,
  OPS,
  openBytes,
  rate,
  SQUARE,
  setVisibility,
  textBytes,
} from './fixtures.ts';
import { countingSource, opened, rounded } from './opened.ts';

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
    expect(notes).toEqual(shown ? [] : [note('object-not-read', { reason: 'hidden' }, '/x/m')]);
  });

  it('is not what else has its name', async () => {
    const bytes = await archiveOf(async (top) => {
      const mesh = await addMesh(top, 'm');
      await mesh.properties.scalar('visible', { pod: 'string' }).set(textBytes(['no'], 'string'));
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
      expect(notes).toEqual([note('visibility-ignored', {}, '/x/m')]);
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
    await expectRefusal(openBytes(missing), 'bad-file', { values: ['/copy', '/nowhere'] });
    const loop = await archiveOf(async (top) => addInstance(await addXform(top, 'x'), 'copy', '/x'));
    await expectRefusal(openBytes(loop), 'bad-file', { values: ['/x/copy/copy'] });
  });
});
