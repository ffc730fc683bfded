import { useEffect, useRef } from 'preact/hooks';
import { RECTANGLE } from '../../../../src/rig/mix/rectangle.ts';
import type { Bar, BentBar } from '../../core/lab/bend-lab.ts';
import { signed } from '../controls/curve-plot.ts';
import { drawBar, placing, SEEN } from './draw-bar.ts';

/** A bar by one operator. A drag bends all of them: the free end follows the pointer. */
export function BarPane(props: {
  name: string;
  colour: string;
  note: string;
  bent: BentBar;
  measure: 'signed' | 'absolute';
  bar: Bar;
  rig: keyof typeof SEEN;
  angle: number;
  dark: boolean;
  /** A drag begins. */
  onBegin(): void;
  onBend(degrees: number): void;
}) {
  const { name, colour, note, bent, measure, bar, rig, angle, dark, onBegin, onBend } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const picture = canvas.current!;
    const draw = () => drawBar(picture, bent, bar, SEEN[rig], angle, dark);
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(picture);
    return () => watch.disconnect();
  }, [bent, bar, dark]);
  const bend = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const { scale, x, y } = placing(width, height, SEEN[rig]);
    const [dx, dy] = [event.clientX - left - x(RECTANGLE.joint), y(0) - (event.clientY - top)];
    if (Math.hypot(dx, dy) < scale / 2) return;
    const degrees = (Math.atan2(dy, dx) * 180) / Math.PI;
    // Below the bar, the nearer end of the range.
    onBend(degrees < -90 ? 180 : degrees);
  };
  const text = `${signed(bent[measure], 0.005)} %`;
  return (
    <figure class="bar" aria-label={`${name} at ${angle}°: area ${text}`}>
      <canvas
        ref={canvas}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          onBegin();
          bend(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons !== 0) bend(event);
        }}
      />
      <figcaption>
        <b>
          <i class="swatch" style={{ background: colour }} />
          {name}
        </b>
        <span class="number">
          <span class="roomy">area </span>
          {text}
        </span>
        <small class="help">{note}</small>
      </figcaption>
    </figure>
  );
}
