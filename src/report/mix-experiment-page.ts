import { columnField, DQS_FIELD, LBS_FIELD } from '../rig/mix/bend-fields.ts';
import type { BendCurve, BendStudy, MixExperiment } from '../rig/mix/experiment.ts';
import { RECTANGLE } from '../rig/mix/rectangle.ts';
import { type BendPicture, bendPictures, fieldPicture } from './bend-pictures.ts';
import { type Curve, type CurveChart, curveChart } from './charts.ts';
import { colourLegend, standaloneSvg } from './fit-pictures.ts';
import { count, digits, plural } from './format.ts';
import { dataTable, grid, htmlPage, section } from './page.ts';
import { figure, secondsSection } from './sections.ts';

/** The experiment of Khemakhem 2020 as a page, and its drawings as files of their own. */
export interface MixExperimentPage {
  html: string;
  /** Name → SVG. */
  pictures: Record<string, string>;
}

const TITLES = {
  points: 'Three point bones, weights by inverse distance: the experiment as printed',
  segments: 'Two bones that meet at the joint, with a smooth fall-off: the standard model',
} as const;

/** The bends that are drawn, degrees. */
const DRAWN = [90, 150];

/** The page of an experiment, with its pictures as files beside it; `command` is the command line that made it. */
export async function mixExperimentPage(
  experiment: MixExperiment,
  extra: { command?: string } = {},
): Promise<MixExperimentPage> {
  const { settings, angles, studies, report } = experiment;
  const pictures: Record<string, string> = {};
  const parts: string[] = [];
  for (const study of studies) {
    const drawn: BendPicture[][] = [];
    for (const degrees of DRAWN) {
      const row = await bendPictures(experiment, study.rig, (degrees * Math.PI) / 180, [
        LBS_FIELD,
        DQS_FIELD,
        study.solved.field,
        study.best.field,
        columnField(1, 1, 'zero'),
        columnField(0, 1, 'w0'),
      ]);
      for (const { rig, field, svg } of row)
        pictures[`${rig}-${degrees}-${fileName(field.name, field.outside)}.svg`] = standaloneSvg(svg);
      drawn.push(row);
    }
    const solvedField = await fieldPicture(study.solved.field, `Solved mix, ${study.rig}`);
    pictures[`${study.rig}-solved-field.svg`] = standaloneSvg(solvedField);
    parts.push(
      section(TITLES[study.rig], tableHint(study), resultTable(study)),
      grid('two', areaCharts(study, angles), ' pair'),
      combinationTable(study.smooth, 'w0'),
      combinationTable(study.zeroOutside, '0'),
      ...drawn.map((row, q) => pictureSection(row, DRAWN[q])),
      section(
        'The solved mix',
        'On the rectangle at rest; the parent is on the left, and it bends upwards.',
        solvedField + colourLegend('0: linear', '1: dual quaternions', 'colours of mix weights'),
      ),
    );
  }
  const lead =
    `A rectangle of 10 × 2 with ${count(settings.columns)} × ${count(settings.rows)} vertices, bent by ` +
    `0 to 180° in ${plural(angles.length - 1, 'step')}: the experiment of Khemakhem 2020, “Investigating the effect of ` +
    'mixing two skinning algorithms on area preservation”';
  const body = [...parts, secondsSection(report.seconds)].join('\n');
  return { html: htmlPage('Mixing two skinning algorithms', lead, body, extra.command), pictures };
}

/** Whether a file of this name is one of the drawings. */
export const isExperimentPicture = (name: string): boolean =>
  Object.keys(TITLES).some((rig) => name.startsWith(`${rig}-`)) && name.endsWith('.svg');

/** `1, 0.75` with w_u = w0 → mix-1-0.75. */
const fileName = (name: string, outside: 'zero' | 'w0' | undefined): string =>
  outside === undefined ? name.toLowerCase() : `mix-${name.replace(', ', '-')}${outside === 'zero' ? '-torn' : ''}`;

const caption = ({ field: { name, outside } }: Pick<BendCurve, 'field'>): string =>
  outside === undefined ? name : `w0, w1 = ${name}; w_u = ${outside === 'zero' ? '0' : 'w0'}`;

const tableHint = ({ solution }: BendStudy): string =>
  'Mean difference of the area from 20 over the bends: the sum of all triangles as in Khemakhem 2020, and with those ' +
  'that are inverted counted as negative. Local RMS is the root mean square of the relative change of area, triangle ' +
  `by triangle; the solver minimises the energy. The best of the 25 mixes by column has the lowest absolute error. ` +
  `Solved for in ${plural(solution.iterations, 'iteration')}, ${digits(solution.report.seconds.solve)} s.`;

function resultTable({ lbs, dqs, best, solved }: BendStudy): string {
  const rows = [
    { name: 'LBS', curve: lbs },
    { name: 'DQS', curve: dqs },
    { name: `best of the 25: ${best.field.name}`, curve: best },
    { name: 'solved', curve: solved },
  ];
  return dataTable(
    [
      '',
      'absolute area error',
      'signed area error',
      'local RMS',
      'inverted triangles',
      'area at 180°',
      'signed',
      'energy',
    ],
    rows.map(({ name, curve }) => ({
      cells: [
        name,
        digits(curve.absoluteError),
        digits(curve.signedError),
        digits(curve.meanLocalRms),
        count(curve.invertedTotal),
        curve.absoluteArea[curve.absoluteArea.length - 1].toFixed(2),
        curve.signedArea[curve.signedArea.length - 1].toFixed(2),
        digits(curve.energy),
      ],
      strong: curve === solved,
    })),
  );
}

/** The 25 combinations of one way to go on outside of the critical segment, by rising w0 and then w1. */
function combinationTable(curves: readonly BendCurve[], outside: string): string {
  const values = [...new Set(curves.map(({ field }) => field.w1))];
  const rows = values.map((w0) => ({
    cells: [
      `w0 = ${w0}`,
      ...curves
        .filter(({ field }) => field.w0 === w0)
        .map(({ absoluteError, energy }) => `${digits(absoluteError)} / ${digits(energy)}`),
    ],
  }));
  return section(
    `The 25 combinations, w_u = ${outside}`,
    'Absolute area error and energy.',
    dataTable(['', ...values.map((w1) => `w1 = ${w1}`)], rows),
  );
}

/** From the area at rest. */
const changeOf = (areas: Float64Array): Float64Array => areas.map((area) => area - RECTANGLE.width * RECTANGLE.height);

function areaCharts(study: BendStudy, angles: readonly number[]): string[] {
  const { lbs, dqs, solved, best, smooth, zeroOutside } = study;
  const places = Float64Array.from(angles, (angle) => (180 * angle) / Math.PI);
  const crowd = (curves: readonly BendCurve[]): Curve[] =>
    curves.map((curve) => ({ name: caption(curve), values: changeOf(curve.absoluteArea), tone: 'crowd' }));
  const main = (of: (curve: BendCurve) => Float64Array): Curve[] => [
    { name: 'LBS', values: of(lbs), tone: 'third' },
    { name: `best of the 25: ${best.field.name}`, values: of(best), tone: 'fourth' },
    { name: 'solved', values: of(solved), tone: 'first' },
    { name: 'DQS', values: of(dqs), tone: 'second' },
  ];
  const level = { value: 0, label: 'at rest: 20' };
  const chart = (title: string, hint: string, rest: Pick<CurveChart, 'upward' | 'curves' | 'level'>): string =>
    section(title, hint, curveChart({ title, across: 'bend, degrees', places, ...rest }));
  return [
    chart(
      'Change of area, w_u = w0',
      'Of the sum of all triangles. The thin curves are the 25 combinations (Figure 13).',
      {
        upward: 'area',
        curves: [...crowd(smooth), ...main((curve) => changeOf(curve.absoluteArea))],
        level,
      },
    ),
    chart(
      'Change of area, w_u = 0',
      'The mix ends at the critical segment, and the mesh tears or folds there (Figure 9).',
      {
        upward: 'area',
        curves: [
          ...crowd(zeroOutside),
          ...main((curve) => changeOf(curve.absoluteArea)).filter(({ tone }) => tone !== 'fourth'),
        ],
        level,
      },
    ),
    chart('Change of signed area', 'Inverted triangles count as negative.', {
      upward: 'area',
      curves: main((curve) => changeOf(curve.signedArea)),
      level,
    }),
    chart('Inverted triangles', '', { upward: 'triangles', curves: main((curve) => curve.inverted) }),
    chart('Local distortion', 'Root mean square of the relative change of area, triangle by triangle.', {
      upward: 'relative change of area',
      curves: main((curve) => curve.localRms),
    }),
    chart('Area error', 'Difference of the absolute area from 20, without linear blending.', {
      upward: 'area',
      curves: main((curve) => changeOf(curve.absoluteArea).map(Math.abs)).filter(({ tone }) => tone !== 'third'),
    }),
  ];
}

const pictureSection = (row: readonly BendPicture[], degrees: number): string =>
  section(
    `Bent by ${degrees}°`,
    'Inverted triangles are orange. Lines are evenly spaced on the rectangle at rest.',
    grid(
      'three',
      row.map((picture) => figure(picture.svg, `<b>${caption(picture)}</b>`)),
    ),
  );
