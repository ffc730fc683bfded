import type { Space } from './mesh.ts';

/**
 * What a user should know about a result, as a code and data. `report/note-text.ts` makes sentences of them.
 *
 * A new note is an entry here, in the group of the folder that makes it, and its sentence there.
 */
export interface NoteData {
  // io: files
  'scene-beside-frames': Empty;
  'frame-names-differ': { names: [string, string] };
  'frame-numbers-jump': { from: string; to: string };
  'cache-without-mesh': Empty;
  // io: what readers leave out
  'not-read': { what: Unread; names?: string[]; count?: number };
  'object-not-read': { reason: 'hidden' | 'no-faces' | 'no-samples' | 'no-vertices' };
  'faces-change': { sample: number; vertices: [before: number, after: number]; faces: [before: number, after: number] };
  'visibility-ignored': Empty;
  'attribute-type': { attribute: string; extent: number; type: string; expected: number };
  'attribute-count': { attribute: string; count: number };
  'extension-damaged': { extension: string };
  'image-missing': { image: number; file?: string };
  'material-names-only': Empty;
  'operator-unknown': Empty;
  // io: what readers repair or add
  'face-set-unknown-faces': { count: number };
  'face-sets-overlap': { count: number };
  'polygons-not-simple': { count: number };
  'uvs-missing': { count: number };
  'normals-computed': { count: number };
  'weights-normalised': { vertices: number };
  'unweighted-vertices': { vertices: number };
  'flattened-at-rest': Empty;
  shear: Empty;
  'curves-straightened': Empty;
  'frames-added': Empty;
  'targets-as-frames': Empty;
  'times-unordered': { frame: number; seconds: number; framesPerSecond: number };
  'no-frames': Empty;
  'no-scene': Empty;
  'no-instances': Empty;
  // io: what writers change
  'players-blend-linearly': { operator: string };
  'influences-trimmed': { influences: number; maxWeightLost: number };
  'joints-widened': { bones: number };
  'normals-replaced': { count: number };
  'in-between-keys': Empty;
  'start-moved': { seconds: number };
  'times-evened': { format: string };
  'space-lost': { format: string; space: Space };
  // measure
  'vertex-counts-differ': { original: number; approximation: number };
  'vertices-unmatched': Empty;
  'vertices-reordered': Empty;
  'no-motion': Empty;
  'no-triangles': { of: Compared[] };
  'no-volume': { of: Compared[] };
  'rigid-prediction-exact': Empty;
  // fit
  'fewer-bones': {
    bones: number;
    asked: number;
    reason: 'no-motion' | 'one-piece' | 'explained' | 'no-vertices' | 'no-place';
  };
  'target-reached': { bones: number; targetPercent: number };
  'target-missed': {
    bones: number;
    targetPercent: number;
    errorPercent: number;
    /** The search ended after so many full fits. */
    fullFits?: number;
    /** It had as many bones as it may try. */
    mostBones?: number;
    /** What more bones would hardly get below. */
    least?: { rmsePercent: number; bones: number; errorMeasure: 'rmse' | 'max' };
  };
  'bones-for-size': {
    bones: number;
    kind: string;
    maxSize: number;
    reason: 'explained' | 'no-place' | 'search-limit' | 'size';
    /** Whether it is the best of all kinds of bones. */
    bestOfKinds: boolean;
  };
  'lost-in-reduction': { frame: number; errorPercent: number };
  'in-between-missed': {
    kind: string;
    errorPercent: number;
    tolerancePercent: number;
    /** The least that bones of the kind can do, where it is more than the tolerance. */
    nearestPercent?: number;
  };
  'half-turns': { turns: { bone: number; frame: number }[] };
  'fewer-contractions': { vertices: number; asked: number };
  // learn, drive
  'duplicate-examples': { examples: number };
  'fewer-control-points': { points: number; asked: number };
  'learned-with': { kernel: string; translations: string };
  'frames-far-outside': { frames: number; of: number };
  'frames-stretched': { frames: number; of: number; factor: number };
  // rig: weights
  'bones-unfollowed': { followed: number; bones: number };
  'flat-triangles': { points: number };
  'surface-open': { open: number; parts: number };
  'parts-without-bones': { without: number; parts: number; points: number };
  'no-visible-bones': Empty;
  'trim-unmeasured': Empty;
  'skeleton-apart': { sizeRatio: number; aligned: boolean };
  // rig: linearize
  'mix-ignored': { operator: string };
  'linear-is-exact': Empty;
  'nothing-deforms': Empty;
  'blend-bones-stopped': { reason: 'error' | 'plateau' | 'no gain' };
  'enveloping-error-missed': { asked: number; blendBones: number };
  'linear-is-closer': { clip: string; training: string };
  // rig: mix
  'bones-scale': { bone: string; percent: number; pose: string };
  'morphs-ignored': Empty;
  'areas-only': Empty;
  'holes-closed': { holes: number };
  'nothing-to-mix': Empty;
  // verbs: what is chosen of a file
  'more-clips': { clips: number };
  'more-motions': { objects: string[] };
  'left-out-still': Empty;
  'rig-without-clip': Empty;
  'own-times': Empty;
  // verbs: fit, learn
  'larger-than-morphs': { bytes: number; estimated: boolean; fewerBones: boolean };
  'names-in-order': Empty;
  // verbs: linearize, weights
  'left-out-unskinned': { meshes: number };
  'largest-skeleton': { skeletons: number; taken: string };
  'clip-retargeted': { joints: number; unmatched: string[]; scale: number };
  'skeleton-aligned': { scale: number; offset: readonly number[] };
  // verbs: convert
  'meshes-joined': { meshes: number };
  'rest-pose-lost': Empty;
  'times-lost': { framesPerSecond: number };
  'frames-counted': { framesPerSecond: number; rate: number };
}

type Empty = Record<string, never>;

/** Parts of files that are skipped. */
export type Unread =
  | 'vertex-colours'
  | 'small-faces'
  | 'polygon-holes'
  | 'lines'
  | 'points-and-lines'
  | 'morph-targets'
  | 'vertex-properties'
  | 'face-properties'
  | 'elements'
  | 'statements'
  | 'objects'
  | 'transformations'
  | 'animated-properties'
  | 'other-channels';

/** Which of the two that are compared. */
export type Compared = 'original' | 'approximation';

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
