import { describe, expect, it } from 'vitest';
import { dracoGlb } from '../../../bench/engines/compressed.ts';
import { writeMeshGlb, writeModelGlb, writeSequenceGlb } from '../../../src/io/write-glb.ts';
import type { Asset } from '../../../src/model/asset.ts';
import { memorySequence, validateSequence } from '../../../src/model/sequence.ts';
import { fuzzReader } from '../fuzz.ts';
import { binOf, glbOf, jsonOf, morphedTube, readGlb, richTube, tubeMesh, tubeModel } from './fixtures.ts';
import { Wild } from './wild.ts';
import { WILD_FILES } from './wild-files.ts';

/** One small file of each kind that the reader knows. */
async function smallFiles(): Promise<Uint8Array[]> {
  const model = tubeModel(3, 3);
  const mesh = tubeMesh(2, 3);
  const frames = [mesh.positions.map((x) => 2 * x), mesh.positions.map((x) => -x)];
  const rigid = { ...tubeModel(2, 1), operator: 'rigid' as const };
  const splines = new Wild();
  WILD_FILES.find(({ name }) => /morphs on a skin.*CUBICSPLINE/.test(name))!.make(splines);
  const results = await Promise.all([
    writeMeshGlb(mesh),
    writeMeshGlb(richTube(2, 3)),
    writeModelGlb(model),
    writeModelGlb(morphedTube(3, 3), { quantize: true }),
    writeModelGlb(rigid, { compress: 'meshopt', joints: 'u8', weights: 'u8', rotations: 'i16' }),
    writeSequenceGlb(memorySequence('bend', mesh, frames)),
    writeSequenceGlb(memorySequence('bend', mesh, frames), { compress: 'meshopt' }),
  ]);
  const bytes = results.map((result) => result.bytes);
  return [...bytes, await splines.bytes(), await dracoGlb(bytes[0])];
}

/** Everything that a caller may do with what was read. */
async function use(asset: Asset): Promise<void> {
  for (const sequence of asset.sequences) await validateSequence(sequence);
}

describe('readGltf survives damaged files', () => {
  it('whole GLBs', async () => {
    const files = await smallFiles();
    const counts = await fuzzReader('glb', files, async (bytes) => use(await readGlb(bytes)), 3_000, 1);
    expect(counts.accepted).toBeGreaterThan(30);
    expect(counts.refused).toBeGreaterThan(300);
  });

  // Changes of length make a GLB's header wrong, so most of the above ends there. JSON alone gets further.
  it('the JSON of GLBs', async () => {
    for (const [f, file] of (await smallFiles()).entries()) {
      const bin = binOf(file);
      const text = new TextEncoder().encode(JSON.stringify(jsonOf(file)));
      const read = async (json: Uint8Array) => use(await readGlb(glbOf(json, bin)));
      const counts = await fuzzReader(`JSON ${f}`, [text], read, 1_000, 2 + f);
      expect(counts.accepted).toBeGreaterThan(3);
      expect(counts.refused).toBeGreaterThan(160);
    }
  });

  it('the data of GLBs', async () => {
    for (const [f, file] of (await smallFiles()).entries()) {
      const json = jsonOf(file);
      const read = async (bin: Uint8Array) => use(await readGlb(glbOf(json, bin)));
      // After damaged data the decoder of Draco is loaded anew.
      const isDraco = json.extensionsUsed?.includes('KHR_draco_mesh_compression');
      const counts = await fuzzReader(`data ${f}`, [binOf(file)], read, isDraco ? 120 : 600, 20 + f);
      expect(counts.refused).toBeGreaterThan(30);
    }
  });
});
