import {
  AmbientLight,
  DirectionalLight,
  type Group,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  PointLight,
  Scene,
  SpotLight,
  Vector3,
  WebGLRenderer,
} from 'three';
import { clone } from 'three/examples/jsm/utils/SkeletonUtils.js';
import { type LodMesh, SkinnedCrowd } from '../../../adapters/three/index.ts';
import { type CrowdCharacter, crowdCharacter } from '../../../bench/engines/crowd-character.ts';
import { poseAt } from '../../three-pose.ts';
import { difference, pixelsOf } from './pictures.ts';

/** A crowd and clones of its character, each with its own bones, in the same places, poses and levels: as pictures. */

const SIZE = 192;
const renderer = new WebGLRenderer();
renderer.shadowMap.enabled = true;
renderer.setSize(SIZE, SIZE);
const camera = new PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 3, 6);
camera.lookAt(0, 1, -2);
camera.updateMatrixWorld(true);

const MATERIALS = {
  basic: () => new MeshBasicMaterial({ color: 'orange' }),
  lambert: () => new MeshLambertMaterial({ color: 'orange' }),
  phong: () => new MeshPhongMaterial({ color: 'orange', shininess: 60 }),
  toon: () => new MeshToonMaterial({ color: 'orange' }),
  standard: () => new MeshStandardMaterial({ color: 'orange', roughness: 0.4 }),
  physical: () => new MeshPhysicalMaterial({ color: 'orange', clearcoat: 1, roughness: 0.3 }),
  groups: () => [new MeshStandardMaterial({ color: 'orange' }), new MeshPhongMaterial({ color: 'teal' })],
};
export type MaterialName = keyof typeof MATERIALS;

const LIGHTS = {
  directional: () => new DirectionalLight('white', 3),
  spot: () => new SpotLight('white', 600, 0, 0.6),
  point: () => new PointLight('white', 200),
};
export type LightName = keyof typeof LIGHTS;

/** How instances get their poses: from clips, from the character itself, or from clips that are about to fade to others. */
export type PoseWay = 'played' | 'live' | 'fading';

const ROWS = 5;
/** The picture's height that levels are chosen for: high enough that all of them are used. */
const HEIGHT = 290;

/** Out of view, and before the light. */
const ABOVE = [1.5, 6, 3] as const;

let made: Promise<CrowdCharacter> | undefined;
async function character(material: Material | Material[]): Promise<CrowdCharacter> {
  const loaded = await (made ??= crowdCharacter(1200, 5));
  loaded.lod.mesh.material = material;
  for (const { geometry } of loaded.lod.levels) {
    geometry.clearGroups();
    const half = 3 * Math.floor(geometry.index!.count / 6);
    geometry.addGroup(0, half, 0);
    geometry.addGroup(half, geometry.index!.count - half, 1);
  }
  return loaded;
}

/** Where instance n stands. */
const placeOf = (n: number): Matrix4 =>
  new Matrix4()
    .makeRotationY(n)
    .scale(new Vector3().setScalar(1.5 - 0.05 * n))
    .setPosition(1.6 * ((n % ROWS) - 2), 0, -4 * Math.floor(n / ROWS));

function picture(objects: Object3D[], light: Object3D): Uint8Array {
  const scene = new Scene();
  light.position.set(3, 9, 4);
  scene.add(...objects, light, new AmbientLight('white', 0.4));
  return pixelsOf(renderer, scene, camera, SIZE);
}

/** A crowd of 15 that play, and clones that do the same at the levels that the crowd has chosen. */
function bothOf(
  { scene, clips }: CrowdCharacter,
  rate: number,
  way: PoseWay = 'played',
): { crowd: SkinnedCrowd; clones: Group[] } {
  const crowd = new SkinnedCrowd(scene, { clips, rate });
  crowd.viewportHeight = HEIGHT;
  const times: [number, number][] = [];
  for (let n = 0; n < 3 * ROWS; n++) {
    const i = crowd.addInstance(placeOf(n));
    const clip = n % clips.length;
    const { duration } = clips[clip];
    // Stored, if there are 12 poses a second.
    const time = (duration * ((7 * n) % 23)) / 23;
    times.push([clip, time]);
    if (way === 'live') {
      const mixer = poseAt(scene, clips[clip], time);
      crowd.setPoseAt(i);
      mixer.stopAllAction();
    } else {
      crowd.play(i, clip, { time });
      if (way === 'fading') crowd.play(i, (clip + 1) % clips.length, { fade: 1 });
    }
  }
  crowd.update(camera);
  const clones = times.map(([clip, time], i) => {
    const copy = clone(scene) as Group;
    poseAt(copy, clips[clip], time);
    copy.matrixAutoUpdate = false;
    crowd.getMatrixAt(i, copy.matrix);
    copy.traverse((object) => {
      object.frustumCulled = false;
      if (!('isLOD' in object)) return;
      (object as LodMesh).autoUpdate = false;
      (object as LodMesh).show(crowd.getLevelAt(i));
    });
    return copy;
  });
  return { crowd, clones };
}

Object.assign(globalThis, {
  /** How far apart both pictures are, how much is not background, how many levels and calls it took. */
  async compare(name: MaterialName, rate: number, way: PoseWay) {
    const material = MATERIALS[name]();
    const { crowd, clones } = bothOf(await character(material), rate, way);
    const light = LIGHTS.directional();
    const ours = picture([crowd], light);
    const { calls } = renderer.info.render;
    const { drawn } = crowd;
    // The same material on meshes that three.js skins, while the crowd uses it and after.
    const shared = picture(clones, light);
    crowd.dispose();
    const expected = picture(clones, light);
    return {
      apart: difference(ours, expected),
      sharedApart: difference(shared, expected),
      covered: difference(expected, new Uint8Array(expected.length)),
      levels: drawn.instances.filter((count) => count > 0).length,
      calls,
    };
  },

  /** Shadows on the floor, of instances in view and of one above it. */
  async shadows(name: LightName) {
    const hidden = new MeshBasicMaterial({ colorWrite: false, depthWrite: false });
    const { crowd, clones } = bothOf(await character(hidden), 24);
    const above = crowd.addInstance(new Matrix4().setPosition(...ABOVE));
    const last = clone((await made)!.scene);
    last.position.set(...ABOVE);
    const floor = new Mesh(new PlaneGeometry(60, 60).rotateX(-Math.PI / 2), new MeshLambertMaterial());
    floor.receiveShadow = true;
    crowd.castShadow = true;
    const lightOf = () => {
      const light = LIGHTS[name]();
      light.castShadow = true;
      light.shadow.mapSize.setScalar(1024);
      if ('isDirectionalLight' in light) {
        const { shadow } = light as DirectionalLight;
        Object.assign(shadow.camera, { left: -12, right: 12, top: 12, bottom: -12 });
      }
      return light;
    };
    const ours = picture([crowd, floor], lightOf());
    const { drawn } = crowd;
    crowd.dispose();
    for (const each of [...clones, last]) {
      each.traverse((object) => {
        object.castShadow = true;
        object.frustumCulled = false;
        if ('isLOD' in object) (object as LodMesh).autoUpdate = false;
      });
    }
    (last.getObjectByProperty('type', 'LodMesh') as LodMesh).show(crowd.getLevelAt(above));
    const expected = picture([...clones, last, floor], lightOf());
    const without = picture([floor], lightOf());
    const unseen = picture([...clones, floor], lightOf());
    return {
      apart: difference(ours, expected, 40),
      covered: difference(expected, without, 40),
      above: difference(expected, unseen, 40),
      seen: drawn.instances.reduce((a, b) => a + b),
    };
  },

  /** What the renderer holds before a crowd, with it, with more of it, and after. */
  async memory() {
    const loaded = await character(MATERIALS.standard());
    const held = () => ({ ...renderer.info.memory, programs: renderer.info.programs!.length });
    const light = LIGHTS.directional();
    const before = held();
    const { crowd } = bothOf(loaded, 24);
    picture([crowd], light);
    const during = held();
    for (let n = 0; n < 200; n++) crowd.addInstance(placeOf(n % 15));
    for (let n = 0; n < 40; n++) crowd.setPoseAt(n);
    picture([crowd], light);
    const grown = held();
    crowd.dispose();
    (loaded.lod.mesh.material as Material).dispose();
    return { before, during, grown, after: held() };
  },
});
