import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { homepage, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const repository = homepage.replace('#readme', '');

const PAGES = ['', 'docs', 'docs/notes', 'bench/results', '.github', 'src/model'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Targets of links, pictures and link definitions, without anchors. */
const linksOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, defined]) => (inline ?? defined).split('#')[0])
    .filter((link) => link !== '');

/** Where a link into the repository leads in the checkout. */
function placeOf(link: string, page: string): string | undefined {
  const path = link
    .replace(repository.replace('github.com', 'raw.githubusercontent.com'), repository)
    .replace(new RegExp(`^${repository}/(?:(?:blob|tree)/)?main/`), '/');
  if (/^[a-z]+:/.test(path)) return undefined;
  return path.startsWith('/') ? join(root, path) : join(root, dirname(page), path);
}

describe('links of the docs', () => {
  it.each(PAGES)('%s leads to files that exist', (page) => {
    const places = linksOf(page).map((link) => placeOf(link, page));
    expect(places.filter((place) => place !== undefined && !existsSync(place))).toEqual([]);
  });

  it.each(['README.md', 'CHANGELOG.md'])(
    '%s works on a registry page: links are absolute, or of packed files',
    (page) => {
      const relative = linksOf(page).filter((link) => !link.startsWith('https://'));
      expect(relative.filter((link) => !files.includes(link))).toEqual([]);
    },
  );
});
