import type { Compared, Note, NoteCode, NoteData } from '../model/note.ts';
import { count } from './format.ts';

const both = (of: readonly Compared[]): string => of.map((which) => `the ${which}`).join(' and ');

/** An option as a front end names it: `maxSize`, `--max-size`. */
type OptionName = (option: string) => string;

/** The sentence of each note, without what it is about, its capital and its full stop. */
const NOTE_TEXTS: { [C in NoteCode]: (data: NoteData[C], option: OptionName) => string } = {
  // io
  'players-blend-linearly': ({ operator }) =>
    `glTF players blend linearly, not by ${operator}; \`skin\` bakes the motion into morph targets, which they all play`,
  // measure
  'vertex-counts-differ': ({ original, approximation }) =>
    `the original has ${count(original)} vertices and the approximation ${count(approximation)}: only surface distance, ` +
    'areas and volumes are compared',
  'vertices-unmatched': () =>
    'the triangles differ and the rest positions do not match: only surface distance, areas and volumes are compared',
  'vertices-reordered': () => 'the vertices are in another order: they were matched by rest position',
  'no-motion': () => 'the original does not move: distortion is not defined',
  'no-triangles': ({ of }) => `no surface distance: no triangles in ${both(of)}`,
  'no-volume': ({ of }) => `no volume of ${both(of)}: the surface is open`,
  'rigid-prediction-exact': () => 'rigid bones predict the original exactly: the enveloping error is not defined',
  // skin
  'skin-kernel': ({ operator, kernel }) => `${operator}, ${kernel} kernel`,
  'no-normals-to-pose': () => 'the mesh has no normals to pose',
};

/** A note as a sentence, after the name of what it is about. */
export function noteText(note: Note | string, optionName: OptionName = (name) => name): string {
  if (typeof note === 'string') return note;
  const text = NOTE_TEXTS[note.code] as (data: Note['data'], option: OptionName) => string;
  const sentence = `${text(note.data, optionName)}.`;
  return note.about === undefined ? sentence[0].toUpperCase() + sentence.slice(1) : `${note.about}: ${sentence}`;
}
