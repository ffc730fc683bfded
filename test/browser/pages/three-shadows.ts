import {
  type BufferAttribute,
  DirectionalLight,
  type Light,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  PointLight,
  Scene,
  SpotLight,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { useSkinning } from '../../../adapters/three/index.ts';
import { clipFrame } from '../../../src/model/skeleton.ts';
import { makeSample } from '../../../src/samples.ts';
import { threeModel } from '../../three-mesh.ts';

/**
 * The shadow that the twisted box throws on a wall, as a picture of the wall alone: the box itself is not drawn. By
 * dual quaternions in the shaders, by linear blending, and by a mesh whose vertices were put where dual quaternions have
 * them.
 */

const SIZE = 128;
const LIGHTS = {
  directional: () => new DirectionalLight('white', 3),
  spot: () => new SpotLight('white', 60, 0, 0.8),
  point: () => new PointLight('white', 60),
};
export type LightName = keyof typeof LIGHTS;

const renderer = new WebGLRenderer();
renderer.shadowMap.enabled = true;

function shadowOf(object: Object3D, light: Light): Uint8Array {
  const scene = new Scene();
  const wall = new Mesh(new PlaneGeometry(6, 6), new MeshLambertMaterial());
  wall.position.set(0, 1, -1);
  wall.receiveShadow = true;
  light.position.set(0.5, 1.2, 5);
  light.castShadow = true;
  object.castShadow = true;
  scene.add(wall, object, light);
  if ('target' in light) {
    (light.target as Object3D).position.set(0, 1, 0);
    scene.add(light.target as Object3D);
  }
  const camera = new OrthographicCamera(-2, 2, 3, -1, 0.1, 10);
  camera.position.set(0, 0, 3);
  const target = new WebGLRenderTarget(SIZE, SIZE);
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  const pixels = new Uint8Array(4 * SIZE * SIZE);
  renderer.readRenderTargetPixels(target, 0, 0, SIZE, SIZE, pixels);
  target.dispose();
  return pixels;
}

/** The share of pixels, per cent, in which two pictures differ clearly. */
function difference(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let p = 0; p < a.length; p += 4) if (Math.abs(a[p] - b[p]) > 40) count++;
  return (100 * count) / (SIZE * SIZE);
}

Object.assign(globalThis, {
  /** How far the shadows of both are from that of the baked mesh, and how much of the wall that covers. */
  async shadows(name: LightName) {
    const { model } = await makeSample('box');
    const clip = model!.clips.find((c) => c.name === 'twist')!;
    const hidden = new MeshBasicMaterial({ colorWrite: false, depthWrite: false });
    const three = threeModel(model!, hidden);
    three.pose(clipFrame(clip, 44));
    const lbs = shadowOf(three.mesh, LIGHTS[name]());

    const skinning = useSkinning(three.mesh, 'dqs');
    const ours = shadowOf(three.mesh, LIGHTS[name]());
    const baked = new Mesh(three.mesh.geometry.clone(), hidden);
    const position = baked.geometry.getAttribute('position') as BufferAttribute;
    const point = baked.position.clone();
    for (let i = 0; i < position.count; i++) {
      three.mesh.getVertexPosition(i, point);
      position.setXYZ(i, point.x, point.y, point.z);
    }
    const expected = shadowOf(baked, LIGHTS[name]());
    skinning.dispose();
    const light = Math.max(...expected.filter((_, p) => p % 4 === 0));
    const covered = difference(
      expected,
      expected.map(() => light),
    );
    return { ours: difference(ours, expected), lbs: difference(lbs, expected), covered };
  },
});
