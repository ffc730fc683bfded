// `npm test`: installs what is missing, then type-checks, builds, lints, looks for unused code, checks the package and
// runs every test.
// `npm run test:quick` leaves out the long and the browser lane.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureRedis } from './redis.mjs';
import { build, install, root, run, runTogether } from './setup.mjs';

const quick = process.argv.includes('--quick');

install();
if (!quick) {
  for (const [tests, missing] of [
    ['Browser tests', ensureChromium()],
    ['Tests of the queue', ensureRedis()],
  ]) {
    if (missing && process.env.CI) {
      console.error(`${tests} must run when CI is set: ${missing}.`);
      process.exit(1);
    }
    if (missing) console.log(`\n${tests} will be skipped: ${missing}.`);
  }
}
build();
const KNIP = ['--no-progress', '--treat-config-hints-as-errors'];
await runTogether([
  ...(quick ? [] : [['API documentation', 'node_modules/typedoc/bin/typedoc', ['--logLevel', 'Warn']]]),
  ['Package', 'scripts/check-package.mjs'],
  ['Linting', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['Unused code', 'node_modules/knip/bin/knip.js', KNIP],
  ['Unused code of the package', 'node_modules/knip/bin/knip.js', [...KNIP, '--production']],
]);

const summary = join(root, 'out/test-summary.json');
mkdirSync(join(root, 'out'), { recursive: true });
rmSync(summary, { force: true });
const lanes = quick ? ['--project', 'quick'] : [];
const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${summary}`];
const started = performance.now();
process.on('exit', (code) => {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(summary, 'utf8'));
    console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
  } catch {
    if (code === 0) process.exitCode = 1; // no summary: the tests did not run
  }
});
run('Testing', process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...lanes, ...reporters], {
  env: { ...process.env, PLIANT_BUILT: '1' },
});
console.log(`Tests took ${((performance.now() - started) / 1000).toFixed(0)} s.`);
