import { useEffect, useState } from 'preact/hooks';
import type { OptionSpec } from '../../../../src/index.ts';
import { expectedNumber, whyNot } from '../../../../src/model/options.ts';
import { type Tied, trueMinus } from './field.tsx';
import { useWrong } from './wrong-fields.ts';

type NumberSpec = Extract<OptionSpec, { type: 'number' }>;

interface Props extends Tied {
  spec: NumberSpec;
  value: number | undefined;
  onChange(value: number | undefined): void;
  'aria-label'?: string;
}

/** The default as people read it: "auto", "−1". */
export const defaultNumber = (spec: NumberSpec): string =>
  spec.default === 0 && spec.zero ? spec.zero : trueMinus(String(spec.default));

/** A field for numbers in the range of the option; others are marked as invalid. Empty is the default. */
export function NumberInput(props: Props) {
  const { spec, value, onChange, ...rest } = props;
  const { text, told, onInput, onLeave } = useTyped(props);
  return (
    <>
      <input
        {...rest}
        aria-invalid={told}
        type="number"
        inputMode="decimal"
        min={spec.min}
        max={spec.max}
        step={spec.integer ? 1 : 'any'}
        placeholder={defaultNumber(spec)}
        value={text ?? value ?? ''}
        onInput={(event) => onInput(typedIn(event.currentTarget))}
        onChange={(event) => onLeave(typedIn(event.currentTarget))}
      />
      {told && (
        <p class="help refused" role="alert">
          This must be {expectedNumber(spec)}.
        </p>
      )}
    </>
  );
}

/** Content of a field; browsers return no text for invalid numbers. */
interface Typed {
  text: string;
  noNumber: boolean;
  /** Name of the field. */
  name: string;
}

const typedIn = (input: HTMLInputElement): Typed => ({
  text: input.value,
  noNumber: input.validity.badInput,
  name: input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent ?? '',
});

const isAllowed = ({ text, noNumber }: Typed, spec: NumberSpec): boolean =>
  !noNumber && (text === '' || whyNot(spec, Number(text)) === undefined);

/** Keeps invalid input for correction. The error is shown once the field was left. */
function useTyped({ id, spec, value, onChange }: Props) {
  const [typed, setTyped] = useState<Typed & { told: boolean; left: boolean; over: number | undefined }>();
  // Another value is shown instead.
  const refused = typed?.over === value ? typed : undefined;
  const refuse = (typed: Typed, told: boolean, left: boolean) => setTyped({ ...typed, told, left, over: value });
  const wrong = refused !== undefined && !isAllowed(refused, spec);
  useWrong(id, wrong ? `${refused.name} must be ${expectedNumber(spec)}.` : undefined);
  const take = ({ text }: Typed) => {
    setTyped(undefined);
    const taken = text === '' ? undefined : Number(text);
    // A corrected value may equal the old one: no edit.
    if (taken !== value) onChange(taken);
  };
  // Limits may change: a refused value may be valid by now.
  const allowed = refused?.left && !wrong;
  useEffect(() => {
    if (allowed) take(refused);
  }, [allowed]);
  return {
    text: refused?.text,
    told: wrong && refused.told,
    onInput: (typed: Typed) => {
      if (refused || !isAllowed(typed, spec)) refuse(typed, refused?.told ?? false, false);
    },
    onLeave: (typed: Typed) => {
      if (isAllowed(typed, spec)) take(typed);
      else refuse(typed, true, true);
    },
  };
}
