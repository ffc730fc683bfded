import type { Note } from '../model/note.ts';
import { type Curve, curveChart } from './charts.ts';
import { svgOf } from './fit-pictures.ts';
import { digits, percent } from './format.ts';
import { type LitSurface, litCamera, litPicture } from './light-pictures.ts';
import { dataTable, grid, htmlPage, section, type Tile, tiles } from './page.ts';
import { closingSections, figure, type PageExtra } from './sections.ts';

/** Ways of light as people call them. */
const LIGHT_NAMES = {
  unshadowed: 'no shadows',
  base: 'spheres alone',
  baked: 'baked',
  poseSpace: 'nearest traced poses',
  traced: 'traced',
} as const;

type Way = keyof typeof LIGHT_NAMES;

/** What the page shows. */
export interface LightPage {
  title: string;
  lead: string;
  tiles: readonly Tile[];
  poses: readonly (LitSurface & {
    name: string;
    time: number;
    shown: readonly { by: Way; colours: Float32Array; errorPercent?: number }[];
  })[];
  /** Errors in the poses of clips, in %. */
  clips: readonly {
    name: string;
    baked: boolean;
    times: readonly number[];
    curves: Partial<Record<Way, readonly number[]>>;
    percents: Partial<Record<Way, number>>;
  }[];
  seconds: Readonly<Record<string, number>>;
  notes: readonly Note[];
}

const SIZE = { width: 300, height: 340 };
const ORDER: readonly Way[] = ['unshadowed', 'poseSpace', 'base', 'baked'];
const TONES: Partial<Record<Way, Curve['tone']>> = {
  baked: 'first',
  base: 'second',
  poseSpace: 'fourth',
  unshadowed: 'third',
};

/** Light on a rig as one self-contained HTML page: figures, pictures of every way of light, errors over time. */
export async function lightPage(page: LightPage, extra: PageExtra = {}): Promise<string> {
  const body = [tiles(page.tiles)];
  for (const pose of page.poses) {
    const camera = litCamera(pose, SIZE.width, SIZE.height);
    const pictures: string[] = [];
    for (const { by, colours, errorPercent } of pose.shown) {
      const svg = await svgOf(litPicture(pose, colours, camera), `${LIGHT_NAMES[by]}, ${pose.name}`);
      const error = errorPercent === undefined ? '' : `, ${percent(errorPercent)} off`;
      pictures.push(figure(svg, `<b>${LIGHT_NAMES[by]}</b>${error}`));
    }
    const title = `${pose.name}, ${pose.time.toFixed(2)} s`.replace(/^./, (c) => c.toUpperCase());
    body.push(
      section(title, 'The same pose by every way of light; errors are in % of traced light.', grid('four', pictures)),
    );
  }
  if (page.clips.length > 0) body.push(clipSections(page.clips));
  body.push(closingSections([], { ...extra, seconds: page.seconds, notes: [...(extra.notes ?? []), ...page.notes] }));
  return htmlPage(extra.title ?? page.title, page.lead, body.join('\n'), extra.command);
}

function clipSections(clips: LightPage['clips']): string {
  const ways = ORDER.filter((way) => clips.some(({ percents }) => percents[way] !== undefined));
  const rows = clips.map(({ name, baked, percents }) => ({
    cells: [name, baked ? 'yes' : 'no', ...ways.map((way) => digits(percents[way]))],
  }));
  const charts = clips
    .filter(({ times }) => times.length > 1)
    .map(({ name, times, curves }) =>
      curveChart({
        title: name,
        across: 'time, s',
        upward: 'error of what is seen, %',
        places: times,
        curves: ways.flatMap((way): Curve[] =>
          curves[way] ? [{ name: LIGHT_NAMES[way], values: curves[way], tone: TONES[way] ?? 'crowd' }] : [],
        ),
      }),
    );
  return section(
    'Clips',
    'Root mean square error of what is seen, in % of traced light, over poses between those that were traced for the bake.',
    dataTable(['clip', 'baked', ...ways.map((way) => `${LIGHT_NAMES[way]}, %`)], rows) + grid('two', charts),
  );
}
