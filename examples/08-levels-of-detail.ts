// Levels of detail of a rig, in one GLB with MSFT_lod, and what each is worth.
// node dist/examples/08-levels-of-detail.js [lods.glb]
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample } from 'pliant';
import { lod } from 'pliant/lod';

const path = process.argv[2] ?? join(tmpdir(), 'pliant-lods.glb');
const [rig] = (await sample('tube', { resolution: 800, frames: 12 })).models;

const { file, report } = await lod(rig, { levels: 3, poses: 8, glb: { compress: 'meshopt' } });
for (const { triangles, rmsPercent, onePixelDistance } of report.detail.levels) {
  console.log(
    `${triangles} triangles: ${rmsPercent.toFixed(3)} %, below a pixel from ${onePixelDistance.toFixed(1)} m on`,
  );
}
await writeFile(path, file!);
