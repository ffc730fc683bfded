import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { type AnimationClip, AnimationMixer, type Group, LoopOnce, type Mesh, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

/** A GLB as three.js has it, for comparison. */
export interface ThreeScene {
  scene: Group;
  animations: AnimationClip[];
  /** Every mesh, in the order of the scene. */
  meshes: Mesh[];
  /** Poses the scene as `clip` has it at time t. */
  pose(clip: AnimationClip, t: number): void;
}

/** Pictures cannot be decoded in Node: takes them out of the JSON. Geometry does not depend on them. */
export function withoutTextures(glb: Uint8Array): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + jsonLength)));
  delete json.images;
  delete json.textures;
  delete json.samplers;
  for (const material of json.materials ?? []) {
    for (const slot of ['normalTexture', 'occlusionTexture', 'emissiveTexture']) delete material[slot];
    delete material.pbrMetallicRoughness?.baseColorTexture;
    delete material.pbrMetallicRoughness?.metallicRoughnessTexture;
  }
  const text = new TextEncoder().encode(JSON.stringify(json).padEnd(jsonLength));
  const out = glb.slice();
  out.set(text.subarray(0, jsonLength), 20);
  return out;
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
  const out: number[] = [];
  const point = new Vector3();
  for (const mesh of meshes) {
    for (let i = 0; i < mesh.geometry.attributes.position.count; i++) out.push(...threePosition(mesh, i, point));
  }
  return Float32Array.from(out);
}
