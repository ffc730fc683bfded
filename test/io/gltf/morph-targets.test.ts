import { describe, expect, it } from 'vitest';
import { writeSequenceGlb } from '../../../src/io/write-glb.ts';
import { note } from '../../../src/model/note.ts';
import { memorySequence } from '../../../src/model/sequence.ts';
import { clipFrame, clipMorphWeights } from '../../../src/model/skeleton.ts';
import { expectRefusal } from '../../refusal.ts';
import { Bin, naiveLbs, readGlb } from './fixtures.ts';
import { TRIANGLE } from './triangle.ts';

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
    await expectRefusal(sequence.readFrame(3), 'bad-option', { values: [3, 0, 2] });
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

  it('are shapes of a model where that is asked for, unless they are the frames of a cache', async () => {
    const shapes = { blendShapes: true };
    for (const isAnimated of [true, false]) {
      const { models, sequences, notes } = await readGlb(
        morphFile(isAnimated, { weights: [0, 1] }),
        {},
        'face.glb',
        shapes,
      );
      expect([models.length, sequences.length, notes]).toEqual([1, 0, []]);
      expect(models[0].morphs!.map(({ name }) => name)).toEqual(['up', 'out']);
      expect(models[0].clips).toHaveLength(isAnimated ? 1 : 0);
      expect([...models[0].mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 1]);
    }
    const frames = [1, 2, 3].map((z) => Float32Array.from(TRIANGLE, (x) => x * z));
    const rest = { positions: TRIANGLE, triangles: Uint32Array.of(0, 1, 2) };
    const { bytes } = await writeSequenceGlb(memorySequence('cache', rest, frames));
    expect((await readGlb(bytes, {}, 'cache.glb', shapes)).sequences.map(({ frameCount }) => frameCount)).toEqual([3]);
  });

  it('without an animation are one frame each, with a note', async () => {
    const { sequences, notes } = await readGlb(morphFile(false, { weights: [0, 1] }));
    expect(sequences[0].frameCount).toBe(2);
    expect([...sequences[0].rest.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 1]);
    expect([...(await sequences[0].readFrame(0))]).toEqual([0, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect(notes).toEqual([note('targets-as-frames', {}, 'face')]);
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
