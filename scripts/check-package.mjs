// Packs the package as it would be published and checks the file: what `exports` names is there and can be imported and
// required with its types, and source maps carry their sources. Needs a build; works offline.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root, runNode } from './setup.mjs';

const FOLDER = join(root, 'out/package');
mkdirSync(FOLDER, { recursive: true });
const { command, args, options } = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', FOLDER]);
const packed = execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], ...options });
const [{ filename, files, size }] = JSON.parse(packed);
const file = join(FOLDER, filename);

runNode(undefined, 'node_modules/publint/src/cli.js', ['run', '--strict', file]);
// require() of an ES module works in every Node that `engines` allows.
const attw = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--format', 'ascii', '--quiet', file];
runNode(undefined, 'node_modules/@arethetypeswrong/cli/dist/index.js', attw);

const withoutSources = files.filter(
  ({ path }) => path.endsWith('.map') && !JSON.parse(readFileSync(join(root, path), 'utf8')).sourcesContent,
);
if (withoutSources.length > 0) {
  console.error(`Source maps without their sources: ${withoutSources.map(({ path }) => path).join(', ')}`);
  process.exit(1);
}
console.log(`${filename}: ${files.length} files, ${Math.round(size / 1000)} kB.`);
