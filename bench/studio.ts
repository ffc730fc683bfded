/**
 * The studio in a browser: bytes, time to the first picture, frames while a fit runs, memory over many opens.
 * `node dist/bench/studio.js [--write]`, after a build. Needs Chromium, which is taken without a graphics card; and once
 * more, for frames, with one that takes no time.
 */

import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type OfferedFile, serveStudio } from '../cli/studio-server.ts';
import { writeAlembic, writeObj, writeObjSequence, writePc2, writeSequenceGlb } from '../src/index.ts';
import { quantile } from '../src/math/statistics.ts';
import { createFileSink, createFolderSink } from '../src/platform/node/index.ts';
import { wavyGrid } from './grid.ts';
import { mockCard } from './mock-card.ts';
import { flags } from './sequences.ts';
import { addProbe, dropFiles, endWatch, heldBytes, loadFiles, type Watched, watchFrames } from './studio-probe.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';

const { CARDLESS_FLAGS, MOCK_CARD_FLAGS, findChromium } = (await import(`${ROOT}scripts/chromium.mjs`)) as {
  CARDLESS_FLAGS: string[];
  MOCK_CARD_FLAGS: string[];
  findChromium(): string | undefined;
};
const { studioSize } = (await import(`${ROOT}scripts/studio.mjs`)) as {
  studioSize(): { welcome: number; first: number; onDemand: number };
};

const WINDOW = { width: 1280, height: 720 };
const OPENS = 20;
const TURNS = 3;

/** Files of about 10 MB, by format. */
async function writeFiles(folder: string): Promise<Record<string, OfferedFile[]>> {
  const grid = wavyGrid(90, 100);
  writeFileSync(join(folder, 'grid.glb'), (await writeSequenceGlb(grid)).bytes);
  writeFileSync(join(folder, 'grid.obj'), writeObj(grid.rest));
  const archive = await createFileSink(join(folder, 'grid.abc'));
  await writeAlembic([grid], archive);
  await archive.close();
  const cache = await createFileSink(join(folder, 'grid.pc2'));
  await writePc2(grid, cache);
  await cache.close();
  const frames = await createFolderSink(join(folder, 'frames'));
  await writeObjSequence(wavyGrid(70, 32), frames);
  await frames.close();
  const offered = (...paths: string[]) => paths.map((path) => ({ path: basename(path), file: join(folder, path) }));
  return {
    GLB: offered('grid.glb'),
    Alembic: offered('grid.abc'),
    'PC2 with OBJ': offered('grid.pc2', 'grid.obj'),
    'OBJ, a file per frame': offered(...readdirSync(join(folder, 'frames')).map((name) => join('frames', name))),
  };
}

const megabytes = (bytes: number, places = 1): string => (bytes / 1e6).toFixed(places);
const sizeOf = (files: readonly OfferedFile[]): number => files.reduce((sum, { file }) => sum + statSync(file).size, 0);
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

/** Runs something in a new page of the studio. */
async function inStudio<T>(
  browser: Browser,
  files: readonly OfferedFile[],
  query: string,
  act: (page: Page, list: string) => Promise<T>,
): Promise<T> {
  const server = await serveStudio(`${ROOT}dist/studio`, files);
  const page = await browser.newPage({ viewport: WINDOW });
  try {
    await addProbe(page);
    const url = new URL(server.url);
    await page.goto(`${url.origin}/${query}`);
    // A person needs a moment before they drop something.
    await page.waitForTimeout(1500);
    return await act(page, url.searchParams.get('files') ?? '');
  } finally {
    await page.close();
    await server.close();
  }
}

/** Seconds to the first picture, the best of several pages. */
async function firstPicture(browser: Browser, files: readonly OfferedFile[]): Promise<number> {
  let best = Infinity;
  for (let turn = 0; turn < TURNS; turn++) {
    const took = await inStudio(browser, files, '', async (page, list) => {
      await loadFiles(page, list);
      return dropFiles(page);
    });
    best = Math.min(best, took / 1000);
  }
  return best;
}

/** What the page holds after the third and the last time that files were opened and closed, in bytes. */
const heldOver = (browser: Browser, files: readonly OfferedFile[]): Promise<[number, number]> =>
  inStudio(browser, files, '', async (page, list) => {
    const held: number[] = [];
    for (let turn = 1; turn <= OPENS; turn++) {
      await loadFiles(page, list);
      await dropFiles(page);
      await press(page, /^Close /);
      if (turn === 3 || turn === OPENS) held.push(await heldBytes(page));
    }
    return held as [number, number];
  });

/** Frames of a flag that plays: before a fit, while it runs, and when its result appears. */
const framesOfFit = (browser: Browser): Promise<Record<'before' | 'during' | 'end', Watched>> =>
  inStudio(browser, [], '?sample=flag', async (page) => {
    await page.getByRole('img', { name: /^flag/ }).waitFor();
    // Pictures get as coarse as they have to be meanwhile.
    await page.waitForTimeout(3000);
    await watchFrames(page);
    await page.waitForTimeout(5000);
    const before = await endWatch(page);
    await watchFrames(page);
    await press(page, 'Fit');
    await page.waitForTimeout(5000);
    const during = await endWatch(page);
    await watchFrames(page);
    await page.getByRole('button', { name: /RMSE/ }).waitFor({ timeout: 300_000 });
    await page.waitForTimeout(1000);
    return { before, during, end: await endWatch(page) };
  });

const NAMES = { before: 'before', during: 'while it runs', end: 'until the result is shown' };

/** A table of the frames around a fit. */
async function frameTable(browser: Browser): Promise<string> {
  const watched = await framesOfFit(browser);
  const usual = mean(watched.before.gaps);
  const rows = Object.entries(watched).map(([when, { gaps, tasks, pictures, ratio }]) => [
    NAMES[when as keyof typeof NAMES],
    mean(gaps).toFixed(1),
    (mean(gaps) / usual).toFixed(2),
    quantile(gaps, 0.95).toFixed(1),
    pictures.toFixed(0),
    String(tasks.length),
    Math.max(0, ...tasks).toFixed(0),
    ratio.toFixed(2),
  ]);
  return markdownTable(
    ['fit', 'mean ms', '× before', '95 % ms', 'pictures / s', 'long tasks', 'longest ms', 'sharpness'],
    rows,
  );
}

/** The same where a graphics card draws that takes no time. */
async function mockCardTable(path: string, folder: string): Promise<string> {
  const card = mockCard(path, folder);
  if (!card) return 'Not measured: this Chromium came without its mock driver.';
  const browser = await chromium.launch({
    executablePath: path,
    args: MOCK_CARD_FLAGS,
    env: { ...process.env, ...card } as Record<string, string>,
  });
  try {
    return await frameTable(browser);
  } finally {
    await browser.close();
  }
}

const path = findChromium();
if (!path) throw new Error('no Chromium found (install it or set PLIANT_CHROMIUM)');
const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));
const browser = await chromium.launch({ executablePath: path, args: CARDLESS_FLAGS });
try {
  const files = await writeFiles(folder);
  const formats: string[][] = [];
  for (const [format, offered] of Object.entries(files)) {
    console.error(format);
    const seconds = await firstPicture(browser, offered);
    const [early, late] = await heldOver(browser, offered);
    const cells = [megabytes(sizeOf(offered)), seconds.toFixed(2), megabytes(early), megabytes(late)];
    formats.push([format, ...cells, megabytes(late - early)]);
  }
  console.error('frames');
  const frames = await frameTable(browser);
  const framesWithCard = await mockCardTable(path, folder);
  const { welcome, first, onDemand } = studioSize();
  const text = `# The studio: figures

Headless Chromium without a graphics card: ${machine()}. A window of ${WINDOW.width} × ${WINDOW.height}.

Gzipped: ${megabytes(1000 * welcome, 0)} kB load before the start page works (must: ≤ 150 kB), ${megabytes(1000 * first, 0)} kB before the first
picture (must: ≤ 450 kB), ${megabytes(1000 * onDemand, 0)} kB on demand.

## Opening

Seconds from the drop to the first picture, best of ${TURNS} pages (must: ≤ 2 s for 10 MB). Then memory held by the page, in MB,
after the file was opened and closed 3 and ${OPENS} times (must: no leak).

${markdownTable(['format', 'MB', 'first picture s', 'held after 3', `after ${OPENS}`, 'more'], formats)}

## Frames around a fit

A flag plays at 24 frames per second while bones are fitted to it. Milliseconds between frames of the page, pictures shown, and
tasks that block the page for 50 ms or more.

With Chromium's mock driver, a graphics card that takes no time: this measures the page (must: full frame rate, 16.7 ms, while
a fit runs).

${framesWithCard}

Without a graphics card, where the fit and the pictures share the CPU. The page does not wait for pictures; motion is drawn
without antialiasing, and at a lower resolution where time is short (sharpness below 1).

${frames}
`;
  console.log(text);
  if (flags.write) writeResults('studio', text);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
