import { vertexCount } from '../model/mesh.ts';
import { boneCount, type Skeleton } from '../model/skeleton.ts';
import type { LinearizeResult } from '../rig/linearize/linearize.ts';
import { barRows, escapeText, lineChart } from './charts.ts';
import { heatLegend } from './fit-pictures.ts';
import { count, digits, duration, plural } from './format.ts';
import { type LinearizePictures, linearizePictures } from './linearize-pictures.ts';
import { facts, grid, htmlPage, section, type Tile, tiles } from './page.ts';
import { closingSections, figure, type PageExtra } from './sections.ts';
import { pageView } from './view.ts';

const OPERATORS = {
  dqs: 'dual quaternions',
  sdqs: 'dual quaternions with scale',
  dib: 'iterative dual quaternions',
} as const;

type Operator = keyof typeof OPERATORS;

const TRAINING = {
  both: 'the clips of the file and a generated range of motion',
  'range-of-motion': 'a generated range of motion of every joint',
  clips: 'the clips of the file',
  given: 'clips from another file',
} as const;

/** The report of a linearization as one self-contained HTML page: figures, curves and pictures. */
export async function linearizePage(
  parts: readonly LinearizeResult[],
  operator: Operator,
  extra: PageExtra = {},
): Promise<string> {
  const title = extra.title ?? parts[0].original.name;
  const vertices = parts.reduce((sum, { original }) => sum + vertexCount(original.mesh), 0);
  const blends = parts.reduce((sum, part) => sum + blendCount(part), 0);
  const lead = `${plural(vertices, 'vertex', 'vertices')}: linear blending with ${plural(blends, 'blend bone')}, towards ${OPERATORS[operator]}`;
  const changed = parts.filter((part) => blendCount(part) > 0);
  const view = await pageView(extra.view, [
    { name: 'Linearized', models: changed.map(({ model }) => model) },
    { name: 'Linear blending', models: changed.map(({ original }) => original) },
  ]);
  const body: string[] = [];
  for (const part of parts) body.push(...(await partSections(part, operator, parts.length > 1)));
  const reports = parts.map(({ report }) => report);
  if (view) body.push(view.section);
  body.push(closingSections(reports, extra));
  return htmlPage(title, lead, body.filter(Boolean).join('\n'), extra.command, view);
}

const blendCount = ({ model }: LinearizeResult): number => model.blendBones?.bones.length ?? 0;

async function partSections(part: LinearizeResult, operator: Operator, named: boolean): Promise<string[]> {
  // Parts that follow one bone each have nothing to show.
  if (named && blendCount(part) === 0) return [];
  const pictures = await linearizePictures(part, operator);
  return [
    named ? `<h2>${escapeText(part.original.name)}</h2>` : '',
    tiles(keyFigures(part)),
    grid('two', [curveSection(part), clipsSection(part)], ' pair'),
    unseenSection(part),
    pictures ? picturesSection(pictures, operator) : '',
    grid('two', [jointsSection(part), bonesSection(part)], ' pair'),
  ];
}

function keyFigures(result: LinearizeResult): Tile[] {
  const { averageInfluences: influences, report } = result;
  const work = Object.entries(report.seconds).reduce((sum, [stage, x]) => sum + (stage === 'measuring' ? 0 : x), 0);
  return [
    {
      name: 'Enveloping error',
      value: digits(result.envelopingError),
      unit: '%',
      hint: `linear blending alone: ${digits(result.envelopingErrorLbs)} %`,
    },
    {
      name: 'Relative to linear blending',
      value: digits(result.envelopingErrorLbs > 0 ? result.envelopingError / result.envelopingErrorLbs : undefined),
      unit: '×',
      hint: 'of its error remains in training',
    },
    {
      name: 'Blend bones',
      value: count(blendCount(result)),
      hint: `added to ${plural(boneCount(result.model.skeleton) - nodesOfBlends(result), 'bone')}`,
    },
    {
      name: 'Influences',
      value: digits(influences.after),
      hint: `per vertex on average; ${digits(influences.before)} before`,
    },
    { name: 'Time', value: `${duration(work)} s`, hint: 'without measuring' },
  ];
}

/** Bones of the skeleton that blend bones brought: one each, or two where they stretch. */
function nodesOfBlends({ model }: LinearizeResult): number {
  const { parents }: Skeleton = model.skeleton;
  return (model.blendBones?.bones ?? []).reduce((sum, { bone }) => sum + (parents[bone] >= 0 ? 2 : 1), 0);
}

function curveSection({ curve, training }: LinearizeResult): string {
  const last = curve.length - 1;
  return section(
    'Error by number of blend bones',
    `Enveloping error over the training frames (${count(training.clip.times.length)} of ${TRAINING[training.source]}). At 100 %, each vertex follows only its best bone.`,
    lineChart({
      title: 'Enveloping error by number of blend bones',
      across: 'blend bones',
      upward: 'enveloping error, %',
      values: curve,
      mark: { index: last, label: `${digits(curve[last])} %` },
    }),
  );
}

function clipsSection({ clips }: LinearizeResult): string {
  if (clips.length === 0)
    return section('Clips', 'The rig has no clips: its blend bones are for players that pose it live.', '');
  const rows = clips.flatMap(({ name, lbs, linearized, halfWay }) => [
    { label: name, value: lbs ?? 0, text: `${digits(lbs)} % linear blending` },
    { label: '', value: linearized ?? 0, text: `${digits(linearized)} % linearized`, strong: true },
    ...(halfWay === undefined
      ? []
      : [{ label: '', value: halfWay, text: `${digits(halfWay)} % half-way between keys`, strong: true }]),
  ]);
  return section('Clips', 'Enveloping errors at the keys of each clip, and half-way between them.', barRows(rows));
}

/** Motions that nobody trained for: clips held out, and poses between two clips. */
function unseenSection({ heldOut, crossfades }: LinearizeResult): string {
  const rows = heldOut.flatMap(({ name, lbs, linearized }) => [
    { label: name, value: lbs, text: `${digits(lbs)} % linear blending` },
    { label: '', value: linearized, text: `${digits(linearized)} % linearized without it`, strong: true },
  ]);
  const { lbs = 0, baked = 0, driven = 0 } = crossfades ?? {};
  if (crossfades) {
    rows.push(
      { label: 'half-way between clips', value: lbs, text: `${digits(lbs)} % linear blending` },
      { label: '', value: baked, text: `${digits(baked)} % linearized, baked`, strong: true },
      { label: '', value: driven, text: `${digits(driven)} % linearized, computed live`, strong: true },
    );
  }
  if (rows.length === 0) return '';
  return section(
    'Other motions',
    'Enveloping errors of clips when only the other half of the clips is trained with (estimates), and of crossfades. Where clips are mixed, BlendBoneDriver computes blend bones live.',
    barRows(rows),
  );
}

function picturesSection(pictures: LinearizePictures, operator: Operator): string {
  const { frame } = pictures;
  return section(
    'The worst pose',
    `Frame ${frame} of the training, where linear blending has the largest error. Colours are distances from ${OPERATORS[operator]}.`,
    grid('three', [
      figure(pictures.linear, '<b>Linear blending</b>'),
      figure(pictures.linearized, '<b>Linearized</b>: linear blending with blend bones'),
      figure(pictures.exact, `<b>${OPERATORS[operator].replace(/^./, (c) => c.toUpperCase())}</b>`),
      figure(pictures.linearErrors, '<b>Errors</b> of linear blending'),
      figure(pictures.linearizedErrors, '<b>Errors</b>, linearized'),
      figure(pictures.followers, '<b>Blend bones</b>: bright where vertices follow them'),
    ]) + heatLegend(pictures.scaleTop),
  );
}

/** Joints that are listed. */
const LISTED = 12;

function jointsSection({ joints }: LinearizeResult): string {
  const rows = joints.slice(0, LISTED).flatMap(({ name, vertices, lbs, linearized, blendBones }) => [
    { label: name, value: lbs, text: `${digits(lbs)} %, ${plural(vertices, 'vertex', 'vertices')}` },
    {
      label: '',
      value: linearized,
      text: `${digits(linearized)} %, ${plural(blendBones, 'blend bone')}`,
      strong: true,
    },
  ]);
  const more = joints.length > LISTED ? ` The ${LISTED} joints with the largest errors, of ${joints.length}.` : '';
  return section(
    'Joints',
    `Root mean square distances in training, % of the diagonal: linear blending, and linearized.${more}`,
    barRows(rows),
  );
}

function bonesSection({ model }: LinearizeResult): string {
  const { names } = model.skeleton;
  const rows = (model.blendBones?.bones ?? []).map(({ masters, weights }, k) => ({
    name: String(k + 1),
    value: Array.from(masters, (j, l) => ({ name: names[j], weight: weights[l].toFixed(2) }))
      .filter(({ weight }) => weight !== '0.00')
      .map(({ name, weight }) => `${name} ${weight}`)
      .join(' + '),
  }));
  return section('Blend bones', 'The joints that drive each, and their weights.', rows.length ? facts(rows) : '');
}
