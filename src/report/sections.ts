import { distinctNotes, type Notes } from '../model/note.ts';
import type { Report } from '../model/report.ts';
import { barRows } from './charts.ts';
import { duration, plural } from './format.ts';
import { noteText } from './note-text.ts';
import { facts, list, section } from './page.ts';

/** Sections that report pages of all operations have. */

/** A setting of an operation; `given` are the ones the user chose. */
export interface Setting {
  name: string;
  value: string;
  given: boolean;
}

/** A picture with its caption, both HTML. */
export const figure = (picture: string, caption: string): string =>
  `<figure>${picture}<figcaption>${caption}</figcaption></figure>`;

/** The chosen settings; those at their defaults can be unfolded. */
export function settingsSection(settings: readonly Setting[]): string {
  const given = settings.filter((setting) => setting.given);
  const others = settings.filter((setting) => !setting.given);
  const rest = others.length
    ? `<details><summary>${plural(others.length, 'setting')} at default</summary>${facts(others)}</details>`
    : '';
  return section(
    'Settings',
    given.length ? '' : 'All settings are at default.',
    (given.length ? facts(given) : '') + rest,
  );
}

/** Each note once. */
export function notesSection(notes: Readonly<Notes>): string {
  const told = distinctNotes(notes).map((note) => noteText(note));
  return told.length > 0 ? section('Notes', '', list(told)) : '';
}

/** Stages → seconds, added up over several reports. */
export function totalSeconds(reports: readonly Report[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const { seconds } of reports) {
    for (const [stage, s] of Object.entries(seconds)) total[stage] = (total[stage] ?? 0) + s;
  }
  return total;
}

/** Stages → seconds, as bars. */
export const secondsSection = (stages: Readonly<Record<string, number>>): string =>
  section(
    'Seconds per stage',
    '',
    barRows(
      Object.entries(stages).map(([label, value]) => ({ label, value, text: `${duration(value)} s`, strong: true })),
    ),
  );
