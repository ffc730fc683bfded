import type { Space } from './mesh.ts';
import { boneCount, bytes, count, digits, number, plural, spaceText } from './wording.ts';

/** An option as a front end names it: `maxSize`, `--max-size`. */
export type OptionName = (option: string) => string;

/** A note that its code says all about. */
export type NoData = Record<string, never>;

/** Parts of files that are skipped. */
const UNREAD = {
  'vertex-colours': 'vertex colours',
  'vertex-attributes': 'vertex attributes',
  textures: 'textures',
  pictures: 'pictures',
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
  primaries: 'colour primaries other than those of sRGB',
  'other-channels': 'animation other than node transforms',
};

const UNREADABLE = {
  hidden: 'it is hidden',
  'no-faces': 'it has no points or no faces',
  'no-samples': 'it has no samples',
  'no-vertices': 'it has no vertices',
  'no-mesh': 'it is no polygon mesh',
};

const LOST = {
  meshes: 'other meshes',
  nodes: 'other nodes',
  clips: 'clips',
  morphs: 'morph targets',
  cameras: 'cameras',
  scenes: 'other scenes',
  materials: 'unused materials',
  extras: 'extras',
  copyright: 'the copyright notice',
};
/** What a new file does not have of the one that was read. */
export type LostPart = keyof typeof LOST;

const STOPPED = {
  error: 'the target enveloping error was reached',
  plateau: 'another blend bone would lower the error by too little',
  'no gain': 'another blend bone would not lower the error',
};

const FEWER_BONES = {
  'no-motion': 'nothing moves',
  'one-piece': 'the mesh moves as one piece',
  explained: 'more would not lower the error',
  'no-vertices': 'there are no more vertices',
  'no-place': 'there is no room for more',
};

const BONES_FOR_SIZE = {
  explained: () => 'more would not lower the error',
  'no-place': () => 'there is no room for more',
  'search-limit': () => 'the maximum that the search tries',
  size: (maxSize: number) => `as many as fit in ${maxSize / 1000} kB`,
};

/** Formats that sequences are written to, in a sentence. */
const FORMAT_TITLES: Record<string, string> = { abc: 'Alembic', obj: 'OBJ', frames: 'OBJ', pc2: 'PC2', mdd: 'MDD' };

/** How many names a sentence lists. */
const LISTED = 8;
const listed = (names: readonly string[]): string =>
  names.slice(0, LISTED).join(', ') + (names.length > LISTED ? ', …' : '');

/** Which of the two that are compared. */
type Compared = 'original' | 'approximation';
const both = (of: readonly Compared[]): string => of.map((which) => `the ${which}`).join(' and ');

/**
 * Every note: its code, the data it carries, and its sentence without what it is about, its capital and its full stop. A new
 * note is an entry here, in the group of the folder that makes it. Only the edge calls these, by `noteText`.
 */
export const NOTE_TEXTS = {
  // io: files
  'scene-beside-frames': () => 'not read; the folder was opened as a sequence',
  'frame-names-differ': ({ names: [a, b] }: { names: [string, string] }) =>
    `${a} and ${b} have different names; they are read as one sequence`,
  'frame-numbers-jump': (jump: { from: string; to: string }) =>
    `frame numbers jump from ${jump.from} to ${jump.to}; the gap is ignored`,
  'rest-by-name': ({ file }: { file: string }, option: OptionName) =>
    `${file} is read as the rest pose because of its name, not as a frame; choose another with ${option('rest')}`,
  'far-from-origin': ({ diagonals, stepPercent }: { diagonals: number; stepPercent: number }) =>
    `the mesh is ${number(diagonals)} diagonals away from the origin, where float32 has steps of ${number(stepPercent)} % of the ` +
    'diagonal; move it to the origin before it is exported',
  'cache-without-mesh': () => 'a cache has no faces; open it together with its mesh',
  // io: what readers leave out
  'not-read': ({ what, names = [], count: n }: { what: keyof typeof UNREAD; names?: string[]; count?: number }) =>
    `not read: ${[UNREAD[what], names.join(', ')].filter(Boolean).join(' ')}${n === undefined ? '' : ` (${count(n)})`}`,
  'object-not-read': ({ reason }: { reason: keyof typeof UNREADABLE }) => `not read: ${UNREADABLE[reason]}`,
  'faces-change': (change: {
    sample: number;
    vertices: [before: number, after: number];
    faces: [before: number, after: number];
  }) => {
    const [before, after] = [0, 1].map(
      (at) => `${count(change.vertices[at])} vertices and ${plural(change.faces[at], 'face')}`,
    );
    return `not read: its faces change at sample ${change.sample}${before === after ? '' : `, from ${before} to ${after}`}`;
  },
  'visibility-ignored': () => 'animated visibility is not read; the object is always shown',
  'attribute-type': (of: { attribute: string; extent: number; type: string; expected: number }) =>
    `${of.attribute} is not read: ${of.extent} × ${of.type} per value (expected ${of.expected} floats)`,
  'attribute-count': (of: { attribute: string; count: number }) =>
    `${of.attribute} is not read: ${plural(of.count, 'value')} (expected one per corner, vertex or face)`,
  'extension-damaged': ({ extension }: { extension: string }) => `${extension} is damaged and was ignored`,
  'image-missing': ({ image, file }: { image?: number; file?: string }) =>
    `${['image', image, file && `(${file})`].filter((part) => part !== undefined).join(' ')} is missing`,
  'material-names-only': () => 'only the names of materials are read, not colours or textures',
  'operator-unknown': () => 'the skinning operator is unknown; linear blending is used',
  'light-left-out': ({ count: meshes }: { count: number }) =>
    `${plural(meshes, 'mesh has', 'meshes have')} no skin, and neither ${meshes === 1 ? 'gets' : 'get'} light nor ${meshes === 1 ? 'casts' : 'cast'} a shadow`,
  'light-without-clips': () => 'the rig has no clips: a generated range of motion is traced',
  'light-not-baked': () => 'nothing is baked: errors are those of spheres alone',
  'light-not-read': () => 'its baked light is damaged or of another mesh, and is left out',
  'light-outdated': () => 'its light was baked by another version of Pliant and is left out: bake it again',
  'light-changed': ({ changed }: { changed: string }) =>
    `its light was baked for another ${changed}: bake it again, or it may look wrong`,
  'light-operator': ({ made, now }: { made: string; now: string }) =>
    `its light was baked with operator ${made}, and it is posed with ${now}: creases may look wrong`,
  'light-albedo': ({ made, now }: { made: number; now: number }) =>
    `its light was baked with an albedo of ${made}, not ${now}: the baked one is shown`,
  // io: what readers repair or add
  'face-set-unknown-faces': (faces: { count: number }) =>
    `face sets list ${plural(faces.count, 'face')} that the mesh does not have`,
  'face-sets-overlap': (faces: { count: number }) =>
    `${plural(faces.count, 'face is', 'faces are')} in several face sets; the first one counts`,
  'polygons-not-simple': (polygons: { count: number }) =>
    `${plural(polygons.count, 'polygon is', 'polygons are')} self-intersecting or degenerate`,
  'uvs-missing': (corners: { count: number }) => `${plural(corners.count, 'corner')} without a uv: set to 0, 0`,
  'normals-computed': (normals: { count: number }) =>
    `${plural(normals.count, 'missing normal was', 'missing normals were')} computed from the faces`,
  'weights-normalised': ({ vertices }: { vertices: number }) =>
    `the weights of ${plural(vertices, 'vertex', 'vertices')} did not sum to 1 and were normalised`,
  'unweighted-vertices': ({ vertices }: { vertices: number }) =>
    `${plural(vertices, 'vertex without weights was', 'vertices without weights were')} bound to the first joint`,
  'flattened-at-rest': () => 'the bones flatten the mesh at rest; it is kept as stored',
  shear: () => 'the shear of this node is dropped; bones do not support it',
  'curves-straightened': () => 'matrix curves and curves without tangents are read as linear',
  'frames-added': () => 'frames were added between keys to reproduce steps and cubic splines',
  'targets-as-frames': () => 'the morph targets are not animated; each became one frame',
  'times-unordered': (at: { frame: number; seconds: number; framesPerSecond: number }) =>
    `times do not increase at frame ${at.frame} (${number(at.seconds)} s); ${number(at.framesPerSecond)} frames per second ` +
    'are used',
  'no-frames': () => 'the file has no frames',
  'no-scene': () => 'the file has no scene',
  'no-instances': () => 'no scene uses the geometries; they are placed as stored',
  // io: what writers change
  'players-blend-linearly': ({ operator }: { operator: string }) =>
    `glTF players use linear blending, not ${operator}: write the motion as morph targets to keep it in every player`,
  'influences-trimmed': (to: { influences: number; maxWeightLost: number }) =>
    `trimmed to ${plural(to.influences, 'influence')} per vertex; a vertex lost at most ${number(to.maxWeightLost)} of its ` +
    'weight',
  'joints-widened': ({ bones }: { bones: number }) => `${count(bones)} bones are too many for u8 joints; u16 was used`,
  'normals-replaced': (normals: { count: number }) => `${plural(normals.count, 'normal')} of zero length written as +z`,
  'in-between-keys': () => 'keys between frames will be read as frames',
  'start-moved': ({ seconds }: { seconds: number }) => `the motion started at ${number(seconds)} s and was moved to 0`,
  rebuilt: ({ lost, extensions }: { lost: LostPart[]; extensions: string[] }) =>
    `a new file is written, without ${[...lost.map((part) => LOST[part]), ...extensions].join(', ')} of the original`,
  'origin-in-node': ({ origin }: { origin: [number, number, number] }) =>
    `stored around the origin, below a node at (${origin.map(number).join(', ')}), since it is far away; players compute in float32: set ` +
    'that node to 0 if it shakes',
  'linear-keys': ({ tracks, keysBefore, keysAfter }: { tracks: number; keysBefore: number; keysAfter: number }) =>
    tracks === 0
      ? 'no track needs more keys'
      : `${plural(tracks, 'track')} with ${plural(keysBefore, 'key')} ${tracks === 1 ? 'has' : 'have'} ${count(keysAfter)} now, all linear`,
  'times-evened': ({ format }: { format: string }) =>
    `${format} needs evenly spaced frames; the mean spacing was written`,
  'tangents-left-out': () => 'tangents of another rest pose are left out; players compute them',
  'not-written': ({ format, names }: { format: string; names: string[] }) =>
    `${FORMAT_TITLES[format] ?? format} cannot store ${listed(names)}`,
  'space-lost': ({ format, space }: { format: string; space: Space }) =>
    `${FORMAT_TITLES[format] ?? format} cannot store ${spaceText(space)}; coordinates are written unchanged`,
  // measure
  'vertex-counts-differ': (of: Record<Compared, number>) =>
    `the original has ${count(of.original)} vertices and the approximation ${count(of.approximation)}: only surface ` +
    'distance, areas and volumes are compared',
  'vertices-unmatched': () =>
    'the triangles differ and the rest positions do not match: only surface distance, areas and volumes are compared',
  'vertices-reordered': () => 'the vertices are in a different order; they were matched by rest position',
  'no-motion': () => 'the original does not move: distortion is not defined',
  'no-triangles': ({ of }: { of: Compared[] }) => `no surface distance: there are no triangles in ${both(of)}`,
  'no-volume': ({ of }: { of: Compared[] }) => `no volume: the surface of ${both(of)} is open`,
  'rigid-prediction-exact': () => 'rigid bones predict the original exactly: the enveloping error is not defined',
  // fit
  'fewer-bones': (of: { bones: number; asked: number; reason: keyof typeof FEWER_BONES }) =>
    `${plural(of.bones, 'bone')} instead of ${of.asked}: ${FEWER_BONES[of.reason]}`,
  'target-reached': ({ bones, targetPercent }: { bones: number; targetPercent: number }) =>
    `${plural(bones, 'bone')} ${bones === 1 ? 'reaches' : 'reach'} the target of ${targetPercent} %`,
  'target-missed': (search: {
    bones: number;
    targetPercent: number;
    errorPercent: number;
    /** The search ended after so many full fits. */
    fullFits?: number;
    /** It had as many bones as it may try. */
    mostBones?: number;
    /** What more bones would hardly get below. */
    least?: { rmsePercent: number; bones: number; errorMeasure: 'rmse' | 'max' };
  }) => {
    const { bones, targetPercent, errorPercent, fullFits, mostBones, least } = search;
    const floor =
      least && `${least.errorMeasure === 'max' ? 'an RMSE ' : ''}hardly below ${least.rmsePercent.toPrecision(2)} %`;
    return (
      `the target of ${targetPercent} % is ${fullFits ? 'not reached' : 'out of reach'}: ${digits(errorPercent)} % with ` +
      plural(bones, 'bone') +
      (fullFits ? ` after ${fullFits} full fits` : '') +
      (mostBones ? ', the maximum that the search tries' : '') +
      (least ? `, and ${floor} with ${least.bones}` : '')
    );
  },
  'bones-for-size': (of: {
    bones: number;
    kind: string;
    maxSize: number;
    reason: keyof typeof BONES_FOR_SIZE;
    /** Whether it is the best of all kinds of bones. */
    bestOfKinds: boolean;
  }) =>
    `${boneCount(of.bones, of.kind)}: ${BONES_FOR_SIZE[of.reason](of.maxSize)}` +
    (of.bestOfKinds && of.reason !== 'explained' ? ', with the lowest error of all kinds' : ''),
  'lost-in-reduction': (of: { frame: number; errorPercent: number }, option) =>
    `in frame ${of.frame} a vertex is off by ${digits(of.errorPercent)} %: the reduction dropped a brief motion; lower ` +
    `${option('precision')} to keep it`,
  'in-between-missed': (of: {
    kind: string;
    errorPercent: number;
    tolerancePercent: number;
    /** The least that bones of the kind can do, where it is more than the tolerance. */
    nearestPercent?: number;
  }) =>
    `between frames the motion is off by ${digits(of.errorPercent)} % (expected ${Number(of.tolerancePercent.toPrecision(2))} %): ` +
    (of.nearestPercent === undefined
      ? 'correcting it would take too many keys; use more frames'
      : `${of.kind === 'trs' ? 'TRS' : of.kind} bones cannot get below ${digits(of.nearestPercent)} %, affine ones can`),
  'half-turns': ({ turns }: { turns: { bone: number; frame: number }[] }) =>
    `dual quaternions with real part 1 cannot express half turns; ${turns.length} came near: ` +
    turns
      .slice(0, 3)
      .map(({ bone, frame }) => `bone ${bone} in frame ${frame}`)
      .join(', ') +
    (turns.length > 3 ? ', …' : ''),
  'fewer-contractions': ({ vertices, asked }: { vertices: number; asked: number }) =>
    `${plural(vertices, 'vertex', 'vertices')} left instead of ${asked}: further contractions would damage the surface, a ` +
    'joint or the border of a region',
  // learn, drive
  'duplicate-examples': ({ examples }: { examples: number }) =>
    `${plural(examples, 'duplicate example was', 'duplicate examples were')} left out`,
  'fewer-examples': ({ examples, asked }: { examples: number; asked: number }) =>
    `${plural(examples, 'example')} instead of ${asked}: there are no more`,
  'fewer-control-points': ({ points, asked }: { points: number; asked: number }) =>
    `${plural(points, 'control point')} instead of ${asked}: no other moving vertices are far enough apart`,
  'learned-with': (data: { method: string; kernel: string; translations: string }) =>
    `method: ${data.method}; kernel: ${data.kernel}; translations: ${data.translations}`,
  'methods-tried': ({ errors }: { errors: { method: string; percent: number }[] }) =>
    `RMSE of unseen examples by method: ${errors.map(({ method, percent }) => `${method} ${digits(percent)} %`).join(', ')}`,
  'frames-far-outside': ({ frames, of }: { frames: number; of: number }) =>
    `${frames} of ${of} frames are far outside the examples: the result there is a guess`,
  'frames-stretched': ({ frames, of, factor }: { frames: number; of: number; factor: number }) =>
    `${frames} of ${of} frames stretch the surface more than ${factor} × as much as any example: check for folds and tears`,
  // cloth
  'cloth-starts-inside': ({ vertices, depth }: { vertices: number; depth: number }) =>
    `${plural(vertices, 'vertex starts', 'vertices start')} inside the body, up to ${digits(1000 * depth)} mm deep, and may ` +
    'stay as deep',
  'cloth-size': ({ metres }: { metres: number }) =>
    `the garment is ${digits(metres)} m across, as its file says, and moves like cloth of that size: scale garment and body ` +
    'to metres',
  'no-pins': (_: NoData, option) =>
    `no vertices are pinned, so the cloth may slide off: ${option('pinBone')}, ${option('pinColor')} or ` +
    `${option('pinVertices')} pins some`,
  'falls-freely': (_: NoData, option) =>
    `neither pins nor a body hold the cloth, so it falls freely: give ${option('body')}, or pins such as ` +
    `${option('pinVertices')}`,
  'cloth-without-body': (_: NoData, option) =>
    `a body moved the cloth that was trained, and there is none here: ${option('body')} keeps the folds out of it`,
  'pair-not-finer': ({ fine, coarse }: { fine: number; coarse: number }) =>
    `the coarse mesh has ${plural(coarse, 'vertex', 'vertices')}, the garment ${fine}: folds are learned where it has many ` +
    'times as many',
  'pairs-apart': ({ percent, frame }: { percent: number; frame: number }) =>
    `fine and coarse cloth part by ${digits(percent)} % of the diagonal (most at frame ${frame}), as the fine one was not ` +
    'guided by the coarse one: the coarse motion was taken from the fine cloth instead',
  'learned-lost': ({ best }: { best: 'embed' | 'alone' }) =>
    `${best === 'embed' ? 'the embedding' : 'physics alone'} is closer to the held-out motion than anything that was learned: ` +
    'train on more motions',
  'cloth-stretched': ({ percent, frame }: { percent: number; frame: number }) =>
    `edges of the garment stretch by up to ${digits(percent)} % (frame ${frame}): it is caught between limbs, does not fit the body, or its pins move apart`,
  'limbs-cross': ({ limb, other, depth, frame }: { limb: string; other: string; depth: number; frame: number }) =>
    `the limbs ${limb} and ${other} go ${digits(1000 * depth)} mm deep into each other (frame ${frame}), which tears cloth ` +
    'that is between them',
  'one-motion': ({ percent }: { percent: number }) =>
    `with one motion only, its last ${percent} % are held out: figures on another motion will be worse`,
  'body-jumps': ({ frames, first }: { frames: number; first: number }) =>
    `the body jumps in ${plural(frames, 'frame')} (first in frame ${first}): the cloth was carried along`,
  'coarse-jumps': ({ frames, first }: { frames: number; first: number }) =>
    `the coarse cloth jumps in ${plural(frames, 'frame')} (first in frame ${first}), where folds start anew`,
  'rest-from-first-frame': () => 'the rest meshes are far apart: the first frames of both are taken as rest poses',
  // rig: weights
  'bones-unfollowed': ({ followed, bones }: { followed: number; bones: number }) =>
    `only ${followed} of ${plural(bones, 'bone')} move a vertex: the skeleton may not match the pose of the mesh`,
  'flat-triangles': ({ points }: { points: number }) =>
    `${plural(points, 'point')} on degenerate triangles bound to the nearest bone`,
  'surface-open': ({ open, parts }: { open: number; parts: number }) =>
    `${parts === 1 ? 'the surface is open' : `${open} of ${parts} parts of the surface are open`}: a bone counts as inside ` +
    'if no triangle lies between it and the vertex',
  'parts-without-bones': ({ without, parts, points }: { without: number; parts: number; points: number }) =>
    `${without} of ${parts} parts contain no bone: their ${plural(points, 'point')} copy the weights of the nearest part ` +
    'with one',
  'no-visible-bones': () => 'no bone is visible from inside the mesh: each vertex follows its nearest bone',
  'helper-bones': ({ bones }: { bones: string[] }) =>
    `no vertex follows ${bones.join(', ')}: named as ${bones.length === 1 ? 'a helper' : 'helpers'} above the body`,
  'eyes-placed': ({ eyes, parts }: { eyes: number; parts: number }, option) =>
    `${plural(eyes, 'bone')} named as eyes: ${plural(parts, 'loose part')} at their places follow them, no other vertex does ` +
    `(${option('eyes')})`,
  'rigid-parts': ({ rigid, parts, points }: { rigid: number; parts: number; points: number }, option) =>
    `${rigid} of ${parts} loose parts (${plural(points, 'point')}) follow only the bone that has most of their weight ` +
    `(${option('rigidParts')})`,
  'trim-unmeasured': () => 'the error of trimming is not measured without a clip',
  'skeleton-apart': ({ sizeRatio, aligned }: { sizeRatio: number; aligned: boolean }, option) =>
    `mesh and skeleton hardly overlap (the skeleton is ${digits(sizeRatio)} times as large): they may use different units` +
    (aligned ? '' : `; ${option('align')} moves the skeleton into the mesh`),
  // rig: linearize
  'mix-ignored': ({ operator }: { operator: string }) =>
    `the mix weights of this rig are ignored; it is linearized towards ${operator}`,
  'linear-is-exact': () => 'no vertex follows two bones: linear blending is exact and needs no blend bones',
  'nothing-deforms': () =>
    'nothing deforms in the training motion, so no blend bones were placed: the rig is unchanged',
  'blend-bones-gain-nothing': () => 'blend bones gain nothing here: the rig is unchanged',
  'crossfades-drift': ({ baked, driven, linear }: { baked: number; driven: number; linear: number }) =>
    `when clips are crossfaded, the enveloping error is ${digits(baked)} % with baked blend bones, ${digits(driven)} % with ` +
    `blend bones computed live and ${digits(linear)} % with linear blending: use BlendBoneDriver of pliant/three there`,
  'blend-bones-undriven': () =>
    'no clip moves the blend bones: where poses come from elsewhere, use BlendBoneDriver of pliant/three, or they only follow a joint',
  'blend-bones-stopped': ({ reason }: { reason: keyof typeof STOPPED }) => STOPPED[reason],
  'enveloping-error-missed': ({ asked, blendBones }: { asked: number; blendBones: number }) =>
    `an enveloping error of ${number(asked)} % needs more than ${plural(blendBones, 'blend bone')}`,
  'linear-is-closer': ({ clip, training }: { clip: string; training: string }, option) =>
    `in clip "${clip}" linear blending alone is closer than blend bones` +
    (training === 'range-of-motion' ? `: train with ${option('training')} clips` : ''),
  // rig: mix
  'bones-scale': ({ bone, percent, pose }: { bone: string; percent: number; pose: string }) =>
    `dual quaternions ignore the scale of bones: ${bone} scales by ${digits(percent)} % in ${pose}`,
  'morphs-ignored': () => 'the mix was solved without the morph targets of the clips',
  'areas-only': () => 'the surface encloses no volume: only face areas are preserved',
  'holes-closed': ({ holes }: { holes: number }) =>
    `${holes === 1 ? 'a hole was' : `${holes} holes were`} closed to measure volume`,
  'nothing-to-mix': () => 'both operators give the same surface in every pose: there is nothing to mix',
  // lod
  'level-not-reached': ({ triangles, asked }: { triangles: number; asked: number }) =>
    `${plural(triangles, 'triangle')} left instead of ${count(asked)}: fewer would damage borders, seams or the surface, or what must be kept`,
  'level-not-coarser': ({ triangles, asked }: { triangles: number; asked: number }) =>
    `no level of ${plural(asked, 'triangle')}: the given surface has ${plural(triangles, 'triangle')}`,
  'level-poor': ({ asked, percent }: { asked: number; percent: number }, option) =>
    `no level of ${plural(asked, 'triangle')} or fewer: it would be off by ${digits(percent)} % of the diagonal; ${option('maxError')} alone makes it all the same`,
  'patches-not-reached': ({ patches, asked }: { patches: number; asked: number }) =>
    `${plural(patches, 'patch', 'patches')} instead of ${asked}: fewer would damage borders, seams or the surface`,
  'images-without': ({ name, what }: { name: string; what: string }) =>
    `${name}: geometry images have no ${what}; the mesh beside them has`,
  'error-not-kept': ({ percent }: { percent: number }) =>
    `no level: nothing can be removed with an error of at most ${digits(percent)} %`,
  'faces-without-area': ({ faces, of }: { faces: number; of: number }) =>
    `${count(faces)} of ${plural(of, 'face')} ${faces === 1 ? 'has' : 'have'} no area in any pose: nothing is lost with ${faces === 1 ? 'it' : 'them'}`,
  'measured-in': ({ pose, seconds }: { pose: string; seconds: number }) =>
    `next to nothing can be seen in the first pose: lengths are measured in ${pose}, at ${number(seconds)} s`,
  'large-for-metres': ({ metres }: { metres: number }) =>
    `the diagonal is ${number(metres)} m: if the file is in centimetres, "1 px from" is in centimetres, too`,
  'images-finer': ({ levels, triangles, depth }: { levels: number; triangles: number; depth?: number }, option) =>
    `${levels === 1 ? 'level 1 of the images has' : `levels 1 ${levels === 2 ? 'and' : 'to'} ${levels} of the images have`} more triangles than the given surface (${count(triangles)}): that is with all patches at this level, and players take each patch at the level that it needs` +
    (depth === undefined ? '' : `; ${option('depth')} ${depth} leaves what is finer out`),
  'images-shared-bytes': ({ level, bytes: size }: { level: number; bytes: number }) =>
    `the size of level ${level} includes ${bytes(size)} that all levels need: where each patch is in every pose, and how far off at every level`,
  'no-levels': ({ triangles }: { triangles: number }) =>
    `the ${plural(triangles, 'triangle')} cannot be reduced: there are no levels`,
  'lod-left-sequences': ({ sequences }: { sequences: number }) =>
    `${plural(sequences, 'mesh', 'meshes')} with morph targets alone, not on bones, ${sequences === 1 ? 'has' : 'have'} no levels`,
  // verbs: what is chosen of a file
  'clip-renamed': ({ name }: { name: string }) => `several clips have this name; choose this one as "${name}"`,
  'more-clips': ({ clips, together }: { clips: number; together?: string }, option) =>
    `the file has ${plural(clips, 'more clip')}: choose one with ${option('clip')}` +
    (together === undefined ? '' : `, or play them at once with ${option('clip')} ${together}`),
  'more-motions': ({ objects }: { objects: string[] }, option) =>
    `other objects move too: choose with ${option('object')} (${objects.join(', ')})`,
  'left-out-still': () => 'left out because it does not move',
  'frames-as-targets': () =>
    'every frame becomes a morph target; without other options, the file keeps the bones and targets that it has',
  'rig-without-clip': () => 'a rig without a clip is written as the mesh of its rest pose',
  'own-space': ({ space }: { space: Space }, option) =>
    `the file says that it is ${spaceText(space)}: ${option('up')} and ${option('scale')} are ignored`,
  'maybe-z-up': (_: NoData, option) =>
    `the mesh seems to stand on the plane z = 0; if it lies on its side, use ${option('up')} z`,
  'own-times': (_: NoData, option) => `the file has its own times: ${option('framesPerSecond')} is ignored`,
  // verbs: fit, learn
  'larger-than-morphs': (than: { bytes: number; estimated: boolean; fewerBones: boolean }, option) =>
    `morph targets with the same settings would be smaller (${than.estimated ? 'about ' : ''}${bytes(than.bytes)}): write ` +
    `those${than.fewerBones ? `, or use fewer ${option('bones')}` : ''}`,
  'names-in-order': (_: NoData, option) =>
    `names are assigned in the order in which the points were chosen: pick your own with ${option('vertices')}`,
  // verbs: linearize, weights
  'left-out-unskinned': ({ meshes }: { meshes: number }) =>
    `${plural(meshes, 'mesh', 'meshes')} without bones left out`,
  'largest-skeleton': ({ skeletons, taken }: { skeletons: number; taken: string }) =>
    `has ${skeletons} skeletons: the largest is used, ${taken}`,
  'clip-retargeted': ({ joints, unmatched, scale }: { joints: number; unmatched: string[]; scale: number }, option) =>
    `${joints - unmatched.length} of ${joints} joints match bones; the root path is scaled by ${digits(scale)}` +
    (unmatched.length > 0 ? `; unmatched: ${listed(unmatched)}` : '') +
    (unmatched.length > joints / 2 ? `; map their names with ${option('map')}` : ''),
  'skeleton-aligned': ({ scale, offset }: { scale: number; offset: readonly number[] }) =>
    `the skeleton was scaled by ${digits(scale)} and moved by ${offset.map(digits).join(', ')}`,
  // verbs: convert
  'meshes-joined': ({ meshes }: { meshes: number }) =>
    `${meshes} meshes were joined: uvs, normals and materials are lost`,
  'rest-pose-lost': (_: NoData, option) =>
    `Alembic has no rest pose: readers use the first frame unless ${option('rest')} names another`,
  'times-lost': ({ framesPerSecond }: { framesPerSecond: number }, option) =>
    `OBJ has no times: read these files with ${option('framesPerSecond')} ${number(framesPerSecond)}`,
  'frames-counted': ({ framesPerSecond, rate }: { framesPerSecond: number; rate: number }, option) =>
    `PC2 counts frames, here ${number(framesPerSecond)} per second with a step of ${number(framesPerSecond / rate)}: ` +
    `use ${option('framesPerSecond')} ${number(rate)} for a step of 1`,
} satisfies Record<string, (data: never, option: OptionName) => string>;
