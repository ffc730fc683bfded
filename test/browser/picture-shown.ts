import type { Page } from 'playwright-core';

/** Where the processor draws, pictures are drawn aside and shown when they are finished. */

interface Pictures {
  begun: number;
  shown: number;
}

type Watched = typeof globalThis & { pictures: Pictures };

/** To be called before the page is opened. */
export const watchPictures = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const pictures = { begun: 0, shown: 0 };
    (globalThis as Watched).pictures = pictures;
    const { fenceSync } = WebGL2RenderingContext.prototype;
    const { putImageData } = CanvasRenderingContext2D.prototype;
    WebGL2RenderingContext.prototype.fenceSync = function begin(...args) {
      pictures.begun++;
      return fenceSync.apply(this, args);
    };
    CanvasRenderingContext2D.prototype.putImageData = function show(...args: unknown[]) {
      Reflect.apply(putImageData, this, args);
      pictures.shown = pictures.begun;
    };
  });

/** Waits until the picture at rest is shown: drawn sharply some time after the last change, in one of the next frames. */
export const pictureAtRest = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { pictures } = globalThis as Watched;
    let [begun, since, frames] = [-1, 0, 0];
    while (frames < 20 || performance.now() - since < 1000 || pictures.shown !== pictures.begun) {
      await new Promise((done) => requestAnimationFrame(done));
      frames++;
      if (pictures.begun !== begun) [begun, since, frames] = [pictures.begun, performance.now(), 0];
    }
  });

/** Waits until what was asked for is seen: what is begun at all, but for the first picture, is begun within two frames. */
export const pictureShown = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { pictures } = globalThis as Watched;
    for (let frames = 0; frames < 3; ) {
      await new Promise((done) => requestAnimationFrame(done));
      const first = document.querySelector('canvas.stale') !== null;
      frames = pictures.shown === pictures.begun && !first ? frames + 1 : 0;
    }
  });
