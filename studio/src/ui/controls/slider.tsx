import { useId, useRef } from 'preact/hooks';
import { digits } from '../../../../src/report/format.ts';

/** A slider with its value. */
export function Slider(props: {
  label: string;
  value: number;
  /** [default 0]. */
  least?: number;
  most: number;
  step: number;
  /** The value as text [default: its digits]. */
  text?: string;
  disabled?: boolean;
  /** The id of a line of help. */
  help?: string;
  /** First change since the last release. */
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
        // No change event comes if it ends where it began.
        onPointerDown={letGo}
      />
      <output class="number">{(props.text ?? digits(props.value)).replace(/^-/, '−')}</output>
    </div>
  );
}
