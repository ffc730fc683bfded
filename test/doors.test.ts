import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
const DOORS = Object.keys(exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => path.replace('.', 'pliant'));

/** Door → its values, as `require()` finds them in the built package. */
function valuesOf(doors: readonly string[]): Record<string, string[]> {
  const code = `const doors = ${JSON.stringify(doors)};
    console.log(JSON.stringify(Object.fromEntries(doors.map((door) => [door, Object.keys(require(door))]))));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', code], { cwd: root, encoding: 'utf8' }));
}

describe('the doors of the package', () => {
  const values = valuesOf(DOORS);

  it('all open by require()', () => {
    expect(DOORS.filter((door) => values[door].length === 0)).toEqual([]);
  });

  it('the front door stays small enough to learn', () => {
    expect(values.pliant.length).toBeLessThanOrEqual(90);
  });

  it('no value has two doors', () => {
    const all = Object.values(values).flat();
    expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([]);
  });
});
