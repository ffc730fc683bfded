import { type Signal, signal } from '@preact/signals-core';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { Notice } from '../../core/notices.ts';

/** Receives the reason when a disabled button is clicked. */
export const Reasons = createContext<Signal<Notice | undefined>>(signal(undefined));

interface ButtonProps {
  class?: string;
  /** Accessible name, if it has no text. */
  name?: string;
  hint?: string;
  pressed?: boolean;
  /** Why it is disabled. */
  why?: string;
  onClick(): void;
  /** Extra action when it is clicked while disabled. */
  onRefuse?(): void;
  children: ComponentChildren;
}

/** A button. While disabled it can still be focused and clicked, and says why. */
export function Button(props: ButtonProps) {
  const { why } = props;
  const said = useContext(Reasons);
  const tell = (text: string) => {
    said.value = { text, bad: false };
  };
  // Remove the reason when it no longer applies.
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

type IconButtonProps = ButtonProps & { name: string };

/** A button with an icon; its name is the tooltip unless there is a hint. */
export const IconButton = (props: IconButtonProps) => (
  <Button {...props} class="icon-button" hint={props.hint ?? props.name} />
);

/** The same as a toggle. */
export const IconToggle = ({ value, ...props }: Omit<IconButtonProps, 'onClick'> & { value: Signal<boolean> }) => (
  <IconButton {...props} pressed={value.value} onClick={() => (value.value = !value.value)} />
);
