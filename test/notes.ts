import type { Note, NoteCode } from '../src/model/note.ts';

/** The codes of notes; tests look into data only where they tell more. */
export const codesOf = (notes: readonly Note[]): NoteCode[] => notes.map(({ code }) => code);
