import type { OptionSpec, OptionSpecs, Setting } from '../../src/index.ts';
import { number } from '../../src/report/format.ts';
import { kebab } from '../flags/flags.ts';

/** The options of a table as a report page lists them; a preset's and the user's own stand over the defaults. */
export function settingRows(
  specs: OptionSpecs,
  given: Readonly<Record<string, unknown>>,
  preset: Readonly<Record<string, unknown>> = {},
  without: readonly string[] = [],
): Setting[] {
  return Object.entries(specs)
    .filter(([name]) => !without.includes(name))
    .map(([name, spec]) => ({
      name: kebab(name).replaceAll('-', ' '),
      value: valueText(spec, given[name] ?? preset[name] ?? spec.default),
      given: given[name] !== undefined,
    }));
}

function valueText(spec: OptionSpec, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const angle = spec.type === 'number' && spec.unit === 'radians' && typeof value === 'number';
  return angle ? `${number((180 * value) / Math.PI)}°` : String(value);
}
