import { useState } from 'preact/hooks';
import { bytes, plural } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import { errorPercent } from '../../core/fit/error-text.ts';
import type { CurvePoint } from '../../core/fit/fit-curve.ts';
import { CURVE, startCurve } from '../../core/fit/start-curve.ts';
import { startFit } from '../../core/fit/start-fit.ts';
import { jobThreads } from '../../core/jobs/start-job.ts';
import type { Studio } from '../../core/studio.ts';
import { busyWith, RunButton } from '../controls/run-button.tsx';
import { Section } from '../controls/section.tsx';
import { Segmented } from '../controls/segmented.tsx';
import './curve-section.css';

type Axis = 'bones' | 'bytes';

const AXES: readonly { value: Axis; text: string; hint: string }[] = [
  { value: 'bones', text: 'Bones', hint: 'Error against the number of bones' },
  { value: 'bytes', text: 'Size', hint: 'Error against the size of the GLB' },
];

/** Error against bones and size, to choose from: a click on a point fits with so many bones. */
export function CurveSection({ studio, doc }: { studio: Studio; doc: Doc }) {
  const points = doc.fitCurve.points.value;
  return (
    <Section
      title="How many bones?"
      help="Runs quick fits with few and many bones. Click a point to fit with that number and the settings above."
    >
      {points.length > 0 && <Curve studio={studio} doc={doc} points={points} />}
      <RunButton doc={doc} job={CURVE} fields onClick={() => void startCurve(doc, jobThreads())}>
        {points.length > 0 ? 'Complete the curve' : 'Compute the curve'}
      </RunButton>
    </Section>
  );
}

function Curve({ studio, doc, points }: { studio: Studio; doc: Doc; points: readonly CurvePoint[] }) {
  const [axis, setAxis] = useState<Axis>('bones');
  const x = scaleOf(points.map((point) => point[axis]));
  const y = scaleOf(points.map(({ rmsePercent }) => rmsePercent));
  const places = points.map((point) => ({ point, left: x(point[axis]), bottom: y(point.rmsePercent) }));
  const why = busyWith(doc.running.value);
  const fit = ({ bones }: CurvePoint) => {
    if (why) return studio.notices.say(why);
    doc.edit('Bones', doc.fitOptions, { ...doc.fitOptions.value, bones, maxError: undefined, maxSize: undefined });
    void startFit(studio, doc, jobThreads());
  };
  return (
    <>
      <Segmented label="Across" value={axis} choices={AXES} onChange={(value) => setAxis(value)} />
      <fieldset class="fit-curve" aria-label="Error against bones">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <polyline points={places.map(({ left, bottom }) => `${left},${100 - bottom}`).join(' ')} />
        </svg>
        <span class="most">{errorPercent(Math.max(...points.map(({ rmsePercent }) => rmsePercent)))}</span>
        {points.length > 1 && (
          <span class="least">{errorPercent(Math.min(...points.map(({ rmsePercent }) => rmsePercent)))}</span>
        )}
        {places.map(({ point, left, bottom }) => (
          <button
            key={point.bones}
            type="button"
            style={{ left: `${left}%`, bottom: `${bottom}%` }}
            title={textOf(point)}
            aria-label={`Fit ${textOf(point)}`}
            aria-disabled={why !== undefined || undefined}
            onClick={() => fit(point)}
          >
            <span>{axis === 'bones' ? point.bones : bytes(point.bytes)}</span>
          </button>
        ))}
      </fieldset>
    </>
  );
}

const textOf = ({ bones, rmsePercent, bytes: size }: CurvePoint): string =>
  `${plural(bones, 'bone')}: error ${errorPercent(rmsePercent)}, ${bytes(size)}`;

/** Value → % of the width or height: both axes are logarithmic. */
function scaleOf(values: readonly number[]): (value: number) => number {
  const logs = values.map((value) => Math.log(Math.max(value, 1e-6)));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  return (value) => (high > low ? (100 * (Math.log(Math.max(value, 1e-6)) - low)) / (high - low) : 50);
}
