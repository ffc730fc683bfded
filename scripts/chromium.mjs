// Where the browser is, and how to get one. Shared by `npm test`, the browser tests and the scripts that take pictures.
import { existsSync } from 'node:fs';
import { installWithApt, isExecutable, onPath } from './system.mjs';

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
  const otherwise = 'install Chrome or Chromium, or set PLIANT_CHROMIUM to its path';
  const failed = installWithApt('chromium', { what: 'Chromium', otherwise, log });
  if (failed) return failed;
  return findChromium() ? undefined : 'chromium was installed but is not on the PATH';
}
