// Bundles the studio into dist/studio, unless nothing that goes into it has changed since.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
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

/** Gzipped bytes of the page and its workers; the samples are loaded only when one is asked for. */
export function studioSize(folder = STUDIO) {
  const sizes = filesIn(folder).map((file) => ({ file, bytes: gzipSync(readFileSync(file), { level: 9 }).length }));
  const sum = (some) => some.reduce((total, { bytes }) => total + bytes, 0);
  const samples = sizes.filter(({ file }) => /samples-[^/\\]*\.js$/.test(file));
  return { samples: sum(samples), studio: sum(sizes) - sum(samples) };
}

export async function buildStudio() {
  const stamp = fingerprint();
  if (existsSync(join(STUDIO, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp) return;
  await build({ configFile: join(root, 'studio/vite.config.mjs') });
  writeFileSync(STAMP, stamp);
  const { studio, samples } = studioSize();
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  console.log(`Studio: ${kilobytes(studio)} gzipped, and ${kilobytes(samples)} for samples.`);
}
