// Lists the contents of a file, a folder of frames, or a mesh with its cache.
// node dist/examples/04-read-anything.js character.glb
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boneCount, noteText, readAsset, sample, vertexCount, writeModelGlb } from 'pliant';
import { createFileSink, nodeFiles } from 'pliant/node';

/** A file to read when no path is given. */
async function writeTube(): Promise<string> {
  const { models } = await sample('tube');
  const path = join(await mkdtemp(join(tmpdir(), 'pliant-')), 'tube.glb');
  const sink = await createFileSink(path);
  await sink.write((await writeModelGlb(models)).bytes);
  await sink.close();
  return path;
}

const paths = process.argv.slice(2);
const asset = await readAsset(nodeFiles, paths.length ? paths : [await writeTube()]);
console.log(`${asset.format}, ${asset.bytes} bytes`);
for (const mesh of asset.meshes) console.log(`mesh ${mesh.name}: ${vertexCount(mesh)} vertices`);
for (const { name, rest, frameCount } of asset.sequences) {
  console.log(`sequence ${name}: ${vertexCount(rest)} vertices, ${frameCount} frames`);
}
for (const { name, mesh, skeleton, clips } of asset.models) {
  console.log(`rig ${name}: ${vertexCount(mesh)} vertices, ${boneCount(skeleton)} bones, ${clips.length} clips`);
}
for (const { name, skeleton } of asset.motions) console.log(`motion ${name}: ${boneCount(skeleton)} bones`);
for (const note of asset.notes) console.log(noteText(note));
for (const sequence of asset.sequences) await sequence.close?.();
