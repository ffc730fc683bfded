import { type Signal, signal } from '@preact/signals-core';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { digits } from '../../../src/report/format.ts';
import type { Notice } from '../core/studio.ts';

/** Where a button that cannot be used says why when it is pressed all the same. */
export const Reasons = createContext<Signal<Notice | undefined>>(signal(undefined));

/** A button. While it cannot be used it stays in reach of keys and fingers, and says why. */
export function Button(props: {
  class?: string;
  /** Its name, where that is not written on it. */
  name?: string;
  hint?: string;
  pressed?: boolean;
  /** Why it cannot be used now. */
  why?: string;
  onClick(): void;
  /** What a press does while it cannot be used, where that is more than to say why. */
  onRefuse?(): void;
  children: ComponentChildren;
}) {
  const { why } = props;
  const said = useContext(Reasons);
  const tell = (text: string) => {
    said.value = { text, bad: false };
  };
  // A reason is told no longer than it holds.
  useEffect(
    () => () => {
      if (why !== undefined && said.peek()?.text === why) said.value = undefined;
    },
    [why],
  );
  return (
    <button
      type="button"
      class={props.class}
      aria-label={props.name}
      title={why ?? props.hint}
      aria-pressed={props.pressed}
      aria-disabled={why !== undefined || undefined}
      onClick={why === undefined ? props.onClick : (props.onRefuse ?? (() => tell(why)))}
    >
      {props.children}
    </button>
  );
}

/** A row of choices of which one is on. */
export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  choices: readonly { value: T; text: string; hint?: string }[];
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

/** A number that is slid, with its value beside it. */
export function Slider(props: {
  label: string;
  value: number;
  /** [default 0]. */
  least?: number;
  most: number;
  step: number;
  /** The value as it is read; it is itself when absent. */
  text?: string;
  disabled?: boolean;
  /** The id of a line of help. */
  help?: string;
  /** The first change since it was last let go. */
  onBegin?(): void;
  onInput(value: number): void;
}) {
  const id = useId();
  const sliding = useRef(false);
  const letGo = () => {
    sliding.current = false;
  };
  return (
    <div class="slider">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="range"
        min={props.least ?? 0}
        max={props.most}
        step={props.step}
        value={props.value}
        disabled={props.disabled}
        aria-describedby={props.help}
        onInput={(event) => {
          if (!sliding.current) props.onBegin?.();
          sliding.current = true;
          props.onInput(event.currentTarget.valueAsNumber);
        }}
        onChange={letGo}
        // Where it ends as it began there was no change to tell.
        onPointerDown={letGo}
      />
      <output class="number">{props.text ?? digits(props.value)}</output>
    </div>
  );
}

/** A button with a picture on it; its name is read out and shown on hovering, unless there is more to say. */
export const IconButton = (props: {
  name: string;
  hint?: string;
  pressed?: boolean;
  why?: string;
  onClick(): void;
  children: ComponentChildren;
}) => <Button {...props} class="icon-button" hint={props.hint ?? props.name} />;

/** Something that is on or off, with a line of help. */
export function Tick(props: {
  id: string;
  label: string;
  value: Signal<boolean>;
  /** What changes it, where that is more than to set it. */
  onChange?(on: boolean): void;
  children: ComponentChildren;
}) {
  const { id, label, value, children } = props;
  const set = (on: boolean) => {
    value.value = on;
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-help`}
        checked={value.value}
        onChange={({ currentTarget: { checked } }) => (props.onChange ?? set)(checked)}
      />
      <p id={`${id}-help`} class="help">
        {children}
      </p>
    </div>
  );
}

/** How far something has come. */
export function ProgressBar({ label, share }: { label: string; share?: number }) {
  return (
    <div class="progress">
      <progress aria-label={label} value={share} max={1} />
      <span>{label}</span>
      <span class="number">{share === undefined ? '' : `${Math.floor(100 * share)} %`}</span>
    </div>
  );
}

/** Name and value, one pair per row. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
