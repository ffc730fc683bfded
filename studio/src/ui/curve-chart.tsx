import { useRef, useState } from 'preact/hooks';
import { digits } from '../../../src/report/format.ts';
import './curves.css';
import { arrowOf } from './gizmo.ts';

export interface Curve {
  name: string;
  colour: string;
  /** As many as there are places. */
  values: ArrayLike<number>;
  /** Stands out: what is shown now. */
  chosen?: boolean;
}

/** The drawing's own units; it is stretched to the width there is. */
const HIGH = 132;
const LEFT = 38;
const BOTTOM = 18;

/** Curves over an angle, with the values where the marker or the pointer is. A press takes the angle there. */
export function CurveChart(props: {
  /** What is drawn, for those who cannot see it. */
  label: string;
  /** Rising. */
  places: readonly number[];
  curves: readonly Curve[];
  /** Where the marker stands. */
  at: number;
  /** Drawn across: where nothing has changed. */
  even?: number;
  unit: string;
  width?: number;
  /** A press or a key begins. */
  onBegin?(): void;
  onPick(place: number): void;
}) {
  const { label, places, curves, at, even, unit, width = 288, onBegin, onPick } = props;
  const svg = useRef<SVGSVGElement>(null);
  const [pointed, setPointed] = useState<number>();
  const [first, last] = [places[0], places[places.length - 1]];
  const { low, high, ticks } = scaleOf([...curves.flatMap(({ values }) => [...Array.from(values)]), even ?? Infinity]);
  const x = (place: number) => LEFT + ((place - first) / (last - first)) * (width - LEFT - 6);
  const y = (value: number) => 6 + ((high - value) / (high - low)) * (HIGH - BOTTOM - 6);
  const placeAt = ({ clientX }: PointerEvent) => {
    const box = svg.current!.getBoundingClientRect();
    const share = (((clientX - box.left) / box.width) * width - LEFT) / (width - LEFT - 6);
    return first + Math.min(1, Math.max(0, share)) * (last - first);
  };
  // What is nothing but rounding is nothing.
  const signed = (value: number) => {
    const seen = Math.abs(value) < 1e-4 * (high - low) ? 0 : value;
    return `${seen > 0 && even === 0 ? '+' : ''}${digits(seen)}`;
  };
  const read = pointed ?? at;
  const nearest = places.reduce(
    (best, place, p) => (Math.abs(place - read) < Math.abs(places[best] - read) ? p : best),
    0,
  );
  const move = (event: PointerEvent) => {
    setPointed(placeAt(event));
    if (event.buttons !== 0) onPick(placeAt(event));
  };
  return (
    <div class="curves">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={Math.round(at)}
        aria-valuetext={`${Math.round(at)}°`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          onBegin?.();
          onPick(placeAt(event));
        }}
        onPointerMove={move}
        onPointerLeave={() => setPointed(undefined)}
        onKeyDown={(event) => {
          const step = arrowOf(event);
          if (step === 0) return;
          onBegin?.();
          onPick(Math.min(last, Math.max(first, Math.round(at) + step * (event.shiftKey ? 15 : 1))));
        }}
      >
        <svg ref={svg} viewBox={`0 0 ${width} ${HIGH}`} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={LEFT} x2={width - 6} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
                {signed(tick)}
              </text>
            </g>
          ))}
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <text key={share} x={x(first + share * (last - first))} y={HIGH - 3} text-anchor="middle">
              {Math.round(first + share * (last - first))}°
            </text>
          ))}
          {even !== undefined && <line class="even" x1={LEFT} x2={width - 6} y1={y(even)} y2={y(even)} />}
          {curves.map(({ name, colour, values, chosen }) => (
            <polyline
              key={name}
              style={{ color: colour, strokeWidth: chosen ? 3 : undefined }}
              points={places.map((place, p) => `${x(place).toFixed(1)},${y(values[p]).toFixed(1)}`).join(' ')}
            />
          ))}
          <line class="marker" x1={x(at)} x2={x(at)} y1={4} y2={HIGH - BOTTOM} />
          {pointed !== undefined && <line x1={x(pointed)} x2={x(pointed)} y1={4} y2={HIGH - BOTTOM} />}
        </svg>
      </div>
      <ul class="curve-keys" aria-label={`Values at ${Math.round(read)}°`}>
        {curves.map(({ name, colour, values, chosen }) => (
          <li key={name} class={chosen ? 'chosen' : ''}>
            <i style={{ color: colour }} />
            {name}
            <b>
              {signed(values[nearest])} {unit}
            </b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Room for all values, and lines at three or four round ones. */
function scaleOf(all: readonly number[]): { low: number; high: number; ticks: number[] } {
  const values = all.filter(Number.isFinite);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, 1e-3 * Math.max(Math.abs(most), 1e-9));
  const low = least - 0.06 * span;
  const high = most + 0.06 * span;
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = power * ([1, 2, 5, 10].find((factor) => span / (factor * power) <= 4) ?? 10);
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) ticks.push(Number((n * step).toPrecision(6)));
  return { low, high, ticks };
}
