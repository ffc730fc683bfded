import { useEffect, useState } from 'preact/hooks';
import { expectedNumber, type OptionSpec, whyNot } from '../../../../src/model/options.ts';
import type { Tied } from './field.tsx';
import { useWrong } from './wrong-fields.ts';

type NumberSpec = Extract<OptionSpec, { type: 'number' }>;

interface Props extends Tied {
  spec: NumberSpec;
  value: number | undefined;
  onChange(value: number | undefined): void;
  'aria-label'?: string;
}

/** Takes numbers that the option allows; anything else is marked and not taken. Empty is the default. */
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
        placeholder={String(spec.default)}
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

/** What a field holds; browsers give no text where that is no number. */
interface Typed {
  text: string;
  noNumber: boolean;
  /** What the field is called. */
  name: string;
}

const typedIn = (input: HTMLInputElement): Typed => ({
  text: input.value,
  noNumber: input.validity.badInput,
  name: input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent ?? '',
});

const isAllowed = ({ text, noNumber }: Typed, spec: NumberSpec): boolean =>
  !noNumber && (text === '' || whyNot(spec, Number(text)) === undefined);

/** What was typed and is not taken: it stays to be mended. That it is wrong is told once it was left so. */
function useTyped({ id, spec, value, onChange }: Props) {
  const [refused, setRefused] = useState<Typed & { told: boolean; left: boolean }>();
  useEffect(() => setRefused(undefined), [value]);
  const wrong = refused !== undefined && !isAllowed(refused, spec);
  useWrong(id, wrong ? `${refused.name} must be ${expectedNumber(spec)}.` : undefined);
  const take = ({ text }: Typed) => {
    setRefused(undefined);
    const taken = text === '' ? undefined : Number(text);
    // What was refused and mended may be what it was before: that is no edit.
    if (taken !== value) onChange(taken);
  };
  // Limits may change: what was left as it is may be allowed by now.
  const allowed = refused?.left && !wrong;
  useEffect(() => {
    if (allowed) take(refused);
  }, [allowed]);
  return {
    text: refused?.text,
    told: wrong && refused.told,
    onInput: (typed: Typed) => {
      if (refused || !isAllowed(typed, spec)) setRefused({ ...typed, told: refused?.told ?? false, left: false });
    },
    onLeave: (typed: Typed) => {
      if (isAllowed(typed, spec)) take(typed);
      else setRefused({ ...typed, told: true, left: true });
    },
  };
}
