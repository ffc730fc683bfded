import type { Compared, Note, NoteCode, NoteData, Unread } from '../model/note.ts';
import { spaceText } from './asset-text.ts';
import { bytes, count, digits, number, plural } from './format.ts';

/** Formats that sequences are written to, in a sentence. */
const FORMAT_TITLES: Record<string, string> = { abc: 'Alembic', obj: 'OBJ', frames: 'OBJ', pc2: 'PC2', mdd: 'MDD' };

/** How many names a sentence lists. */
const LISTED = 8;
const listed = (names: readonly string[]): string =>
  names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ', …' : '');

const both = (of: readonly Compared[]): string => of.map((which) => `the ${which}`).join(' and ');

const UNREAD: Record<Unread, string> = {
  'vertex-colours': 'vertex colours',
  'small-faces': 'faces with fewer than 3 corners',
  'polygon-holes': 'polygon holes',
  lines: 'lines',
  'points-and-lines': 'points and lines',
  'morph-targets': 'morph targets',
  'vertex-properties': 'vertex properties',
  'face-properties': 'face properties',
  elements: 'elements',
  statements: 'statements',
  objects: 'objects of kind',
  transformations: 'transforms',
  'animated-properties': 'animation of',
  'other-channels': 'animation other than node transforms',
};

const UNREADABLE: Record<NoteData['object-not-read']['reason'], string> = {
  hidden: 'it is hidden',
  'no-faces': 'it has no points or no faces',
  'no-samples': 'it has no samples',
  'no-vertices': 'it has no vertices',
};

const STOPPED: Record<NoteData['blend-bones-stopped']['reason'], string> = {
  error: 'the target enveloping error was reached',
  plateau: 'another blend bone would lower the error by too little',
  'no gain': 'another blend bone would not lower the error',
};

/** An option as a front end names it: `maxSize`, `--max-size`. */
type OptionName = (option: string) => string;

const FEWER_BONES: Record<NoteData['fewer-bones']['reason'], string> = {
  'no-motion': 'nothing moves',
  'one-piece': 'the mesh moves as one piece',
  explained: 'more would not lower the error',
  'no-vertices': 'there are no more vertices',
  'no-place': 'there is no room for more',
};

const BONES_FOR_SIZE: Record<NoteData['bones-for-size']['reason'], (maxSize: number) => string> = {
  explained: () => 'more would not lower the error',
  'no-place': () => 'there is no room for more',
  'search-limit': () => 'the maximum that the search tries',
  size: (maxSize) => `as many as fit in ${maxSize / 1000} kB`,
};

/** The sentence of each note, without what it is about, its capital and its full stop. */
const NOTE_TEXTS: { [C in NoteCode]: (data: NoteData[C], option: OptionName) => string } = {
  // io: files
  'scene-beside-frames': () => 'not read; the folder was opened as a sequence',
  'frame-names-differ': ({ names: [a, b] }) => `${a} and ${b} have different names; they are read as one sequence`,
  'frame-numbers-jump': ({ from, to }) => `frame numbers jump from ${from} to ${to}; the gap is ignored`,
  'cache-without-mesh': () => 'a cache has no faces; open it together with its mesh',
  // io: what readers leave out
  'not-read': ({ what, names = [], count: n }) =>
    `not read: ${[UNREAD[what], names.join(', ')].filter(Boolean).join(' ')}${n === undefined ? '' : ` (${count(n)})`}`,
  'object-not-read': ({ reason }) => `not read: ${UNREADABLE[reason]}`,
  'faces-change': ({ sample, vertices, faces }) => {
    const [before, after] = [0, 1].map((at) => `${count(vertices[at])} vertices and ${plural(faces[at], 'face')}`);
    const change = before === after ? '' : `, from ${before} to ${after}`;
    return `not read: its faces change at sample ${sample}${change}`;
  },
  'visibility-ignored': () => 'animated visibility is not read; the object is always shown',
  'attribute-type': ({ attribute, extent, type, expected }) =>
    `${attribute} is not read: ${extent} × ${type} per value (expected ${expected} floats)`,
  'attribute-count': ({ attribute, count: n }) =>
    `${attribute} is not read: ${plural(n, 'value')} (expected one per corner, vertex or face)`,
  'extension-damaged': ({ extension }) => `${extension} is damaged and was ignored`,
  'image-missing': ({ image, file }) => `image ${image}${file === undefined ? '' : ` (${file})`} is missing`,
  'material-names-only': () => 'only the names of materials are read, not colours or textures',
  'operator-unknown': () => 'the skinning operator is unknown; linear blending is used',
  // io: what readers repair or add
  'face-set-unknown-faces': ({ count: n }) => `face sets list ${plural(n, 'face')} that the mesh does not have`,
  'face-sets-overlap': ({ count: n }) =>
    `${plural(n, 'face is', 'faces are')} in several face sets; the first one counts`,
  'polygons-not-simple': ({ count: n }) => `${plural(n, 'polygon is', 'polygons are')} self-intersecting or degenerate`,
  'uvs-missing': ({ count: n }) => `${plural(n, 'corner')} without a uv: set to 0, 0`,
  'normals-computed': ({ count: n }) =>
    `${plural(n, 'missing normal was', 'missing normals were')} computed from the faces`,
  'weights-normalised': ({ vertices }) =>
    `the weights of ${plural(vertices, 'vertex', 'vertices')} did not sum to 1 and were normalised`,
  'unweighted-vertices': ({ vertices }) =>
    `${plural(vertices, 'vertex without weights was', 'vertices without weights were')} bound to the first joint`,
  'flattened-at-rest': () => 'the bones flatten the mesh at rest; it is kept as stored',
  shear: () => 'the shear of this node is dropped; bones do not support it',
  'curves-straightened': () => 'matrix curves and curves without tangents are read as linear',
  'frames-added': () => 'frames were added between keys to reproduce steps and cubic splines',
  'targets-as-frames': () => 'the morph targets are not animated; each became one frame',
  'times-unordered': ({ frame, seconds, framesPerSecond }) =>
    `times do not increase at frame ${frame} (${number(seconds)} s); ${number(framesPerSecond)} frames per second are used`,
  'no-frames': () => 'the file has no frames',
  'no-scene': () => 'the file has no scene',
  'no-instances': () => 'no scene uses the geometries; they are placed as stored',
  // io: what writers change
  'influences-trimmed': ({ influences, maxWeightLost }) =>
    `trimmed to ${plural(influences, 'influence')} per vertex; a vertex lost at most ${number(maxWeightLost)} of its weight`,
  'joints-widened': ({ bones }) => `${count(bones)} bones are too many for u8 joints; u16 was used`,
  'normals-replaced': ({ count: n }) => `${plural(n, 'normal')} of zero length written as +z`,
  'in-between-keys': () => 'keys between frames will be read as frames',
  'start-moved': ({ seconds }) => `the motion started at ${number(seconds)} s and was moved to 0`,
  'space-lost': ({ format, space }) =>
    `${FORMAT_TITLES[format] ?? format} cannot store ${spaceText(space)}; coordinates are written unchanged`,
  'times-evened': ({ format }) => `${format} needs evenly spaced frames; the mean spacing was written`,
  'players-blend-linearly': ({ operator }) =>
    `glTF players use linear blending, not ${operator}; \`skin\` bakes the motion into morph targets, which every player supports`,
  // measure
  'vertex-counts-differ': ({ original, approximation }) =>
    `the original has ${count(original)} vertices and the approximation ${count(approximation)}: only surface distance, ` +
    'areas and volumes are compared',
  'vertices-unmatched': () =>
    'the triangles differ and the rest positions do not match: only surface distance, areas and volumes are compared',
  'vertices-reordered': () => 'the vertices are in a different order; they were matched by rest position',
  'no-motion': () => 'the original does not move: distortion is not defined',
  'no-triangles': ({ of }) => `no surface distance: no triangles in ${both(of)}`,
  'no-volume': ({ of }) => `no volume of ${both(of)}: the surface is open`,
  'rigid-prediction-exact': () => 'rigid bones predict the original exactly: the enveloping error is not defined',
  // fit
  'fewer-bones': ({ bones, asked, reason }) => `${plural(bones, 'bone')} instead of ${asked}: ${FEWER_BONES[reason]}`,
  'target-reached': ({ bones, targetPercent }) =>
    `${plural(bones, 'bone')} ${bones === 1 ? 'reaches' : 'reach'} the target of ${targetPercent} %`,
  'target-missed': ({ bones, targetPercent, errorPercent, fullFits, mostBones, least }) =>
    `the target of ${targetPercent} % is ${fullFits ? 'not reached' : 'out of reach'}: ${digits(errorPercent)} % with ` +
    plural(bones, 'bone') +
    (fullFits ? ` after ${fullFits} full fits` : '') +
    (mostBones ? ', the maximum that the search tries' : '') +
    (least
      ? `, and ${least.errorMeasure === 'max' ? 'an RMSE ' : ''}hardly below ${least.rmsePercent.toPrecision(2)} % ` +
        `with ${least.bones}`
      : ''),
  'bones-for-size': ({ bones, kind, maxSize, reason, bestOfKinds }) =>
    `${plural(bones, `${kind} bone`)}: ${BONES_FOR_SIZE[reason](maxSize)}` +
    (bestOfKinds && reason !== 'explained' ? ', with the lowest error of all kinds' : ''),
  'lost-in-reduction': ({ frame, errorPercent }, option) =>
    `in frame ${frame} a vertex is off by ${digits(errorPercent)} %: the reduction dropped a brief motion; lower ` +
    `${option('precision')} to keep it`,
  'in-between-missed': ({ kind, errorPercent, tolerancePercent, nearestPercent }) =>
    `between frames the motion is off by ${digits(errorPercent)} % (expected ${Number(tolerancePercent.toPrecision(2))} %): ` +
    (nearestPercent === undefined
      ? 'correcting it would take too many keys; use more frames'
      : `${kind} bones cannot get below ${digits(nearestPercent)} %, affine ones can`),
  'half-turns': ({ turns }) =>
    `dual quaternions with real part 1 cannot express half turns; ${turns.length} came near: ` +
    turns
      .slice(0, 3)
      .map(({ bone, frame }) => `bone ${bone} in frame ${frame}`)
      .join(', ') +
    (turns.length > 3 ? ', …' : ''),
  'fewer-contractions': ({ vertices, asked }) =>
    `${plural(vertices, 'vertex', 'vertices')} left instead of ${asked}: further contractions would damage the surface, a ` +
    'joint or the border of a region',
  // learn, drive
  'duplicate-examples': ({ examples }) =>
    `${plural(examples, 'duplicate example was', 'duplicate examples were')} left out`,
  'fewer-control-points': ({ points, asked }) =>
    `${plural(points, 'control point')} instead of ${asked}: no other moving vertices are far enough apart`,
  'learned-with': ({ kernel, translations }) => `kernel: ${kernel}; translations: ${translations}`,
  'frames-far-outside': ({ frames, of }) =>
    `${frames} of ${of} frames are far outside the examples: the result there is a guess`,
  'frames-stretched': ({ frames, of, factor }) =>
    `${frames} of ${of} frames stretch the surface more than ${factor} × as much as any example: check for folds and tears`,
  // rig: weights
  'bones-unfollowed': ({ followed, bones }) =>
    `only ${followed} of ${plural(bones, 'bone')} move a vertex: the skeleton may not match the pose of the mesh`,
  'flat-triangles': ({ points }) => `${plural(points, 'point')} on degenerate triangles bound to the nearest bone`,
  'surface-open': ({ open, parts }) =>
    `${parts === 1 ? 'the surface is open' : `${open} of ${parts} parts of the surface are open`}: a bone counts as inside ` +
    'if no triangle lies between it and the vertex',
  'parts-without-bones': ({ without, parts, points }) =>
    `${without} of ${parts} parts contain no bone: their ${plural(points, 'point')} copy the weights of the nearest part with one`,
  'no-visible-bones': () => 'no bone is visible from inside the mesh: each vertex follows its nearest bone',
  'trim-unmeasured': () => 'the error of trimming is not measured without a clip',
  'skeleton-apart': ({ sizeRatio, aligned }, option) =>
    `mesh and skeleton hardly overlap (the skeleton is ${digits(sizeRatio)} times as large): they may use different units` +
    (aligned ? '' : `; ${option('align')} moves the skeleton into the mesh`),
  // rig: linearize
  'mix-ignored': ({ operator }) => `the mix weights of this rig are ignored; it is linearized towards ${operator}`,
  'linear-is-exact': () => 'no vertex follows two bones: linear blending is exact and needs no blend bones',
  'nothing-deforms': () => 'nothing deforms in the training motion, so no blend bones were placed',
  'blend-bones-stopped': ({ reason }) => STOPPED[reason],
  'enveloping-error-missed': ({ asked, blendBones }) =>
    `an enveloping error of ${number(asked)} % needs more than ${plural(blendBones, 'blend bone')}`,
  'linear-is-closer': ({ clip, training }, option) =>
    `in clip "${clip}" linear blending alone is closer than blend bones` +
    (training === 'range-of-motion' ? `: train with ${option('training')} clips` : ''),
  // rig: mix
  'bones-scale': ({ bone, percent, pose }) =>
    `dual quaternions ignore the scale of bones: ${bone} scales by ${digits(percent)} % in ${pose}`,
  'morphs-ignored': () => 'the mix was solved without the morph targets of the clips',
  'areas-only': () => 'the surface encloses no volume: only face areas are preserved',
  'holes-closed': ({ holes }) => `${holes === 1 ? 'a hole was' : `${holes} holes were`} closed to measure volume`,
  'nothing-to-mix': () => 'both operators give the same surface in every pose: there is nothing to mix',
  // verbs: what is chosen of a file
  'more-clips': ({ clips }, option) => `the rig has ${plural(clips, 'more clip')}: choose one with ${option('clip')}`,
  'more-motions': ({ objects }, option) =>
    `other objects move too: choose with ${option('object')} (${objects.join(', ')})`,
  'left-out-still': () => 'left out because it does not move',
  'rig-without-clip': () => 'a rig without a clip is written as the mesh of its rest pose',
  'own-times': (_, option) => `the file has its own times: ${option('framesPerSecond')} is ignored`,
  // verbs: fit, learn
  'larger-than-morphs': ({ bytes: size, estimated, fewerBones }, option) =>
    `morph targets with the same settings would be smaller (${estimated ? 'about ' : ''}${bytes(size)}): use ` +
    `\`convert\`${fewerBones ? ` or fewer ${option('bones')}` : ''}`,
  'names-in-order': (_, option) =>
    `names are assigned in the order in which the points were chosen: pick your own with ${option('vertices')}`,
  // verbs: linearize, weights
  'left-out-unskinned': ({ meshes }) => `${plural(meshes, 'mesh', 'meshes')} without bones left out`,
  'largest-skeleton': ({ skeletons, taken }) => `has ${skeletons} skeletons: the largest is used, ${taken}`,
  'clip-retargeted': ({ joints, unmatched, scale }, option) =>
    `${joints - unmatched.length} of ${joints} joints match bones; the root path is scaled by ${digits(scale)}` +
    (unmatched.length > 0 ? `; unmatched: ${listed(unmatched)}` : '') +
    (unmatched.length > joints / 2 ? `; map their names with ${option('map')}` : ''),
  'skeleton-aligned': ({ scale, offset }) =>
    `the skeleton was scaled by ${digits(scale)} and moved by ${offset.map(digits).join(', ')}`,
  // verbs: convert
  'meshes-joined': ({ meshes }) => `${meshes} meshes were joined: uvs, normals and materials are lost`,
  'rest-pose-lost': (_, option) =>
    `Alembic has no rest pose: readers use the first frame unless ${option('rest')} names another`,
  'times-lost': ({ framesPerSecond }, option) =>
    `OBJ has no times: read these files with ${option('framesPerSecond')} ${number(framesPerSecond)}`,
  'frames-counted': ({ framesPerSecond, rate }, option) =>
    `PC2 counts frames, here ${number(framesPerSecond)} per second with a step of ${number(framesPerSecond / rate)}: ` +
    `use ${option('framesPerSecond')} ${number(rate)} for a step of 1`,
};

/** A note as a sentence, after the name of what it is about. */
export function noteText(note: Note, optionName: OptionName = (name) => name): string {
  const text = NOTE_TEXTS[note.code] as (data: Note['data'], option: OptionName) => string;
  const sentence = `${text(note.data, optionName)}.`;
  return note.about === undefined ? sentence[0].toUpperCase() + sentence.slice(1) : `${note.about}: ${sentence}`;
}
