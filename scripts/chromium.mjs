// Where the browser is, and how to get one. Shared by `npm test`, the browser tests and the scripts that take pictures.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Lets Chromium run as root, and keeps it off the network. */
const QUIET = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One set of flags that gives WebGL2 (and WebGPU) without a graphics card. */
export const CHROMIUM_FLAGS = [
  ...QUIET,
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** As Chromium runs by itself where there is no graphics card: only what WebGL draws goes through a driver. */
export const CARDLESS_FLAGS = [...QUIET, '--enable-unsafe-swiftshader'];

/** As it runs with a graphics card that draws nothing and takes no time: the mock driver that Chromium is tested with. */
export const MOCK_CARD_FLAGS = [...QUIET, '--use-gl=angle', '--use-angle=vulkan-null', '--ignore-gpu-blocklist'];

const onPath = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of a Chromium, or undefined. `PLIANT_CHROMIUM` overrides the search. */
export function findChromium() {
  const given = process.env.PLIANT_CHROMIUM;
  if (given) return isExecutable(given) ? given : undefined;
  for (const name of NAMES) {
    const path = onPath(name);
    if (path) return path;
  }
  return ELSEWHERE.find(existsSync);
}

/** Installs Debian's chromium when there is none and we may. Returns why not, or undefined when a browser is there. */
export function ensureChromium(log = console.log) {
  if (findChromium()) return undefined;
  if (process.platform !== 'linux' || !onPath('apt-get')) {
    return 'no Chromium found (install Chrome or Chromium, or set PLIANT_CHROMIUM to its path)';
  }
  if (process.getuid?.() !== 0) {
    return 'no Chromium found, and installing it needs root (run: sudo apt-get install chromium)';
  }
  log('Installing chromium with apt-get, for the browser tests …');
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  apt('update');
  if (!apt('install', '-y', 'chromium')) return 'apt-get could not install chromium';
  return findChromium() ? undefined : 'chromium was installed but is not on the PATH';
}
