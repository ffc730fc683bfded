import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/chromium.mjs';

/** A page of ours in a real browser. `errors` collects what the console complained about; tests expect it empty. */
export interface OpenPage {
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
    let browser: Browser;
    const cleanup: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: path, args: CHROMIUM_FLAGS });
    });
    afterAll(async () => {
      await browser?.close();
      for (const close of cleanup) await close();
    });
    const newPage: BrowserHarness['newPage'] = async (options) => {
      const page = await browser.newPage(options);
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      return { page, errors };
    };
    tests({
      newPage,
      async open(entry, options = {}) {
        const server = await servePage(entry, options.isolated ?? true);
        cleanup.push(server.close);
        const { page, errors } = await newPage();
        await page.goto(server.url);
        return { page, errors };
      },
    });
  });
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

/** Serves a bundled page from memory on the loopback address, with or without cross-origin isolation. */
async function servePage(entry: string, isolated: boolean): Promise<{ url: string; close(): Promise<unknown> }> {
  const files = await bundle(join(PAGES, entry));
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
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise((done) => server.close(done)),
  };
}

/** File name → content of the page that runs `entry` as a module; workers and chunks included. */
async function bundle(entry: string): Promise<Map<string, string | Uint8Array>> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: dirname(entry),
    build: { write: false, target: 'esnext', minify: false, modulePreload: false, rollupOptions: { input: entry } },
    worker: { format: 'es' },
  });
  const outputs = (Array.isArray(result) ? result : [result]) as { output: BundledFile[] }[];
  const files = new Map<string, string | Uint8Array>();
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

/** A file of the checkout as base64, to be handed to a page. */
export const base64Of = async (path: string): Promise<string> => (await readFile(path)).toString('base64');
