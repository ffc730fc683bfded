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

export const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name));

/** `view-BvX06MQ1.js` → `view`. */
const titleOf = (name) => name.replace(/-[\w-]{8}\.\w+$/, '');

/** Names of scripts and styles that load with those whose name starts so: they and what they import. */
function loadedWith(start) {
  const assets = join(STUDIO, 'assets');
  const first = new Set(readdirSync(assets).filter((name) => start.test(name)));
  for (const name of first) {
    const code = readFileSync(join(assets, name), 'utf8');
    for (const [, other] of code.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) first.add(other);
  }
  // Styles come with the script of the same name.
  const titles = new Set(Array.from(first, titleOf));
  for (const name of readdirSync(assets)) if (name.endsWith('.css') && titles.has(titleOf(name))) first.add(name);
  return first;
}

/** The page; and what it loads before the first picture. */
const WELCOME = /^index-/;
const FIRST = /^(index|worker|workspace|warm-up)-/;

/**
 * The files of the studio: path, gzipped bytes, and whether they load before the start page works, before the first picture, or
 * on demand.
 */
export function studioFiles() {
  const [shown, scripts] = [WELCOME, FIRST].map(loadedWith);
  return filesIn(STUDIO).map((file) => {
    const path = relative(STUDIO, file).replaceAll(sep, '/');
    const has = (names) => !path.startsWith('assets/') || names.has(basename(file));
    return {
      path,
      welcome: has(shown),
      first: has(scripts),
      gzipped: gzipSync(readFileSync(file), { level: 9 }).length,
    };
  });
}

/** Gzipped bytes of the studio: what the start page needs, all that loads before the first picture, and what loads on demand. */
export function studioSize() {
  const size = { welcome: 0, first: 0, onDemand: 0 };
  for (const { welcome, first, gzipped } of studioFiles()) {
    size[first ? 'first' : 'onDemand'] += gzipped;
    if (welcome) size.welcome += gzipped;
  }
  return size;
}

export async function buildStudio() {
  const stamp = fingerprint();
  if (existsSync(join(STUDIO, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  await build(config);
  writeFileSync(STAMP, stamp);
  const { welcome, first, onDemand } = studioSize();
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;
  console.log(
    `Studio, gzipped: ${kilobytes(welcome)} for the start page, ${kilobytes(first)} before the first picture, ${kilobytes(onDemand)} on demand.`,
  );
}
