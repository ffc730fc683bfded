import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Three lanes. `quick` is what one runs while working; `npm test` runs them all.
export default defineConfig({
  test: {
    // Biome's own rule against focused tests takes our fit(…) for one.
    allowOnly: false,
    // By default vitest leaves one core idle, half of a small machine.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.long.test.ts', 'test/browser/**', 'test/cli/**', 'test/real/**'],
          setupFiles: ['test/setup.ts'],
          testTimeout: 30_000,
          // No test here changes anything global: modules are loaded once for all files, which halves the time.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts', 'test/cli/**/*.test.ts', 'test/real/**/*.test.ts'],
          exclude: ['test/browser/**'],
          setupFiles: ['test/setup.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 180_000,
          // One browser, and one bundle of each page, for all files that a worker runs.
          isolate: false,
          // Pictures may be slow to come.
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
