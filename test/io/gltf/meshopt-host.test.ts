import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memorySource } from '../../../src/io/files.ts';
import { readGltf } from '../../../src/io/read-gltf.ts';
import { writeMeshGlb } from '../../../src/io/write-glb.ts';
import type { Asset } from '../../../src/model/asset.ts';
import { memoryFiles } from '../support.ts';
import { TRIANGLE } from './triangle.ts';

const MESH = { positions: TRIANGLE, triangles: Uint32Array.of(0, 1, 2) };

// A host without WebAssembly, as the decoder tells it.
beforeAll(() => {
  MeshoptDecoder.supported = false;
});
afterAll(() => {
  MeshoptDecoder.supported = true;
});

async function readCompressed(compress: 'none' | 'meshopt') {
  const { bytes } = await writeMeshGlb(MESH, { compress });
  return (await readGltf(memorySource('file.glb', bytes), memoryFiles({}), 'file.glb')) as Asset;
}

it('reads what is not compressed where compressed data cannot be decoded', async () => {
  expect((await readCompressed('none')).meshes[0].triangles).toHaveLength(3);
});

it('says what compressed data needs', async () => {
  await expect(readCompressed('meshopt')).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringMatching(/meshopt.*WebAssembly with SIMD/),
  });
});
