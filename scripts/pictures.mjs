// Takes the pictures of the README and the docs: npm run pictures, after a build. Needs Chromium.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { CHROMIUM_FLAGS, findChromium } from './chromium.mjs';
import { root } from './setup.mjs';

const { fit, makeSample, posedSequence, writeModelGlb, writeSequenceGlb } = await import('pliant');

const base64 = (bytes) => Buffer.from(bytes).toString('base64');
const kilobytes = (bytes) => `${Math.round(bytes.length / 1000)} kB`;

console.log('Making the models …');
const { sequence } = await makeSample('tablecloth');
const morphs = await writeSequenceGlb(sequence, { compress: 'meshopt' });
const plainMorphs = await writeSequenceGlb(sequence);
const fitted = await fit(sequence, { bones: 30, preset: 'best' });
const small = await writeModelGlb(fitted.model, { compress: 'meshopt' });
const plainFit = await writeModelGlb(fitted.model);
const { model: figure } = await makeSample('figure');
const clip = 'exercise';
const { times } = figure.clips.find(({ name }) => name === clip);
/** Frame of the exercise with bent and twisted arms, where linear blending shows. */
const FRAME = 95;
const posed = async (operator) => (await writeSequenceGlb(posedSequence(figure, clip, { operator }))).bytes;

const panels = [
  {
    glb: base64(plainMorphs.bytes),
    title: 'A simulation',
    caption: `${sequence.frameCount} frames as morph targets, ${kilobytes(morphs.bytes)} compressed`,
    time: sequence.times.at(-1) * 0.99,
    from: [0.95, 0.75, 1.25],
    paint: 'cloth',
  },
  {
    glb: base64(plainFit.bytes),
    title: `pliant fit: ${fitted.bones} bones`,
    caption: `${kilobytes(small.bytes)}, error ${fitted.errors.rmsePercent.toFixed(2)} % of the diagonal, plays everywhere`,
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

console.log('Taking the picture …');
const bundle = await build({
  configFile: false,
  logLevel: 'error',
  build: {
    write: false,
    minify: false,
    target: 'esnext',
    rollupOptions: { input: join(root, 'scripts/pictures/page.ts') },
  },
});
const { output } = Array.isArray(bundle) ? bundle[0] : bundle;
const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
try {
  const page = await browser.newPage({ viewport: { width: 1600, height: 436 } });
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  page.on('pageerror', (error) => console.error(error));
  await page.addScriptTag({ type: 'module', content: output.find(({ type }) => type === 'chunk').code });
  await page.waitForFunction(() => 'draw' in globalThis);
  await page.evaluate(([shown, width, height]) => globalThis.draw(shown, width, height), [panels, 383, 330]);
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  await page.screenshot({ path: join(root, 'docs/images/overview.png'), fullPage: false });
} finally {
  await browser.close();
}
console.log('docs/images/overview.png');
