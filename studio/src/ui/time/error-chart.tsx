import { type Signal, signal } from '@preact/signals-core';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import type { Doc } from '../../core/doc.ts';
import { drawnCurves } from '../../core/fit/error-curves.ts';
import type { FitEntry } from '../../core/fit/fit-results.ts';
import { Button } from '../controls/button.tsx';
import { Divider } from '../controls/divider.tsx';
import { drawErrorChart } from './draw-error-chart.ts';
import { ErrorLegend, errorAt } from './error-legend.tsx';

/** Error per frame of the selected result and others. A click or key goes to a frame. */
export default function ErrorChart({ doc, entry, dark }: { doc: Doc; entry: FitEntry; dark: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  /** The frame below the pointer. */
  const pointed = useMemo<Signal<number | undefined>>(() => signal(undefined), []);
  const curves = drawnCurves(doc);
  const drawn = curves.map((curve) => curve.entry.id).join();
  const own = curves.find((curve) => curve.entry === entry)!;
  useEffect(() => drawErrorChart(host.current!, doc, curves, own, pointed), [doc, entry, drawn, dark]);
  const { playback } = doc;
  const k = playback.frame.value;
  return (
    <div class="chart">
      <Divider size="chart" label="Height of the chart" of=".chart-host" across least={120} most={480} />
      <div class="chart-title">
        <span>Error per frame, % of the diagonal</span>
        <ErrorLegend curves={curves} own={own} k={pointed.value ?? k} pointed={pointed.value !== undefined} />
        <Button class="link" hint="Go to the frame with the worst vertex" onClick={() => playback.goTo(own.worst)}>
          Worst frame {own.worst}
        </Button>
      </div>
      <div
        ref={host}
        class="chart-host"
        role="slider"
        tabIndex={0}
        aria-label="Error per frame: click or use the arrow keys to go to a frame"
        aria-valuemin={0}
        aria-valuemax={playback.last}
        aria-valuenow={k}
        aria-valuetext={`frame ${k}, RMSE ${errorAt(own.rmse, k)} %, worst vertex ${errorAt(own.largest, k)} %`}
      />
    </div>
  );
}
