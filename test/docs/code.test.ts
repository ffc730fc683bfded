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

/** Verb → its part of docs/cli.md, which is what the help prints. */
const HELP = new Map(
  readFileSync(join(root, 'docs/cli.md'), 'utf8')
    .split(/^## pliant /m)
    .map((part) => [part.slice(0, part.indexOf('\n')), part]),
);

/** Verbs and flags of the commands of a page that the help does not have. */
const unknownIn = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^(?:npx )?pliant ([a-z]+)([^#\n]*)/gm)].flatMap(
    ([, verb, rest]) => {
      const help = HELP.get(verb);
      if (!help) return [verb];
      return (rest.match(/ --[a-z-]+/g) ?? []).filter((flag) => !help.includes(flag)).map((flag) => verb + flag);
    },
  );

describe('code in the docs', () => {
  it.each(PAGES.filter((page) => importsOf(page).length > 0))('%s imports what the package exports', (page) => {
    expect(importsOf(page).filter(([name, door]) => !(name in require(door)))).toEqual([]);
  });

  it.each(PAGES)('%s has commands that exist', (page) => {
    expect(unknownIn(page)).toEqual([]);
  });
});
