import { describe, expect, it } from 'vitest';
import { RIG_FILES } from '../../bench/engines/rig-files.ts';
import { EDITING_VERBS, openGlb } from '../../bench/engines/verbs.ts';
import { fit, memorySequence, skin, writeSequenceGlb } from '../../src/index.ts';
import { jsonOf, tubeMesh } from '../io/gltf/fixtures.ts';
import { codesOf } from '../notes.ts';

/** A rig whose clips start late. */
const rig = RIG_FILES.find(({ name }) => name.startsWith('cubic'))!.make();

/** The clips of a file: name, start, end. */
const clipsOf = (glb: Uint8Array) => {
  const { animations = [], accessors = [] } = jsonOf(glb);
  return animations.map(({ name, samplers }) => {
    const inputs = samplers.map(({ input }) => accessors[input]);
    const [start, end] = [inputs.map(({ min }) => min![0]), inputs.map(({ max }) => max![0])];
    return [name, expect.closeTo(Math.min(...start), 5), expect.closeTo(Math.max(...end), 5)];
  });
};

const QUICK = { bones: 2, iterations: 2, moves: 0, baseline: false, glb: {} } as const;

describe('clips', () => {
  const [late] = clipsOf(rig);

  it('are those that start late', () => {
    expect(late).toEqual(['Late', expect.closeTo(0.5, 5), expect.closeTo(1.5, 5)]);
  });

  it.each(Object.entries(EDITING_VERBS))('keep their names and times in %s', async (_, verb) => {
    expect(clipsOf(await verb(await openGlb(rig)))).toEqual(clipsOf(rig));
  });

  it('keep their names and times in fit', async () => {
    const { file, report } = await fit(await openGlb(rig), { ...QUICK, clips: ['Late'] });
    expect(clipsOf(file!)).toEqual([late]);
    expect(codesOf(report.notes)).not.toContain('start-moved');
  });

  it('keep their names and times as morph targets', async () => {
    const { sequences } = await skin(await openGlb(rig), { clip: 'Late' });
    expect(clipsOf((await writeSequenceGlb(sequences)).bytes)).toEqual([late]);
  });

  it('start at 0 where a cache counts the frames of a shot, with a note', async () => {
    const mesh = tubeMesh();
    const frames = [0, 1, 2].map((k) => mesh.positions.map((x, c) => (c % 3 === 0 ? x + k : x)));
    const shot = memorySequence('shot', mesh, frames, Float64Array.of(41, 42, 43));
    const { file, report } = await fit(shot, QUICK);
    expect(clipsOf(file!)).toEqual([['shot', 0, expect.closeTo(2, 5)]]);
    expect(report.notes).toContainEqual({ code: 'start-moved', data: { seconds: 41 } });
  });
});
