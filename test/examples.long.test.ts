import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist/examples');

/** A line that each example must print. */
const EXPECTED: Record<string, RegExp> = {
  '01-pose-a-rig': /^dqs +[\d.]+ m³$/m,
  '02-measure': /^rmsePercent: [\d.e-]+$/m,
  '03-cloth-to-glb': /^20 frames, \d+ bytes: .*\.glb$/m,
  '04-read-anything': /^rig tube: \d+ vertices, 4 bones/m,
  '05-three': /^dqs: 0\.[45]\d m$/m,
  '06-mix-an-elbow': /^solved +volume off by 0\.0\d+ %, \d+ faces turned over$/m,
  '07-cloth-in-three': /^wind 4 m\/s: the cape reaches \d\.\d\d m behind the figure$/m,
  '08-levels-of-detail': /^\d+ triangles: [\d.]+ %, below a pixel from [\d.]+ m on$/m,
  '09-crowd-in-three': /^1000 figures: \d+ in view, at levels \d+ .* triangles instead of \d+$/m,
  '10-light-in-three': /^64 spheres: the floor keeps \d+ % of the light at its darkest$/m,
};

const names = readdirSync(join(root, 'examples')).map((file) => file.replace(/\.ts$/, ''));

describe('examples', () => {
  it('are all listed here', () => expect(Object.keys(EXPECTED)).toEqual(names.sort()));

  it.each(names)('%s runs', (name) => {
    const script = join(built, `${name}.js`);
    expect(existsSync(script), 'run `npm run build` first').toBe(true);
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(EXPECTED[name]);
  });
});
