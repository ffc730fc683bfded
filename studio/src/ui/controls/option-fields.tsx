import { type Signal, signal } from '@preact/signals-core';
import type { ComponentChildren } from 'preact';
import type { OptionSpec, OptionSpecs } from '../../../../src/index.ts';
import type { Doc } from '../../core/doc.ts';
import { Field, Select, type Tied, trueMinus } from './field.tsx';
import { defaultNumber, NumberInput } from './number-input.tsx';
import { RunButton } from './run-button.tsx';
import type { Choice } from './segmented.tsx';

type Value = number | boolean | string | undefined;

/** Names of methods keep their capitals; some names say more in their verb than in a panel. */
const NAMES: Readonly<Record<string, string>> = {
  eigenSkin: 'EigenSkin',
  lsqrTolerance: 'LSQR tolerance',
  lsqrIterations: 'LSQR iterations',
  subSteps: 'Substeps',
  selfCollision: 'Self-collision',
  pinColor: 'Pin colour',
  fit: 'Fit spheres',
};

/** `maxError` → `Max error`. */
export const labelOf = (name: string): string => {
  if (NAMES[name]) return NAMES[name];
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
};

/** Panels with unfolded options, shared by all documents. */
const unfolded: Signal<ReadonlySet<string>> = signal(new Set());

/** Further options, folded. */
export function FurtherOptions(props: { of: string; title?: string; more?: string; children: ComponentChildren }) {
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
        {props.title ?? 'Advanced options'}
        <span class="soft">{props.more}</span>
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

/** Options of an operation with its button: the basic ones above, all others folded below, those of papers last. */
export function OptionForm<O extends object>(props: {
  doc: Doc;
  /** The operation: `learn`. */
  of: string;
  /** Title of its job; see `RunButton`. */
  job?: string;
  specs: OptionSpecs;
  basic: readonly string[];
  /** Choices that papers make and few people need [default none]. */
  research?: readonly string[];
  options: Signal<Partial<O>>;
  button: ComponentChildren;
  onRun(): void;
}) {
  const { doc, of, job, specs, basic, research = [], options, button, onRun } = props;
  const advanced = Object.keys(specs).filter((name) => ![...basic, ...research].includes(name));
  const change = (name: string, value: Value) =>
    doc.edit(labelOf(name), options, { ...options.value, [name]: value } as Partial<O>);
  const fields = (names: readonly string[]) => (
    <OptionFields specs={specs} names={names} values={options.value as Record<string, Value>} onChange={change} />
  );
  return (
    <>
      {fields(basic)}
      <RunButton doc={doc} job={job} primary fields onClick={onRun}>
        {button}
      </RunButton>
      {advanced.length > 0 && <FurtherOptions of={of}>{fields(advanced)}</FurtherOptions>}
      {research.length > 0 && (
        <FurtherOptions of={`${of}-research`} title="Research options">
          {fields(research)}
        </FurtherOptions>
      )}
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
      // Always with the default: were it to come with a value, fields below would move away from the click that leaves this one.
      help={`${trueMinus(HELP[name] ?? spec.description)}.${spec.default === undefined ? '' : ` Default ${defaultText(spec)}.`}`}
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

/** What people call the choices that papers have short names for. */
const CHOICE_TEXTS: Record<string, string> = {
  trs: 'Rigid + scale',
  lbs: 'Linear blending',
  dqs: 'Dual quaternions',
  sdqs: 'Dual quaternions with scale',
  dib: 'Iterative dual quaternions',
  pca: 'PCA',
  rmse: 'RMSE',
  max: 'Worst vertex',
  greedy: 'Lowest error',
  spread: 'Evenly spread',
};

/** What the tables say in terms of papers or of the command line. */
const HELP: Record<string, string> = {
  seed: 'The same seed gives the same result',
  patches: 'Number of triangular patches; 0 chooses by the number of triangles',
  examples: 'How many frames to learn from, chosen to differ most; 0 takes all',
  kind: 'Rigid bones rotate and move. Rigid + scale also stretches along fixed axes. Affine also shears, with two nodes per bone',
};

function defaultText(spec: OptionSpec): string {
  if (spec.type === 'choice') return choiceText(spec.default);
  if (spec.type === 'boolean') return spec.default ? 'on' : 'off';
  return spec.type === 'number' ? defaultNumber(spec) : (spec.default ?? '');
}

export const choiceText = (value: string): string => choiceOf(value).text;

/** `inverse-distance` → `Inverse distance`. */
const choiceOf = (value: string): Choice<string> => {
  const words = value.replaceAll('-', ' ');
  return { value, text: CHOICE_TEXTS[value] ?? words.slice(0, 1).toUpperCase() + words.slice(1) };
};
