// The cape on the walking figure, live in three.js in Chromium: pictures per second, and the share of each stage.
//
//   node dist/bench/cloth-three.js [--write]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { serveStudio } from '../cli/studio-server.ts';
import { mockCard } from './mock-card.ts';
import { bundlePage } from './page-bundle.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const { CHROMIUM_FLAGS, MOCK_CARD_FLAGS, findChromium } = (await import(`${ROOT}scripts/chromium.mjs`)) as {
  CHROMIUM_FLAGS: string[];
  MOCK_CARD_FLAGS: string[];
  findChromium(): string | undefined;
};

const VERTICES = [2000, 6000, 16_000];
const COARSE = 300;
/** Two rounds of the walk. */
const FRAMES = 120;

const STAGES = ['coarse', 'detail', 'normals', 'copy', 'upload', 'draw'] as const;

/** What the page offers. */
interface ClothPage {
  wear(name: string, clip: string, vertices: number, options: object): Promise<{ inWorker: boolean; vertices: number }>;
  rate(frames: number): Promise<number>;
  time(frames: number): Promise<Record<(typeof STAGES)[number], number>>;
}

async function tableIn(browser: Browser, folder: string): Promise<string> {
  const server = await serveStudio(folder, []);
  const rows: string[][] = [];
  try {
    for (const vertices of VERTICES) {
      for (const worker of [false, true]) {
        console.error(`${vertices} vertices${worker ? ', in a worker' : ''} …`);
        const page = await browser.newPage();
        await page.goto(new URL(server.url).origin);
        await page.waitForFunction(() => 'wear' in globalThis);
        const found = await page.evaluate(
          async ([count, inWorker, coarseVertices, frames]) => {
            const { wear, rate, time } = globalThis as unknown as ClothPage;
            const made = await wear('cape', 'walk', count, { coarseVertices, worker: inWorker });
            await rate(frames / 2); // until compilers and caches are done
            return { ...made, pictures: await rate(frames), ...(await time(frames)) };
          },
          [vertices, worker, COARSE, FRAMES] as const,
        );
        if (found.inWorker !== worker) throw new Error('no worker was started');
        rows.push([
          String(found.vertices),
          worker ? 'worker' : 'page',
          found.pictures.toFixed(0),
          ...STAGES.map((stage) => found[stage].toFixed(2)),
        ]);
        await page.close();
      }
    }
  } finally {
    await server.close();
  }
  return markdownTable(['vertices', 'cloth in', 'pictures / s', ...STAGES.map((stage) => `${stage} ms`)], rows);
}

async function launched(
  path: string,
  args: string[],
  folder: string,
  env: Record<string, string> = {},
): Promise<string> {
  const browser = await chromium.launch({
    executablePath: path,
    args,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  try {
    return await tableIn(browser, folder);
  } finally {
    await browser.close();
  }
}

const path = findChromium();
if (!path) throw new Error('no Chromium found (install it or set PLIANT_CHROMIUM)');
const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));
try {
  await bundlePage('cloth-mesh.ts', folder);
  const card = mockCard(path, folder);
  const withCard = card
    ? await launched(path, MOCK_CARD_FLAGS, folder, card)
    : 'Not measured: this Chromium came without its mock driver.';
  const without = await launched(path, CHROMIUM_FLAGS, folder);
  const text = `# Cloth in three.js

The sample cape on the walking figure, \`ClothMesh\` in headless Chromium: ${COARSE} vertices are simulated, folds by physics
alone, steps of 1/60 s. Pictures of 512 × 512 per second, at most the 60 that the browser asks for, over ${FRAMES} pictures; then
milliseconds per picture by stage, one after the other, each with one step. \`copy\` is what \`update()\` takes beside the first
three: poses, splitting of seams, bounds. In a worker the first three do not hold up the page, and are those of the steps that it
got round to. ${machine()}. Written by \`node dist/bench/cloth-three.js --write\`.

With Chromium's mock driver, a graphics card that takes no time: what is left is ours.

${withCard}

Without a graphics card: the processor draws too.

${without}
`;
  console.log(text);
  if (flags.write) writeResults('cloth-three', text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
