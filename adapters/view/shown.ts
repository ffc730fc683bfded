import {
  AnimationMixer,
  Box3,
  BufferAttribute,
  type BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  SkinnedMesh,
  Vector3,
} from 'three';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { heatInto } from '../../src/report/colors.ts';
import { MeshSkinning } from '../three/mesh-skinning.ts';

/** How a surface is painted. */
export type Look = keyof typeof MATERIALS;

/** A GLB of a report page as something to look at: in one colour, or in the colours of its errors. */
export interface Shown {
  root: Object3D;
  clips: readonly { name: string; seconds: number }[];
  /** Whether its vertices know their errors. */
  hasErrors: boolean;
  pose(clip: number, seconds: number): void;
  paint(look: Look): void;
  /** What it takes up over all clips. */
  reach(): Box3;
}

const MATERIALS = {
  clay: () => new MeshStandardMaterial({ color: 0xb8b4aa, roughness: 0.75, side: DoubleSide }),
  errors: () => new MeshStandardMaterial({ vertexColors: true, roughness: 1, side: DoubleSide }),
};

const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);

export async function loadShown(glb: ArrayBuffer): Promise<Shown> {
  const gltf = await loader.parseAsync(glb, '');
  const root = gltf.scene;
  const meshes: Mesh[] = [];
  root.traverse((object) => {
    if (object instanceof Mesh) meshes.push(object);
  });
  for (const mesh of meshes) {
    mesh.frustumCulled = false;
    mesh.material = MATERIALS.clay();
    colourErrors(mesh.geometry);
    if (mesh instanceof SkinnedMesh && mesh.geometry.attributes._mix) new MeshSkinning(mesh, 'mix');
  }
  const frames = meshes.flatMap((mesh) =>
    mesh.morphTargetInfluences && !(mesh instanceof SkinnedMesh) ? [framesOf(mesh, gltf)] : [],
  );
  const mixer = new AnimationMixer(root);
  const actions = gltf.animations.map((clip) => mixer.clipAction(clip));
  let playing: number | undefined;
  const pose = (clip: number, seconds: number): void => {
    for (const play of frames) play(seconds);
    if (frames.length > 0 || !actions[clip]) return;
    if (playing !== clip) {
      mixer.stopAllAction();
      actions[clip].play();
      playing = clip;
    }
    // The end of a clip is its last key, not its first again.
    mixer.setTime(Math.max(0, Math.min(seconds, actions[clip].getClip().duration - 1e-6)));
  };
  return {
    root,
    clips: gltf.animations.map(({ name, duration }) => ({ name, seconds: duration })),
    hasErrors: meshes.some(({ geometry }) => geometry.attributes.color !== undefined),
    pose,
    paint(look) {
      for (const mesh of meshes) {
        for (const material of [mesh.material].flat()) material.dispose();
        mesh.material = MATERIALS[mesh.geometry.attributes.color ? look : 'clay']();
      }
    },
    reach() {
      const box = new Box3();
      const clips = gltf.animations.length > 0 ? gltf.animations : [{ duration: 0 }];
      for (const [c, { duration }] of clips.entries()) {
        for (let sample = 0; sample < SAMPLES; sample++) {
          pose(c, (duration * sample) / SAMPLES);
          root.updateMatrixWorld(true);
          for (const mesh of meshes) addVertices(box, mesh);
        }
      }
      return box;
    },
  };
}

/** Several files as one. */
export function together(all: readonly Shown[]): Shown {
  return {
    root: new Group().add(...all.map(({ root }) => root)),
    clips: all.find(({ clips }) => clips.length > 0)?.clips ?? [],
    hasErrors: all.some(({ hasErrors }) => hasErrors),
    pose(clip, seconds) {
      for (const shown of all) shown.pose(clip, seconds);
    },
    paint(look) {
      for (const shown of all) shown.paint(look);
    },
    reach: () => all.reduce((box, shown) => box.union(shown.reach()), new Box3()),
  };
}

/** Moments of a clip, and vertices of a mesh, that say how far it reaches. */
const SAMPLES = 8;
const SAMPLED = 1000;

function addVertices(box: Box3, mesh: Mesh): void {
  const point = new Vector3();
  const { count } = mesh.geometry.attributes.position;
  for (let i = 0; i < count; i += Math.ceil(count / SAMPLED)) {
    box.expandByPoint(mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld));
  }
}

/** `_error`, 0…1, as colours of the report's scale. */
function colourErrors(geometry: BufferGeometry): void {
  geometry.deleteAttribute('color');
  const errors = geometry.attributes._error;
  if (!errors) return;
  const colours = new Float32Array(3 * errors.count);
  for (let i = 0; i < errors.count; i++) heatInto(colours, 3 * i, errors.getX(i));
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
}

/**
 * Plays a sequence of frames that are stored as morph targets, one per frame. Shaders take too few targets for that, and
 * normals follow the surface only where it is known as it is.
 */
function framesOf(mesh: Mesh, { animations: [clip] }: GLTF): (seconds: number) => void {
  const { geometry } = mesh;
  const { position: targets = [] } = geometry.morphAttributes;
  const times = clip?.tracks[0].times ?? [0];
  const rest = Float32Array.from({ length: 3 * targets[0].count }, (_, c) =>
    geometry.attributes.position.getComponent(Math.floor(c / 3), c % 3),
  );
  const positions = new BufferAttribute(rest.slice(), 3);
  geometry.morphAttributes = {};
  mesh.morphTargetInfluences = undefined;
  geometry.setAttribute('position', positions);
  return (seconds) => {
    let k = 0;
    while (k + 2 < times.length && times[k + 1] <= seconds) k++;
    const next = Math.min(k + 1, targets.length - 1);
    const share = next > k ? Math.min(1, Math.max(0, (seconds - times[k]) / (times[next] - times[k]))) : 0;
    const [a, b] = [targets[k], targets[next]];
    for (let c = 0; c < rest.length; c++) {
      const [i, axis] = [Math.floor(c / 3), c % 3];
      const [from, to] = [a.getComponent(i, axis), b.getComponent(i, axis)];
      positions.array[c] = rest[c] + from + share * (to - from);
    }
    positions.needsUpdate = true;
    geometry.computeVertexNormals();
  };
}
