import type { LodDetail, LodLevel, LodLevelFigures } from '../lod/lod-detail.ts';
import type { Note } from '../model/note.ts';
import type { Pose } from '../skin/choose-poses.ts';
import { lineChart } from './charts.ts';
import { heatLegend } from './fit-pictures.ts';
import { bytes, count, digits, duration, plural } from './format.ts';
import { lodPictures } from './lod-pictures.ts';
import { dataTable, grid, htmlPage, section, type Tile, tiles } from './page.ts';
import { closingSections, figure, type PageExtra } from './sections.ts';
import { pageView } from './view.ts';

/** What the page shows. */
export interface LodPage {
  /** The given surfaces first. */
  levels: readonly LodLevel[];
  poses: readonly Pose[];
  detail: LodDetail;
  /** Of the files that were written. */
  size?: number;
  seconds: Readonly<Record<string, number>>;
  notes: readonly Note[];
}

/** The report of levels of detail as one self-contained HTML page: figures, a curve, and every level in three poses. */
export async function lodPage(page: LodPage, extra: PageExtra = {}): Promise<string> {
  const { detail, seconds, notes } = page;
  const { original, levels } = detail;
  const lead = `${plural(original.triangles, 'triangle')}: ${plural(levels.length, 'level')} of detail`;
  const pictures = levels.length > 0 ? await lodPictures(page.levels, page.poses) : [];
  const names = ['Original', ...levels.map((_, l) => `Level ${l + 1}`)];
  const view = await pageView(
    extra.view,
    page.levels.map((level, l) => ({ ...level, name: names[l] })),
  );
  const body = [
    tiles(keyFigures(page)),
    view?.section,
    levels.length > 0 ? levelSection(detail) : '',
    ...pictures.map(({ pose, shown, errors, scaleTop }) => {
      const captions = [original, ...levels].map(({ triangles }) => `<b>${count(triangles)}</b> triangles`);
      return section(
        pose.replace(/^./, (c) => c.toUpperCase()),
        'The given surface and its levels; below, the given surface in colours of its distance from each level.',
        grid(
          'four',
          shown.map((svg, l) => figure(svg, captions[l])),
        ) +
          grid(
            'four',
            errors.map((svg, l) => figure(svg, `<b>Errors</b>, ${captions[l + 1]}`)),
          ) +
          heatLegend(scaleTop),
      );
    }),
    detail.parts.length > 1 && levels.length > 0 ? partsSection(detail) : '',
    closingSections([], { ...extra, seconds, notes: [...(extra.notes ?? []), ...notes] }),
  ];
  return htmlPage(extra.title ?? 'Levels of detail', lead, body.filter(Boolean).join('\n'), extra.command, view);
}

function keyFigures({ detail, size, seconds }: LodPage): Tile[] {
  const { original, levels, poses } = detail;
  const last = levels.at(-1);
  const work = Object.values(seconds).reduce((sum, x) => sum + x, 0);
  return [
    {
      name: 'Triangles',
      value: count(original.triangles),
      hint: last ? `down to ${count(last.triangles)}` : 'no levels',
    },
    {
      name: 'Error of the first level',
      value: digits(levels[0]?.rmsPercent),
      unit: '%',
      hint: 'root mean square over poses',
    },
    {
      name: 'Poses',
      value: count(poses.fitted),
      hint: poses.held > 0 ? `fitted; judged by ${poses.held} more` : 'fitted',
    },
    ...(size === undefined ? [] : [{ name: 'Size', value: bytes(size), hint: 'with all levels' }]),
    { name: 'Time', value: `${duration(work)} s`, hint: '' },
  ];
}

const headings = (hasSizes: boolean): string[] => [
  ...['level', 'triangles', 'vertices', 'RMS, %', 'largest, %', 'one pixel from, m'],
  ...(hasSizes ? ['size'] : []),
  'worst pose',
];

function levelCells({ worstPose, ...level }: LodLevelFigures, l: number): string[] {
  return [
    ...[
      String(l + 1),
      count(level.triangles),
      count(level.vertices),
      digits(level.rmsPercent),
      digits(level.maxPercent),
    ],
    digits(level.onePixelDistance),
    ...(level.bytes === undefined ? [] : [bytes(level.bytes)]),
    `${worstPose.name}, ${worstPose.time.toFixed(2)} s`,
  ];
}

function levelSection({ levels }: LodDetail): string {
  return section(
    'Levels',
    'Distances from the given surface over all poses, in % of its diagonal. One pixel: from this distance on, the largest error takes less than a pixel of a screen of 1080 lines, seen at 50°.',
    dataTable(
      headings(levels.some((level) => level.bytes !== undefined)),
      levels.map((level, l) => ({ cells: levelCells(level, l) })),
    ) +
      grid('two', [
        curve(
          'Root mean square',
          levels.map(({ rmsPercent }) => rmsPercent),
        ),
        curve(
          'Largest distance',
          levels.map(({ maxPercent }) => maxPercent),
        ),
      ]),
  );
}

const curve = (title: string, values: readonly number[]): string =>
  lineChart({ title, across: 'level', upward: `${title.toLowerCase()}, % of the diagonal`, values: [0, ...values] });

/** Parts that are listed. */
const LISTED = 100;

function partsSection({ parts }: LodDetail): string {
  const shown = parts.slice(0, LISTED);
  const depth = Math.max(...shown.map(({ levels }) => levels.length));
  const headings = ['part', ...Array.from({ length: depth }, (_, l) => `level ${l + 1}: triangles, RMS %`)];
  const rows = shown.map(({ name, levels }) => [
    name,
    ...Array.from({ length: depth }, (_, l) =>
      levels[l] ? `${count(levels[l].triangles)}, ${digits(levels[l].rmsPercent)}` : '',
    ),
  ]);
  const hint = parts.length > LISTED ? `The first ${LISTED} of ${parts.length}.` : '';
  return section(
    'Parts',
    hint,
    dataTable(
      headings,
      rows.map((cells) => ({ cells })),
    ),
  );
}
