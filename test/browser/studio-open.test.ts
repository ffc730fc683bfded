import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dracoGlb } from '../../bench/engines/compressed.ts';
import { writeAlembic } from '../../src/io/write-alembic.ts';
import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { writeMdd } from '../../src/io/write-mdd.ts';
import { writeObj } from '../../src/io/write-obj.ts';
import { writePc2 } from '../../src/io/write-pc2.ts';
import { learn } from '../../src/learn/learn.ts';
import { examplesClip, predictorModel } from '../../src/learn/predictor-model.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { colladaFile } from '../io/collada/fixtures.ts';
import { binOf, jsonOf, tubeModel } from '../io/gltf/fixtures.ts';
import { plyFile } from '../io/ply/fixtures.ts';
import { memorySink } from '../io/support.ts';
import { bendingTube } from '../learn/bending-tube.ts';
import { describeInBrowser } from './chromium.ts';
import { type StudioOptions, type StudioPage, studioOpener } from './studio-page.ts';

type Files = Record<string, Uint8Array | string>;

const SQUARE = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
const moving = memorySequence(
  'square',
  { positions: Float32Array.from(SQUARE), triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) },
  [0, 0.1, 0.2].map((z) => Float32Array.from(SQUARE, (x, c) => (c % 3 === 2 ? z * SQUARE[c - 2] : x))),
);

const written = async (write: (sink: ReturnType<typeof memorySink>) => Promise<unknown>): Promise<Uint8Array> => {
  const sink = memorySink();
  await write(sink);
  return sink.bytes();
};

/** Little to draw, and once: these tests are about files. */
const SMALL: StudioOptions = { context: { viewport: { width: 800, height: 480 }, reducedMotion: 'reduce' } };

/** The square's corners at height z, and its face. */
const columns = (z: number) => ({
  vertex: ['x', 'y', 'z'].map((name, c) => ({
    type: 'float',
    name,
    rows: [0, 1, 2, 3].map((i) => SQUARE[3 * i + c] + (c === 2 ? z : 0)),
  })),
  face: [{ type: 'int', name: 'vertex_indices', countType: 'uchar', rows: [[0, 1, 2, 3]] }],
});
const off = (z: number) => `OFF\n4 1 0\n0 0 ${z}\n1 0 ${z}\n1 1 ${z}\n0 1 ${z}\n4 0 1 2 3\n`;
const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 10 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  End Site
  { OFFSET 0 5 0 }
}
MOTION
Frames: 3
Frame Time: 0.1
0 0 0
10 0 0
20 0 0
`;

async function gltfAndBin(): Promise<Files> {
  const { bytes } = await writeSequenceGlb(moving);
  const json = jsonOf(bytes);
  json.buffers![0].uri = 'square%20data.bin';
  return { 'square.gltf': JSON.stringify(json), 'square data.bin': binOf(bytes) };
}

async function predictorGlb(): Promise<Uint8Array> {
  const { predictor, transforms } = await learn([bendingTube([0, 0.5, 1])], { points: 2, bones: 3 });
  const model = predictorModel(predictor, [examplesClip(predictor, transforms)]);
  return (await writeModelGlb(model, { predictor })).bytes;
}

/** Title of the tab → what is dropped, what its format is called, its last frame or what is said of one that does not move. */
const cases = async (): Promise<Record<string, [files: Files, format: RegExp, last: number | 'still']>> => {
  const rest = writeObj(moving.rest);
  return {
    'morphs.glb': [{ 'morphs.glb': (await writeSequenceGlb(moving)).bytes }, /glTF 2\.0 \(binary\)/, 2],
    'rig.glb': [{ 'rig.glb': (await writeModelGlb(tubeModel())).bytes }, /glTF 2\.0 \(binary\)/, 8],
    'draco.glb': [{ 'draco.glb': await dracoGlb((await writeModelGlb(tubeModel())).bytes) }, /glTF 2\.0 \(binary\)/, 8],
    'square.gltf': [await gltfAndBin(), /glTF 2\.0 \(JSON\)/, 2],
    'still.obj': [{ 'still.obj': rest }, /Wavefront OBJ/, 'still'],
    f: [{ 'f1.obj': rest, 'f2.obj': rest, 'f10.obj': rest }, /Wavefront OBJ sequence/, 2],
    p: [
      { 'p1.ply': plyFile('ascii', columns(0)), 'p2.ply': plyFile('binary_little_endian', columns(1)) },
      /PLY sequence/,
      1,
    ],
    o: [{ 'o1.off': off(0), 'o2.off': off(1) }, /OFF sequence/, 1],
    'square.abc': [{ 'square.abc': await written((sink) => writeAlembic([moving], sink)) }, /Alembic/, 2],
    square: [
      { 'square.pc2': await written((sink) => writePc2(moving, sink)), 'square.obj': rest },
      /PC2 point cache on Wavefront OBJ/,
      2,
    ],
    'rest.obj': [
      { 'rest.obj': rest, 'motion.mdd': await written((sink) => writeMdd(moving, sink)) },
      /MDD motion cache on Wavefront OBJ/,
      2,
    ],
    'strip.dae': [{ 'strip.dae': colladaFile() }, /COLLADA/, 120],
    'walk.bvh': [{ 'walk.bvh': BVH }, /BVH motion/, 12],
    'learned.glb': [{ 'learned.glb': await predictorGlb() }, /glTF 2\.0 \(binary\)/, 60],
  };
};

const opened = ({ page }: StudioPage, title: string) =>
  page.getByRole('navigation', { name: 'Open files' }).getByRole('button', { name: title, exact: true });

describeInBrowser('opening in the studio', (harness) => {
  const open = studioOpener(harness);

  it('opens every format by drop', async () => {
    const studio = await open(SMALL);
    const { page, drop, press, done } = studio;
    for (const [title, [files, format, last]] of Object.entries(await cases())) {
      await drop(files);
      await opened(studio, title).waitFor();
      await page.getByRole('tab', { name: 'Info' }).click();
      const facts = page.locator('.facts').first();
      expect(await facts.locator('dd').first().textContent(), title).toMatch(format);
      const clock = await page.getByLabel('Frame and time').textContent();
      expect(clock, title).toMatch(typeof last === 'number' ? new RegExp(`^\\d+ / ${last}\\d\\.\\d\\d s$`) : last);

      expect(await page.getByRole('alert').count(), title).toBe(0);
      if (title === 'learned.glb') await page.getByRole('tab', { name: 'Learn' }).click();
      await press(`Close ${title}`);
    }
    await done();
  });

  it('opens dropped folders, nested ones too, and several files at once', async () => {
    const folder = await folderOf({
      'cloth/f1.obj': writeObj(moving.rest),
      'cloth/f2.obj': writeObj(moving.rest),
      'takes/deep/walk.bvh': BVH,
      'takes/deep/readme.txt': 'not a mesh',
      '.hidden/x.obj': 'v 0 0 0\n',
    });
    const studio = await open(SMALL);
    const { page, press, done } = studio;
    await dropPaths(studio, [folder]);
    await opened(studio, 'cloth').waitFor();
    await opened(studio, 'walk.bvh').waitFor();
    // What comes of a folder is named after it.
    await opened(studio, 'cloth').click();
    await page.getByRole('img', { name: 'cloth in three dimensions' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Close / }).count()).toBe(2);
    await press('Close cloth');
    await press('Close walk.bvh');
    await page.getByLabel('Open a folder').setInputFiles(folder);
    await opened(studio, 'cloth').waitFor();
    await opened(studio, 'walk.bvh').waitFor();
    await done();
  });

  it('takes what is dropped before its first frame', async () => {
    const studio = await open({ ...SMALL, prepare: framesLate });
    await dropPaths(studio, [join(await folderOf({ 'drop/f1.off': off(0), 'drop/f2.off': off(1) }), 'drop')]);
    await opened(studio, 'drop').waitFor();
    await studio.done();
  });

  it('explains why other files cannot be opened', async () => {
    const studio = await open(SMALL);
    const { page, drop, press, done } = studio;
    const { bytes } = await writeSequenceGlb(moving);
    const refused: [Files, heading: string, RegExp][] = [
      [{ 'broken.glb': bytes.subarray(0, 300) }, 'broken.glb cannot be opened', /broken\.glb/],
      [{ 'notes.txt': 'only words' }, 'notes.txt cannot be opened', /expected Wavefront OBJ/],
      [{ 'empty.obj': '' }, 'empty.obj cannot be opened', /the file is empty/],
      [{ 'scene.fbx': 'Kaydara FBX Binary' }, 'scene.fbx cannot be opened', /FBX scene: export OBJ/],
      [{ 'session.pliant': 'PLIANT? no' }, 'session.pliant cannot be opened', /not a session of Pliant/],
      [
        { 'alone.gltf': (await gltfAndBin())['square.gltf'] },
        'alone.gltf cannot be opened',
        /square data\.bin is missing/,
      ],
      [
        { 'two.obj': writeObj(moving.rest), 'a.pc2': await written((sink) => writePc2(moving, sink)), 'b.mdd': 'x' },
        'two.obj cannot be opened',
        /1 mesh and 2 caches \(expected one mesh with one cache/,
      ],
    ];
    for (const [files, heading, message] of refused) {
      await drop(files);
      const alert = page.getByRole('alert');
      await alert.getByRole('heading', { name: heading }).waitFor();
      expect(await alert.locator('.message').textContent(), heading).toMatch(message);
      await alert.getByRole('button', { name: 'Close' }).click();
    }
    // A folder with nothing in it.
    const empty = join(await mkdtemp(join(tmpdir(), 'pliant-empty-')), 'nothing');
    await mkdir(empty);
    await dropPaths(studio, [empty]);
    await page.getByRole('alert').getByText('No files were found.').waitFor();
    await press('Close');
    // A cache without its mesh shows nothing: what is missing is said instead.
    await drop({ 'alone.pc2': await written((sink) => writePc2(moving, sink)) });
    await page.getByRole('alert').getByText('a cache needs the mesh that it moves').waitFor();
    await done();
  });
});

async function folderOf(files: Files): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pliant-open-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Frames come a second late, and with them what a component does after its first one. */
const framesLate = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const [set, ask] = [setTimeout, requestAnimationFrame];
    globalThis.setTimeout = ((act: () => void, delay = 0, ...rest: unknown[]) =>
      set(act, delay + 1000, ...rest)) as typeof setTimeout;
    globalThis.requestAnimationFrame = (step) => set(() => ask(step), 1000) as unknown as number;
  });

/** Drops files and folders of the machine on the window, as the system does. */
async function dropPaths({ page }: StudioPage, files: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
}
