import type { NoteCode, Notes } from '../src/model/note.ts';

/** The codes of notes; tests look into data only where they tell more. */
export const codesOf = (notes: Readonly<Notes>): NoteCode[] =>
  notes.flatMap((note) => (typeof note === 'string' ? [] : [note.code]));
