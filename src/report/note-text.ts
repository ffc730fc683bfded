import type { Note } from '../model/note.ts';
import { NOTE_TEXTS, type OptionName } from '../model/note-texts.ts';

/** A note as a sentence, after the name of what it is about. */
export function noteText(note: Note, optionName: OptionName = (name) => name): string {
  const text = NOTE_TEXTS[note.code] as (data: Note['data'], option: OptionName) => string;
  const sentence = `${text(note.data, optionName)}.`;
  return note.about === undefined ? sentence[0].toUpperCase() + sentence.slice(1) : `${note.about}: ${sentence}`;
}
