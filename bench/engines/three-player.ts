import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { type AnimationClip, AnimationMixer, type Group, LoopOnce, type Mesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { fileForPlayers, nodeName, type Player, shownMeshes } from './player.ts';

/** A GLB as three.js has it. */
export interface ThreeScene {
  scene: Group;
  animations: AnimationClip[];
  /** Every mesh, in the order of the scene. */
  meshes: Mesh[];
  /** Poses the scene as `clip` has it at time t. */
  pose(clip: AnimationClip, t: number): void;
}

export async function loadInThree(glb: Uint8Array): Promise<ThreeScene> {
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const { scene, animations } = await loader.parseAsync(glb.slice().buffer as ArrayBuffer, '');
  const meshes: Mesh[] = [];
  scene.traverse((object) => {
    if ((object as Mesh).isMesh) meshes.push(object as Mesh);
  });
  const mixer = new AnimationMixer(scene);
  return {
    scene,
    animations,
    meshes,
    pose(clip, t) {
      mixer.stopAllAction();
      const action = mixer.clipAction(clip);
      action.clampWhenFinished = true;
      action.setLoop(LoopOnce, 1); // Looping would wrap to 0 exactly at the end.
      action.reset().play();
      mixer.setTime(t);
      scene.updateMatrixWorld(true);
    },
  };
}

/** The world position of a mesh's vertex: morphs, then bones or the node, as three.js does it on the CPU. */
export function threePosition(mesh: Mesh, vertex: number, out: Vector3 = new Vector3()): Vector3 {
  mesh.getVertexPosition(vertex, out); // Of a SkinnedMesh this includes the bones.
  return out.applyMatrix4(mesh.matrixWorld);
}

/** The world positions of all vertices of several meshes, one after the other. */
export function threeVertices(meshes: readonly Mesh[]): Float32Array {
  const counts = meshes.map(({ geometry }) => geometry.attributes.position.count);
  const out = new Float32Array(3 * counts.reduce((sum, count) => sum + count, 0));
  const point = new Vector3();
  let at = 0;
  meshes.forEach((mesh, m) => {
    for (let i = 0; i < counts[m]; i++, at += 3) threePosition(mesh, i, point).toArray(out, at);
  });
  return out;
}

export async function threePlayer(glb: Uint8Array): Promise<Player> {
  const { scene, animations, pose } = await loadInThree(fileForPlayers(glb));
  const parts = shownMeshes(glb).map((index) => {
    const object = scene.getObjectByName(nodeName(index))!;
    // Several primitives, and whatever else a node has, are below it; so are the nodes that are its children.
    const own = [object, ...object.children.filter(({ name }) => !name.startsWith('node'))];
    return { index, meshes: own.filter((each) => (each as Mesh).isMesh) as Mesh[] };
  });
  return {
    async positions(clip, time = 0) {
      if (clip !== undefined) pose(animations[clip], time);
      else scene.updateMatrixWorld(true);
      return new Map(parts.map(({ index, meshes }) => [index, threeVertices(meshes)]));
    },
  };
}
