import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

const PAGES = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))].filter((page) =>
  page.endsWith('.md'),
);

/** Values that the code of a page imports from the package: [name, door]. */
const importsOf = (page: string): [string, string][] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^import \{ ([^}]+) \} from '(pliant[^']*)';$/gm)].flatMap(
    ([, names, door]) => names.split(', ').map((name): [string, string] => [name, door]),
  );

describe('code in the docs', () => {
  it.each(PAGES.filter((page) => importsOf(page).length > 0))('%s imports what the package exports', (page) => {
    expect(importsOf(page).filter(([name, door]) => !(name in require(door)))).toEqual([]);
  });
});
