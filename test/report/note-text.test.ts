import { describe, expect, it } from 'vitest';
import { addNotes, distinctNotes, type Note, note } from '../../src/model/note.ts';
import { noteText, noteTexts } from '../../src/report/note-text.ts';

describe('notes', () => {
  it('are the same when code, data and subject are', () => {
    const arm = note('weights-normalised', { vertices: 2 }, 'arm');
    const others = [note('weights-normalised', { vertices: 3 }, 'arm'), note('weights-normalised', { vertices: 2 })];
    expect(distinctNotes([arm, { ...arm }, ...others, arm])).toEqual([arm, ...others]);
    const notes: Note[] = [arm];
    addNotes(notes, { ...arm }, others[0], others[0]);
    expect(notes).toEqual([arm, others[0]]);
  });
});

describe('noteText', () => {
  it('is a sentence, after the name of its subject', () => {
    expect(noteText(note('no-frames', {}))).toMatch(/^[A-Z].*\.$/);
    expect(noteText(note('no-frames', {}, 'arm'))).toMatch(/^arm: [a-z].*\.$/);
  });

  it('names options as a front end does', () => {
    const more = note('more-clips', { clips: 2 });
    expect(noteText(more)).toMatch(/2 .*\bclip\b/);
    expect(noteText(more, (name) => `--${name}`)).toContain('--clip');
  });

  it('advises a map where most joints match no bone', () => {
    const retargeted = (...unmatched: string[]) =>
      noteText(note('clip-retargeted', { joints: 3, unmatched, scale: 1 }));
    expect(retargeted('hip', 'knee')).toMatch(/\bmap\b/);
    expect(retargeted('hip')).not.toMatch(/\bmap\b/);
  });
});

describe('noteTexts', () => {
  const still = (...names: string[]) => names.map((name) => note('no-frames', {}, name));

  it('says once what holds for several', () => {
    const [sentence] = noteTexts(still('arm')).map((text) => text.slice('arm'.length));
    expect(noteTexts(still('arm', 'leg', 'arm'))).toEqual([`arm, leg${sentence}`]);
    expect(noteTexts(still('a', 'b', 'c', 'd', 'e'))).toEqual([`a, b, c and 2 more${sentence}`]);
  });

  it('keeps apart what differs, and what is about nothing', () => {
    const moved = [
      note('weights-normalised', { vertices: 2 }, 'arm'),
      note('weights-normalised', { vertices: 3 }, 'leg'),
    ];
    expect(noteTexts([...moved, note('no-frames', {}), ...still('arm')])).toHaveLength(4);
  });
});
