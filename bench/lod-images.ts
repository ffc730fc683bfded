// Triangular geometry images: error per level, as sampled and as fitted.
//
//   node dist/bench/lod-images.js [--only <name>] [--write]

import { readAsset } from '../src/index.ts';
import { geometryImages, type ImageOptions } from '../src/lod/images/build.ts';
import { choosePoses } from '../src/lod/poses.ts';
import type { PosedSurface } from '../src/lod/surface.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { realData } from './data.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';

interface Case {
  name: string;
  path: string;
  options: ImageOptions;
}

const CASES: Case[] = [
  { name: 'CesiumMan', path: 'gltf/CesiumMan.glb', options: { patches: 230, depth: 4, pins: 0 } },
  { name: 'fandisk', path: 'static/fandisk.obj', options: { patches: 120, depth: 3, pins: 0 } },
  {
    name: 'fandisk, creases > 35°',
    path: 'static/fandisk.obj',
    options: { patches: 120, depth: 3, pins: 0, creaseAngle: 35 },
  },
  { name: 'feline', path: 'static/feline.obj', options: { patches: 250, depth: 3, pins: 0 } },
  { name: 'feline, pins', path: 'static/feline.obj', options: { patches: 250, depth: 3, pins: 3 } },
  { name: 'bunny, pins', path: 'static/stanford-bunny.obj', options: { patches: 140, depth: 4, pins: 3 } },
];

async function surfaceOf(path: string): Promise<PosedSurface> {
  const asset = await readAsset(nodeFiles, [path]);
  const model = asset.models[0];
  if (!model) return { mesh: asset.meshes[0], poses: [asset.meshes[0].positions] };
  const { poses } = choosePoses([model], { poses: 13 });
  const bones = poses.map(({ parts }) => parts[0].transforms);
  return { mesh: model.mesh, poses: bones.map(() => model.mesh.positions), skin: { weights: model.weights, bones } };
}

const rows: string[][] = [];
for (const { name, path, options } of CASES) {
  if (!name.includes(flags.only)) continue;
  const file = realData(path);
  if (!file) continue;
  const surface = await surfaceOf(file);
  for (const fit of [false, true]) {
    const start = performance.now();
    const { figures, pins, report } = await geometryImages(surface, { ...options, fit });
    const seconds = (performance.now() - start) / 1000;
    console.error(name, fit, JSON.stringify(report.seconds), JSON.stringify(report.notes));
    rows.push([
      name,
      fit ? 'fitted' : 'sampled',
      figures.map(({ triangles }) => `${triangles}`).join(' '),
      figures.map(({ rmsPercent }) => rmsPercent.toFixed(3)).join(' '),
      figures.map(({ maxPercent }) => maxPercent.toFixed(2)).join(' '),
      `${pins}`,
      seconds.toFixed(1),
    ]);
  }
}
const text = `# Triangular geometry images

${markdownTable(['model', 'levels', 'triangles', 'RMS %', 'largest %', 'pins', 's'], rows)}

${machine()}.
`;
console.log(text);
if (flags.write) writeResults('lod-images', text);
