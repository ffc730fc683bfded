import { describe, expect, it } from 'vitest';
import { frameNameNotes } from '../../src/io/frame-names.ts';
import { note } from '../../src/model/note.ts';

const named = (...stems: string[]) => frameNameNotes(stems.map((name) => `folder 7/${name}.obj`));

const jump = (from: string, to: string) => note('frame-numbers-jump', { from: `${from}.obj`, to: `${to}.obj` });

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
    expect(notes).toEqual([jump('f_0002', 'f_0007')]);
  });

  it('have no gap where the rest pose was taken out', () => {
    const frames = ['f_0004', 'f_0006', 'f_0007', 'f_0008'].map((name) => `frames/${name}.obj`);
    expect(frameNameNotes(frames, 'frames/f_0005.obj')).toEqual([]);
    for (const rest of ['f_0001', 'rest', 'g_0005']) {
      expect(frameNameNotes(frames, `frames/${rest}.obj`)).toEqual([jump('f_0004', 'f_0006')]);
    }
    const later = frameNameNotes([...frames, 'frames/f_0012.obj'], 'frames/f_0005.obj');
    expect(later).toEqual([jump('f_0008', 'f_0012')]);
  });

  it('may be those of two sequences', () =>
    expect(named('run_1', 'run_2', 'walk_1')).toEqual([
      note('frame-names-differ', { names: ['run_1.obj', 'walk_1.obj'] }),
    ]));
});
