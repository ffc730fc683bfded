/** What `info` prints of each mesh, sequence, rig and motion. */

import type { ClothInfo } from '../../src/doors/cloth.ts';
import type { Bounds } from '../../src/doors/mesh.ts';
import type {
  AssetInfo,
  AssetObject,
  ClipReport,
  MeshInfo,
  ModelInfo,
  PointRange,
  PredictorInfo,
  SequenceInfo,
  SkeletonInfo,
} from '../../src/index.ts';
import { spaceText } from '../../src/model/wording.ts';
import { timesText } from '../../src/report/asset-text.ts';
import { bytes, count, number, plural } from '../../src/report/format.ts';
import { notesText } from './report-text.ts';
import { GLUE, type Page, pairs } from './table.ts';

type Rows = [string, string][];

/** The paragraphs of an asset. */
export function infoText(asset: AssetInfo, files: string, page: Page): string[] {
  const facts = [asset.format, bytes(asset.bytes), ...(asset.space ? [spaceText(asset.space)] : [])];
  const section = (kind: string, name: string | undefined, rows: Rows): string =>
    `${page.strong(name ? `${kind} "${name}"` : kind)}\n${pairs(rows, page)}`;
  const sections = [
    ...asset.cloths.map((cloth) => section('trained cloth', cloth.name, clothRows(cloth))),
    ...asset.predictors.map((predictor) => section('predictor', predictor.name, predictorRows(predictor))),
    ...asset.models.map((model) => section('rig', model.name, modelRows(model))),
    ...asset.sequences.map((sequence) => section('sequence', sequence.name, sequenceRows(sequence))),
    ...asset.meshes.map((mesh) => section('mesh', mesh.name, meshRows(mesh))),
    ...asset.motions.map((motion) => section('motion', motion.name, skeletonRows(motion))),
  ];
  if (sections.length === 0) sections.push('nothing usable');
  if (asset.objects?.length) sections.push(section('objects', undefined, objectRows(asset.objects)));
  if (asset.notes.length) sections.push(notesText(asset.notes, page));
  return [`${page.strong(files)}: ${facts.join(', ')}`, ...sections];
}

function sizeText({ min, max }: Bounds): string {
  const sides = max.map((high, c) => number(high - min[c]));
  return `${sides.join(' × ')}, from ${pointText(min)} to ${pointText(max)}`;
}

/** `(0, 1.5, 0)`, on one line. */
const pointText = (p: readonly number[]): string => `(${p.map(number).join(`,${GLUE}`)})`;

function surfaceText({ components, boundaryEdges, closed, triangles }: MeshInfo): string {
  if (triangles === 0) return 'points only';
  const genus = closed && components.length === 1 ? components[0].genus : undefined;
  const parts = components.length === 1 ? '' : `${plural(components.length, 'part')}, `;
  if (!closed) return `${parts}open, ${plural(boundaryEdges, 'boundary edge')}`;
  return `${parts}closed${genus === undefined ? '' : `, genus ${genus}`}`;
}

function meshRows(mesh: MeshInfo, reach?: Bounds): Rows {
  const { vertices, splitVertices, problems, groups = [], materials = [] } = mesh;
  const split = splitVertices > vertices ? ` (${count(splitVertices)} after splitting at uv and normal seams)` : '';
  const attributes = [mesh.normals && 'normals', mesh.uvs && 'uvs', ...(mesh.attributes ?? [])]
    .filter(Boolean)
    .join(', ');
  const rows: Rows = [
    ['vertices', count(vertices) + split],
    ['triangles', count(mesh.triangles)],
    ...(mesh.levels ? ([['levels', `${mesh.levels.map(count).join(', ')} triangles`]] as Rows) : []),
    ['surface', surfaceText(mesh)],
    ['size', sizeText(mesh.bounds)],
  ];
  if (reach) rows.push(['over time', sizeText(reach)]);
  rows.push(['diagonal', number(mesh.diagonal)]);
  if (attributes) rows.push(['attributes', attributes]);
  if (groups.length > 1) rows.push(['groups', groups.map((group) => group.name).join(', ')]);
  if (materials.length > 0) rows.push(['materials', materials.join(', ')]);
  rows.push(['problems', problems.map((problem) => problem.text).join('\n') || 'none found']);
  return rows;
}

const sequenceRows = ({ clip, times, rest, boundsOverTime }: SequenceInfo): Rows => [
  ['motion', timesText(times)],
  ...(clip === undefined ? [] : [['clip', clip] as [string, string]]),
  ...meshRows(rest, boundsOverTime),
];

/** `Walk (18 frames, 0.7083 s)`, not broken between lines. */
const clipText = ({ name, frames, keys, duration }: ClipReport): string =>
  `${name} (${plural(frames, 'frame')}${keys ? ` at ${keys} keys` : ''}, ${number(duration)} s)`.replaceAll(' ', GLUE);

const skeletonRows = ({ bones, clips }: SkeletonInfo): Rows => [
  ['bones', count(bones)],
  ['clips', clips.map(clipText).join(', ') || 'none'],
];

/** Names beyond these say no more than how many there are. */
const MAX_NAMES = 12;

/** `2: smile, frown`. */
function morphsText(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ', …' : '';
  const shown = names.slice(0, MAX_NAMES).map((name) => name.replaceAll(' ', GLUE));
  return `${count(names.length)}: ${shown.join(', ')}${more}`;
}

export const modelRows = (model: ModelInfo): Rows => [
  ...skeletonRows(model),
  ['skinning', `${model.operator}, at most ${plural(model.influences, 'bone')} per vertex`],
  ...(model.morphs?.length ? ([['morphs', morphsText(model.morphs)]] as Rows) : []),
  ...meshRows(model.mesh),
];

/** Objects beyond these are counted only. */
const MAX_OBJECTS = 50;

/** A row per object of a file's tree: `/Bone/BoneShape`, `mesh, 400 samples from 0.04167 s to 16.67 s, 3.7 MB`. */
function objectRows(objects: readonly AssetObject[]): Rows {
  const rows = objects.slice(0, MAX_OBJECTS).map(({ path, kind, samples, from, to, bytes: size }): Rows[number] => {
    const times = samples > 1 ? `${count(samples)} samples from ${number(from)} s to ${number(to)} s` : '';
    return [path, [kind, times, size > 0 ? bytes(size) : ''].filter(Boolean).join(', ')];
  });
  if (objects.length > MAX_OBJECTS) rows.push(['…', `${count(objects.length - MAX_OBJECTS)} more`]);
  return rows;
}

/** A row per control point: `chin`, `vertex 77, rest position (0, 1, 0); range x -0.1 to 0.1, y 0.8 to 1, z 0 to 0.2`. */
export const pointRows = (points: readonly PointRange[]): Rows =>
  points.map(({ name, vertex, rest, min, max }) => {
    const ranges = ['x', 'y', 'z'].flatMap((axis, c) =>
      min[c] === undefined ? [] : [`${axis} ${number(min[c])} to ${number(max[c]!)}`.replaceAll(' ', GLUE)],
    );
    const range = ranges.length > 0 ? `range ${ranges.join(', ')}` : 'not used as input';
    return [name, `vertex ${vertex}, rest position ${pointText(rest)}; ${range}`];
  });

/** What `cloth train` made. */
const clothRows = ({ method, physics, vertices, coarseVertices, pinnedVertices, modes }: ClothInfo): Rows => [
  ['folds', `${method}, physics ${physics}`],
  ['fine', `${plural(vertices, 'vertex', 'vertices')}, ${count(pinnedVertices)} pinned`],
  ['coarse', plural(coarseVertices, 'vertex', 'vertices')],
  ...(modes === undefined ? [] : [['shapes', `${count(modes)} per patch`] as [string, string]]),
];

/** What `learn` made: its control points, and what they drive. */
function predictorRows({
  examples,
  controlPoints,
  bones,
  residualShapes: shapes,
  kernel,
  translations,
}: PredictorInfo): Rows {
  return [
    ['learned from', plural(examples, 'example')],
    ['driven by', plural(controlPoints.length, 'control point')],
    ...pointRows(controlPoints).map(([point, text]): Rows[number] => [`  ${point}`, text]),
    ['moves', `${plural(bones, 'bone')}${shapes > 0 ? ` and ${plural(shapes, 'residual shape')}` : ''}`],
    ['kernel', kernel],
    ['translations', translations],
  ];
}
