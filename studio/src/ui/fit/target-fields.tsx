import { FIT_OPTIONS, type FitOptions } from '../../../../src/index.ts';
import { Field } from '../controls/field.tsx';
import { NumberInput } from '../controls/number-input.tsx';
import { Segmented } from '../controls/segmented.tsx';

export type Target = 'bones' | 'maxError' | 'maxSize';

/** Label, range and help of a target. */
interface TargetText {
  text: string;
  label: string;
  start: number;
  least: number;
  unit?: number;
  help: string;
}

const TARGETS: Record<Target, TargetText> = {
  bones: {
    text: 'Bones',
    label: 'Number of bones',
    start: 40,
    least: 1,
    help: 'Lowest error for this number of bones.',
  },
  maxError: {
    text: 'Error',
    label: 'Error, % of the diagonal',
    start: 0.5,
    // 0 means no target.
    least: 1e-6,
    help: 'Fewest bones that stay below this error. The diagonal is that of the bounding box of the rest pose.',
  },
  maxSize: {
    text: 'Size',
    label: 'GLB size, kB',
    start: 200_000,
    least: 1000,
    unit: 1000,
    help: 'Bones and kind with the lowest error in a file of at most this size.',
  },
};
export const TARGET_NAMES = Object.keys(TARGETS) as Target[];

export const targetOf = (options: Partial<FitOptions>): Target =>
  options.maxError ? 'maxError' : options.maxSize ? 'maxSize' : 'bones';

/** The target of a fit: a number of bones, an error or a size. */
export function TargetFields({
  options,
  onChange,
}: {
  options: Partial<FitOptions>;
  onChange(to: Partial<FitOptions>): void;
}) {
  const target = targetOf(options);
  const { label, start, least, unit = 1, help } = TARGETS[target];
  const only = (name: Target, value: number | undefined) =>
    onChange({ bones: undefined, maxError: undefined, maxSize: undefined, [name]: value });
  return (
    <>
      <div class="field">
        <span class="label">Target</span>
        <Segmented
          label="Target"
          value={target}
          choices={TARGET_NAMES.map((value) => ({ value, text: TARGETS[value].text, hint: TARGETS[value].help }))}
          onChange={(name) => only(name, TARGETS[name].start)}
        />
      </div>
      <Field
        id="target"
        label={label}
        help={help}
        control={(tied) => (
          <NumberInput
            key={target}
            {...tied}
            spec={{
              ...FIT_OPTIONS[target],
              integer: target === 'bones',
              default: start / unit,
              min: least / unit,
            }}
            value={(options[target] ?? 0) / unit || undefined}
            onChange={(value) => only(target, value && (unit === 1 ? value : Math.round(value * unit)))}
          />
        )}
      />
    </>
  );
}
