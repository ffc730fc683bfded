import { type Signal, signal } from '@preact/signals-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { expectedNumber, type OptionSpec, type OptionSpecs, whyNot } from '../../../src/model/options.ts';
import { useWrong } from './wrong-fields.ts';

type Value = number | boolean | string | undefined;

/** `maxError` → `Max error`. */
export const labelOf = (name: string): string => {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
};

/** Panels whose further options a person has unfolded, whatever document they look at. */
const unfolded: Signal<ReadonlySet<string>> = signal(new Set());

/** Options that few need: folded away until they are wanted. */
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

type NumberSpec = Extract<OptionSpec, { type: 'number' }>;

/** What a field holds; browsers give no text where that is no number. */
interface Typed {
  text: string;
  noNumber: boolean;
}

const typedIn = ({ value, validity }: HTMLInputElement): Typed => ({ text: value, noNumber: validity.badInput });

const nameOf = (input: HTMLInputElement): string =>
  input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent ?? '';

const isAllowed = ({ text, noNumber }: Typed, spec: NumberSpec): boolean =>
  !noNumber && (text === '' || whyNot(spec, Number(text)) === undefined);

/** Takes numbers that the option allows; anything else is marked and not taken. Empty is the default. */
export function NumberInput(props: {
  id: string;
  spec: NumberSpec;
  value: number | undefined;
  onChange(value: number | undefined): void;
  'aria-label'?: string;
  'aria-describedby'?: string;
}) {
  const { spec, value, onChange, ...rest } = props;
  /** What was typed and is not taken: it stays to be mended. That it is wrong is told once it was left so. */
  const [refused, setRefused] = useState<Typed & { name: string; told: boolean; left: boolean }>();
  useEffect(() => setRefused(undefined), [value]);
  const wrong = refused !== undefined && !isAllowed(refused, spec);
  useWrong(props.id, wrong ? `${refused.name} must be ${expectedNumber(spec)}.` : undefined);
  const take = (typed: Typed) => {
    setRefused(undefined);
    const taken = typed.text === '' ? undefined : Number(typed.text);
    // What was refused and mended may be what it was before: that is no edit.
    if (taken !== value) onChange(taken);
  };
  // Limits may change: what was left as it is may be allowed by now.
  const allowed = refused?.left && !wrong;
  useEffect(() => {
    if (allowed) take(refused);
  }, [allowed]);
  const told = wrong && refused.told;
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
        const typed = typedIn(input);
        const name = nameOf(input);
        if (refused || !isAllowed(typed, spec))
          setRefused({ ...typed, name, told: refused?.told ?? false, left: false });
      }}
      onChange={({ currentTarget: input }) => {
        const typed = typedIn(input);
        if (isAllowed(typed, spec)) take(typed);
        else setRefused({ ...typed, name: nameOf(input), told: true, left: true });
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
