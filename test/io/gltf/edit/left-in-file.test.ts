import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileAccess } from '../../../../src/io/files.ts';
import { KEPT_BYTES } from '../../../../src/io/gltf/resources.ts';
import { readAsset } from '../../../../src/io/read-asset.ts';
import { writeModelGlb } from '../../../../src/io/write-glb.ts';
import type { Asset } from '../../../../src/model/asset.ts';
import { readBytes } from '../../../../src/model/bytes.ts';
import { nodeFiles } from '../../../../src/platform/node/index.ts';
import { convert } from '../../../../src/verbs/convert.ts';
import { glbOf as fileOf, verbReport } from '../../../../src/verbs/verb.ts';
import { memoryFiles, memorySink } from '../../support.ts';
import { binOf, glbOf, jsonOf, PNG, tubeModel } from '../fixtures.ts';

/** A picture that is too large to be kept, with bytes that show where they are. */
const picture = new Uint8Array(KEPT_BYTES + 3);
for (let o = 0; o < picture.length; o += 1009) picture[o] = o;
picture.set(PNG);

let folder: string;
let glb: Uint8Array;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pliant-test-'));
  const { bytes } = await writeModelGlb(tubeModel());
  const json = jsonOf(bytes);
  const start = 4 * Math.ceil(binOf(bytes).length / 4);
  json.bufferViews!.push({ buffer: 0, byteOffset: start, byteLength: picture.length });
  json.images = [{ bufferView: json.bufferViews!.length - 1 }] as never;
  json.textures = [{ source: 0 }];
  for (const material of json.materials!) material.pbrMetallicRoughness = { baseColorTexture: { index: 0 } };
  json.buffers![0].byteLength = start + picture.length;
  const bin = new Uint8Array(start + 4 * Math.ceil(picture.length / 4));
  bin.set(binOf(bytes));
  bin.set(picture, start);
  glb = glbOf(json, bin);
  writeFileSync(at('rig.glb'), glb);
  // The same as files beside each other.
  json.buffers![0] = { byteLength: start, uri: 'rig.bin' };
  json.bufferViews!.pop();
  json.images = [{ uri: 'picture.png' }];
  writeFileSync(at('rig.bin'), binOf(bytes).subarray(0, start));
  writeFileSync(at('picture.png'), picture);
  writeFileSync(at('rig.gltf'), JSON.stringify(json));
});
afterAll(() => rmSync(folder, { recursive: true }));

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const imageOf = ({ models }: Asset) => models[0].mesh.materials![0].baseColorTexture!;

/** The files as they are in memory, which stay there. */
const inMemory = (): FileAccess =>
  memoryFiles(
    Object.fromEntries(['rig.glb', 'rig.gltf', 'rig.bin', 'picture.png'].map((n) => [n, readFileSync(at(n))])),
  );

/** What verbs write of an asset: edited, compressed, and as a new file. */
async function outputs(asset: Asset): Promise<Uint8Array[]> {
  const models = asset.models.map((model) => ({
    ...model,
    mixWeights: new Float32Array(model.mesh.positions.length / 3),
  }));
  const write = async (glb: object) => {
    const sink = memorySink();
    await fileOf(models, glb, verbReport({}), { sink });
    return sink.bytes();
  };
  const packed = await convert(asset, { format: 'glb', glb: {} });
  return [packed.file!, await write({}), await write({ compress: 'meshopt' }), await write({ reorder: true })];
}

describe('a large glTF file', () => {
  it.each(['rig.glb', 'rig.gltf'])('keeps its pictures: %s', async (name) => {
    const kept = await readAsset(inMemory(), [name]);
    const left = await readAsset(nodeFiles, [at(name)]);
    expect(imageOf(kept).bytes).toBeInstanceOf(Uint8Array);
    expect(imageOf(left).bytes).not.toBeInstanceOf(Uint8Array);
    expect(imageOf(left).mimeType).toBe('image/png');
    expect(isEqual(await readBytes(imageOf(left).bytes), picture)).toBe(true);
    const [expected, found] = [await outputs(kept), await outputs(left)];
    expect(found.map((bytes, o) => isEqual(bytes, expected[o]))).toEqual([true, true, true, true]);
    for (const bytes of found) expect(Buffer.from(bytes).includes(Buffer.from(picture))).toBe(true);
  });

  it('is not written when it has changed', async () => {
    writeFileSync(at('changed.glb'), glb);
    const { models } = await readAsset(nodeFiles, [at('changed.glb')]);
    const edited = () => fileOf(models, {}, verbReport({}));
    expect((await edited()).file!.length).toBeGreaterThan(KEPT_BYTES);
    utimesSync(at('changed.glb'), 1, 1);
    await expect(edited()).rejects.toMatchObject({ code: 'bad-file', file: at('changed.glb') });
    rmSync(at('changed.glb'));
    await expect(edited()).rejects.toMatchObject({ code: 'not-found', file: at('changed.glb') });
  });
});

it('a small one is kept in memory', async () => {
  writeFileSync(at('small.glb'), (await writeModelGlb(tubeModel())).bytes);
  const { models } = await readAsset(nodeFiles, [at('small.glb')]);
  rmSync(at('small.glb'));
  expect((await fileOf(models, {}, verbReport({}))).file).toBeDefined();
});
