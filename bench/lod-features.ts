// What each detector of features finds, and how long it takes.
//
//   node dist/bench/lod-features.js [--write]

import { type MeshSequence, readAsset } from '../src/index.ts';
import { detectFeatures, type FeatureOptions } from '../src/lod/features/detect.ts';
import { nodeFiles } from '../src/platform/node/index.ts';
import { realData } from './data.ts';
import { flags } from './sequences.ts';
import { machine, markdownTable, writeResults } from './tables.ts';
import { stopwatch } from './timing.ts';

const DETECTORS: Record<string, Partial<FeatureOptions>> = {
  'creases > 35°': { creaseAngle: 35 },
  '20 clusters by curvature (4.3)': { curvatureClusters: 20 },
  '20 clusters by motion (4.5)': { deformationClusters: 20 },
  corners: { corners: true },
};
const MOVING = 'sequences/horse-gallop';

const rows: string[][] = [];
for (const path of ['static/fandisk.obj', 'static/feline.obj', MOVING]) {
  const file = realData(path);
  if (!file) continue;
  const asset = await readAsset(nodeFiles, [file]);
  const sequence: MeshSequence | undefined = asset.sequences[0];
  const mesh = sequence?.rest ?? asset.meshes[0];
  const poses = [mesh.positions];
  for (let k = 0; sequence && k < sequence.frameCount; k += 4) poses.push(await sequence.readFrame(k));
  for (const [name, options] of Object.entries(DETECTORS)) {
    if (options.deformationClusters && !sequence) continue;
    const elapsed = stopwatch();
    const { lines, points } = await detectFeatures({ mesh, poses }, options);
    const seconds = elapsed();
    const edges = (mesh.triangles.length / 3) * 1.5;
    rows.push([
      path.split('/')[1],
      `${mesh.triangles.length / 3}`,
      name,
      `${lines.length / 2}`,
      ((100 * lines.length) / 2 / edges).toFixed(1),
      `${points.length}`,
      seconds.toFixed(2),
    ]);
  }
}
const head = ['model', 'triangles', 'detector', 'edges', '% of edges', 'points', 's'];
const text = `# Features of surfaces

What each detector of docs/notes/lod-images.md finds. ${machine()}.

${markdownTable(head, rows)}
`;
console.log(text);
if (flags.write) writeResults('lod-features', text);
