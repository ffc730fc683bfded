import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { expect, it } from 'vitest';
import { lod } from '../../../src/verbs/lod.ts';
import { smallSample } from '../../rig/linearize-rigs.ts';

/** Triangles of what Babylon.js shows when it loads so many levels, from the coarsest on. */
async function shown(glb: Uint8Array, maxLODsToLoad: number): Promise<number> {
  Logger.LogLevels = Logger.ErrorLogLevel;
  const scene = new Scene(new NullEngine());
  const { meshes } = await ImportMeshAsync(glb, scene, {
    pluginExtension: '.glb',
    pluginOptions: { gltf: { skipMaterials: true, extensionOptions: { MSFT_lod: { maxLODsToLoad } } } },
  });
  const count = meshes
    .filter((mesh) => !mesh.isDisposed() && mesh.isEnabled())
    .reduce((sum, mesh) => sum + mesh.getTotalIndices() / 3, 0);
  scene.getEngine().dispose();
  return count;
}

it('Babylon.js shows the given mesh, and its levels on request', async () => {
  const tube = await smallSample('tube', 60, 3);
  const { file, report } = await lod(tube, { triangles: [80, 40], poses: 2, glb: {} });
  const [finer, coarser] = report.detail.levels.map(({ triangles }) => triangles);
  expect(await shown(file!, 10)).toBe(report.detail.original.triangles);
  expect(await shown(file!, 2)).toBe(finer);
  expect(await shown(file!, 1)).toBe(coarser);
});
