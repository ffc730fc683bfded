import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { Scene } from '@babylonjs/core/scene.js';
import '@babylonjs/loaders/glTF/2.0/index.js';
import { fileForPlayers, nodeIndex, type Player } from './player.ts';

/** Babylon.js counts frames. */
const FRAMES_PER_SECOND = 60;

/** Babylon.js without a screen: it skins on the CPU. */
export async function babylonPlayer(glb: Uint8Array): Promise<Player> {
  Logger.LogLevels = Logger.ErrorLogLevel;
  const engine = new NullEngine();
  const scene = new Scene(engine);
  scene.useRightHandedSystem = true; // As glTF; otherwise the root would be mirrored.
  const { meshes, animationGroups } = await ImportMeshAsync(fileForPlayers(glb), scene, {
    pluginExtension: '.glb',
    pluginOptions: { gltf: { skipMaterials: true, createInstances: false, targetFps: FRAMES_PER_SECOND } },
  });
  for (const group of animationGroups) group.stop();
  const parts = meshes.filter((mesh) => mesh.getTotalVertices() > 0);
  const nodes = [...scene.transformNodes, ...scene.meshes].filter(({ name }) => !Number.isNaN(nodeIndex(name)));
  const rests = nodes.map((node) => ({
    node,
    position: node.position.clone(),
    rotation: node.rotationQuaternion?.clone() ?? null,
    scaling: node.scaling.clone(),
  }));
  const morphs = parts.flatMap(({ morphTargetManager: manager }) =>
    Array.from({ length: manager?.numTargets ?? 0 }, (_, m) => manager!.getTarget(m)),
  );
  const dials = morphs.map(({ influence }) => influence);

  /** What a clip does not move is as the file has it, whatever was played before. */
  const reset = () => {
    for (const group of animationGroups) group.stop();
    for (const { node, position, rotation, scaling } of rests) {
      node.position.copyFrom(position);
      node.rotationQuaternion = rotation?.clone() ?? null;
      node.scaling.copyFrom(scaling);
    }
    for (const [m, morph] of morphs.entries()) morph.influence = dials[m];
  };

  return {
    async positions(clip, time = 0) {
      reset();
      if (clip !== undefined) {
        const group = animationGroups.find(({ name }) => name === `clip${clip}`)!;
        group.start(false);
        group.goToFrame(Math.min(group.to, Math.max(group.from, time * FRAMES_PER_SECOND)));
        group.pause();
      }
      for (const node of nodes) node.computeWorldMatrix(true);
      for (const mesh of scene.meshes) mesh.computeWorldMatrix(true);
      for (const skeleton of scene.skeletons) skeleton.prepare(true);
      const found = new Map<number, number[]>();
      for (const mesh of parts) {
        const local = mesh.getPositionData(true, true)!;
        const { m } = mesh.computeWorldMatrix(true);
        const out = found.get(nodeIndex(mesh.name)) ?? [];
        for (let c = 0; c < local.length; c += 3) {
          for (let r = 0; r < 3; r++)
            out.push(local[c] * m[r] + local[c + 1] * m[4 + r] + local[c + 2] * m[8 + r] + m[12 + r]);
        }
        found.set(nodeIndex(mesh.name), out);
      }
      return new Map(Array.from(found, ([index, positions]) => [index, Float32Array.from(positions)]));
    },
    dispose() {
      scene.dispose();
      engine.dispose();
    },
  };
}
