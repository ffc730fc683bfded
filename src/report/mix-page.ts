import { boundsOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import type { SkinnedModel, SkinOperator } from '../model/skinned-model.ts';
import type { MixContender } from '../rig/mix/contenders.ts';
import type { MixResult } from '../rig/mix/mix.ts';
import { Skinner } from '../skin/skinner.ts';
import { bestView, type Camera, cameraFor, threeQuarterViews, type View } from './camera.ts';
import { type Curve, curveChart, escapeText } from './charts.ts';
import { colourLegend, heatColours, surfaceOf, svgOf } from './fit-pictures.ts';
import { count, digits, duration, plural } from './format.ts';
import { dataTable, grid, htmlPage, section, type Tile, tiles } from './page.ts';
import { rasterize } from './rasterize.ts';
import { closingSections, figure, type PageExtra } from './sections.ts';
import { pageView } from './view.ts';

/** The report of a mix, of one part of a rig or several, as one self-contained HTML page. */
export async function mixPage(
  results: readonly MixResult[],
  extra: PageExtra = {},
  run: RunOptions = {},
): Promise<string> {
  const names = results.map(({ model }) => model.name);
  const vertices = results.reduce((sum, { model }) => sum + vertexCount(model.mesh), 0);
  const motions = [...new Set(results.flatMap(({ poses }) => poses.map(({ motion }) => motion)))];
  const poses = Math.max(...results.map((result) => result.poses.length));
  const lead = `${plural(vertices, 'vertex', 'vertices')}, ${plural(poses, 'pose')} of ${motions.join(', ')}`;
  const parts: string[] = [];
  for (const result of results) {
    await checkpoint(run, 'mixPage', parts.length, results.length, 'drawing');
    parts.push(await partBody(result, results.length > 1));
  }
  const reports = results.map(({ report }) => report);
  const models = results.map(({ model }) => model);
  const view = await pageView(extra.view, [
    { name: 'Mix', models },
    ...OPERATORS.map(({ name, mix }) => ({ name, models: models.map((model) => mixedBy(model, mix)) })),
  ]);
  const body = [...parts, view?.section, closingSections(reports, extra)];
  return htmlPage(extra.title ?? names.join(', '), lead, body.filter(Boolean).join('\n'), extra.command, view);
}

const OPERATORS = [
  { name: 'Linear blending', mix: 0 },
  { name: 'Dual quaternions', mix: 1 },
];

/** The model with the same mix everywhere. */
const mixedBy = (model: SkinnedModel, mix: number): SkinnedModel => ({
  ...model,
  mixWeights: model.mixWeights?.map(() => mix),
});

async function partBody(result: MixResult, named: boolean): Promise<string> {
  const heading = named ? `<h2>${escapeText(result.model.name)}</h2>` : '';
  if (result.faces.length === 0) {
    return heading + section('Nothing to mix', 'Both operators give the same surface in every pose.', '');
  }
  return [
    heading,
    tiles(keyFigures(result)),
    tableSection(result),
    grid('two', curveSections(result), ' pair'),
    await pictureSections(result),
  ].join('\n');
}

const dqsOf = ({ rivals }: MixResult): MixContender => rivals.find(({ name }) => name === 'DQS')!;
const lbsOf = ({ rivals }: MixResult): MixContender => rivals.find(({ name }) => name === 'LBS')!;

function keyFigures(result: MixResult): Tile[] {
  const { solved, keeps, iterations, converged, report } = result;
  const dqs = dqsOf(result);
  const against = (value: string): string => `dual quaternions: ${value}`;
  const total: Tile[] =
    solved.totalErrorPercent === undefined
      ? []
      : [
          {
            name: keeps === 'area' ? 'Area error' : 'Volume error',
            value: digits(solved.totalErrorPercent),
            unit: '%',
            hint: `mean over the poses; ${against(`${digits(dqs.totalErrorPercent ?? 0)} %`)}`,
          },
        ];
  const seconds = Object.values(report.seconds).reduce((sum, x) => sum + x, 0);
  return [
    {
      name: 'Energy',
      value: digits(solved.terms.energy),
      hint: `minimised by the solver; ${against(digits(dqs.terms.energy))}`,
    },
    ...total,
    {
      name: 'Local RMS',
      value: digits(solved.localRms),
      hint: `change of area, face by face; ${against(digits(dqs.localRms))}`,
    },
    {
      name: 'Inverted faces',
      value: count(solved.inverted),
      hint: `over all poses; ${against(count(dqs.inverted))}`,
    },
    {
      name: 'Time',
      value: `${duration(seconds)} s`,
      hint: `${converged ? 'converged' : 'not converged'} after ${plural(iterations, 'iteration')}`,
    },
  ];
}

/** Name, energy, error of area or volume where one is kept, local RMS, bulge, faces turned over. */
export const contenderCells = (contender: MixContender): string[] => [
  contender.name,
  digits(contender.terms.energy),
  ...(contender.totalErrorPercent === undefined ? [] : [digits(contender.totalErrorPercent)]),
  digits(contender.surfaceErrorPercent),
  digits(contender.localRms),
  digits(contender.gainPercent),
  count(contender.inverted),
];

function tableSection(result: MixResult): string {
  const { solved, rivals, keeps, share } = result;
  const kept = keeps === 'none' ? [] : [`${keeps} error, %`];
  return section(
    'Mixes compared',
    `Over ${plural(result.poses.length, 'pose')}, on the ${digits(100 * share)} % of the surface where the operators differ. ` +
      'A mix of 0 is linear blending (LBS), of 1 dual quaternions (DQS). The solver minimises the energy, which penalises faces ' +
      `that change area or invert${keeps === 'none' ? '' : `, a change of the total ${keeps}`}, and differences between neighbouring weights. ` +
      'Local RMS is the root mean square of the relative change of area, face by face: 0.1 ' +
      'is 10 %. Bulge is the area gained by the faces that grow.',
    dataTable(
      ['', 'energy', ...kept, 'surface error, %', 'local RMS', 'bulge, %', 'inverted faces'],
      [...rivals, solved].map((contender) => ({
        cells: contenderCells(contender),
        strong: contender === solved,
      })),
    ),
  );
}

function curveSections(result: MixResult): string[] {
  const { solved, keeps, poses } = result;
  const places = Float64Array.from(poses.keys());
  const curves = (of: (contender: MixContender) => Float64Array): Curve[] => [
    { name: 'LBS', values: of(lbsOf(result)), tone: 'third' },
    { name: 'solved', values: of(solved), tone: 'first' },
    { name: 'DQS', values: of(dqsOf(result)), tone: 'second' },
  ];
  const chartOf = (
    title: string,
    hint: string,
    upward: string,
    of: (contender: MixContender) => Float64Array,
  ): string => section(title, hint, curveChart({ title, across: 'pose', upward, places, curves: curves(of) }));
  const total =
    solved.perPose.totalChangePercent &&
    chartOf(
      `Change of ${keeps} per pose`,
      `Of the whole surface, relative to its ${keeps} at rest.`,
      `% of the ${keeps}`,
      ({ perPose }) => perPose.totalChangePercent!,
    );
  return [
    ...(total ? [total] : []),
    chartOf(
      'Local RMS per pose',
      'Local distortion: root mean square of the relative change of area, face by face.',
      'relative change of area',
      ({ perPose }) => perPose.localRms,
    ),
    chartOf('Bulge per pose', 'Area gained by growing faces.', '% of the area', (c) => c.perPose.gainPercent),
    chartOf('Inverted faces per pose', '', 'faces', ({ perPose }) => perPose.inverted),
  ];
}

const PICTURE = { width: 528, height: 396 };
/** Room around the part that bends, as a share of its size. */
const AROUND = 0.35;

async function pictureSections({ model, faces, poses, rivals, solved }: MixResult): Promise<string> {
  const { mesh } = model;
  const views = threeQuarterViews(mesh.space?.up);
  const bending = new Set<number>();
  for (const f of faces) for (let c = 0; c < 3; c++) bending.add(mesh.triangles[3 * f + c]);
  const bendingFaces = new Uint32Array(3 * faces.length);
  faces.forEach((f, q) => {
    bendingFaces.set(mesh.triangles.subarray(3 * f, 3 * f + 3), 3 * q);
  });
  const viewOf = (positions: Float32Array): View => bestView(views, positions, bendingFaces);
  const cameraAt = (positions: Float32Array, view: View): Camera =>
    cameraFor(view, [boxAround(positions, bending)], PICTURE.width, PICTURE.height);

  const front = viewOf(mesh.positions);
  const field = surfaceOf(mesh, mesh.positions, heatColours(solved.mix, 1), true);
  const fieldPictures: string[] = [];
  for (const view of [front, opposite(front)]) {
    fieldPictures.push(await svgOf(rasterize(field, cameraAt(mesh.positions, view)), 'Mix weights on the rest pose'));
  }

  const dqs = rivals.find(({ name }) => name === 'DQS')!;
  const worst = dqs.perPose.localRms.indexOf(Math.max(...dqs.perPose.localRms));
  const posed = (operator: SkinOperator): Float32Array => {
    const { transforms, signs } = poses[worst];
    const skinner = new Skinner(model, { operator, normals: false, antipodality: signs === undefined });
    const { positions } = skinner.pose(transforms, signs);
    skinner.dispose();
    return positions.slice();
  };
  const camera = cameraAt(posed('dqs'), viewOf(posed('dqs')));
  const pictures: string[] = [];
  for (const [operator, name] of [
    ['lbs', 'Linear blending'],
    ['mix', 'Solved'],
    ['dqs', 'Dual quaternions'],
  ] as const) {
    const picture = await svgOf(rasterize(surfaceOf(mesh, posed(operator)), camera), `${name}, ${poses[worst].label}`);
    pictures.push(figure(picture, `<b>${name}</b>`));
  }
  return [
    section(
      'Linear blending, solved, dual quaternions',
      `The pose in which dual quaternions distort most: ${poses[worst].label}.`,
      grid('three', pictures),
    ),
    section(
      'The solved mix',
      'Mix weights on the rest pose, from two sides. Where the operators agree they have no effect.',
      grid('two', fieldPictures) + colourLegend('0: linear', '1: dual quaternions', 'colours of mix weights'),
    ),
  ].join('\n');
}

/** From behind. */
function opposite({ right, up, towards }: View): View {
  // Turned by 180° about the picture's upright.
  return { right: [-right[0], -right[1], -right[2]], up, towards: [-towards[0], -towards[1], -towards[2]] };
}

/** The corners (3 × 8) of a box around some vertices, with room around it. */
function boxAround(positions: Float32Array, vertices: ReadonlySet<number>): Float32Array {
  const chosen = Float32Array.from([...vertices].flatMap((i) => [...positions.subarray(3 * i, 3 * i + 3)]));
  const { min, max } = boundsOf(chosen);
  const room = AROUND * Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  return Float32Array.from({ length: 24 }, (_, c) => {
    const axis = c % 3;
    return (Math.floor(c / 3) >> axis) & 1 ? max[axis] + room : min[axis] - room;
  });
}
