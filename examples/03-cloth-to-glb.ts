// Simulates a flag in the wind and writes it as a GLB with one morph target per frame.
// node dist/examples/03-cloth-to-glb.js [flag.glb]
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sample, writeSequenceGlb } from 'pliant';
import { createFileSink } from 'pliant/node';

const path = process.argv[2] ?? join(tmpdir(), 'pliant-flag.glb');
const [sequence] = (await sample('flag', { resolution: 400, frames: 20 })).sequences;

const { bytes } = await writeSequenceGlb(sequence, { compress: 'meshopt' });
const sink = await createFileSink(path, { force: true });
await sink.write(bytes);
await sink.close();
console.log(`${sequence.frameCount} frames, ${bytes.length} bytes: ${path}`);
