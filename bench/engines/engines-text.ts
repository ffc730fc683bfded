import { markdownTable } from '../tables.ts';
import type { PlayerErrors } from './moments.ts';

/** What players show of one file that a verb wrote. `undefined`: the player cannot read it. */
export interface EngineRow {
  file: string;
  verb: string;
  /** Per player. */
  errors: (PlayerErrors | undefined)[];
  /** Why players may differ. */
  reason?: string;
}

/** Largest distance in % of the diagonal: at keys, between keys. */
const MUST: PlayerErrors = { atKeys: 0.01, between: 0.02 };
const PLACES = ['atKeys', 'between'] as const;

const percent = (error: number): string => {
  if (error === Number.POSITIVE_INFINITY) return 'other vertices';
  return error < 1 ? error.toFixed(4) : error.toFixed(0);
};
const isOver = (error: number, place: keyof PlayerErrors): boolean => error > MUST[place];
const marked = (error: number, place: keyof PlayerErrors): string =>
  `${percent(error)}${isOver(error, place) ? ' ✗' : ''}`;

const cellsOf = ({ errors }: EngineRow): string[] =>
  errors.flatMap((each) => PLACES.map((place) => (each ? marked(each[place], place) : 'cannot read')));

/** The worst file of a verb; where that is over the limit, the worst of the others as well. */
function worstCell(rows: readonly EngineRow[], player: number, place: keyof PlayerErrors): string {
  const all = rows.flatMap(({ errors }) => errors[player]?.[place] ?? []);
  const worst = Math.max(...all);
  const others = all.filter((error) => !isOver(error, place));
  const isMixed = isOver(worst, place) && others.length > 0;
  return `${marked(worst, place)}${isMixed ? `, others ${percent(Math.max(...others))}` : ''}`;
}

/** Tables of all rows: the worst per verb, what is over a limit, everything. */
export function engineTables(rows: readonly EngineRow[], players: readonly string[]): string {
  const columns = players.flatMap((name) => [`${name}, keys`, 'between']);
  const perVerb = [...new Set(rows.map(({ verb }) => verb))].map((verb) => {
    const own = rows.filter((row) => row.verb === verb);
    return [verb, `${own.length}`, ...players.flatMap((_, p) => PLACES.map((place) => worstCell(own, p, place)))];
  });
  const over = rows.filter(({ errors }) => errors.some((each) => each && PLACES.some((at) => isOver(each[at], at))));
  return `Must: ≤ ${MUST.atKeys} at keys, ≤ ${MUST.between} between; ✗ marks what is not.

## The worst file of each verb

${markdownTable(['verb', 'files', ...columns], perVerb)}

## Over a limit

${
  over.length > 0
    ? markdownTable(
        ['file', 'verb', ...columns, 'reason'],
        over.map((row) => [row.file, row.verb, ...cellsOf(row), row.reason ?? 'not known']),
      )
    : 'None.'
}

## All files

${markdownTable(
  ['file', 'verb', ...columns],
  rows.map((row) => [row.file, row.verb, ...cellsOf(row)]),
)}
`;
}
