// Takes the pictures of the README and the docs: npm run pictures [-- overview twist], after a build. Needs Chromium.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { CHROMIUM_FLAGS, findChromium } from './chromium.mjs';
import { STUDIO_PICTURES, takeStudioPicture } from './pictures/studio.mjs';
import { root } from './setup.mjs';

const { fit, linearize, sample, skin, writeModelGlb, writeSequenceGlb } = await import('pliant');

const base64 = (bytes) => Buffer.from(bytes).toString('base64');
const sizeOf = ({ bytes: { length } }) =>
  length < 999_500 ? `${Math.round(length / 1e3)} kB` : `${(length / 1e6).toFixed(1)} MB`;

/** The picture of the README: a simulation on bones, and an arm by two operators. */
async function overview() {
  const [sequence] = (await sample('tablecloth')).sequences;
  const morphs = await writeSequenceGlb(sequence, { compress: 'meshopt' });
  const plainMorphs = await writeSequenceGlb(sequence);
  const { models, report } = await fit(sequence, { bones: 30, preset: 'best' });
  const small = await writeModelGlb(models, { compress: 'meshopt' });
  const plainFit = await writeModelGlb(models);
  const [figure] = (await sample('figure')).models;
  const clip = 'exercise';
  const { times } = figure.clips.find(({ name }) => name === clip);
  /** Frame of the exercise with bent and twisted arms, where linear blending shows. */
  const FRAME = 95;
  const posed = async (operator) => {
    const { sequences } = await skin(figure, { clip, operator });
    return (await writeSequenceGlb(sequences)).bytes;
  };

  return [
    {
      glb: base64(plainMorphs.bytes),
      title: 'A simulation',
      caption: `${sequence.frameCount} frames as morph targets, ${sizeOf(morphs)} with the same settings`,
      time: sequence.times.at(-1) * 0.99,
      from: [0.95, 0.75, 1.25],
      paint: 'cloth',
    },
    {
      glb: base64(plainFit.bytes),
      title: `pliant fit: ${report.figures.bones} bones`,
      caption: `${sizeOf(small)}, error ${report.figures.rmsePercent.toFixed(2)} % of the diagonal, plays everywhere`,
      time: sequence.times.at(-1) * 0.99,
      from: [0.95, 0.75, 1.25],
      paint: 'regions',
    },
    ...(await Promise.all(
      [
        ['lbs', 'Linear blending', 'shoulders sink, wrists collapse'],
        ['dqs', 'Dual quaternions', 'the same pose, with pliant skin --operator dqs'],
      ].map(async ([operator, title, caption]) => ({
        glb: base64(await posed(operator)),
        title,
        caption,
        time: times[FRAME],
        from: [0.25, 0.12, 0.78],
        at: [0.5, 0.8, 0.5],
        paint: 'body',
      })),
    )),
  ];
}

/** A box twisted nearly half a turn, three ways. */
async function twist() {
  const [model] = (await sample('box', { resolution: 4000 })).models;
  const clip = model.clips.find(({ name }) => name === 'twist');
  const [linear] = (await linearize(model, { blendBones: 4 })).models;
  const plain = base64((await writeModelGlb(model)).bytes);
  const shared = { clip: clip.name, time: clip.times.at(-1) * 0.94 };
  return [
    { ...shared, glb: plain, title: 'Linear blending', caption: 'three.js as it is: the box collapses' },
    { ...shared, glb: plain, operator: 'dqs', title: 'Dual quaternions', caption: "useSkinning(mesh, 'dqs')" },
    {
      ...shared,
      glb: base64((await writeModelGlb(linear)).bytes),
      title: `Linearized: ${linear.blendBones.bones.length} blend bones`,
      caption: 'three.js as it is, after pliant linearize',
    },
  ];
}

/** Garments on the figure in motion. */
async function cloth() {
  const glb = async (name, resolution) => base64((await sample(name, { resolution, glb: {} })).file);
  const figure = await glb('figure', 6000);
  const cape = await glb('cape', 6000);
  const skirt = await glb('skirt', 6000);
  const simulated = '300 of 6,000 vertices are simulated';
  return [
    { figure, garment: cape, clip: 'walk', time: 1.6, wind: 0, angle: 150, title: 'Walking', caption: simulated },
    {
      figure,
      garment: cape,
      clip: 'run',
      time: 1.5,
      wind: 3,
      angle: 115,
      title: 'Running',
      caption: 'against a wind of 3 m/s',
    },
    { figure, garment: skirt, clip: 'dance', time: 1.2, wind: 0, angle: 20, title: 'Dancing', caption: simulated },
  ];
}

/** The levels of the figure in three poses. */
async function levels() {
  const { lod } = await import('pliant/lod');
  const [figure] = (await sample('figure')).models;
  const { file, report } = await lod(figure, { glb: {} });
  const glb = base64(file);
  const poses = [
    { clip: 'walk', at: 0.3 },
    { clip: 'run', at: 0.7 },
    { clip: 'dance', at: 0.45 },
  ];
  const all = [{ ...report.detail.original, title: 'As given' }, ...report.detail.levels];
  return all.map(({ triangles, rmsPercent, title }, level) => ({
    glb,
    level,
    poses,
    title: title ?? `Level ${level}`,
    caption: `${triangles.toLocaleString('en')} triangles${rmsPercent ? `, ${rmsPercent.toPrecision(2)} %` : ''}`,
    from: [0.35, 0.15, 1.75],
  }));
}

/** Name → what to show, on which page, each panel how large, in a window how high. */
const PICTURES = {
  overview: { panels: overview, page: 'page.ts', size: [383, 330], window: [1600, 460] },
  twist: { panels: twist, page: 'twist.ts', size: [312, 330], window: [992, 430] },
  cloth: { panels: cloth, page: 'cloth.ts', size: [312, 400], window: [992, 500] },
  levels: { panels: levels, page: 'levels.ts', size: [218, 780], window: [1412, 880] },
};

async function bundled(page) {
  const bundle = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rollupOptions: { input: join(root, 'scripts/pictures', page) },
    },
  });
  const { output } = Array.isArray(bundle) ? bundle[0] : bundle;
  return output.find(({ type }) => type === 'chunk').code;
}

const names = process.argv.slice(2);
const known = [...Object.keys(PICTURES), ...STUDIO_PICTURES];
const unknown = names.find((name) => !known.includes(name));
if (unknown) {
  console.error(`pictures: ${unknown} (expected ${known.join(', ')})`);
  process.exit(2);
}
mkdirSync(join(root, 'docs/images'), { recursive: true });
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
try {
  for (const name of names.length > 0 ? names : known) {
    const path = join(root, `docs/images/${name}.png`);
    if (STUDIO_PICTURES.includes(name)) {
      console.log(`Taking docs/images/${name}.png …`);
      await takeStudioPicture(browser, name, path);
      continue;
    }
    const { panels, page: entry, size, window } = PICTURES[name];
    console.log(`Making what is to be seen in docs/images/${name}.png …`);
    const shown = await panels();
    const page = await browser.newPage({ viewport: { width: window[0], height: window[1] } });
    page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
    page.on('pageerror', (error) => console.error(error));
    await page.addScriptTag({ type: 'module', content: await bundled(entry) });
    await page.waitForFunction(() => 'draw' in globalThis);
    await page.evaluate(([all, width, height]) => globalThis.draw(all, width, height), [shown, ...size]);
    await page.screenshot({ path, fullPage: false });
    await page.close();
  }
} finally {
  await browser.close();
}
