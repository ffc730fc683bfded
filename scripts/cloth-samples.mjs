// Trains the small cape and skirt that the studio brings along: simulates pairs of each scene, learns, and writes
// studio/public/assets/trained-<name>.glb, at most 500 kB each. Takes some minutes.
//
//   npm run build && node scripts/cloth-samples.mjs

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clothPair, clothTrain } from '../dist/src/doors/cloth.js';

const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), 'studio/public/assets');
const MOST_BYTES = 500_000;
const SIZE = { vertices: 2000, coarseVertices: 80 };
const SMALL = { names: false, reorder: true, quantize: true, compress: 'meshopt', weights: 'float12' };

mkdirSync(FOLDER, { recursive: true });
for (const name of ['cape', 'skirt']) {
  const { pairs } = await clothPair(name, SIZE);
  const { file, report } = await clothTrain(pairs, { modes: 6, clipFrames: 30, glb: SMALL });
  const { best, heldOut } = report.detail;
  const figures = `${best.mode}: E ${best.E.toFixed(3)} %, embedding ${heldOut.embed.E.toFixed(3)} %, W ${best.W.toFixed(0)} %`;
  console.log(`${name}: ${file.length} bytes; ${figures}`);
  if (file.length > MOST_BYTES) throw new Error(`${name} is larger than ${MOST_BYTES} bytes`);
  writeFileSync(join(FOLDER, `trained-${name}.glb`), file);
}
