import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folder of src/ → its layer. A file imports only from lower layers or from its own folder. */
const LAYERS: Record<string, number> = {
  'error.ts': 0,
  kernels: 0,
  math: 0,
  model: 1,
  mesh: 1.5,
  io: 2,
  skin: 2,
  measure: 2,
  decompose: 2.5,
  regress: 2,
  fit: 3,
  rig: 3,
  learn: 3,
  cloth: 3,
  lod: 3,
  light: 3,
  report: 4,
  'sample-list.ts': 3.5,
  'skin-tile.ts': 3.5,
  'light-tile.ts': 3.5,
  'sphere-tile.ts': 3.5,
  'samples.ts': 4,
  'pair-scenes.ts': 4,
  verbs: 4.5,
  'tasks.ts': 4,
  'tile-tasks.ts': 4,
  doors: 5,
  'index.ts': 5,
  platform: 6,
};

/** What io/ may use although it stands beside skin/ and measure/: it only knows nouns, numbers and meshes. */
const IO_MAY_USE = new Set(['error.ts', 'math', 'model', 'mesh', 'io']);

const PLATFORM_MODULES = /^(node:|fs$|path$|process$|three)/;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'assembly' ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
  });
}

function imports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const pattern = /(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]/g;
  return [...text.matchAll(pattern)].map((m) => m[1] ?? m[2]);
}

const folderOf = (path: string): string => relative(join(root, 'src'), path).split('/')[0];

/** Why an import of `target` in `file` (both absolute, or a bare module name) is not allowed, or undefined. */
function violation(file: string, specifier: string): string | undefined {
  const from = folderOf(file);
  if (!specifier.startsWith('.')) {
    if (from !== 'platform' && PLATFORM_MODULES.test(specifier)) return `${from} must not know ${specifier}`;
    return undefined;
  }
  const target = resolve(dirname(file), specifier);
  const to = folderOf(target);
  if (to.startsWith('..')) return 'src must not import from outside src';
  if (!(to in LAYERS)) return `folder ${to} has no layer`;
  if (from === to) return undefined;
  if (from === 'io' && !IO_MAY_USE.has(to)) return `io must not import ${to}`;
  if (LAYERS[to] >= LAYERS[from] && LAYERS[from] > 0)
    return `${from} (L${LAYERS[from]}) must not import ${to} (L${LAYERS[to]})`;
  if (LAYERS[from] === 0 && LAYERS[to] > 0) return `${from} (L0) must not import ${to}`;
  return undefined;
}

describe('layers', () => {
  const files = sources(join(root, 'src'));

  it('every folder has a layer', () => {
    const folders = new Set(files.map(folderOf));
    expect([...folders].filter((folder) => !(folder in LAYERS))).toEqual([]);
  });

  it('files import only from lower layers', () => {
    const found = files.flatMap((file) =>
      imports(file).flatMap((specifier) => {
        const why = violation(file, specifier);
        return why ? [`${relative(root, file)}: ${why}`] : [];
      }),
    );
    expect(found).toEqual([]);
  });

  it('the check itself finds violations', () => {
    const file = join(root, 'src/fit/fit.ts');
    expect(violation(file, '../learn/learn.ts')).toMatch(/must not import learn/);
    expect(violation(file, '../math/rng.ts')).toBeUndefined();
    expect(violation(join(root, 'src/math/rng.ts'), '../model/mesh.ts')).toMatch(/L0/);
    expect(violation(join(root, 'src/io/read-obj.ts'), '../skin/skinner.ts')).toMatch(/io must not/);
    expect(violation(file, 'node:fs')).toMatch(/must not know/);
    expect(violation(join(root, 'src/skin/lbs.ts'), '../measure/rms.ts')).toMatch(/L2/);
  });
});

/** Files in a circle of imports, the first one again at the end; those of types and of `import()` count as well. */
function cycles(graph: Map<string, string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) found.push([...path.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    graph.get(file)?.forEach(visit);
    path.pop();
    done.add(file);
  };
  [...graph.keys()].forEach(visit);
  return found;
}

describe('cycles', () => {
  it('no files import each other in a circle', () => {
    const files = ['src', 'cli', 'adapters', 'bench', 'studio/src'].flatMap((folder) => sources(join(root, folder)));
    const graph = new Map(
      files.map((file) => {
        const relatives = imports(file).filter((specifier) => specifier.startsWith('.'));
        return [relative(root, file), relatives.map((specifier) => relative(root, resolve(dirname(file), specifier)))];
      }),
    );
    expect(cycles(graph).map((files) => files.join(' → '))).toEqual([]);
  });

  it('the check itself finds circles', () => {
    const graph = (...pairs: [string, string[]][]) => cycles(new Map(pairs));
    expect(graph(['a', ['b', 'c']], ['b', ['c']], ['c', []])).toEqual([]);
    expect(graph(['a', ['b']], ['b', ['c', 'd']], ['c', []], ['d', ['b']])).toEqual([['b', 'd', 'b']]);
  });
});

/** Folder of studio/src/ → what its files must not import, and which words of a page they must not know. */
const STUDIO_LAYERS: Record<string, { imports: RegExp; words?: RegExp }> = {
  core: {
    imports: /^(@?preact(?!\/signals-core)|three|uplot)|^(\.\.\/)+(ui|viewport|film)\//,
    words: /\b(?:document|window)\.\w|\b(?:matchMedia|getComputedStyle|requestAnimationFrame)\(/,
  },
  worker: { imports: /^(@?preact|three|uplot)|^(\.\.\/)+(ui|viewport|film)\// },
  viewport: { imports: /^(@?preact(?!\/signals-core)|uplot)|^(\.\.\/)+(ui|film)\// },
  film: { imports: /^(@?preact(?!\/signals-core)|three|uplot)|^(\.\.\/)+ui\// },
};

describe('layers of the studio', () => {
  const studio = join(root, 'studio/src');
  const rule = (folder: string) => STUDIO_LAYERS[folder];
  const violations = (folder: string, specifiers: string[], text: string): string[] => [
    ...specifiers.filter((specifier) => rule(folder).imports.test(specifier)),
    ...(rule(folder).words?.exec(text) ?? []),
  ];

  it.each(Object.keys(STUDIO_LAYERS))('%s knows only what it may', (folder) => {
    const files = sources(join(studio, folder));
    expect(files.length).toBeGreaterThan(0);
    const found = files.flatMap((file) =>
      violations(folder, imports(file), readFileSync(file, 'utf8')).map((what) => `${relative(root, file)}: ${what}`),
    );
    expect(found).toEqual([]);
  });

  it('the check itself finds violations', () => {
    const wrong = ['preact', '@preact/signals', '../ui/app.tsx', '../../viewport/stage.ts'];
    expect(violations('core', [...wrong, '@preact/signals-core', '../../worker/protocol.ts'], '')).toEqual(wrong);
    expect(violations('core', [], "document.createElement('a')")).toHaveLength(1);
    expect(violations('viewport', ['three', '../core/doc.ts', 'preact/hooks'], '')).toEqual(['preact/hooks']);
  });
});
