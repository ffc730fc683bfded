import { type Signal, signal } from '@preact/signals-core';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { Notice } from '../../core/notices.ts';

/** Where a button that cannot be used says why when it is pressed all the same. */
export const Reasons = createContext<Signal<Notice | undefined>>(signal(undefined));

interface ButtonProps {
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
}

/** A button. While it cannot be used it stays in reach of keys and fingers, and says why. */
export function Button(props: ButtonProps) {
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

type IconButtonProps = ButtonProps & { name: string };

/** A button with a picture on it; its name is read out and shown on hovering, unless there is more to say. */
export const IconButton = (props: IconButtonProps) => (
  <Button {...props} class="icon-button" hint={props.hint ?? props.name} />
);

/** The same for something that is on or off. */
export const IconToggle = ({ value, ...props }: Omit<IconButtonProps, 'onClick'> & { value: Signal<boolean> }) => (
  <IconButton
    {...props}
    pressed={value.value}
    onClick={() => {
      value.value = !value.value;
    }}
  />
);
