import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** Where the page's paths begin. */
const FOLDERS = ['', 'src', 'studio/src', 'src/fit/thesis/clustering', 'cli/commands', 'src/kernels/assembly'];

describe('docs/architecture.md', () => {
  it('names files that exist', () => {
    const named = [...page.matchAll(/`([\w./-]+\.(?:ts|tsx|md))`/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter((path) => !FOLDERS.some((folder) => existsSync(join(root, folder, path))));
    expect(missing).toEqual([]);
  });
});
