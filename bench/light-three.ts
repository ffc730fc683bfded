// Light in three.js: milliseconds of script per picture with and without what was baked, what its shaders take, and how near
// pictures come to traced light beside three.js's ambient occlusion.
//
//   node dist/bench/light-three.js [--write] [--pictures folder]

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { lightCall, lightFunctions } from '../adapters/three/light/light-material.ts';
import { serveStudio } from '../cli/studio-server.ts';
import { LIGHT_OPTIONS } from '../src/light/light-options.ts';
import { vertexNormals } from '../src/mesh/normals.ts';
import { sampleFigure } from '../src/rig/samples/figure.ts';
import { lightBake } from '../src/verbs/light-bake.ts';
import { realData } from './data.ts';
import { fileModel } from './light-cases.ts';
import { mockCard } from './mock-card.ts';
import { bundlePage } from './page-bundle.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';

const { values: flags } = parseArgs({
  options: { write: { type: 'boolean', default: false }, pictures: { type: 'string' } },
});

const { CHROMIUM_FLAGS, MOCK_CARD_FLAGS, findChromium } = (await import(`${ROOT}scripts/chromium.mjs`)) as {
  CHROMIUM_FLAGS: string[];
  MOCK_CARD_FLAGS: string[];
  findChromium(): string | undefined;
};

const VERTICES = 10_000;
const PICTURES = 240;
/** Without a card they take a second. */
const DRAWN_PICTURES = 6;
const POSES = 48;
const MODES = LIGHT_OPTIONS.modes.default;
/** Not of the clip that is baked. Poses are the second of four. */
const MOTIONS = ['bvh/02_01.bvh', 'bvh/05_02.bvh', 'bvh/49_06.bvh'];
const MAPS = ['hdr/venice_sunset_1k.hdr', 'hdr/quarry_01_1k.hdr'];
const RAYS = 1024;

type Way = 'none' | 'vertex' | 'pass';

/** What the page offers. */
interface LightPage {
  time(
    name: string,
    way: Way,
    baked: boolean,
    floor: boolean,
    pictures: number,
  ): Promise<{ script: number; whole: number; count: number; shown: number }>;
  compare(
    name: string,
    clip: string,
    part: number,
    map: string,
    rays: number,
  ): Promise<{ errors: Record<'unshadowed' | 'gtao' | 'base' | 'baked', number>; radius: number; picture: string }>;
}

async function inPage<T>(
  path: string,
  args: string[],
  folder: string,
  env: Record<string, string>,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const browser: Browser = await chromium.launch({
    executablePath: path,
    args,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  const server = await serveStudio(folder, []);
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(600_000);
    page.on('console', (message) => console.error(message.text()));
    await page.goto(new URL(server.url).origin);
    await page.waitForFunction(() => 'compare' in globalThis);
    return await use(page);
  } finally {
    await browser.close();
    await server.close();
  }
}

const CASES: readonly (readonly [title: string, way: Way, baked: boolean, floor: boolean])[] = [
  ['three.js alone', 'none', false, false],
  ['base, vertex shader', 'vertex', false, false],
  ['base, pass', 'pass', false, false],
  ['base + baked, vertex shader', 'vertex', true, false],
  ['base + baked, pass', 'pass', true, false],
  ['base + baked, vertex shader, floor', 'vertex', true, true],
];

async function timed(page: Page, pictures: number) {
  const found: Awaited<ReturnType<LightPage['time']>>[] = [];
  for (const [title, way, baked, floor] of CASES) {
    console.error(`${title} …`);
    const one = await page.evaluate((asked) => (globalThis as unknown as LightPage).time('figure.glb', ...asked), [
      way,
      baked,
      floor,
      pictures,
    ] as const);
    if (one.shown !== Number(baked)) throw new Error(`${title}: ${one.shown} meshes show baked light`);
    found.push(one);
  }
  return found;
}

/** Operations per vertex of the loops, all 64 spheres and directions above the horizon; texels and bytes that are read. */
function shaderRows(): string[][] {
  const text = (baked: boolean) => {
    const way = { path: 'vertex', directions: 64, baked } as const;
    return lightFunctions(way).length + lightCall(way).length;
  };
  const modeTexels = 7 * (1 + MODES);
  // Per block of 16 directions and sphere: some 50 to see it, 16 · 9 to shade; per direction in the dark some 250.
  const base = 4 * 64 * (50 + 16 * 9) + 64 * 250;
  return [
    ['base', `${text(false)}`, `${base}`, `${4 * 64 * 2}`, '0'],
    [
      'baked, added',
      `${text(true) - text(false)}`,
      `${8 * modeTexels + 7 * 3 * 8}`,
      `${2 * modeTexels + 21 + 4}`,
      `${4 * modeTexels}`,
    ],
  ];
}

const path = findChromium();
if (!path) throw new Error('no Chromium found (install it or set PLIANT_CHROMIUM)');
const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));
try {
  await bundlePage('light-speed.ts', folder);
  const assets = join(folder, 'assets');
  console.error('baking …');
  // Rays do not matter for how long it takes to show.
  const figure = await lightBake(sampleFigure(VERTICES, 24, 24), {
    ...{ poses: POSES, rays: 16, bounces: 0, fit: false },
    glb: {},
  });
  writeFileSync(join(assets, 'figure.glb'), figure.file!);
  const man = await fileModel('gltf/CesiumMan.glb', MOTIONS);
  const clips = man?.clips.map(({ name }) => name) ?? [];
  if (man) {
    const mesh = { ...man.mesh, normals: vertexNormals(man.mesh) };
    const baked = await lightBake({ ...man, mesh }, { clips: [clips[0]], glb: {} });
    writeFileSync(join(assets, 'man.glb'), baked.file!);
    for (const map of MAPS) writeFileSync(join(assets, map.split('/')[1]), readFileSync(realData(map)!));
  }

  const card = mockCard(path, folder);
  const scripts = card && (await inPage(path, MOCK_CARD_FLAGS, folder, card, (page) => timed(page, PICTURES)));
  const [drawn, compared] = await inPage(path, CHROMIUM_FLAGS, folder, {}, async (page) => {
    const times = await timed(page, DRAWN_PICTURES);
    const rows: { clip: string; map: string; found: Awaited<ReturnType<LightPage['compare']>> }[] = [];
    for (const map of man ? MAPS : []) {
      for (const clip of clips.slice(1)) {
        console.error(`${clip}, ${map} …`);
        const found = await page.evaluate(
          (asked) => (globalThis as unknown as LightPage).compare('man.glb', ...asked),
          [clip, 1, map.split('/')[1], RAYS] as const,
        );
        rows.push({ clip, map, found });
      }
    }
    return [times, rows] as const;
  });
  if (flags.pictures) {
    mkdirSync(flags.pictures, { recursive: true });
    for (const { clip, map, found } of compared) {
      const name = `${clip}-${map}`.replace(/[^\w-]+/g, '_');
      writeFileSync(join(flags.pictures, `${name}.png`), Buffer.from(found.picture, 'base64'));
    }
  }

  const timeRows = CASES.map(([title], c) => [
    title,
    scripts ? scripts[c].script.toFixed(2) : '–',
    scripts ? (scripts[c].script - scripts[0].script).toFixed(2) : '–',
    drawn[c].whole.toFixed(0),
  ]);
  const percent = (x: number): string => x.toFixed(1);
  const errorRows = compared.map(({ clip, map, found: { errors, radius } }) => {
    const rival = Math.min(errors.unshadowed, errors.gtao);
    return [
      clip,
      map.split('/')[1],
      percent(errors.unshadowed),
      `${percent(errors.gtao)} (${radius})`,
      percent(errors.base),
      percent(errors.baked),
      (errors.base / rival).toFixed(2),
      (errors.baked / rival).toFixed(2),
    ];
  });
  const mean = (pick: (errors: (typeof compared)[number]['found']['errors']) => number): number =>
    compared.reduce((sum, { found }) => sum + pick(found.errors), 0) / compared.length;
  const ratios = (['base', 'baked'] as const).map((kind) =>
    mean((errors) => errors[kind] / Math.min(errors.unshadowed, errors.gtao)).toFixed(2),
  );
  const text = `# Light in three.js

${machine()}. Written by \`node dist/bench/light-three.js --write\`.

## Script

A figure of ${drawn[0].count} vertices and ${POSES} baked poses with ${MODES} modes walks, and the light turns. Milliseconds of \`renderer.render\`, the
median of ${PICTURES} pictures in Chromium with its mock driver, a graphics card that takes no time; the last column is the whole picture
of 192 × 192 where the processor runs the shaders too, the median of ${DRAWN_PICTURES}.

${markdownTable(['', 'script ms', 'more than three.js', 'without a card, ms'], timeRows)}

What shaders take, per vertex: text, operations of the loops at most (64 spheres, 64 directions; counted, there is no card here),
texels read, bytes stored.

${markdownTable(['', 'bytes of text', 'operations', 'texels', 'bytes per vertex'], shaderRows())}

## Pictures

CesiumMan, baked from its own clip with all defaults, in poses of motion capture that it has not seen; 192 × 192, the same camera,
linear light without suns. Error of the pixels of the figure to those of traced light (${RAYS} rays, two bounces), relative root mean square
in %; its outline does not count, nor triangles that reach into other parts. Ambient occlusion is three.js's GTAOPass on the unshadowed picture, its best of three radii in brackets. The last two: the
error over that of the better of unshadowed and GTAOPass.

${markdownTable(['clip', 'map', 'unshadowed', 'GTAOPass', 'base', 'baked', 'base ×', 'baked ×'], errorRows)}

Mean of the ratios: base ${ratios[0]}, baked ${ratios[1]}.
`;
  console.log(text);
  if (flags.write) writeResults('light-three', text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
