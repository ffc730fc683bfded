// What `npm start` and `npm test` do first: install what is missing, then build. Plain JavaScript: it runs before
// anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const STAMP = join(root, 'node_modules/.pliant-installed');

/** Runs a command of ours with its output shown; ends the process with its exit code when it fails. */
export function run(label, command, args, options = {}) {
  if (label) console.log(`\n— ${label}`);
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) console.error(`${command}: ${error.message}`);
  if (signal === 'SIGINT') process.exit(130);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a JavaScript file of the checkout with this Node. */
export const runNode = (label, script, args = [], options = {}) =>
  run(label, process.execPath, [join(root, script), ...args], options);

/**
 * Runs JavaScript files of the checkout side by side: label, file, arguments. Each shows its output whole when it ends;
 * should any fail, the process ends with an exit code of theirs once all have ended.
 */
export async function runTogether(steps) {
  const statuses = await Promise.all(
    steps.map(
      ([label, script, args = []]) =>
        new Promise((done) => {
          const child = spawn(process.execPath, [join(root, script), ...args], { cwd: root });
          const printed = [];
          for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => printed.push(bytes));
          child.on('error', ({ message }) => printed.push(Buffer.from(`${script}: ${message}\n`)));
          child.on('close', (status, signal) => {
            console.log(`\n— ${label}`);
            process.stdout.write(Buffer.concat(printed));
            done(signal === 'SIGINT' ? 130 : (status ?? 1));
          });
        }),
    ),
  );
  const failed = statuses.find((status) => status !== 0);
  if (failed) process.exit(failed);
}

/** How to call npm: started by npm, npm_execpath is its script; started by hand, npm is on the PATH. */
export function npm(args) {
  const script = process.env.npm_execpath;
  if (script) return { command: process.execPath, args: [script, ...args], options: {} };
  return { command: 'npm', args, options: { shell: process.platform === 'win32' } };
}

/** `npm ci`, when node_modules is not what package-lock.json says. */
export function install() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
    console.error(`Pliant needs Node 20.19, 22.12 or newer (got ${process.versions.node}).`);
    process.exit(2);
  }
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return;
  const { command, args, options } = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  run('Installing packages', command, args, options);
  writeFileSync(STAMP, lock);
}

export function build() {
  runNode('Building', 'scripts/build.mjs');
}
