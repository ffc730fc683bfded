import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, describe, it } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.mjs';

/** A page of ours in a real browser. `errors` collects what the console complained about; tests expect it empty. */
interface OpenPage {
  page: Page;
  errors: string[];
}

export interface BrowserHarness {
  /** Bundles the TypeScript file `entry` (relative to test/browser/pages), opens it and waits until it has loaded. */
  open(entry: string, options?: { isolated?: boolean }): Promise<OpenPage>;
  /** A page that shows nothing yet, in a window of its own. */
  newPage(options?: BrowserContextOptions): Promise<OpenPage>;
}

/**
 * A `describe` whose tests get a headless Chromium. Without one the tests are skipped and say why; when `CI` is set they
 * fail instead.
 */
export function describeInBrowser(title: string, tests: (harness: BrowserHarness) => void): void {
  const path = findChromium();
  if (!path) {
    if (process.env.CI) {
      it(title, () => {
        throw new Error('no Chromium, and browser tests must not be skipped when CI is set');
      });
      return;
    }
    describe.skip(`${title} (skipped: no Chromium found; install it or set PLIANT_CHROMIUM)`, () => tests(unavailable));
    return;
  }
  describe(title, () => {
    const pages: Page[] = [];
    afterAll(async () => {
      for (const page of pages) await closePage(page);
    });
    const newPage: BrowserHarness['newPage'] = async (options) => {
      const page = await (await browserAt(path)).newPage(options);
      page.setDefaultTimeout(PATIENCE);
      pages.push(page);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      return { page, errors };
    };
    tests({
      newPage,
      async open(entry, { isolated = true } = {}) {
        const url = await servePage(entry, isolated);
        const { page, errors } = await newPage();
        await page.goto(url);
        return { page, errors };
      },
    });
  });
}

/**
 * Closes a page. It may be loading something that a test looks into on its way: errors of that no longer count. Nobody
 * waits for the browser to confirm it: it asks every thread of the page, and one that sleeps or was ended may never answer.
 */
export async function closePage(page: Page): Promise<void> {
  if (page.isClosed()) return;
  for (const routed of [page, page.context()]) routed.unrouteAll({ behavior: 'ignoreErrors' }).catch(() => {});
  await page.close();
}

/** WebGL is all that needs a graphics card. Where that is imitated, pages come together in half the time without it. */
const PLAIN_PAGES = ['--disable-gpu-compositing', '--disable-gpu-rasterization'];

/**
 * Every window of Chromium loads the lists below its address bar, hidden and as pages of their own: two thirds of what an
 * empty page costs. Of this switch the last one counts: the other names are those of Playwright.
 */
const NO_ADDRESS_BAR = `--disable-features=${[
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]}`;

/** Milliseconds for a page to do what it is asked: machines may be busy. */
const PATIENCE = 120_000;

let launched: Promise<Browser> | undefined;

/** One browser for all files that this process tests; it ends with the process. Should it crash, or not start, the next test gets another. */
async function browserAt(executablePath: string): Promise<Browser> {
  const launch = () => {
    const starting = chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS, ...PLAIN_PAGES, NO_ADDRESS_BAR] });
    starting.catch(() => {
      launched = undefined;
    });
    return starting;
  };
  launched ??= launch();
  if (!(await launched).isConnected()) launched = launch();
  return launched;
}

const unavailable: BrowserHarness = {
  open: () => Promise.reject(new Error('no browser')),
  newPage: () => Promise.reject(new Error('no browser')),
};

const PAGES = join(dirname(fileURLToPath(import.meta.url)), 'pages');

const MIME: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  wasm: 'application/wasm',
};

const served = new Map<string, Promise<string>>();

/** Where a bundled page is served, with or without cross-origin isolation: once for all tests. */
function servePage(entry: string, isolated: boolean): Promise<string> {
  const key = `${entry} ${isolated}`;
  if (!served.has(key)) served.set(key, startServer(entry, isolated));
  return served.get(key)!;
}

/** Serves a bundled page from memory on the loopback address, until the process ends. */
async function startServer(entry: string, isolated: boolean): Promise<string> {
  if (!bundles.has(entry)) bundles.set(entry, bundle(join(PAGES, entry)));
  const files = await bundles.get(entry)!;
  const headers: Record<string, string> = isolated
    ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
    : {};
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1) || 'index.html';
    const body = files.get(name);
    if (body === undefined) {
      response.writeHead(name === 'favicon.ico' ? 204 : 404, headers).end();
      return;
    }
    const type = MIME[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    response.writeHead(200, { ...headers, 'Content-Type': type }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

type Bundle = Map<string, string | Uint8Array>;
const bundles = new Map<string, Promise<Bundle>>();

/** File name → content of the page that runs `entry` as a module; workers and chunks included. */
async function bundle(entry: string): Promise<Bundle> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: dirname(entry),
    build: { write: false, target: 'esnext', minify: false, modulePreload: false, rollupOptions: { input: entry } },
    worker: { format: 'es' },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as { output: BundledFile[] }[];
  const files: Bundle = new Map();
  let main = '';
  for (const { output } of outputs) {
    for (const file of output) {
      files.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
      if (file.type === 'chunk' && file.isEntry) main = file.fileName;
    }
  }
  const title = basename(entry);
  files.set(
    'index.html',
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body><script type="module" src="/${main}"></script></body></html>`,
  );
  return files;
}

type BundledFile =
  | { type: 'chunk'; fileName: string; code: string; isEntry: boolean }
  | { type: 'asset'; fileName: string; source: string | Uint8Array };
