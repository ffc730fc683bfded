import { type Compared, comparedFrom } from '../cloth/compare.ts';
import type { TrainClothResult } from '../cloth/train-cloth.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import { checkpoint } from '../model/run.ts';
import { bestView, cameraFor, threeQuarterViews } from './camera.ts';
import { type Curve, curveChart } from './charts.ts';
import { surfaceOf, svgOf } from './fit-pictures.ts';
import { bytes, count, digits, duration, plural } from './format.ts';
import { dataTable, grid, htmlPage, section, type Tile, tiles } from './page.ts';
import { rasterize } from './rasterize.ts';
import { closingSections, figure, type PageExtra } from './sections.ts';

/** What people read instead of the names of ways. */
const NAMES: Record<string, string> = {
  embed: 'embedding',
  linear: 'linear regression',
  alone: 'physics alone',
  paper: 'Feng 2010',
  repeat: 'truth simulated again',
};

/** What the physics in a comparison was added to: what the method asked for has a row, too. */
const physicsOf = (compared: readonly Compared[]): string =>
  ['learned', 'paper'].find((method) => compared.some(({ name }) => name === method)) ?? 'linear';

/** A way in words, among those that it was compared with. */
function wayName(name: string, compared: readonly Compared[]): string {
  const isAdded = name === 'still' || name === 'quiet' || name === 'lively';
  return isAdded ? `${physicsOf(compared)} + ${name}` : (NAMES[name] ?? name);
}

/** The cells of the ways: name, E, W, N, V, J. */
export const wayRows = (compared: readonly Compared[]): string[][] =>
  compared.map(({ name, figures: { E, W, N, V, J } }) => [wayName(name, compared), ...[E, W, N, V, J].map(digits)]);

/** The report of `cloth train` as one self-contained HTML page. */
export async function clothPage(
  result: TrainClothResult,
  extra: PageExtra & { size?: number } = {},
  run: RunOptions = {},
): Promise<string> {
  const { cloth, trained, heldOut, report } = result;
  const lead =
    `${plural(vertexCount(cloth.fine), 'vertex', 'vertices')} on ${count(vertexCount(cloth.coarse))}; trained on ` +
    `${trained.map(({ name }) => name).join(', ')}, held out: ${heldOut.name}`;
  const body = [
    tiles(keyFigures(result, extra.size)),
    grid('two', [tableSection(result), curveSection(result)], ' pair'),
    await pictureSection(result, run),
    closingSections([report], extra),
  ];
  return htmlPage(extra.title ?? cloth.name, lead, body.join('\n'), extra.command);
}

const wayOf = ({ compared }: TrainClothResult, name: string): Compared | undefined =>
  compared.find((each) => each.name === name);

function keyFigures(result: TrainClothResult, size: number | undefined): Tile[] {
  const { best, compared, report } = result;
  const [embed, repeat] = [wayOf(result, 'embed'), wayOf(result, 'repeat')];
  const seconds = Object.values(report.seconds).reduce((sum, x) => sum + x, 0);
  return [
    {
      name: 'Error',
      value: digits(best.figures.E),
      unit: '%',
      hint: `RMS, of the diagonal: ${wayName(best.name, compared)}; embedding: ${digits(embed?.figures.E ?? 0)} %`,
    },
    {
      name: 'Folds recovered',
      value: digits(best.figures.W),
      unit: '%',
      hint:
        'of what flat coarse triangles miss, squared' +
        (repeat ? `; the truth simulated again: ${digits(repeat.figures.W)} %` : ''),
    },
    { name: 'Normals', value: digits(best.figures.N), unit: '°', hint: `embedding: ${digits(embed?.figures.N ?? 0)}°` },
    ...(size === undefined ? [] : [{ name: 'File', value: bytes(size), hint: 'the GLB' }]),
    { name: 'Time', value: `${duration(seconds)} s`, hint: 'training and comparison' },
  ];
}

function tableSection(result: TrainClothResult): string {
  const first = comparedFrom(result.heldOut.fine.frameCount);
  return section(
    'Ways compared',
    `On “${result.heldOut.name}”, which was not trained on, from frame ${first} on. E: RMS distance to the truth, % of the ` +
      'diagonal. W: folds recovered. 0 % is the fine cloth laid on the flat triangles of the coarse one (barycentric ' +
      'embedding, not in the table), 100 % the truth; it is the share of the squared error that is gone. Our embedding rounds ' +
      'the triangles, so its W is not 0. N: mean angle to the normals of the truth. V: vigour, how ' +
      'much folds turn the normals, and J: jitter; both are 1 for the truth. The file uses the way with the least E whose ' +
      'normals are no worse than those of the embedding.',
    dataTable(
      ['', 'E, %', 'W, %', 'N, °', 'V', 'J'],
      wayRows(result.compared).map((cells, i) => ({ cells, strong: result.compared[i] === result.best })),
    ),
  );
}

function curveSection(result: TrainClothResult): string {
  const { heldOut, best } = result;
  const places = Float64Array.from({ length: heldOut.fine.frameCount }, (_, k) => k);
  const tones = ['first', 'second', 'third'] as const;
  const shown = [best.name, 'embed', 'repeat'].flatMap((name) => wayOf(result, name) ?? []);
  const curves = [...new Set(shown)].map(
    (each, c): Curve => ({ name: wayName(each.name, result.compared), values: each.curve, tone: tones[c] }),
  );
  const title = 'Error over the held-out motion';
  return section(title, '', curveChart({ title, across: 'frame', upward: '% of the diagonal', places, curves }));
}

const PICTURE = { width: 352, height: 352 };
/** Frames that are shown. */
const SHOWN = 3;

/** Coarse, embedding, ours and truth at a few frames, all from one side. */
async function pictureSection(result: TrainClothResult, run: RunOptions): Promise<string> {
  const { heldOut, best, cloth } = result;
  const first = comparedFrom(heldOut.fine.frameCount);
  const frames = Array.from({ length: SHOWN }, (_, q) =>
    Math.round(first + ((q + 0.5) * (heldOut.fine.frameCount - 1 - first)) / SHOWN),
  );
  const truth = await heldOut.fine.readFrame(frames[0]);
  const view = bestView(threeQuarterViews(), truth, cloth.fine.triangles);
  const rows: string[] = [];
  for (const [q, k] of frames.entries()) {
    await checkpoint(run, 'clothPage', q, SHOWN, 'drawing');
    const fine = await heldOut.fine.readFrame(k);
    const camera = cameraFor(view, [fine], PICTURE.width, PICTURE.height);
    const draw = async (name: string, mesh: typeof cloth.fine, positions: Float32Array) =>
      figure(
        await svgOf(
          rasterize(surfaceOf({ positions: mesh.positions, triangles: mesh.triangles }, positions), camera),
          `${name}, frame ${k}`,
        ),
        `<b>${name}</b>, frame ${k}`,
      );
    const embed = wayOf(result, 'embed')!;
    rows.push(
      await draw('coarse', cloth.coarse, await heldOut.coarse.readFrame(k)),
      await draw('embedding', cloth.fine, await embed.frames!.readFrame(k)),
      await draw(wayName(best.name, result.compared), cloth.fine, await best.frames!.readFrame(k)),
      await draw('truth', cloth.fine, fine),
    );
  }
  return section('Coarse, embedding, ours, truth', '', grid('four', rows));
}
