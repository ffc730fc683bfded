import { plural } from '../../../../src/report/format.ts';
import type { ErrorCurve } from '../../core/fit/error-curves.ts';
import { errorText } from '../../core/fit/error-text.ts';
import { resultColour } from '../../core/fit/fit-results.ts';
import { useFades } from '../controls/fades.ts';

/** The error at a frame; a dash if it was not fitted. */
export const errorAt = (values: ErrorCurve['rmse'], k: number): string => {
  const value = values[k];
  return value === null ? '–' : errorText(value);
};

/** The legend with the values at a frame. It scrolls. */
export function ErrorLegend({
  curves,
  own,
  k,
  pointed,
}: {
  curves: ErrorCurve[];
  own: ErrorCurve;
  k: number;
  pointed: boolean;
}) {
  const key = (colour: string, dashed = false) => (
    <i class="key" style={{ borderTop: `2px ${dashed ? 'dashed' : 'solid'} ${colour}` }} />
  );
  const fades = useFades<HTMLSpanElement>([curves.length]);
  return (
    <span class="values fades number" {...fades}>
      <span class={pointed ? 'pointed' : ''}>frame {k}</span>
      {curves.map(({ entry, rmse }) => (
        <span key={entry.id} title={`Root mean square error of result ${entry.id}`}>
          {key(resultColour(entry.id))}
          {curves.length > 1 ? `${plural(entry.data.bones, 'bone')}` : 'RMSE'} <b>{errorAt(rmse, k)}</b>
        </span>
      ))}
      <span title="Error of the worst vertex">
        {key(resultColour(own.entry.id), true)}
        worst<span class="roomy"> vertex</span> <b>{errorAt(own.largest, k)}</b>
      </span>
    </span>
  );
}
