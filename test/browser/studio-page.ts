import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type OfferedFile, type StudioServer, serveStudio } from '../../cli/studio-server.ts';
import type { BrowserHarness } from './chromium.ts';
import { servePlainly } from './plain-host.ts';

/** The studio as a person has it in front of them: built, served, driven by names of controls. */

export const STUDIO = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/studio');

export interface StudioPage {
  page: Page;
  /** Lets files fall on the window. */
  drop(files: Record<string, Uint8Array | string>): Promise<void>;
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
  /** Whether threads may share memory [default true]. */
  isolated?: boolean;
  /** The path below which a plain static host serves it, instead of `pliant studio`. */
  below?: string;
  /** Of the window [default 1280 × 720]. */
  context?: BrowserContextOptions;
  /** What is done to the page before the studio is opened in it. */
  prepare?(page: Page): Promise<unknown>;
}

/** A way to open the studio; servers end with the tests. */
export function studioOpener(harness: BrowserHarness): (options?: StudioOptions) => Promise<StudioPage> {
  const servers: StudioServer[] = [];
  beforeAll(() => {
    if (!existsSync(STUDIO)) throw new Error('dist/studio is missing: run `npm run build` first');
  });
  afterAll(async () => {
    for (const server of servers) await server.close();
  });
  return async ({ query = '', files = [], isolated = true, below, context, prepare } = {}) => {
    const server = below ? await servePlainly(STUDIO, below) : await serveStudio(STUDIO, files);
    servers.push(server);
    const { page, errors } = await harness.newPage({ viewport: { width: 1280, height: 720 }, ...context });
    await prepare?.(page);
    if (!isolated) await withoutIsolation(page);
    await page.goto(server.url + query);
    return {
      page,
      drop: (dropped) => drop(page, dropped),
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
        await page.close();
      },
    };
  };
}

/** Serves the same files without the headers that let threads share memory, as a plain static host does. */
async function withoutIsolation(page: Page): Promise<void> {
  await page.route('**/*', async (route) => {
    const response = await route.fetch();
    const headers = Object.entries(response.headers()).filter(([name]) => !name.startsWith('cross-origin'));
    await route.fulfill({ response, headers: Object.fromEntries(headers) });
  });
}

async function drop(page: Page, files: Record<string, Uint8Array | string>): Promise<void> {
  const encoded = Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]);
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const [name, text] of list) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, encoded);
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}
