import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest comes first in its lane, so that no core is left with it at the end. */
const LONGEST = [
  'browser/studio-cloth',
  'browser/studio-robust',
  'gltf-edit/edited-files.long',
  'real/export.long',
  'real/fit-thesis.long',
  'examples.long',
  'fit/richer-bones',
];
for (const name of LONGEST) {
  if (!existsSync(new URL(`test/${name}.test.ts`, import.meta.url)))
    throw new Error(`no test/${name}.test.ts to run first`);
}

/** Lane after lane, the quick one last: workers are shared within a lane, and small files fill the cores to the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const lanes = [...new Set(sorted.map(({ project }) => project.name))];
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(`${name}.test.ts`));
    return lanes.flatMap((lane) => {
      const own = sorted.filter(({ project }) => project.name === lane);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

const root = fileURLToPath(new URL('.', import.meta.url));
const COMPILED = /^(adapters|bench|cli|examples|src)\/.*(?=\.ts$)/;

/**
 * After a build, tests import what was compiled instead of its sources: Node loads modules itself, which takes half the
 * time, and calls between them are as fast as for users.
 */
const compiled: Plugin = {
  name: 'compiled',
  enforce: 'pre',
  async resolveId(source, importer) {
    const found = await this.resolve(source, importer, { skipSelf: true });
    if (!found?.id.startsWith(root)) return found;
    const path = found.id.slice(root.length);
    const [name] = path.match(COMPILED) ?? [];
    return name ? `${root}dist/${name}.js` : found;
  },
};
const server = { deps: { external: [/\/dist\/(adapters|bench|cli|examples|src)\//] } };
const plugins = process.env.PLIANT_BUILT ? [compiled] : [];

// Three lanes, named so that the alphabet orders them. `quick` is what one runs while working; `npm test` runs them all.
export default defineConfig({
  test: {
    // Biome's own rule against focused tests takes our fit(…) for one.
    allowOnly: false,
    // One more than there are cores: tests in a browser and of the command line often wait for another process.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins,
        test: {
          server,
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.long.test.ts', 'test/browser/**', 'test/cli/**', 'test/real/**'],
          setupFiles: ['test/setup.ts'],
          testTimeout: 900_000,
          hookTimeout: 600_000,
          // No test here changes anything global: modules are loaded once for all files, which halves the time.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          server,
          name: 'long',
          include: ['test/**/*.long.test.ts', 'test/cli/**/*.test.ts', 'test/real/**/*.test.ts'],
          exclude: ['test/browser/**'],
          setupFiles: ['test/setup.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
          // One command line that is loaded, and modules loaded once, for all files that a worker runs.
          isolate: false,
        },
      },
      {
        plugins,
        test: {
          server,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 900_000,
          hookTimeout: 600_000,
          // One browser, and one bundle of each page, for all files that a worker runs.
          isolate: false,
          // Pictures may be slow to come.
          expect: { poll: { timeout: 120_000 } },
        },
      },
    ],
  },
});
