import {
  AmbientLight,
  AnimationMixer,
  Bone,
  Box3,
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DirectionalLight,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshPhongMaterial,
  MeshStandardMaterial,
  NearestFilter,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  Skeleton,
  SkinnedMesh,
  Vector3,
  WebGLRenderer,
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { GeometryImageLoaderPlugin, GeometryImageMesh, type ImageParser } from '../../../adapters/three/index.ts';
import { baseComplex } from '../../../src/lod/images/base-complex.ts';
import { Stitcher, stitchedMesh, stitchedNormals, stitchedPositions } from '../../../src/lod/images/stitch.ts';
import type { GeometryImages } from '../../../src/model/geometry-images.ts';
import { madeImages } from '../../lod/made-images.ts';
import { icosphere } from '../../mesh/shapes.ts';
import { difference, pixelsOf } from './pictures.ts';

/** Geometry images drawn by the shader, and the same as plain meshes that the library has sewn: as pictures. */

const SIZE = 192;
const renderer = new WebGLRenderer();
renderer.shadowMap.enabled = true;
renderer.setSize(SIZE, SIZE);
const camera = new PerspectiveCamera(40, 1, 0.1, 50);
camera.position.set(0, 0.6, 4);
camera.lookAt(0, 0, 0);
camera.updateMatrixWorld(true);

const checks = new DataTexture(
  new Uint8Array([255, 160, 0, 255, 0, 90, 90, 255, 0, 90, 90, 255, 255, 160, 0, 255]),
  2,
  2,
);
checks.magFilter = NearestFilter;
checks.wrapS = checks.wrapT = 1000;
checks.needsUpdate = true;

const MATERIALS = {
  basic: () => new MeshBasicMaterial({ map: checks }),
  phong: () => new MeshPhongMaterial({ color: 'orange', shininess: 60 }),
  standard: () => new MeshStandardMaterial({ map: checks, roughness: 0.5 }),
  depth: () => new MeshDepthMaterial(),
};
export type ImageMaterialName = keyof typeof MATERIALS;

const light = new DirectionalLight('white', 3);
light.position.set(2, 4, 5);
light.castShadow = true;
const wall = new Mesh(new PlaneGeometry(8, 8), new MeshStandardMaterial({ color: 'white' }));
wall.position.z = -1.5;
wall.receiveShadow = true;

function picture(objects: Object3D[]): Uint8Array {
  const scene = new Scene();
  scene.add(...objects, light, wall, new AmbientLight('white', 0.5));
  return pixelsOf(renderer, scene, camera, SIZE);
}

function bones(): Skeleton {
  const made = [0, 1, 2].map(() => new Bone());
  const skeleton = new Skeleton(
    made,
    made.map(() => new Matrix4()),
  );
  made.forEach((bone, b) => {
    bone.rotation.set(0.3 * b, 0.2 - 0.4 * b, 0.2 * b);
    bone.position.set(0.2 * b, -0.1 * b, 0.1);
    bone.updateMatrixWorld(true);
  });
  return skeleton;
}

/** What the shader should draw with these words, put together on the CPU. */
function plain(images: GeometryImages, material: Material, skeleton: Skeleton | undefined): Mesh {
  const words = new Uint32Array(images.depths.length);
  new Stitcher(baseComplex(images.corners)).sew(current!.levels, words);
  const stitched = stitchedMesh(images, words);
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(stitched.triangles, 1));
  geometry.setAttribute('position', new BufferAttribute(stitchedPositions(images, stitched), 3));
  geometry.setAttribute('normal', new BufferAttribute(stitchedNormals(images, stitched), 3));
  const n = stitched.texels.length;
  const uvs = new Float32Array(2 * n);
  const joints = new Uint16Array(4 * n);
  const weights = new Float32Array(4 * n);
  stitched.texels.forEach((t, v) => {
    const level = images.levels[stitched.levels[v]];
    const { origin, step } = images.uvs!;
    uvs[2 * v] = origin[0] + step[0] * level.uvs![2 * t];
    uvs[2 * v + 1] = 1 - (origin[1] + step[1] * level.uvs![2 * t + 1]);
    for (let c = 0; c < 4 && level.joints; c++) {
      joints[4 * v + c] = level.joints[4 * t + c];
      weights[4 * v + c] = level.weights![4 * t + c] / 65535;
    }
  });
  geometry.setAttribute('uv', new BufferAttribute(uvs, 2));
  if (!skeleton) return new Mesh(geometry, material);
  geometry.setAttribute('skinIndex', new BufferAttribute(joints, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4));
  const mesh = new SkinnedMesh(geometry, material);
  mesh.bind(skeleton, new Matrix4());
  mesh.frustumCulled = false;
  return mesh;
}

let current: GeometryImageMesh | undefined;

function compare(name: ImageMaterialName, skin: boolean, pixels: number) {
  const images = madeImages(icosphere(1), 4, { skin, uvs: true });
  const random = images.errors.map((_, q) => 0.1 / 2 ** (q % 4) / (1 + (Math.floor(q / 4) % 5)));
  images.errors.set(random);
  images.groupOf = Uint16Array.from(images.depths, (_, p) => p % 2);
  images.groups = [{ name: 'a' }, { name: 'b' }];
  const skeleton = skin ? bones() : undefined;
  const material = MATERIALS[name]();
  const mesh = new GeometryImageMesh(images, material, { pixels, ...(skeleton && { skeleton }) });
  mesh.viewportHeight = SIZE;
  mesh.castShadow = mesh.receiveShadow = true;
  current = mesh;
  const drawn = picture([mesh]);
  const { calls } = renderer.info.render;
  const reference = plain(images, material, skeleton);
  reference.castShadow = reference.receiveShadow = true;
  const expected = picture([reference]);
  const empty = picture([]);
  const result = {
    apart: difference(drawn, expected),
    covered: difference(empty, expected),
    levels: new Set(mesh.levels).size,
    calls,
    triangles: mesh.triangles,
  };
  mesh.dispose();
  reference.geometry.dispose();
  return result;
}

function memory() {
  const held = () => ({ ...renderer.info.memory });
  const once = () => {
    const mesh = new GeometryImageMesh(madeImages(icosphere(1), 3, { uvs: true }), MATERIALS.standard());
    picture([mesh]);
    const during = held();
    mesh.dispose();
    picture([]);
    return during;
  };
  once(); // what the page keeps: shadow map, texture
  const before = held();
  const during = once();
  return { before, during, after: held() };
}

/** A file with images, as the plugin draws it and as three.js does without. */
async function loaded(bytes: number[]) {
  const load = async (plugin: boolean) => {
    const loader = new GLTFLoader();
    if (plugin)
      loader.register((parser) => new GeometryImageLoaderPlugin(parser as unknown as ImageParser, { pixels: 0.2 }));
    const gltf = await loader.parseAsync(Uint8Array.from(bytes).buffer, '');
    // In a pose of its first clip, and in view.
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).play();
    mixer.setTime(0.4);
    gltf.scene.updateMatrixWorld(true);
    const holder = new Group().add(gltf.scene);
    return { holder, made: (gltf.userData.geometryImages ?? []) as GeometryImageMesh[] };
  };
  const [ours, theirs] = [await load(true), await load(false)];
  const box = new Box3().setFromObject(theirs.holder, true);
  const scale = 2.2 / box.getSize(new Vector3()).length();
  for (const { holder } of [ours, theirs]) {
    holder.scale.setScalar(scale);
    holder.position.copy(box.getCenter(new Vector3())).multiplyScalar(-scale);
    holder.updateMatrixWorld(true);
  }
  const [drawn, expected, empty] = [picture([ours.holder]), picture([theirs.holder]), picture([])];
  return {
    apart: difference(drawn, expected, 40),
    covered: difference(empty, expected),
    made: ours.made.length,
    levels: new Set(ours.made.flatMap(({ levels }) => [...levels])).size,
  };
}

Object.assign(globalThis, { compare, memory, loaded });
