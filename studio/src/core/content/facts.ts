import { boundsOf } from '../../../../src/doors/mesh.ts';
import { type Clip, type Mesh, triangleCount, vertexCount } from '../../../../src/index.ts';
import { spaceText } from '../../../../src/model/wording.ts';
import { clipLength, timesText } from '../../../../src/report/asset-text.ts';
import { bytes, count, number, plural } from '../../../../src/report/format.ts';
import { jointTree } from '../rig/joint-tree.ts';
import type { Content } from './content.ts';

type Fact = [name: string, value: string];

/** Facts about the file as a whole, as in `pliant info`. */
export function fileFacts({ format, bytes: size, ...content }: Content): Fact[] {
  const space = surfacesOf(content)[0]?.space;
  const facts: Fact[] = [['Format', format]];
  // Samples have no file; their frames are in memory.
  if (size > 0) facts.push([format === 'sample' ? 'In memory' : 'File size', bytes(size)]);
  if (space) facts.push(['Axes, unit', spaceText(space)]);
  // Parts of a motion have the same times.
  const [pair] = content.pairs ?? [];
  if (pair) {
    facts.push(['Motions', content.pairs!.map(({ name }) => name).join(', ')]);
    facts.push(['Coarse', plural(vertexCount(pair.coarse.rest), 'vertex', 'vertices')]);
    facts.push(['Fine', plural(vertexCount(pair.fine.rest), 'vertex', 'vertices')]);
  }
  if (content.sequences.length > 0) facts.push(['Motion', timesText(content.sequences[0].times)]);
  return facts;
}

/** A side that is shorter, as a share of the diagonal, is rounding. */
const FLAT = 1e-6;

/** Facts about its surfaces, taken together. */
export function surfaceFacts(content: Surfaces): Fact[] {
  const surfaces = surfacesOf(content);
  if (surfaces.length === 0) return [];
  const sum = (of: (mesh: Mesh) => number) => count(surfaces.reduce((total, mesh) => total + of(mesh), 0));
  const corners = surfaces.flatMap(({ positions }) => {
    const { min, max } = boundsOf(positions);
    return [...min, ...max];
  });
  const { min, max } = boundsOf(corners);
  const sides = max.map((high, c) => high - min[c]);
  const unit = unitText(surfaces[0].space?.metresPerUnit);
  const diagonal = Math.hypot(...sides);
  const facts: Fact[] = [
    ['Vertices', sum(vertexCount)],
    [
      'Faces',
      plural(
        surfaces.reduce((total, mesh) => total + triangleCount(mesh), 0),
        'triangle',
      ),
    ],
    ['Size at rest', `${sides.map((side) => number(side < FLAT * diagonal ? 0 : side)).join(' × ')} ${unit}`],
    ['Diagonal', `${number(diagonal)} ${unit}`],
  ];
  if (surfaces.length > 1) facts.unshift(['Parts', count(surfaces.length)]);
  return facts;
}

/** Facts about its bones and control points. */
export function boneFacts({ models, motions, predictors }: Content): Fact[] {
  const bones = jointTree([...models, ...motions].map(({ skeleton }) => skeleton)).names.length;
  const influences = Math.max(0, ...models.map(({ weights }) => weights.influences));
  const morphs = Math.max(0, ...models.map((model) => model.morphs?.length ?? 0));
  const facts: Fact[] = [];
  if (bones > 0) facts.push(['Bones', count(bones)]);
  if (influences > 0) facts.push(['Bones per vertex', `at most ${influences}`]);
  if (morphs > 0) facts.push(['Morph targets', count(morphs)]);
  for (const { points, kernel } of predictors)
    facts.push(['Control points', `${count(points.length)}, from ${plural(kernel.rowMeans.length, 'example')}`]);
  return facts;
}

/** Its clips with their lengths. */
export function clipFacts({ models, motions }: Content): Fact[] {
  const clips = new Map<string, Clip>();
  for (const { clips: own } of [...models, ...motions]) {
    for (const clip of own) if (!clips.has(clip.name)) clips.set(clip.name, clip);
  }
  return Array.from(clips.values(), (clip): Fact => [clip.name, clipLength(clip)]);
}

type Surfaces = Pick<Content, 'sequences' | 'models' | 'meshes'>;

const surfacesOf = ({ sequences, models, meshes }: Surfaces): Mesh[] => [
  ...sequences.map(({ rest }) => rest),
  ...models.map(({ mesh }) => mesh),
  ...meshes,
];

/** Unit of the coordinates. */
function unitText(metres: number | undefined): string {
  if (metres === undefined) return 'units';
  return { 1: 'm', 0.01: 'cm', 0.001: 'mm' }[metres] ?? `units of ${number(metres)} m`;
}
