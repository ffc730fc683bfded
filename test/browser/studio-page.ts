import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, JSHandle, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type OfferedFile, type StudioServer, serveStudio } from '../../cli/studio-server.ts';
import { SOON as THUMBS_AFTER } from '../../studio/src/core/content/thumbs.ts';
import { type BrowserHarness, closePage } from './chromium.ts';
import { pictureAtRest, watchPictures } from './picture-shown.ts';
import { servePlainly } from './plain-host.ts';

/** The studio as a person has it in front of them: built, served, driven by names of controls. */

const STUDIO = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/studio');

/** Name → content. */
type Files = Record<string, Uint8Array | string>;

export interface StudioPage {
  page: Page;
  /** Lets files fall on the window; the same object again, the same files again. */
  drop(files: Files): Promise<void>;
  /** Presses a button of that name. */
  press(name: string | RegExp): Promise<void>;
  /** Takes one of a row of choices. */
  choose(group: string, choice: string): Promise<void>;
  /** Chooses what the colours of the surface say. */
  paint(name: string): Promise<unknown>;
  /** The frame that is shown. */
  frame(): Promise<number>;
  /** What a download is, when `act` starts one. */
  saved(act: () => Promise<void>): Promise<{ name: string; bytes: Uint8Array }>;
  /** Ends the test: nothing may have complained. */
  done(): Promise<void>;
}

export interface StudioOptions {
  query?: string;
  files?: OfferedFile[];
  /** The path below which a plain static host serves it, instead of `pliant studio`: threads cannot share memory then. */
  below?: string;
  /** Of the window [default 1280 × 720, of which every other pixel is drawn: they are what costs time here]. */
  context?: BrowserContextOptions;
  /** What is done to the page before the studio is opened in it. */
  prepare?(page: Page): Promise<unknown>;
  /** Whether pictures of the view are looked at [default: they come, but nothing is painted in them, which takes time here]. */
  looks?: boolean;
  /** Whether the start page shows its samples as they move [default no: each is simulated]. */
  thumbs?: boolean;
}

const WINDOW: BrowserContextOptions = { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 0.5 };

/** Every pixel is drawn, for tests that look at them. */
export const SHARP: BrowserContextOptions = { deviceScaleFactor: 1 };

/** Nothing plays by itself: for tests that do not look at it, and whose pictures take time from a fit. */
export const CALM: BrowserContextOptions = { reducedMotion: 'reduce' };

/** A way to open the studio; servers end with the tests. */
export function studioOpener(harness: BrowserHarness): (options?: StudioOptions) => Promise<StudioPage> {
  const servers: StudioServer[] = [];
  beforeAll(() => {
    if (!existsSync(STUDIO)) throw new Error('dist/studio is missing: run `npm run build` first');
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });
  return async ({ query = '', files = [], below, context, prepare, looks = false, thumbs = false } = {}) => {
    const server = below ? await servePlainly(STUDIO, below) : await serveStudio(STUDIO, files);
    servers.push(server);
    const { page, errors } = await harness.newPage({ ...WINDOW, ...context });
    await watchPictures(page);
    await holdNotices(page);
    if (!thumbs) await leaveOutThumbs(page);
    if (!looks) for (const spare of [paintNothing, fewFrames]) await spare(page);
    await prepare?.(page);
    await page.goto(server.url + query);
    const transfers = new Map<Files, Promise<JSHandle<DataTransfer>>>();
    return {
      page,
      async drop(dropped) {
        if (!transfers.has(dropped)) transfers.set(dropped, transferOf(page, dropped));
        await page.dispatchEvent('body', 'drop', { dataTransfer: await transfers.get(dropped) });
      },
      press: (name) => page.getByRole('button', { name, exact: typeof name === 'string' }).click(),
      choose: (group, choice) => page.getByRole('group', { name: group }).getByText(choice, { exact: true }).click(),
      paint: (name) => page.getByRole('combobox', { name: 'Colours' }).selectOption({ label: name }),
      frame: async () => Number(await page.getByRole('slider', { name: 'Frame', exact: true }).inputValue()),
      async saved(act) {
        const [download] = await Promise.all([page.waitForEvent('download', { timeout: 90_000 }), act()]);
        return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
      },
      async done() {
        expect(errors).toEqual([]);
        await closePage(page);
      },
    };
  };
}

const WORKERS = /\/worker-[^/]*\.js$/;

/** Holds the script of every worker back until released: no job can end before that. */
export async function holdWorkers(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  const go = (route: Route) => route.continue().catch(() => {}); // its worker may be gone
  let holds = true;
  await page.context().route(WORKERS, (route) => (holds ? void held.push(route) : go(route)));
  return async () => {
    holds = false;
    for (const route of held) await go(route);
  };
}

/** Options of a fit, as the address has them, with which it runs for hours. */
export const ENDLESS = 'bones=60&iterations=10000&tolerance=0&moves=10000';

/** The view with what lies over it, once nothing moves: three pictures in a row are the same. */
export async function still(page: Page): Promise<Buffer> {
  const picture = () => page.locator('canvas').first().screenshot();
  await pictureAtRest(page);
  let last = await picture();
  for (let same = 0; same < 2; ) {
    const next = await picture();
    same = next.equals(last) ? same + 1 : 0;
    last = next;
  }
  return last;
}

type Notices = typeof globalThis & { endNotices(): void };

/** Notices go away after some seconds, which may be too soon for a busy machine: here they stay until `quiet` is called. */
const holdNotices = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const [set, clear] = [setTimeout, clearTimeout];
    const held = new Map<number, () => void>();
    const isNotice = (delay: number) => delay >= 6000 && delay <= 12_000;
    let last = 0;
    globalThis.setTimeout = ((act: () => void, delay = 0, ...rest: unknown[]) => {
      if (!isNotice(delay)) return set(act, delay, ...rest);
      held.set(--last, act);
      return last;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (id) => {
      if (!held.delete(Number(id))) clear(id);
    };
    (globalThis as Notices).endNotices = () => {
      for (const act of held.values()) act();
      held.clear();
    };
  });

/** Pictures of samples are jobs that nobody starts. */
const leaveOutThumbs = (page: Page): Promise<unknown> =>
  page.addInitScript((soon) => {
    const set = setTimeout;
    globalThis.setTimeout = ((act: () => void, delay = 0, ...rest: unknown[]) =>
      delay === soon ? 0 : set(act, delay, ...rest)) as typeof setTimeout;
  }, THUMBS_AFTER);

/** Shaders are compiled, data are sent, pictures begin and end, but the driver fills no pixels, unless it has no pixels to fill. */
const paintNothing = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const gl = WebGL2RenderingContext.prototype;
    for (const name of ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'] as const) {
      const draw = gl[name] as (...args: number[]) => void;
      gl[name] = function skip(this: WebGL2RenderingContext, ...args: number[]) {
        if (this.isEnabled(this.RASTERIZER_DISCARD)) draw.apply(this, args);
      };
    }
    gl.clear = gl.blitFramebuffer = () => {};
  });

/** Some twenty frames a second are enough where nobody looks: a page that plays keeps half a core busy with sixty. */
const fewFrames = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const [ask, wait] = [requestAnimationFrame, setTimeout];
    const steps = new Map<number, FrameRequestCallback>();
    let [last, waits] = [0, false];
    const run = (now: number) => {
      waits = false;
      for (const [id, step] of [...steps]) if (steps.delete(id)) step(now);
    };
    globalThis.requestAnimationFrame = (step) => {
      if (!waits) wait(() => ask(run), 30);
      waits = true;
      steps.set(++last, step);
      return last;
    };
    globalThis.cancelAnimationFrame = (id) => void steps.delete(id);
  });

/** Lets the time of all notices be over. */
export async function quiet(page: Page): Promise<void> {
  await page.evaluate(() => (globalThis as Notices).endNotices());
  await page.locator('.notice').waitFor({ state: 'detached' });
}

/** Waits until the page has drawn so many times. */
export const pictures = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (wanted) => {
    for (let n = 0; n < wanted; n++) await new Promise((done) => requestAnimationFrame(done));
  }, count);

/** Files as a page gets them from the system. */
function transferOf(page: Page, files: Files): Promise<JSHandle<DataTransfer>> {
  const encoded = Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]);
  return page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const [name, text] of list) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, encoded);
}
