import type { Signal } from '@preact/signals-core';
import type { ComponentChildren, JSX } from 'preact';
import type { Choice } from './segmented.tsx';

/** Attributes that connect a control with its label and help. */
export interface Tied {
  id: string;
  'aria-describedby'?: string;
}

/** A label, a control and help. */
export function Field(props: {
  id: string;
  label: ComponentChildren;
  /** Whether it differs from the default. */
  given?: boolean;
  help?: ComponentChildren;
  control(tied: Tied): JSX.Element;
}) {
  const { id, label, given, help, control } = props;
  return (
    <div class={`field ${given ? 'given' : ''}`}>
      <label for={id}>{label}</label>
      {control({ id, 'aria-describedby': help ? `${id}-help` : undefined })}
      {help && (
        <p id={`${id}-help`} class="help">
          {help}
        </p>
      )}
    </div>
  );
}

interface SelectProps<T> extends Partial<Tied> {
  value: T;
  choices: readonly Choice<T>[];
  disabled?: boolean;
  title?: string;
  'aria-label'?: string;
  onChange(value: T): void;
}

/** A drop-down list. */
export const Select = <T extends string | number>({ choices, onChange, ...rest }: SelectProps<T>) => (
  <select {...rest} onChange={({ currentTarget: { selectedIndex } }) => onChange(choices[selectedIndex].value)}>
    {choices.map(({ value, text }) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);

/** A drop-down list with its label and help. */
export const SelectField = <T extends string | number>({
  label,
  help,
  ...select
}: SelectProps<T> & { id: string; label: string; help?: string }) => (
  <Field id={select.id} label={label} help={help} control={(tied) => <Select {...select} {...tied} />} />
);

/** A checkbox with help. */
export function Tick(props: {
  id: string;
  label: string;
  value: Signal<boolean>;
  /** Replaces setting the value. */
  onChange?(on: boolean): void;
  children?: ComponentChildren;
}) {
  const { id, label, value, children } = props;
  const set = (on: boolean) => {
    value.value = on;
  };
  return (
    <Field
      id={id}
      label={label}
      help={children}
      control={(tied) => (
        <input
          {...tied}
          type="checkbox"
          checked={value.value}
          onChange={({ currentTarget: { checked } }) => (props.onChange ?? set)(checked)}
        />
      )}
    />
  );
}

/** Negative numbers in a text as they are printed: −1. */
export const trueMinus = (text: string): string => text.replace(/(?<![\w-])-(?=\d)/g, '−');
