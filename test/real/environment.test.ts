import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../src/io/files.ts';
import { readEnvironment } from '../../src/io/read-environment.ts';
import { environmentSh } from '../../src/light/environment.ts';
import { extractSuns } from '../../src/light/suns.ts';
import { realData } from './data.ts';

const { path, absent, why } = realData('hdr/');

describe.skipIf(absent)(`photographed light${why}`, () => {
  const read = (name: string) => readEnvironment(memorySource(name, readFileSync(path + name)));

  it.each([
    ['quarry_01_1k.hdr', 0.55, 0.65],
    ['venice_sunset_1k.hdr', 0.03, 0.1],
  ])('%s has one sun of %d to %d of its red light', async (name, least, most) => {
    const map = await read(name);
    const { suns, rest } = extractSuns(map);
    expect(suns).toHaveLength(1);
    const before = environmentSh(map, 5);
    const after = environmentSh(rest, 5);
    const share = 1 - after[0] / before[0];
    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThan(most);
    expect(suns[0].angle).toBeLessThan(0.02);
    // What remains is soft: its bands above 2 have less of the energy than before.
    const high = (light: Float32Array) =>
      light.slice(9, 25).reduce((sum, x) => sum + x * x, 0) / light.slice(0, 25).reduce((sum, x) => sum + x * x, 0);
    expect(high(after)).toBeLessThan(high(before));
  });
});
