import { effect } from '@preact/signals-core';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { digits } from '../../../src/report/format.ts';
import type { Doc, FitEntry } from '../core/doc.ts';

const HEIGHT = 96;

/** The error of each frame; a click goes there. */
export function ErrorChart({ doc, entry, dark }: { doc: Doc; entry: FitEntry; dark: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = host.current!;
    const frames = fittedFrames(entry);
    const { rmsePercent = [], maxErrorPercent = [] } = entry.data.errors.perFrame;
    const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px system-ui',
    };
    const plot: uPlot = new uPlot(
      {
        width: Math.max(100, box.clientWidth),
        height: HEIGHT,
        cursor: { y: false, drag: { setScale: false, x: false, y: false } },
        legend: { show: false },
        scales: { x: { time: false }, y: { range: (_, __, most) => [0, most > 0 ? 1.1 * most : 1] } },
        axes: [
          { ...axis, size: 20, gap: 2, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
          { ...axis, size: 44, gap: 4, values: (_, splits) => splits.map((value) => digits(value)) },
        ],
        series: [
          {},
          { label: 'largest', stroke: colour('--warm'), width: 1, points: { show: false } },
          { label: 'RMSE', stroke: colour('--accent'), width: 1.5, fill: colour('--wash'), points: { show: false } },
        ],
        hooks: { draw: [(drawn) => drawMarker(drawn, doc, colour('--text'))] },
      },
      [frames, Array.from(maxErrorPercent), Array.from(rmsePercent)],
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
    const watch = new ResizeObserver(() => plot.setSize({ width: Math.max(100, box.clientWidth), height: HEIGHT }));
    watch.observe(box);
    const stop = effect(() => {
      void doc.playback.frame.value;
      plot.redraw(false, false);
    });
    return () => {
      stop();
      watch.disconnect();
      plot.destroy();
    };
  }, [doc, entry, dark]);
  return (
    <div class="chart">
      <p class="chart-title">
        Error per frame, % of the diagonal <span class="key rmse">RMSE</span> <span class="key largest">largest</span>
      </p>
      <div ref={host} class="chart-host" role="img" aria-label="Error per frame; click to go to a frame" />
    </div>
  );
}

/** The frames of the original that were fitted. */
function fittedFrames({ options, data }: FitEntry): number[] {
  const { firstFrame = 0, frameStep = 1 } = options;
  return Array.from({ length: data.errors.perFrame.originalArea.length }, (_, k) => firstFrame + k * frameStep);
}

/** A line at the frame that is shown. */
function drawMarker(plot: uPlot, doc: Doc, colour: string): void {
  const x = Math.round(plot.valToPos(doc.playback.frame.peek(), 'x', true)) + 0.5;
  const { top, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.strokeStyle = colour;
  plot.ctx.lineWidth = Math.max(1, devicePixelRatio);
  plot.ctx.beginPath();
  plot.ctx.moveTo(x, top);
  plot.ctx.lineTo(x, top + height);
  plot.ctx.stroke();
  plot.ctx.restore();
}
