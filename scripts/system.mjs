// Programs of the system that tests need, and how to get them.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs a package of Debian when we may. `what` it holds, `otherwise` what to do. Returns why not, or undefined. */
export function installWithApt(name, { what, otherwise, log }) {
  if (process.platform !== 'linux' || !onPath('apt-get')) return `no ${what} found (${otherwise})`;
  if (process.getuid?.() !== 0) {
    return `no ${what} found, and installing it needs root (run: sudo apt-get install ${name})`;
  }
  log(`Installing ${name} with apt-get, for the tests …`);
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // At this run level services that come along are not started.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    }).status === 0;
  apt('update');
  return apt('install', '-y', name) ? undefined : `apt-get could not install ${name}`;
}
