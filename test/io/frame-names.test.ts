import { describe, expect, it } from 'vitest';
import { frameNameNotes } from '../../src/io/frame-names.ts';

const named = (...stems: string[]): string[] => frameNameNotes(stems.map((name) => `folder 7/${name}.obj`));

describe('names of frames', () => {
  it.each([
    ['numbers one by one', ['f1', 'f2', 'f3']],
    ['numbers of other widths', ['f08', 'f9', 'f010']],
    ['every fifth frame', ['shot2_0005', 'shot2_0010', 'shot2_0015']],
    ['no numbers', ['a', 'b', 'c']],
    ['numbers alone', ['1001', '1002']],
    ['one frame', ['f1']],
  ])('are as they should be: %s', (_, stems) => expect(named(...stems)).toEqual([]));

  it('jump where files are missing', () => {
    const notes = named('f_0001', 'f_0002', 'f_0007', 'f_0008');
    expect(notes).toEqual([
      expect.stringMatching(/jump from f_0002\.obj to f_0007\.obj: what lies between is missing/),
    ]);
  });

  it('have no gap where the rest pose was taken out', () => {
    const frames = ['f_0004', 'f_0006', 'f_0007', 'f_0008'].map((name) => `frames/${name}.obj`);
    expect(frameNameNotes(frames, 'frames/f_0005.obj')).toEqual([]);
    for (const rest of ['f_0001', 'rest', 'g_0005']) {
      expect(frameNameNotes(frames, `frames/${rest}.obj`)).toEqual([expect.stringMatching(/from f_0004.* to f_0006/)]);
    }
    const later = frameNameNotes([...frames, 'frames/f_0012.obj'], 'frames/f_0005.obj');
    expect(later).toEqual([expect.stringMatching(/from f_0008\.obj to f_0012\.obj/)]);
  });

  it('may be those of two sequences', () =>
    expect(named('run_1', 'run_2', 'walk_1')).toEqual([
      'run_1.obj and walk_1.obj have different names: they are read as one sequence.',
    ]));
});
