import { useEffect, useState } from 'preact/hooks';
import { expectedNumber, type OptionSpec, type OptionSpecs } from '../../../src/model/options.ts';
import { useWrong } from './wrong-fields.ts';

type Value = number | boolean | string | undefined;

/** `maxError` → `Max error`. */
export const labelOf = (name: string): string => {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
};

/** A control for each option of a table, with its default and its line of help. */
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
  const id = `option-${name}`;
  const given = value !== undefined && value !== spec.default;
  const unit = spec.type === 'number' && spec.unit ? ` (${spec.unit})` : '';
  return (
    <div class={`field ${given ? 'given' : ''}`}>
      <label for={id}>
        {labelOf(name)}
        <span class="soft">{unit}</span>
      </label>
      <Control id={id} spec={spec} value={value} onChange={onChange} />
      <p id={`${id}-help`} class="help">
        {spec.description}.{given ? ` Default ${String(spec.default)}.` : ''}
      </p>
    </div>
  );
}

function Control(props: { id: string; spec: OptionSpec; value: Value; onChange(value: Value): void }) {
  const { id, spec, value, onChange } = props;
  const shared = { id, 'aria-describedby': `${id}-help` };
  switch (spec.type) {
    case 'boolean':
      return (
        <input
          {...shared}
          type="checkbox"
          checked={(value ?? spec.default) as boolean}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return (
        <select
          {...shared}
          value={(value ?? spec.default) as string}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {spec.choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      );
    case 'number':
      return <NumberInput {...shared} spec={spec} value={value as number | undefined} onChange={onChange} />;
    case 'string':
      return (
        <input
          {...shared}
          type="text"
          value={(value ?? spec.default ?? '') as string}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      );
  }
}

/** Takes numbers that the option allows; anything else is marked and not taken. Empty is the default. */
export function NumberInput(props: {
  id: string;
  spec: Extract<OptionSpec, { type: 'number' }>;
  value: number | undefined;
  onChange(value: number | undefined): void;
  'aria-label'?: string;
  'aria-describedby'?: string;
}) {
  const { spec, value, onChange, ...rest } = props;
  /** What was typed and is not taken: it stays to be mended. That it is wrong is told once it was left so. */
  const [refused, setRefused] = useState<{ text: string; wrong?: string; told: boolean }>();
  useEffect(() => setRefused(undefined), [value]);
  useWrong(props.id, refused?.wrong);
  const wrongIn = ({ validity, labels }: HTMLInputElement): string | undefined => {
    const name = rest['aria-label'] ?? labels?.[0]?.textContent ?? '';
    return validity.valid ? undefined : `${name} must be ${expectedNumber(spec)}.`;
  };
  const told = refused?.told && refused.wrong !== undefined;
  const field = (
    <input
      {...rest}
      aria-invalid={told}
      type="number"
      inputMode="decimal"
      min={spec.min}
      max={spec.max}
      step={spec.integer ? 1 : 'any'}
      placeholder={String(spec.default)}
      value={refused?.text ?? value ?? ''}
      onInput={({ currentTarget: input }) => {
        const wrong = wrongIn(input);
        if (refused || wrong) setRefused({ text: input.value, wrong, told: refused?.told ?? false });
      }}
      onChange={({ currentTarget: input }) => {
        const wrong = wrongIn(input);
        setRefused(wrong ? { text: input.value, wrong, told: true } : undefined);
        const typed = input.value === '' ? undefined : input.valueAsNumber;
        // What was refused and mended may be what it was before: that is no edit.
        if (!wrong && typed !== value) onChange(typed);
      }}
    />
  );
  return (
    <>
      {field}
      {told && (
        <p class="help refused" role="alert">
          This must be {expectedNumber(spec)}.
        </p>
      )}
    </>
  );
}
