import { useId } from 'preact/hooks';

/** One of several things to choose from. */
export interface Choice<T> {
  value: T;
  text: string;
  hint?: string;
}

/** A row of choices, one of them on. */
export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange(value: T): void;
}) {
  const name = useId();
  return (
    <fieldset class="segmented" aria-label={props.label}>
      {props.choices.map(({ value, text, hint }) => (
        <label key={value} title={hint}>
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={value === props.value}
            onChange={() => props.onChange(value)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
