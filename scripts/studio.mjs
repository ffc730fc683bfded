// Bundles the studio into dist/studio, unless nothing that goes into it has changed since.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import config from '../studio/vite.config.mjs';
import { root } from './setup.mjs';

const STUDIO = join(root, 'dist/studio');
const STAMP = join(root, 'dist/studio.stamp');
const INPUTS = ['studio', 'src', 'adapters', 'package-lock.json', 'scripts/studio.mjs'];

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

/** Names of scripts that load before the first picture: those of the page and its workers, and what they import. */
function firstScripts() {
  const assets = join(STUDIO, 'assets');
  const first = new Set(readdirSync(assets).filter((name) => /^(index|worker)-/.test(name)));
  for (const name of first) {
    const code = readFileSync(join(assets, name), 'utf8');
    for (const [, other] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) first.add(other);
  }
  return first;
}

/** The files of the studio: path, gzipped bytes, and whether they load before the first picture or on demand. */
export function studioFiles() {
  const scripts = firstScripts();
  return filesIn(STUDIO).map((file) => {
    const path = relative(STUDIO, file).replaceAll(sep, '/');
    const first = !path.startsWith('assets/') || scripts.has(basename(file));
    return { path, first, gzipped: gzipSync(readFileSync(file), { level: 9 }).length };
  });
}

/** Gzipped bytes of the studio: what loads before the first picture, and what loads on demand. */
export function studioSize() {
  const size = { first: 0, onDemand: 0 };
  for (const { first, gzipped } of studioFiles()) size[first ? 'first' : 'onDemand'] += gzipped;
  return size;
}

export async function buildStudio() {
  const stamp = fingerprint();
  if (existsSync(join(STUDIO, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  await build(config);
  writeFileSync(STAMP, stamp);
  const { first, onDemand } = studioSize();
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
  console.log(`Studio: ${kilobytes(first)} gzipped before the first picture, ${kilobytes(onDemand)} on demand.`);
}
