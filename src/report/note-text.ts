import { distinctNotes, type Note } from '../model/note.ts';
import { NOTE_TEXTS, type OptionName } from '../model/note-texts.ts';

/** A note as a sentence, after the name of what it is about. */
export function noteText(note: Note, optionName: OptionName = (name) => name): string {
  const text = NOTE_TEXTS[note.code] as (data: Note['data'], option: OptionName) => string;
  const sentence = `${text(note.data, optionName)}.`;
  return note.about === undefined ? sentence[0].toUpperCase() + sentence.slice(1) : `${note.about}: ${sentence}`;
}

/** Names that a line lists before it only counts the others. */
const MOST_NAMES = 3;

/** Notes as sentences, each once: what holds for several parts is said once, after their names. */
export function noteTexts(notes: readonly Note[], optionName?: OptionName): string[] {
  const groups = new Map<string, Note[]>();
  for (const each of distinctNotes(notes)) {
    const key = JSON.stringify({ ...each, about: each.about !== undefined });
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].map((alike) => {
    const names = alike.flatMap(({ about = [] }) => about);
    const [first, more] = [names.slice(0, MOST_NAMES), names.length - MOST_NAMES];
    const about = more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ');
    return noteText(names.length > 0 ? { ...alike[0], about } : alike[0], optionName);
  });
}
