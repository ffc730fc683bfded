import { type Signal, signal } from '@preact/signals-core';
import type { ComponentChildren } from 'preact';
import type { OptionSpec, OptionSpecs } from '../../../../src/index.ts';
import { Field, Select, type Tied } from './field.tsx';
import { NumberInput } from './number-input.tsx';
import type { Choice } from './segmented.tsx';

type Value = number | boolean | string | undefined;

/** `maxError` → `Max error`. */
export const labelOf = (name: string): string => {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
};

/** Panels with unfolded options, shared by all documents. */
const unfolded: Signal<ReadonlySet<string>> = signal(new Set());

/** Advanced options, folded. */
export function FurtherOptions(props: { of: string; more?: string; children: ComponentChildren }) {
  const open = unfolded.value.has(props.of);
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open === open) return;
        const others = [...unfolded.peek()].filter((name) => name !== props.of);
        unfolded.value = new Set(currentTarget.open ? [...others, props.of] : others);
      }}
    >
      <summary>
        All options<span class="soft">{props.more}</span>
      </summary>
      {props.children}
    </details>
  );
}

/** A field per option of a table, with default and help. */
export function OptionFields(props: {
  specs: OptionSpecs;
  names: readonly string[];
  values: Readonly<Record<string, Value>>;
  /** undefined goes back to the default. */
  onChange(name: string, value: Value): void;
}) {
  return (
    <>
      {props.names.map((name) => (
        <OptionField
          key={name}
          name={name}
          spec={props.specs[name]}
          value={props.values[name]}
          onChange={(value) => props.onChange(name, value)}
        />
      ))}
    </>
  );
}

function OptionField(props: { name: string; spec: OptionSpec; value: Value; onChange(value: Value): void }) {
  const { name, spec, value, onChange } = props;
  const given = value !== undefined && value !== spec.default;
  const unit = spec.type === 'number' && spec.unit ? ` (${spec.unit})` : '';
  return (
    <Field
      id={`option-${name}`}
      given={given}
      label={
        <>
          {labelOf(name)}
          <span class="soft">{unit}</span>
        </>
      }
      help={`${spec.description}.${given ? ` Default ${String(spec.default)}.` : ''}`}
      control={(tied) => optionControl(tied, spec, value, onChange)}
    />
  );
}

function optionControl(tied: Tied, spec: OptionSpec, given: Value, onChange: (value: Value) => void) {
  const value = given ?? spec.default;
  switch (spec.type) {
    case 'boolean':
      return (
        <input
          {...tied}
          type="checkbox"
          checked={value as boolean}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return <Select {...tied} value={value as string} choices={spec.choices.map(choiceOf)} onChange={onChange} />;
    case 'number':
      return <NumberInput {...tied} spec={spec} value={given as number | undefined} onChange={onChange} />;
    case 'string':
      return (
        <input
          {...tied}
          type="text"
          value={(value ?? '') as string}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
  }
}

const choiceOf = (value: string): Choice<string> => ({ value, text: value });
