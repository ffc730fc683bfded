import { useId, useRef } from 'preact/hooks';
import { digits } from '../../../../src/report/format.ts';

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
