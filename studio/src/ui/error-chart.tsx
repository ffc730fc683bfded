import { effect, type Signal, signal } from '@preact/signals-core';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import './chart.css';
import { digits, plural } from '../../../src/report/format.ts';
import type { Doc } from '../core/doc.ts';
import { drawnCurves, type ErrorCurve } from '../core/fit/error-curves.ts';
import { errorText, LEAST_TOP } from '../core/fit/error-text.ts';
import type { FitEntry } from '../core/fit/fit-results.ts';
import { resultColour } from '../core/fit/result-colours.ts';
import { markCuts } from './cuts.ts';

/** The room of the chart while the result is made: the view keeps its size when it comes. */
export function ErrorChartRoom() {
  return (
    <div class="chart">
      <div class="chart-title">
        <span class="values fades">The error of each frame, once the bones are fitted</span>
      </div>
      <div class="chart-host" />
    </div>
  );
}

/** The error of each frame, of the result that is selected and of others beside it. A click or a key goes to a frame. */
export function ErrorChart({ doc, entry, dark }: { doc: Doc; entry: FitEntry; dark: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  /** The frame below the pointer. */
  const pointed = useMemo<Signal<number | undefined>>(() => signal(undefined), []);
  const curves = drawnCurves(doc);
  const drawn = curves.map((curve) => curve.entry.id).join();
  const own = curves.find((curve) => curve.entry === entry)!;
  useEffect(() => drawChart(host.current!, doc, curves, own, pointed), [doc, entry, drawn, dark]);
  const { playback } = doc;
  const shown = playback.frame.value;
  const go = (frame: number) => {
    playback.playing.value = false;
    playback.seek(frame);
  };
  return (
    <div class="chart">
      <div class="chart-title">
        <span>Error per frame, % of the diagonal</span>
        <Values curves={curves} own={own} k={pointed.value ?? shown} pointed={pointed.value !== undefined} />
        <button type="button" class="link" title="Go to the frame with the largest error" onClick={() => go(own.worst)}>
          Worst frame {own.worst}
        </button>
      </div>
      <div
        ref={host}
        class="chart-host"
        role="slider"
        tabIndex={0}
        aria-label="Error per frame; a click or the arrow keys go to a frame"
        aria-valuemin={0}
        aria-valuemax={playback.last}
        aria-valuenow={shown}
        aria-valuetext={`frame ${shown}, RMSE ${read(own.rmse[shown])} %, largest ${read(own.largest[shown])} %`}
      />
    </div>
  );
}

const read = (value: number | null): string => (value === null ? '–' : errorText(value));

/** The legend, which reads the curves out at a frame. Of many curves it scrolls. */
function Values({ curves, own, k, pointed }: { curves: ErrorCurve[]; own: ErrorCurve; k: number; pointed: boolean }) {
  const key = (colour: string, dashed = false) => (
    <i class="key" style={{ borderTop: `2px ${dashed ? 'dashed' : 'solid'} ${colour}` }} />
  );
  const legend = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const strip = legend.current!;
    const watch = new ResizeObserver(() => markCuts(strip));
    watch.observe(strip);
    return () => watch.disconnect();
  }, [curves.length]);
  return (
    <span ref={legend} class="values fades number" onScroll={({ currentTarget }) => markCuts(currentTarget)}>
      <span class={pointed ? 'pointed' : ''}>frame {k}</span>
      {curves.map(({ entry, rmse }) => (
        <span key={entry.id} title={`Root mean square error of result ${entry.id}`}>
          {key(resultColour(entry.id))}
          {curves.length > 1 ? `${plural(entry.data.bones, 'bone')}` : 'RMSE'} <b>{read(rmse[k])}</b>
        </span>
      ))}
      <span title="Error of the worst vertex">
        {key(resultColour(own.entry.id), true)}
        largest <b>{read(own.largest[k])}</b>
      </span>
    </span>
  );
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(100, clientWidth),
  height: clientHeight,
});

/** Draws until the function that it returns is called. */
function drawChart(
  box: HTMLElement,
  doc: Doc,
  curves: readonly ErrorCurve[],
  own: ErrorCurve,
  pointed: Signal<number | undefined>,
): () => void {
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  };
  const line = (curve: ErrorCurve, width: number) => ({
    stroke: resultColour(curve.entry.id),
    width,
    spanGaps: true,
    points: { show: false },
  });
  const plot: uPlot = new uPlot(
    {
      ...sizeOf(box),
      cursor: { y: false, drag: { setScale: false, x: false, y: false } },
      legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, 1.1 * Math.max(most, LEAST_TOP)] } },
      axes: [
        { ...axis, size: 20, gap: 2, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
        { ...axis, size: 44, gap: 4, values: (_, splits) => splits.map((value) => digits(value)) },
      ],
      series: [
        {},
        { ...line(own, 1), dash: [4, 3] },
        ...curves.map((curve) => ({ ...line(curve, 1.5), fill: curve === own ? colour('--wash') : undefined })),
      ],
      hooks: {
        draw: [(drawn) => drawMarks(drawn, doc, own, colour('--text'))],
        setCursor: [
          ({ cursor }) => {
            pointed.value = (cursor.left ?? -1) >= 0 ? (cursor.idx ?? undefined) : undefined;
          },
        ],
      },
    },
    [own.rmse.map((_, k) => k), own.largest, ...curves.map(({ rmse }) => rmse)],
    box,
  );
  const go = (event: PointerEvent) => {
    if (event.buttons === 0) return;
    const { left } = plot.over.getBoundingClientRect();
    doc.playback.playing.value = false;
    doc.playback.seek(plot.posToVal(event.clientX - left, 'x'));
  };
  plot.over.addEventListener('pointerdown', go);
  plot.over.addEventListener('pointermove', go);
  const watch = new ResizeObserver(() => plot.setSize(sizeOf(box)));
  watch.observe(box);
  const stop = effect(() => {
    void doc.playback.frame.value;
    plot.redraw(false, false);
  });
  return () => {
    stop();
    watch.disconnect();
    plot.destroy();
    pointed.value = undefined;
  };
}

/** A line at the frame that is shown, and a dot on the worst. */
function drawMarks(plot: uPlot, doc: Doc, own: ErrorCurve, text: string): void {
  const { ctx, bbox } = plot;
  const ratio = Math.max(1, devicePixelRatio);
  const x = Math.round(plot.valToPos(doc.playback.frame.peek(), 'x', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = text;
  ctx.lineWidth = ratio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.beginPath();
  ctx.fillStyle = resultColour(own.entry.id);
  const at = [plot.valToPos(own.worst, 'x', true), plot.valToPos(own.largest[own.worst] ?? 0, 'y', true)] as const;
  ctx.arc(...at, 3.5 * ratio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}
