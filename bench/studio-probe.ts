import type { Page } from 'playwright-core';

/**
 * What runs inside the page while it is measured, as text: this program knows no window. It sees when something with many
 * triangles is drawn, how long frames take, and which tasks keep the page from answering.
 */
const PROBE = `
globalThis.probe = {
  tasks: [],
  /** Pictures so far that the page put on a canvas, and frames so far in which something was drawn. */
  put: 0,
  drawn: 0,
  /** Files that the server offers, ready to fall on the window. */
  async load(list) {
    const offered = await (await fetch('given/' + list)).json();
    const dropped = new DataTransfer();
    for (const { path, address } of offered) {
      dropped.items.add(new File([await (await fetch(address)).blob()], path));
    }
    this.dropped = dropped;
  },
  /** Milliseconds from the drop to the frame after the first one that shows it. */
  async drop() {
    const began = performance.now();
    const drawn = new Promise((done) => (this.onDraw = done));
    dispatchEvent(new DragEvent('drop', { dataTransfer: this.dropped, bubbles: true }));
    await drawn;
    while (document.querySelector('.picture .stale')) await new Promise((done) => requestAnimationFrame(done));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - began;
  },
  /** Times between frames, in milliseconds, until it is ended. */
  watch() {
    this.gaps = [];
    this.tasks.length = this.put = this.drawn = 0;
    let last = performance.now();
    this.began = last;
    const step = () => {
      const now = performance.now();
      this.gaps.push(now - last);
      last = now;
      if (this.draws) this.drawn++;
      this.draws = false;
      this.watching = requestAnimationFrame(step);
    };
    this.watching = requestAnimationFrame(step);
  },
  end() {
    cancelAnimationFrame(this.watching);
    const canvas = document.querySelector('.picture canvas');
    const seconds = (performance.now() - this.began) / 1000;
    // Where the processor draws, pictures are drawn aside.
    const pictures = (this.put || this.drawn) / seconds;
    return { gaps: this.gaps, tasks: [...this.tasks], pictures, ratio: canvas.width / canvas.clientWidth };
  },
};
new PerformanceObserver((list) => probe.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
  type: 'longtask',
});
const { drawElements } = WebGL2RenderingContext.prototype;
WebGL2RenderingContext.prototype.drawElements = function (mode, count, ...rest) {
  drawElements.call(this, mode, count, ...rest);
  probe.draws = true;
  if (mode === this.TRIANGLES && count > 300) probe.onDraw?.();
};
const { putImageData } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.putImageData = function (...args) {
  putImageData.apply(this, args);
  probe.put++;
};
`;

export interface Watched {
  /** Milliseconds between frames. */
  gaps: number[];
  /** Milliseconds of tasks that took 50 or more. */
  tasks: number[];
  /** Shown in a second. */
  pictures: number;
  /** Pixels of the canvas for one of CSS, across, at the end. */
  ratio: number;
}

/** To be called before the page is opened. */
export const addProbe = (page: Page): Promise<unknown> => page.addInitScript({ content: PROBE });

export const loadFiles = (page: Page, list: string): Promise<unknown> => page.evaluate(`probe.load('${list}')`);
export const dropFiles = (page: Page): Promise<number> => page.evaluate('probe.drop()');
export const watchFrames = (page: Page): Promise<unknown> => page.evaluate('probe.watch()');
export const endWatch = (page: Page): Promise<Watched> => page.evaluate('probe.end()');

/** Bytes that the page holds once what is not needed is gone: objects, and what arrays keep outside of the heap. */
export async function heldBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const held = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const usage = (await session.send('Runtime.getHeapUsage')) as unknown as Record<string, number>;
    return usage.usedSize + usage.backingStorageSize + usage.embedderHeapUsedSize;
  };
  // What a busy browser has still to finish holds something: until less no longer comes of waiting.
  let [before, now] = [Number.POSITIVE_INFINITY, await held()];
  while (now < 0.995 * before) {
    await page.waitForTimeout(200);
    [before, now] = [now, await held()];
  }
  await session.detach();
  return Math.min(before, now);
}
