// A crowd of walking figures in three.js: draw calls, bytes and milliseconds of script, as SkinnedCrowd and as so many skinned
// meshes, and how they grow.
//
//   node dist/bench/crowd.js [--write]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { AnimationMixer, type Group, PerspectiveCamera, type SkinnedMesh } from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { type LodMesh, SkinnedCrowd } from '../adapters/three/index.ts';
import { serveStudio } from '../cli/studio-server.ts';
import { crowdCharacter, crowdPlace } from './engines/crowd-character.ts';
import { mockCard } from './mock-card.ts';
import { bundlePage } from './page-bundle.ts';
import { machine, markdownTable, ROOT, writeResults } from './tables.ts';
import { bytesPerCall, fastest } from './timing.ts';

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const { CHROMIUM_FLAGS, MOCK_CARD_FLAGS, findChromium } = (await import(`${ROOT}scripts/chromium.mjs`)) as {
  CHROMIUM_FLAGS: string[];
  MOCK_CARD_FLAGS: string[];
  findChromium(): string | undefined;
};

const COUNTS = [250, 1000, 4000, 16_000];
/** Clones cost too much for more. */
const MOST_MESHES = 1000;
const PICTURES = 60;

const character = await crowdCharacter(2500, 5);
const { scene, clips, lod } = character;
const walk = clips.findIndex(({ name }) => name === 'walk');
const bones = (lod.mesh as SkinnedMesh).skeleton.bones.length;
const camera = new PerspectiveCamera(50, 16 / 9, 0.1, 300);
camera.position.set(0, 1.7, 0);

function turn(): void {
  camera.rotation.y += 0.02;
  camera.updateMatrixWorld(true);
}

function crowdOf(count: number): SkinnedCrowd {
  const crowd = new SkinnedCrowd(scene, { clips, capacity: count });
  for (let n = 0; n < count; n++) crowd.play(crowd.addInstance(crowdPlace(n)), walk, { time: 0.1 * n });
  return crowd;
}

/** What three.js does in script for skinned meshes with levels, without drawing. */
function meshesOf(count: number): () => void {
  const all = Array.from({ length: count }, (_, n) => {
    const copy = clone(scene) as Group;
    copy.applyMatrix4(crowdPlace(n));
    const mixer = new AnimationMixer(copy);
    mixer.clipAction(clips[walk]).play();
    return { copy, mixer, lod: copy.getObjectByProperty('type', 'LodMesh') as LodMesh };
  });
  return () => {
    for (const { copy, mixer, lod: each } of all) {
      mixer.update(1 / 60);
      copy.updateMatrixWorld();
      each.update(camera);
      (each.mesh as SkinnedMesh).skeleton.update();
    }
  };
}

const bytesHeld = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const scriptRows: string[][] = [];
const script = new Map<number, number>();
for (const count of COUNTS) {
  console.error(`${count} in script …`);
  const crowd = crowdOf(count);
  const picture = () => {
    turn();
    crowd.advance(1 / 60);
    crowd.update(camera);
  };
  const many = (): void => {
    for (let k = 0; k < PICTURES; k++) picture();
  };
  const seconds = await fastest({ crowd: many }, 6);
  const milliseconds = (1000 * seconds.crowd) / PICTURES;
  script.set(count, milliseconds);
  const allocated = bytesPerCall(picture, 1000);
  const { instances } = crowd.byteLength;
  let [theirs, theirBytes] = ['–', '–'];
  if (count <= MOST_MESHES) {
    bytesPerCall(() => {}, 1); // collects garbage
    const before = bytesHeld();
    const move = meshesOf(count);
    move();
    theirBytes = ((bytesHeld() - before) / count / 1000).toFixed(1);
    theirs = ((1000 * (await fastest({ meshes: () => [move(), move(), move()] }, 4)).meshes) / 3).toFixed(2);
  }
  scriptRows.push([
    String(count),
    milliseconds.toFixed(3),
    allocated.toFixed(0),
    (instances / count).toFixed(0),
    theirs,
    theirBytes,
  ]);
}
const slope = Math.log(script.get(16_000)! / script.get(1000)!) / Math.log(16);

/** What pages/crowd-speed.ts offers. */
interface SpeedPage {
  time(way: string, count: number, pictures: number): Promise<Record<'move' | 'draw' | 'calls' | 'triangles', number>>;
}

async function inChromium(path: string, args: string[], folder: string, env: Record<string, string>, pictures: number) {
  const browser = await chromium.launch({
    executablePath: path,
    args,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  const server = await serveStudio(folder, []);
  const rows: string[][] = [];
  try {
    for (const way of ['crowd', 'meshes']) {
      for (const count of way === 'crowd' ? [250, 1000, 4000] : [250, 1000]) {
        console.error(`${count} as ${way} in Chromium …`);
        const page = await browser.newPage();
        await page.goto(new URL(server.url).origin);
        await page.waitForFunction(() => 'time' in globalThis);
        const { move, draw, calls, triangles } = await page.evaluate(
          ([as, many, k]) => (globalThis as unknown as SpeedPage).time(as, many, k),
          [way, count, pictures] as const,
        );
        await page.close();
        const thousands = (triangles / 1000).toFixed(0);
        rows.push([way, String(count), String(calls), thousands, move.toFixed(2), draw.toFixed(2)]);
      }
    }
  } finally {
    await server.close();
    await browser.close();
  }
  const head = ['drawn as', 'characters', 'calls', 'thousand triangles', 'moving ms', 'drawing ms'];
  return markdownTable(head, rows);
}

const path = findChromium();
if (!path) throw new Error('no Chromium found (install it or set PLIANT_CHROMIUM)');
const folder = mkdtempSync(join(tmpdir(), 'pliant-bench-'));
try {
  await bundlePage('crowd-speed.ts', folder);
  const card = mockCard(path, folder);
  const withCard = card
    ? await inChromium(path, MOCK_CARD_FLAGS, folder, card, PICTURES)
    : 'Not measured: this Chromium came without its mock driver.';
  const without = await inChromium(path, CHROMIUM_FLAGS, folder, {}, 12);
  const { bones: texture } = crowdOf(1).byteLength;
  const seconds = clips.reduce((sum, { duration }) => sum + duration, 0);
  const text = `# A crowd in three.js

The sample \`figure\` with ${bones} bones and five levels of ${lod.levels.map(({ geometry }) => geometry.index!.count / 3).join(', ')} triangles, all
around the camera at 2 to 100 m, walking, while the camera turns; a level may err by one pixel in a picture 1080 high.
\`SkinnedCrowd\` against one \`SkinnedMesh\` with a \`LodMesh\` and an \`AnimationMixer\` for each. ${machine()}.
Written by \`node dist/bench/crowd.js --write\`.

Script per picture in Node: time, culling, levels and lists; for meshes: mixers, world matrices, levels and bones. The processor's
time, best of several runs. Bytes per character: what the crowd keeps for it here and in lists for the card; for meshes, the
growth of the heap. Beside these, one texture of ${(texture / 1e6).toFixed(2)} MB holds all ${clips.length} clips, ${seconds.toFixed(0)} s in all.

${markdownTable(
  ['characters', 'crowd, ms', 'allocated, bytes', 'crowd, bytes each', 'meshes, ms', 'meshes, kB each'],
  scriptRows,
)}

Growth of the crowd's time from 1,000 to 16,000 characters: exponent ${slope.toFixed(2)}.

In Chromium, with a graphics card that takes no time (its mock driver): milliseconds of script per picture, the median of ${PICTURES}
pictures. Drawing is all of \`renderer.render\`, with culling and levels.

${withCard}

Without a graphics card: the processor draws too, so only ratios mean something.

${without}
`;
  console.log(text);
  if (flags.write) writeResults('crowd', text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
