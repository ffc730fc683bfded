import type { NOTE_TEXTS, NoData } from './note-texts.ts';

/** What a user should know about a result, as a code and data. `note-texts.ts` lists them all. */

type Texts = typeof NOTE_TEXTS;

/** The data of each note, by its code. */
export type NoteData = { [C in keyof Texts]: Texts[C] extends () => string ? NoData : Parameters<Texts[C]>[0] };

/** The code of a note. */
export type NoteCode = keyof NoteData;

/** Something worth knowing about a result, by its code; `noteText` makes the sentence. */
export type Note = {
  [C in NoteCode]: {
    code: C;
    data: NoteData[C];
    /** Name of the part, clip or object that it is about. */
    about?: string;
  };
}[NoteCode];

export const note = <C extends NoteCode>(code: C, data: NoteData[C], about?: string): Note =>
  ({ code, data, ...(about !== undefined && { about }) }) as Note;

/** Adds notes that are not there yet. */
export function addNotes(notes: Note[], ...more: Note[]): void {
  const known = new Set(notes.map((each) => JSON.stringify(each)));
  for (const each of more) {
    const value = JSON.stringify(each);
    if (!known.has(value)) notes.push(each);
    known.add(value);
  }
}

/** Each note once, in the order of the first. */
export function distinctNotes(notes: readonly Note[]): Note[] {
  const distinct: Note[] = [];
  addNotes(distinct, ...notes);
  return distinct;
}
