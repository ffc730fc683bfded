import type { Compared, Note, NoteCode, NoteData } from '../model/note.ts';
import { spaceText } from './asset-text.ts';
import { bytes, count, digits, number, plural } from './format.ts';

/** Formats that sequences are written to, in a sentence. */
const FORMAT_TITLES: Record<string, string> = { abc: 'Alembic', obj: 'OBJ', frames: 'OBJ', pc2: 'PC2', mdd: 'MDD' };

const both = (of: readonly Compared[]): string => of.map((which) => `the ${which}`).join(' and ');

/** How many names a sentence lists. */
const LISTED = 8;
const listed = (names: readonly string[]): string =>
  names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ', …' : '');

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
  // verbs: what is chosen of a file
  'more-clips': ({ clips }, option) => `the rig has ${plural(clips, 'more clip')}: choose with ${option('clip')}`,
  'more-motions': ({ objects }, option) =>
    `there is more motion: choose ${objects.join(', ')} with ${option('object')}`,
  'left-out-still': () => 'does not move: left out',
  'rig-without-clip': () => 'a rig without a clip is written as the mesh of its rest pose',
  'own-times': (_, option) => `the file has its own times: ${option('framesPerSecond')} does not change them`,
  // verbs: fit, learn
  'larger-than-morphs': ({ bytes: size, estimated, fewerBones }, option) =>
    `morph targets with the same settings would be smaller (${estimated ? 'about ' : ''}${bytes(size)}): \`convert\` ` +
    `writes them${fewerBones ? `, or ask for fewer ${option('bones')}` : ''}`,
  'names-in-order': (_, option) =>
    `the names go to the points in the order in which they were chosen: choose your own with ${option('vertices')}`,
  // verbs: linearize, weights
  'left-out-unskinned': ({ meshes }) => `${plural(meshes, 'mesh', 'meshes')} without bones left out`,
  'largest-skeleton': ({ skeletons, taken }) => `has ${skeletons} skeletons: the largest is used, ${taken}`,
  'clip-retargeted': ({ joints, unmatched, scale }) =>
    `${joints - unmatched.length} of ${joints} joints move bones; the path of the root is scaled by ${digits(scale)}` +
    (unmatched.length > 0 ? `; without a bone: ${listed(unmatched)}` : ''),
  'skeleton-aligned': ({ scale, offset }) =>
    `the skeleton was scaled by ${digits(scale)} and moved by ${offset.map(digits).join(', ')}`,
  // verbs: convert
  'meshes-joined': ({ meshes }) => `${meshes} meshes were joined: uvs, normals and materials are lost`,
  'space-lost': ({ format, space }) =>
    `${FORMAT_TITLES[format] ?? format} cannot say ${spaceText(space)}: coordinates are kept as they are`,
  'rest-pose-lost': (_, option) =>
    `Alembic has no rest pose: readers use the first frame, unless ${option('rest')} names another`,
  'start-moved': ({ seconds }) => `the motion started at ${number(seconds)} s, and was moved to start at 0`,
  'times-lost': ({ framesPerSecond }, option) =>
    `OBJ has no times: read these files with ${option('framesPerSecond')} ${number(framesPerSecond)}`,
  'frames-counted': ({ framesPerSecond, rate }, option) =>
    `PC2 counts frames, here ${number(framesPerSecond)} per second and ${number(framesPerSecond / rate)} from one to the ` +
    `next: use ${option('framesPerSecond')} ${number(rate)} to count each as one`,
};

/** A note as a sentence, after the name of what it is about. */
export function noteText(note: Note | string, optionName: OptionName = (name) => name): string {
  if (typeof note === 'string') return note;
  const text = NOTE_TEXTS[note.code] as (data: Note['data'], option: OptionName) => string;
  const sentence = `${text(note.data, optionName)}.`;
  return note.about === undefined ? sentence[0].toUpperCase() + sentence.slice(1) : `${note.about}: ${sentence}`;
}
