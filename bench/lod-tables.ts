import type { Quality } from './lod-measures.ts';
import type { Rival } from './lod-rivals.ts';
import { markdownTable } from './tables.ts';

/** Rows of the comparison of levels of detail, as tables. */

/** What a rival made, and what our fit makes of it. */
export interface Judged {
  kind: Rival['kind'];
  name: string;
  quality: Quality;
  refitted: Quality;
}

export interface Row {
  name: string;
  /** Whether settings were chosen on it. */
  role: 'chosen on' | 'looked at' | 'unseen';
  isHard?: true;
  /** Triangles. */
  given: number;
  target: number;
  ours?: Quality;
  /** Ours at as many vertices as the best rival that keeps seams has, between levels. */
  oursAtVertices?: number;
  rivals: Judged[];
  /** The rivals, and our fit of what they made, are from a run before ours. */
  isEarlier?: true;
}

/** Within this share of the target a rival has reached it. */
export const REACHED = 1.02;

const KEEPING = ['plain', 'attributes', 'update'] as const;

/** The lowest RMS of some kinds of rivals that reached the target, as they are or after our fit. */
export function best(
  { rivals, target }: Row,
  kinds: readonly Rival['kind'][] = KEEPING,
  rms = ({ quality }: Judged): number => quality.rms,
): Judged | undefined {
  const able = rivals.filter(({ kind, quality }) => kinds.includes(kind) && quality.triangles <= REACHED * target);
  return able.length > 0 ? able.reduce((a, b) => (rms(b) < rms(a) ? b : a)) : undefined;
}

/** The best after our fit. */
const bestRefitted = (row: Row, kinds?: readonly Rival['kind'][]): Quality | undefined =>
  best(row, kinds, ({ refitted }) => refitted.rms)?.refitted;

const short = (x: number | undefined): string => (x === undefined ? '–' : x.toPrecision(2));
const ratio = (a: number | undefined, b: number | undefined): string =>
  a === undefined || b === undefined || b === 0 ? '–' : (a / b).toFixed(2);
const pair = (quality: Quality | undefined): string =>
  quality ? `${short(quality.rms)} / ${short(quality.max)}` : 'not reached';

export function seamTable(rows: readonly Row[]): string {
  const head = ['model', 'role', 'triangles', 'left', 'ours', 'simplify', 'keeps seams', 'with our fit', 'Permissive'];
  const ratios = ['ours / keeps seams', '/ with our fit', '/ Permissive', '/ Permissive, our fit', 'at equal vertices'];
  return markdownTable(
    [...head, 'luma.gl', ...ratios],
    rows.map((row) => {
      const { ours } = row;
      const [keeps, permissive] = [best(row)?.quality, best(row, ['permissive'])?.quality];
      const qualities = [
        ...[ours, best(row, ['plain'])?.quality, keeps, bestRefitted(row)],
        ...[permissive, best(row, ['luma.gl'])?.quality],
      ];
      return [
        ...[row.name, row.role, String(row.given), String(row.target), ...qualities.map(pair)],
        ...[ratio(ours?.rms, keeps?.rms), ratio(ours?.rms, bestRefitted(row)?.rms)],
        ...[ratio(ours?.rms, permissive?.rms), ratio(ours?.rms, bestRefitted(row, ['permissive'])?.rms)],
        ratio(row.oursAtVertices, keeps?.rms),
      ];
    }),
  );
}

export function lookTable(rows: readonly Row[]): string {
  const columns = ['vertices', 'normals, °', 'uvs 95 %, texels', 'stretch of uvs, %'];
  return markdownTable(
    ['model', 'left', ...columns.map((column) => `${column}: ours / rival`), 'rival'],
    rows.flatMap((row) => {
      const rival = best(row) ?? best(row, ['permissive']);
      const { ours } = row;
      if (!rival || !ours) return [];
      const both = (of: (quality: Quality) => number | undefined) => `${short(of(ours))} / ${short(of(rival.quality))}`;
      const counts = `${ours.vertices} / ${rival.quality.vertices}`;
      const values = [both(({ normals }) => normals), both(({ uvs }) => uvs), both(({ stretch }) => stretch)];
      return [[row.name, String(row.target), counts, ...values, rival.name]];
    }),
  );
}

export function bareTable(rows: readonly Row[]): string {
  const head = ['model', 'left', 'ours', 'simplify', 'simplifyWithAttributes', 'simplifyWithUpdate', 'with our fit'];
  return markdownTable(
    [...head, 'ours / simplify', '/ best', '/ with our fit'],
    rows.map((row) => {
      const kinds = ['plain', 'attributes', 'update'] as const;
      const [plain, attributes, update] = kinds.map((kind) => best(row, [kind])?.quality);
      const { ours } = row;
      const rivals = [plain, best(row)?.quality, bestRefitted(row)];
      return [
        ...[row.name, String(row.target)],
        ...[ours, plain, attributes, update, bestRefitted(row)].map(pair),
        ...rivals.map((rival) => ratio(ours?.rms, rival?.rms)),
      ];
    }),
  );
}

/** From – to and median of ratios, of models of 3,000 triangles or more. */
function spanOf(rows: readonly Row[], of: (row: Row) => number | undefined): string {
  const list = rows
    .filter(({ given }) => given >= LEAST_GIVEN)
    .flatMap((row) => of(row) ?? [])
    .sort((a, b) => a - b);
  if (list.length === 0) return '–';
  const median = (list[Math.floor((list.length - 1) / 2)] + list[Math.ceil((list.length - 1) / 2)]) / 2;
  return `${list[0].toFixed(2)}–${list.at(-1)!.toFixed(2)}, median ${median.toFixed(2)} (${list.length})`;
}

/** Triangles of a character from which on the ratios are held to a limit. */
const LEAST_GIVEN = 3000;
/** Texels below which uvs are good whatever the rival has. */
const FEW_TEXELS = 2.5;
/** Degrees below which normals are good whatever the rival has: on flat sides rivals are off by rounding only. */
const FEW_DEGREES = 0.1;

/** The ratios that the levels are held to: of all characters, of those that nothing was chosen on, and of hard parts. */
export function barsTable(seams: readonly Row[], plain: readonly Row[]): string {
  const over =
    (of: (quality: Quality) => number | undefined, rival: (row: Row) => Quality | undefined) =>
    (row: Row): number | undefined => {
      const [own, other] = [row.ours && of(row.ours), rival(row)];
      const theirs = other && of(other);
      return own !== undefined && theirs ? own / theirs : undefined;
    };
  const rms = (rival: (row: Row) => Quality | undefined) => over((quality) => quality.rms, rival);
  const kept = (row: Row) => best(row)?.quality;
  const permissive = (row: Row) => best(row, ['permissive'])?.quality;
  const looks = (row: Row) => kept(row) ?? permissive(row);
  const uvs = (row: Row) =>
    (row.ours?.uvs ?? 0) > FEW_TEXELS ? over((quality) => quality.uvs, looks)(row) : undefined;
  const normals = (row: Row) =>
    (row.ours?.normals ?? 0) > FEW_DEGREES ? over((quality) => quality.normals, looks)(row) : undefined;
  const rows: [string, string, readonly Row[], (row: Row) => number | undefined][] = [
    ['with seams, RMS / best that keeps them', 'every ≤ .80, median ≤ .67', seams, rms(kept)],
    ['the same, at equal vertices', '', seams, (row) => row.oursAtVertices && row.oursAtVertices / kept(row)!.rms],
    ['with seams, RMS / `Permissive`', 'every ≤ .90, median ≤ .78', seams, rms(permissive)],
    ['without seams, RMS / best', 'every ≤ .90, median ≤ .78', plain, rms(kept)],
    [
      'without seams, RMS / `simplify`',
      'every ≤ .75, median ≤ .50',
      plain,
      rms((row) => best(row, ['plain'])?.quality),
    ],
    [`normals, mean angle, where ours are off by more than ${FEW_DEGREES}°`, 'every ≤ 1.1', seams, normals],
    [`uvs, 95 %, where ours are off by more than ${FEW_TEXELS} texels`, 'every ≤ 1.1', seams, uvs],
    ['with seams, RMS / best with our fit', '', seams, rms((row) => bestRefitted(row))],
    ['without seams, RMS / best with our fit', '', plain, rms((row) => bestRefitted(row))],
  ];
  const characters = ({ isHard }: Row) => !isHard;
  const unseen = ({ role }: Row) => role === 'unseen';
  return markdownTable(
    ['ours / rival', 'must, of characters', 'characters', 'unseen characters', 'box and machine'],
    rows.map(([name, must, list, of]) => {
      const parts = [list.filter(characters), list.filter(unseen), list.filter((row) => !characters(row))];
      return [name, must, ...parts.map((part) => spanOf(part, of))];
    }),
  );
}
