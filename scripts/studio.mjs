// Bundles the studio into dist/studio, unless nothing that goes into it has changed since.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { withoutUnusedMethods } from '../studio/build/unused-methods.mjs';
import config from '../studio/vite.config.mjs';
import { root } from './setup.mjs';

const STUDIO = join(root, 'dist/studio');
const STAMP = join(root, 'dist/studio.stamp');
const INPUTS = ['studio', 'src', 'adapters', 'package-lock.json', 'scripts/studio.mjs'];

/** Packages of classes of which the studio uses a part, and who gets hold of them. */
export const USERS = {
  three: ['/studio/src/viewport/', '/studio/src/ui/view/', '/adapters/three/'],
  '@gltf-transform/core': ['/@gltf-transform/', '/property-graph/', '/src/io/'],
  '@gltf-transform/extensions': ['/@gltf-transform/', '/src/io/'],
  'property-graph': ['/@gltf-transform/', '/src/io/'],
  saxes: ['/src/io/'],
};

/** One hash over names and contents of everything that is bundled. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const input of INPUTS) {
    const path = join(root, input);
    const files = input.includes('.') ? [path] : filesIn(path);
    for (const file of files.sort()) hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));

/**
 * Gzipped bytes of the studio: the page and its workers with all that they import; parts that load when they are first
 * asked for (readers of some formats, solvers of rigs, sessions, …); and the samples.
 */
export function studioSize(folder = STUDIO) {
  const assets = join(folder, 'assets');
  const names = readdirSync(assets);
  const imported = new Set();
  const visit = (name) => {
    if (imported.has(name)) return;
    imported.add(name);
    const code = name.endsWith('.js') ? readFileSync(join(assets, name), 'utf8') : '';
    for (const [, other] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) visit(other);
  };
  for (const name of names.filter((name) => /^(index|worker)-/.test(name))) visit(name);

  const size = { studio: 0, onDemand: 0, samples: 0 };
  for (const file of filesIn(folder)) {
    const name = basename(file);
    const part = name.startsWith('samples-')
      ? 'samples'
      : names.includes(name) && !imported.has(name)
        ? 'onDemand'
        : 'studio';
    size[part] += gzipSync(readFileSync(file), { level: 9 }).length;
  }
  return size;
}

export async function buildStudio() {
  const stamp = fingerprint();
  if (existsSync(join(STUDIO, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  await build(await withoutUnusedMethods(config, USERS));
  writeFileSync(STAMP, stamp);
  const { studio, onDemand, samples } = studioSize();
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  console.log(
    `Studio: ${kilobytes(studio)} gzipped, ${kilobytes(onDemand)} on demand, ${kilobytes(samples)} for samples.`,
  );
}
