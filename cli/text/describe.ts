/** The nouns in words: what `info` prints of each mesh, sequence, rig and motion. */

import { pointRanges } from '../../src/learn/point-ranges.ts';
import type { Bounds } from '../../src/mesh/bounds.ts';
import { inspectMesh, type MeshFacts } from '../../src/mesh/inspect.ts';
import type { AssetObject, Motion } from '../../src/model/asset.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { type Predictor, pointNames } from '../../src/model/predictor.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { boneCount, type Clip, clipFrameCount, frameKeys, type Skeleton } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { clipLength, timesText } from '../../src/report/asset-text.ts';
import { bytes, count, number, plural } from '../../src/report/format.ts';
import { GLUE } from './table.ts';

/** Something that `info` shows: its heading, rows for people, an object for programs. */
export interface Description {
  heading: string;
  rows: [string, string][];
  json: object;
}

const heading = (kind: string, name: string | undefined): string => (name ? `${kind} "${name}"` : kind);

function sizeText({ min, max }: Bounds): string {
  const sides = max.map((high, c) => number(high - min[c]));
  return `${sides.join(' × ')}, from ${pointText(min)} to ${pointText(max)}`;
}

/** `(0, 1.5, 0)`, on one line. */
const pointText = (p: readonly number[]): string => `(${p.map(number).join(`,${GLUE}`)})`;

function surfaceText({ components, boundaryEdges, closed, triangles }: MeshFacts): string {
  if (triangles === 0) return 'points only';
  const genus = closed && components.length === 1 ? components[0].genus : undefined;
  const parts = components.length === 1 ? '' : `${plural(components.length, 'part')}, `;
  if (!closed) return `${parts}open, ${plural(boundaryEdges, 'boundary edge')}`;
  return `${parts}closed${genus === undefined ? '' : `, genus ${genus}`}`;
}

function meshRows(mesh: Mesh, facts: MeshFacts): [string, string][] {
  const { vertices, splitVertices, problems } = facts;
  const split = splitVertices > vertices ? ` (${count(splitVertices)} after splitting at uv and normal seams)` : '';
  const attributes = [mesh.normals && 'normals', mesh.uvs && 'uvs'].filter(Boolean).join(', ');
  const rows: [string, string][] = [
    ['vertices', count(vertices) + split],
    ['triangles', count(facts.triangles)],
    ['surface', surfaceText(facts)],
    ['size', sizeText(facts.bounds)],
    ['diagonal', number(facts.diagonal)],
  ];
  if (attributes) rows.push(['attributes', attributes]);
  if (mesh.groups && mesh.groups.length > 1) rows.push(['groups', mesh.groups.map((group) => group.name).join(', ')]);
  if (mesh.materials?.length) rows.push(['materials', mesh.materials.map((material) => material.name).join(', ')]);
  rows.push(['problems', problems.length ? problems.map((problem) => problem.text).join('\n') : 'none found']);
  return rows;
}

const meshJson = (mesh: Mesh, facts: MeshFacts): object => ({
  ...facts,
  normals: mesh.normals !== undefined,
  uvs: mesh.uvs !== undefined,
  groups: mesh.groups?.map(({ name, count: triangles, material }) => ({ name, triangles, material })),
  materials: mesh.materials?.map((material) => material.name),
});

/** To the library points are as good as faces; in a file they may be what is left of a mesh. */
export const ONLY_POINTS = 'no faces: points only; the file may be cut off';

/** What is known of a mesh. */
function factsOf(mesh: Mesh): MeshFacts {
  const facts = inspectMesh(mesh);
  if (facts.triangles > 0) return facts;
  return {
    ...facts,
    problems: [{ kind: 'no-faces', count: facts.vertices, first: 0, text: ONLY_POINTS }, ...facts.problems],
  };
}

export function describeMesh(mesh: Mesh): Description {
  const facts = factsOf(mesh);
  return {
    heading: heading('mesh', mesh.name),
    rows: meshRows(mesh, facts),
    json: { name: mesh.name, ...meshJson(mesh, facts) },
  };
}

/** `reach` is the box of all frames, when they were read. */
export function describeSequence(sequence: MeshSequence, reach: Bounds | undefined): Description {
  const { name, rest, frameCount, times } = sequence;
  // A cache alone has no faces either, and its reader says so.
  const facts = inspectMesh(rest);
  const rows = meshRows(rest, facts);
  rows.unshift(['motion', timesText(times)]);
  if (reach)
    rows.splice(
      rows.findIndex(([key]) => key === 'diagonal'),
      0,
      ['over time', sizeText(reach)],
    );
  return {
    heading: heading('sequence', name),
    rows,
    json: { name, frameCount, times, boundsOverTime: reach, rest: meshJson(rest, facts) },
  };
}

const clipJson = (clip: Clip): object => ({
  name: clip.name,
  frameCount: frameKeys(clip).length,
  keyCount: clipFrameCount(clip),
  seconds: clip.times[clip.times.length - 1] - clip.times[0],
});

/** `Walk (18 frames, 0.7083 s)`, not broken between lines. */
const clipText = (clip: Clip): string => `${clip.name} (${clipLength(clip)})`.replaceAll(' ', GLUE);

const skeletonRows = (skeleton: Skeleton, clips: readonly Clip[]): [string, string][] => [
  ['bones', count(boneCount(skeleton))],
  ['clips', clips.map(clipText).join(', ') || 'none'],
];

/** Names beyond these say no more than how many there are. */
const MOST_NAMES = 12;

/** `2: smile, frown`. */
function morphsText(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ', …' : '';
  return `${count(names.length)}: ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

export function describeModel(model: SkinnedModel): Description {
  const { name, mesh, weights, skeleton, clips, operator, morphs } = model;
  const facts = factsOf(mesh);
  const morphNames = morphs?.map((morph) => morph.name.replaceAll(' ', GLUE)) ?? [];
  return {
    heading: heading('rig', name),
    rows: [
      ...skeletonRows(skeleton, clips),
      ['skinning', `${operator}, at most ${plural(weights.influences, 'bone')} per vertex`],
      ...(morphNames.length ? [['morphs', morphsText(morphNames)] as [string, string]] : []),
      ...meshRows(mesh, facts),
    ],
    json: {
      name,
      operator,
      influences: weights.influences,
      bones: skeleton.names,
      morphs: morphs?.map((morph) => morph.name),
      clips: clips.map(clipJson),
      mesh: meshJson(mesh, facts),
    },
  };
}

/** Objects beyond these are counted only. */
const MOST_OBJECTS = 50;

/** A row per object of a file's tree: `/Bone/BoneShape`, `mesh, 400 samples from 0.04167 s to 16.67 s, 3.7 MB`. */
export function objectRows(objects: readonly AssetObject[]): [string, string][] {
  const rows = objects
    .slice(0, MOST_OBJECTS)
    .map(({ path, kind, samples, from, to, bytes: size }): [string, string] => {
      const times = samples > 1 ? `${count(samples)} samples from ${number(from)} s to ${number(to)} s` : '';
      return [path, [kind, times, size > 0 ? bytes(size) : ''].filter(Boolean).join(', ')];
    });
  if (objects.length > MOST_OBJECTS) rows.push(['…', `${count(objects.length - MOST_OBJECTS)} more`]);
  return rows;
}

export function describeMotion({ name, skeleton, clips }: Motion): Description {
  return {
    heading: heading('motion', name),
    rows: skeletonRows(skeleton, clips),
    json: { name, bones: skeleton.names, clips: clips.map(clipJson) },
  };
}

/** A row per control point: `chin`, `vertex 77, rests at (0, 1, 0); in the examples x -0.1 to 0.1, y 0.8 to 1, z 0 to 0.2`. */
export const pointRows = (predictor: Predictor): [string, string][] =>
  pointRanges(predictor).map(({ name, vertex, rest, min, max }) => {
    const ranges = ['x', 'y', 'z'].flatMap((axis, c) =>
      min[c] === undefined ? [] : [`${axis} ${number(min[c])} to ${number(max[c]!)}`.replaceAll(' ', GLUE)],
    );
    const steers = ranges.length > 0 ? `in the examples ${ranges.join(', ')}` : 'does not steer';
    return [name, `vertex ${vertex}, rests at ${pointText(rest)}; ${steers}`];
  });

/** What `learn` made: who steers what. */
export function describePredictor(predictor: Predictor): Description {
  const { name, points, centroids, kernel, translations, residual, mesh } = predictor;
  const bones = centroids.length / 3;
  const examples = kernel.rowMeans.length;
  const shapes = residual ? residual.shapes.length / mesh.positions.length : 0;
  return {
    heading: heading('predictor', name),
    rows: [
      ['learned from', plural(examples, 'example')],
      ['steered by', plural(points.length, 'control point')],
      ...pointRows(predictor).map(([point, text]): [string, string] => [`  ${point}`, text]),
      ['moves', `${plural(bones, 'bone')}${residual ? ` and ${plural(shapes, 'shape')} of residuals` : ''}`],
      ['kernel', kernel.name],
      ['translations', translations.mode],
    ],
    json: {
      name,
      examples,
      points,
      names: pointNames(predictor),
      controlPoints: pointRanges(predictor),
      bones,
      kernel: kernel.name,
      translations: translations.mode,
      shapes,
    },
  };
}
