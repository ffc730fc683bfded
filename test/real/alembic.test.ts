import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../src/io/alembic/archive.ts';
import { memorySource } from '../../src/io/files.ts';
import { readAlembic } from '../../src/io/read-alembic.ts';
import { writeAlembic } from '../../src/io/write-alembic.ts';
import { murmur3 } from '../../src/math/murmur3.ts';
import { inspectMesh } from '../../src/mesh/inspect.ts';
import { triangleCount, vertexCount } from '../../src/model/mesh.ts';
import { validateSequence } from '../../src/model/sequence.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { memorySink } from '../io/support.ts';
import { realData } from './data.ts';

const { path: data, absent, why } = realData();
const FILE = `${data}caches/Bone_Anim.abc`;

/** Six times the signed volume between a surface and the origin: positive where faces look outwards. */
function volume(positions: Float32Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let c = 0; c < triangles.length; c += 3) {
    const [a, b, d] = [3 * triangles[c], 3 * triangles[c + 1], 3 * triangles[c + 2]];
    const p = positions;
    sum += p[a] * (p[b + 1] * p[d + 2] - p[b + 2] * p[d + 1]);
    sum += p[a + 1] * (p[b + 2] * p[d] - p[b] * p[d + 2]);
    sum += p[a + 2] * (p[b] * p[d + 1] - p[b + 1] * p[d]);
  }
  return sum;
}

describe.skipIf(absent)(`Bone_Anim.abc, which Maya wrote${why}`, () => {
  const open = async () => readAlembic(await nodeFiles.open(FILE));

  it('is a closed mesh of 754 vertices in 400 frames at 24 per second, seen from outside', async () => {
    const asset = await open();
    const [sequence] = asset.sequences;
    expect([vertexCount(sequence.rest), triangleCount(sequence.rest), sequence.frameCount]).toEqual([754, 1504, 400]);
    expect(sequence.times[0]).toBeCloseTo(1 / 24, 12);
    expect(sequence.times[399]).toBeCloseTo(400 / 24, 12);
    expect(inspectMesh(sequence.rest)).toMatchObject({ closed: true, problems: [] });
    expect(volume(sequence.rest.positions, sequence.rest.triangles)).toBeGreaterThan(0);
    await validateSequence(sequence);
    expect(asset.objects).toMatchObject([
      { path: '/Bone', kind: 'transform', samples: 1 },
      { path: '/Bone/BoneShape', kind: 'mesh', samples: 400 },
    ]);
    expect(asset.notes).toEqual([]);
    await sequence.close?.();
  });

  it('has its transform in its points, as Alembic 1.5 itself gives both', async () => {
    const [sequence] = (await open()).sequences;
    // Points of the shape, and a translation of (0, 0.3851148736980703, 0) above it.
    const y = 0.3851148736980703;
    const expected = [
      [0, -1.0750341415405273, -0.28340959548950195 + y, 0.5528053045272827],
      [23, -1.0753047466278076, -0.28438788652420044 + y, 0.5527606010437012],
      [119, -1.4648032188415527, -0.2788635194301605 + y, 0.5617669224739075],
    ];
    for (const [k, ...point] of expected) {
      expect([...(await sequence.readFrame(k)).subarray(0, 3)]).toEqual([...Float32Array.from(point)]);
    }
    await sequence.close?.();
  });

  it('has the keys that we compute', async () => {
    const archive = await openArchive(memorySource(FILE, readFileSync(FILE)), 'test');
    const shape = archive.top.children[0].children[0];
    const geom = (await (await shape.properties()).compound('.geom'))!;
    for (const name of ['P', '.faceIndices', '.faceCounts', '.selfBnds']) {
      const property = (await geom.property(name))!;
      const key = await archive.file.blockStart(property.block(0), 16);
      expect(Buffer.compare(murmur3(await property.bytes(0)), key)).toBe(0);
    }
    expect(archive.libraryVersion).toBe(10508);
    expect(archive.metaData.get('_ai_Application')).toBe('Maya 2018 AbcExport v1.0');
  });

  it('comes back when it is written', async () => {
    const [sequence] = (await open()).sequences;
    const sink = memorySink();
    await writeAlembic([sequence], sink);
    const [back] = (await readAlembic(memorySource('back.abc', sink.bytes()))).sequences;
    expect(back.rest).toEqual(sequence.rest);
    back.times.forEach((time, k) => {
      expect(time).toBeCloseTo(sequence.times[k], 12);
    });
    for (const k of [0, 1, 200, 399]) expect(await back.readFrame(k)).toEqual(await sequence.readFrame(k));
    await sequence.close?.();
  });
});
