import { expect, test } from 'vitest';
import { ClothLoaderPlugin } from '../../adapters/three/index.ts';
import { trainPaper } from '../../src/cloth/paper/train-paper.ts';
import { trainUpsampler } from '../../src/cloth/upsampler/train.ts';
import { packData } from '../../src/io/gltf/packed-data.ts';
import type { PaperModel } from '../../src/model/paper-cloth.ts';
import { validateTrainedCloth } from '../../src/model/trained-cloth.ts';
import { waves } from '../cloth/paper/waves.ts';

/** What GLTFLoader gives when a file has this. */
async function loaded(data: object): Promise<unknown> {
  const gltf = { userData: {} as { cloth?: unknown } };
  const array = packData(data);
  const json = { extensions: { PLIANT_cloth: { accessor: 0 } } };
  await new ClothLoaderPlugin({ json, getDependency: async () => ({ array }) }).afterRoot(gltf);
  return gltf.userData.cloth;
}

test('ClothLoaderPlugin refuses what does not fit the coarse mesh, as readAsset does', async () => {
  const pair = waves('there', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const [coarse, fine] = [pair.coarse.rest, pair.fine.rest];
  const none = new Uint32Array(0);
  const plain = { name: 'sheet', coarse, fine, pinned: { coarse: none, fine: none }, thickness: 0, physics: 'off' };

  const { upsampler } = await trainUpsampler([pair], { examples: 5, modes: 3 });
  const learned = { ...plain, method: 'learned', upsampler };
  expect(await loaded(learned)).toEqual(learned);
  const { directions, inputs } = upsampler;
  const other = { ...learned, upsampler: { ...upsampler, directions: directions.slice(inputs) } };
  validateTrainedCloth(other); // nothing that its meshes alone tell is wrong
  await expect(loaded(other)).rejects.toMatchObject({ code: 'bad-input', operation: 'ClothLoaderPlugin' });

  const { paper } = await trainPaper([pair], { bones: 6, clusters: 3, eigPca: 2 });
  const asPrinted = { ...plain, method: 'paper', paper };
  expect(await loaded(asPrinted)).toEqual(asPrinted);
  const fewer = { ...asPrinted, paper: withoutAnAngle(paper) };
  validateTrainedCloth(fewer);
  await expect(loaded(fewer)).rejects.toThrow('angles');
});

/** A model of a mesh with fewer edges. */
function withoutAnAngle(paper: PaperModel): PaperModel {
  const { mean, points, rowMeans } = paper.kernel;
  const kernel = { ...paper.kernel, mean: mean.slice(2), points: points.slice(2 * rowMeans.length) };
  return { ...paper, kernel };
}
