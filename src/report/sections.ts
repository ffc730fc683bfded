import type { Note } from '../model/note.ts';
import type { OptionSpec, OptionSpecs } from '../model/options.ts';
import { addSeconds, type Report } from '../model/report.ts';
import { barRows } from './charts.ts';
import { duration, number, plural } from './format.ts';
import { noteTexts } from './note-text.ts';
import { facts, grid, list, section } from './page.ts';
import type { ViewChoice } from './view.ts';

/** Sections that report pages of all operations have. */

/** A setting of an operation; `given` are the ones the user chose. */
export interface Setting {
  name: string;
  value: string;
  given: boolean;
}

/** What a page shows beside the results. */
export interface PageExtra {
  title?: string;
  /** The command line that made the page, for its end. */
  command?: string;
  settings?: readonly Setting[];
  /** Seconds by stage [default those of the reports]. */
  seconds?: Readonly<Record<string, number>>;
  /** Beside the notes of the reports. */
  notes?: readonly Note[];
  /** How notes name options [default as they are]. */
  optionName?: (option: string) => string;
  /** Whether the page has an interactive 3D view [default auto: where its data take at most 5 MB]. */
  view?: ViewChoice;
}

/** The options of a table as settings: those given over those of a preset over the defaults. */
export const settingRows = (
  specs: OptionSpecs,
  given: Readonly<Record<string, unknown>>,
  preset: Readonly<Record<string, unknown>> = {},
): Setting[] =>
  Object.entries(specs).map(([name, spec]) => ({
    name: name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    value: valueText(spec, given[name] ?? preset[name] ?? spec.default),
    given: given[name] !== undefined,
  }));

function valueText(spec: OptionSpec, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const angle = spec.type === 'number' && spec.unit === 'radians' && typeof value === 'number';
  return angle ? `${number((180 * value) / Math.PI)}°` : String(value);
}

/** A picture with its caption, both HTML. */
export const figure = (picture: string, caption: string): string =>
  `<figure>${picture}<figcaption>${caption}</figcaption></figure>`;

/** How a page ends: settings, seconds and notes. */
export function closingSections(reports: readonly Report[], extra: PageExtra): string {
  const { settings = [], seconds, notes = [], optionName } = extra;
  const total: Record<string, number> = {};
  for (const report of reports) addSeconds(total, report.seconds);
  const texts = noteTexts([...notes, ...reports.flatMap((report) => report.notes)], optionName);
  const sections = [grid('two', [settingsSection(settings), secondsSection(seconds ?? total)], ' pair')];
  if (texts.length > 0) sections.push(section('Notes', '', list(texts)));
  return sections.join('\n');
}

/** The chosen settings; those at their defaults can be unfolded. */
function settingsSection(settings: readonly Setting[]): string {
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

/** Stages → seconds, as bars. */
export const secondsSection = (stages: Readonly<Record<string, number>>): string =>
  section(
    'Seconds per stage',
    '',
    barRows(
      Object.entries(stages).map(([label, value]) => ({ label, value, text: `${duration(value)} s`, strong: true })),
    ),
  );
