import { barRows } from './charts.ts';
import { duration, plural } from './format.ts';
import { facts, section } from './page.ts';

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
    ? `<details><summary>${plural(others.length, 'setting')} at their defaults</summary>${facts(others)}</details>`
    : '';
  return section(
    'Settings',
    given.length ? '' : 'All settings are the defaults.',
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
