import { useRef, useState } from 'preact/hooks';
import { arrowOf } from './arrow-keys.ts';
import {
  BOTTOM,
  type Curve,
  type CurvePlot,
  curvePlot,
  HIGH,
  LEFT,
  nearestTo,
  RIGHT,
  TOP,
  WIDE,
} from './curve-plot.ts';
import './curves.css';

interface Props {
  /** Accessible name. */
  label: string;
  /** Rising. */
  places: readonly number[];
  /** Unit of places, with its space. */
  placeUnit: string;
  curves: readonly Curve[];
  /** Position of the marker. */
  at: number;
  /** The value of no change, drawn as a line. */
  even?: number;
  unit: string;
  /** Steps of the arrow keys without and with Shift [default 1 and 15]. */
  steps?: readonly [number, number];
  /** A click or key press starts. */
  onBegin?(): void;
  onPick(place: number): void;
}

/** Curves over a setting, with values at the marker or pointer. A click moves the marker. */
export function CurveChart(props: Props) {
  const { label, places, placeUnit, curves, at, even, unit, steps: [near, far] = [1, 15], onBegin, onPick } = props;
  const svg = useRef<SVGSVGElement>(null);
  const [pointed, setPointed] = useState<number>();
  const plot = curvePlot(places, curves, even);
  const { first, last } = plot;
  const placeAt = ({ clientX }: PointerEvent) => {
    const { left, width } = svg.current!.getBoundingClientRect();
    return plot.placeAt((clientX - left) / width);
  };
  const read = pointed ?? at;
  return (
    <div class="curves">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={Math.round(at)}
        aria-valuetext={`${Math.round(at)}${placeUnit}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          onBegin?.();
          onPick(placeAt(event));
        }}
        onPointerMove={(event) => {
          setPointed(placeAt(event));
          if (event.buttons !== 0) onPick(placeAt(event));
        }}
        onPointerLeave={() => setPointed(undefined)}
        onKeyDown={(event) => {
          const sign = arrowOf(event);
          if (sign === 0) return;
          onBegin?.();
          onPick(Math.min(last, Math.max(first, Math.round(at) + sign * (event.shiftKey ? far : near))));
        }}
      >
        <svg ref={svg} viewBox={`0 0 ${WIDE} ${HIGH}`} aria-hidden="true">
          <Axes plot={plot} unit={placeUnit} />
          {even !== undefined && <Across class="even" y={plot.y(even)} />}
          <Lines plot={plot} curves={curves} />
          <Upright class="marker" x={plot.x(at)} />
          {pointed !== undefined && <Upright x={plot.x(pointed)} />}
        </svg>
      </div>
      <ul class="curve-keys" aria-label={`Values at ${Math.round(read)}${placeUnit}`}>
        {curves.map(({ name, colour, values, chosen }) => (
          <li key={name} class={chosen ? 'chosen' : ''}>
            <i style={{ color: colour }} />
            {name}
            <b>
              {plot.text(values[nearestTo(places, read)])} {unit}
            </b>
          </li>
        ))}
      </ul>
    </div>
  );
}

const Across = ({ y, ...rest }: { y: number; class?: string }) => <line {...rest} x1={LEFT} x2={RIGHT} y1={y} y2={y} />;
const Upright = ({ x, ...rest }: { x: number; class?: string }) => (
  <line {...rest} x1={x} x2={x} y1={TOP - 2} y2={BOTTOM} />
);

/** Lines at round values, and five labels below. */
const Axes = ({ plot: { first, last, x, y, ticks, text }, unit }: { plot: CurvePlot; unit: string }) => (
  <>
    {ticks.map((tick) => (
      <g key={tick}>
        <Across y={y(tick)} />
        <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
          {text(tick)}
        </text>
      </g>
    ))}
    {[0, 0.25, 0.5, 0.75, 1].map((share) => {
      const place = first + share * (last - first);
      return (
        <text key={share} x={x(place)} y={HIGH - 3} text-anchor={share === 1 ? 'end' : 'middle'}>
          {`${Math.round(place)}${unit}`.replace('-', '−')}
        </text>
      );
    })}
  </>
);

const Lines = ({ plot: { places, x, y }, curves }: { plot: CurvePlot; curves: readonly Curve[] }) => (
  <>
    {curves.map(({ name, colour, values, chosen }) => (
      <polyline
        key={name}
        style={{ color: colour, strokeWidth: chosen ? 3 : undefined }}
        points={places.map((place, p) => `${x(place).toFixed(1)},${y(values[p]).toFixed(1)}`).join(' ')}
      />
    ))}
  </>
);
