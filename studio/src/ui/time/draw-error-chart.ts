import { effect, type Signal } from '@preact/signals-core';
import uPlot from 'uplot';
import { digits } from '../../../../src/report/format.ts';
import type { Doc } from '../../core/doc.ts';
import type { ErrorCurve } from '../../core/fit/error-curves.ts';
import { LEAST_SCALE } from '../../core/fit/error-text.ts';
import { resultColour } from '../../core/fit/fit-results.ts';

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(100, clientWidth),
  height: clientHeight,
});

/** Draws until the returned function is called. */
export function drawErrorChart(
  box: HTMLElement,
  doc: Doc,
  curves: readonly ErrorCurve[],
  own: ErrorCurve,
  pointed: Signal<number | undefined>,
): () => void {
  const plot = new uPlot(
    {
      ...sizeOf(box),
      ...looksOf(curves, own),
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
    doc.playback.goTo(plot.posToVal(event.clientX - left, 'x'));
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

/** A colour of the page, as it is now. */
const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Scales, axes and lines: the largest error dashed, on the scale at the right; the selected curve filled. */
function looksOf(curves: readonly ErrorCurve[], own: ErrorCurve): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  };
  // Room for two lines at least, on small screens too.
  const value: uPlot.Axis = {
    ...axis,
    ...{ size: 40, gap: 4, space: 20, labelSize: 16, labelFont: axis.font },
    values: (_, splits) => splits.map((each) => digits(each)),
  };
  const fromZero: uPlot.Scale = { range: (_, __, most) => [0, 1.1 * Math.max(most, LEAST_SCALE)] };
  const line = (curve: ErrorCurve, width: number) => ({
    stroke: resultColour(curve.entry.id),
    width,
    spanGaps: true,
    points: { show: false },
  });
  return {
    cursor: { y: false, drag: { setScale: false, x: false, y: false } },
    legend: { show: false },
    scales: { x: { time: false }, y: fromZero, largest: fromZero },
    axes: [
      { ...axis, size: 20, gap: 2, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
      { ...value, label: 'RMSE' },
      // Many times as high: on a scale of its own.
      { ...value, label: 'Worst vertex', scale: 'largest', side: 1, grid: { show: false } },
    ],
    series: [
      {},
      { ...line(own, 1), scale: 'largest', dash: [4, 3] },
      ...curves.map((curve) => ({ ...line(curve, 1.5), fill: curve === own ? colour('--wash') : undefined })),
    ],
  };
}

/** A line at the current frame, and a dot on the worst. */
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
  const at = [
    plot.valToPos(own.worst, 'x', true),
    plot.valToPos(own.largest[own.worst] ?? 0, 'largest', true),
  ] as const;
  ctx.arc(...at, 3.5 * ratio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}
