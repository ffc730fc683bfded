import { readFileSync } from 'node:fs';
import type { SkinnedMesh } from 'three';
import { describe, expect, it } from 'vitest';
import { exactBounds, useSkinning } from '../../adapters/three/index.ts';
import { type FileAccess, memorySource } from '../../src/io/files.ts';
import { readGltf } from '../../src/io/read-gltf.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { expandToSplit } from '../../src/mesh/seams.ts';
import { clipFrame, clipFrameCount } from '../../src/model/skeleton.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { largestDistance } from '../io/gltf/fixtures.ts';
import { loadInThree, threeVertices, withoutTextures } from '../three-scene.ts';
import { realData } from './data.ts';

const { path: folder, absent, why } = realData('gltf/');

/** Files whose meshes and bones stand under nodes of different scale and direction. */
const NAMES = ['CesiumMan', 'Fox', 'RiggedFigure', 'RiggedSimple'];

describe.skipIf(absent)(`other skinning of real files in three.js${why}`, () => {
  it.each(NAMES)('%s is where the library has it', async (name) => {
    const bytes = new Uint8Array(readFileSync(`${folder}${name}.glb`));
    const { models } = await readGltf(memorySource(name, bytes), {} as FileAccess, `${name}.glb`);
    const [model] = models;
    const [clip] = model.clips;
    const three = await loadInThree(withoutTextures(bytes));
    const mesh = three.meshes[0] as SkinnedMesh;
    expect([models.length, three.meshes.length]).toEqual([1, 1]);
    for (const operator of ['dqs', 'sdqs'] as const) {
      const skinning = useSkinning(mesh, operator);
      for (const k of [0, clipFrameCount(clip) >> 1, clipFrameCount(clip) - 1]) {
        three.pose(three.animations[0], clip.times[k]);
        const { positions } = skinPlain(model, clipFrame(clip, k), { operator });
        const expected = expandToSplit(Float32Array.from(positions), 3, model.mesh.seams!);
        const error = largestDistance(threeVertices([mesh]), expected) / diagonalOf(model.mesh.positions);
        expect(error, `${operator}, frame ${k}`).toBeLessThan(1e-4);
      }
      expect(exactBounds(mesh).box.isEmpty()).toBe(false);
      skinning.dispose();
    }
  });
});
