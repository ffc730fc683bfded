import {
  AnimationMixer,
  DataTexture,
  EquirectangularReflectionMapping,
  FloatType,
  type Material,
  Matrix3,
  Matrix4,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  SkinnedMesh,
  type Texture,
} from 'three';
import { LightEnvironment, SkinnedCrowd, useLight, useSkinning } from '../../../adapters/three/index.ts';
import type { LightPath } from '../../../adapters/three/light/light-material.ts';
import { LightBase, turnVectors } from '../../../src/light/base.ts';
import { floorTransfer } from '../../../src/light/floor.ts';
import { boneRotation } from '../../../src/light/pose-features.ts';
import { addResidual, ResidualPose } from '../../../src/light/residual.ts';
import { clipFrame } from '../../../src/model/skeleton.ts';
import { poseOfClip } from '../../../src/skin/choose-poses.ts';
import { captureMaterial, captureVertices } from './capture.ts';
import { camera, figure, loadBaked, picture, randomLight, renderer, scene } from './light-figure.ts';

/** `useLight` against the library, vertex by vertex. */

type Nine = Parameters<Matrix3['set']>;

const RED_GREEN_BLUE = ['x', 'y', 'z'] as const;

export interface LightErrors {
  /** Root mean square difference and mean value of the light, of what is hidden from gloss. */
  light: number;
  mean: number;
  hidden: number;
  /** Of the part that is left of ambient light. */
  left: number;
}

/** A pose of the figure, lit by both. */
function compare(path: LightPath, turn: number, operator?: 'dqs'): LightErrors {
  const { model, three } = figure();
  scene.clear().add(three.mesh);
  three.mesh.position.set(0.5, 0.1, -0.3);
  three.mesh.rotation.y = 0.7;
  const clip = model.clips[0];
  three.pose(clipFrame(clip, 5));
  const environment = new LightEnvironment(randomLight(3));
  environment.rotation.set(0.2, turn, 0);
  environment.intensity = 1.5;
  const skinning = operator && useSkinning(three.mesh, operator);
  const light = useLight(three.mesh, environment, { path, spheres: 40 });
  const { count } = three.mesh.geometry.getAttribute('position');
  // Matcaps are not lit: they compile sooner.
  const capture = (value: string, material: Material = new MeshStandardMaterial()): Float32Array => {
    const capturing = captureMaterial(count, value, material);
    const values = captureVertices(renderer, scene, three.mesh, value, capturing);
    capturing.dispose();
    return values;
  };
  const matcap = () => new MeshMatcapMaterial();
  const positions = capture('( modelMatrix * vec4( transformed, 1.0 ) ).xyz', matcap());
  const normals = capture('normalize( ( vec4( transformedNormal, 0.0 ) * viewMatrix ).xyz )', matcap());
  const lit = capture('vPliantLit0.rgb');
  // The vertex shader's function is that of the pass, whose materials compile sooner.
  const all = path === 'pass';
  const left = all ? capture('vPliantLit0.www') : undefined;
  const hidden = all && [
    capture('vPliantLit1.xyz'),
    capture('vec3( vPliantLit1.w, vPliantLit2.xy )'),
    capture('vec3( vPliantLit2.zw, vPliantLit3.x )'),
  ];

  // The same on the CPU. Frames of bones are those of the mesh, turned by it.
  const bones = model.skeleton.parents.length;
  const frames = new Float64Array(9 * bones);
  const world = new Float32Array(12 * bones);
  three.mesh.skeleton.bones.forEach((bone, j) => {
    const m = bone.matrixWorld.clone().multiply(three.mesh.skeleton.boneInverses[j]).elements;
    for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) world[12 * j + 4 * r + c] = m[4 * c + r];
    boneRotation(frames, 9 * j, world, j);
  });
  const { influences, joints } = model.weights;
  const vertexOf = model.mesh.seams?.vertexOf;
  const groupOf = Uint16Array.from({ length: count }, (_, v) => joints[influences * (vertexOf ? vertexOf[v] : v)]);
  const base = new LightBase({ groupOf, groups: bones, spheres: 40 });
  const out = { transfer: new Float32Array(25 * count), visibility: new Float32Array(25 * count) };
  base.run(positions, normals, light.spheres.posed, frames, out);
  const transfer = turnVectors(5, out.transfer, groupOf, frames);
  base.bounceFactors = undefined;
  const none = { transfer: new Float32Array(25 * count), visibility: new Float32Array(25 * count) };
  base.run(positions, normals, { ...light.spheres.posed, count: 0 }, frames, none);
  const dark = turnVectors(
    5,
    none.visibility.map((x, c) => x - out.visibility[c]),
    groupOf,
    frames,
  );
  base.run(positions, normals, light.spheres.posed, frames, none);

  const errors = { light: 0, mean: 0, hidden: 0, left: 0 };
  for (let v = 0; v < count; v++) {
    RED_GREEN_BLUE.forEach((axis, c) => {
      let sum = 0;
      for (let q = 0; q < 25; q++) sum += transfer[25 * v + q] * environment.turned[q][axis];
      errors.light += (Math.max(0, sum) - lit[3 * v + c]) ** 2 / (3 * count);
      errors.mean += sum / (3 * count);
    });
    if (!left || !hidden) continue;
    for (let q = 0; q < 9; q++) {
      errors.hidden += (dark[25 * v + q] - hidden[Math.floor(q / 3)][3 * v + (q % 3)]) ** 2 / (9 * count);
    }
    errors.left += (none.transfer[25 * v] * Math.sqrt(4 * Math.PI) - left[3 * v]) ** 2 / count;
  }
  for (const name of ['light', 'hidden', 'left'] as const) errors[name] = Math.sqrt(errors[name]);
  light.dispose();
  skinning?.dispose();
  return errors;
}

export interface BakedErrors extends Omit<LightErrors, 'left'> {
  /** What the bake changes of light, and of what is hidden. */
  residual: number;
  gloss: number;
  meshes: number;
}

/** Baked light in a shader against the library: root mean square difference, mean, and what the bake changes. */
async function baked(path: LightPath): Promise<BakedErrors> {
  const { gltf, model } = await loadBaked();
  const time = model.clips[0].times[7];
  const mixer = new AnimationMixer(gltf.scene);
  const clip = gltf.animations.find(({ name }) => name === 'wave')!;
  mixer.clipAction(clip).play();
  mixer.setTime(time);
  gltf.scene.position.set(0.3, 0.2, -0.4);
  gltf.scene.rotation.set(0.1, 0.9, 0.2);
  gltf.scene.scale.setScalar(1.7);
  gltf.scene.updateMatrixWorld(true);
  scene.clear().add(gltf.scene);
  let mesh!: SkinnedMesh;
  gltf.scene.traverse((object) => {
    if (object instanceof SkinnedMesh) mesh = object;
  });
  const environment = new LightEnvironment(randomLight(3));
  environment.rotation.set(0.2, 0.4, 0);
  const light = useLight(gltf.scene, environment, { path });
  const { count } = mesh.geometry.getAttribute('position');
  const capture = (value: string, material: Material): Float32Array => {
    const capturing = captureMaterial(count, value, material);
    const values = captureVertices(renderer, scene, mesh, value, capturing);
    capturing.dispose();
    return values;
  };
  const positions = capture('( modelMatrix * vec4( transformed, 1.0 ) ).xyz', new MeshMatcapMaterial());
  const normals = capture('normalize( ( vec4( transformedNormal, 0.0 ) * viewMatrix ).xyz )', new MeshMatcapMaterial());
  const lit = capture('vPliantLit0.rgb', new MeshStandardMaterial());
  const dark = [
    'vPliantLit1.xyz',
    'vec3( vPliantLit1.w, vPliantLit2.xy )',
    'vec3( vPliantLit2.zw, vPliantLit3.x )',
  ].map((value) => capture(value, new MeshStandardMaterial()));

  // The same on the CPU, in the world; the pose by the library's own reader.
  const { residual, bounceFactors } = model.light!;
  const { bones, groupOf, diffuse, visibility } = residual!;
  const [{ transforms }] = poseOfClip([model], 'wave', time).parts;
  const pose = new ResidualPose(residual!);
  pose.set(transforms);
  const turn = new Matrix4().makeRotationFromEuler(gltf.scene.rotation);
  const frames = new Float64Array(9 * bones.length);
  bones.forEach((bone, g) => {
    const own = new Float64Array(9);
    boneRotation(own, 0, transforms, bone);
    const turned = new Matrix3().setFromMatrix4(turn).multiply(new Matrix3().set(...(own as unknown as Nine)));
    frames.set(turned.transpose().elements, 9 * g);
  });
  const vertexOf = model.mesh.seams?.vertexOf;
  const rowOf = Uint16Array.from({ length: count }, (_, v) => (vertexOf ? vertexOf[v] : v));
  const groups = rowOf.map((row) => groupOf[row]);
  const base = new LightBase({ groupOf: groups, groups: bones.length, spheres: light.spheres.posed.count });
  base.bounceFactors = bounceFactors;
  const plain = new Float32Array(25 * count);
  const [seen, open] = [new Float32Array(25 * count), new Float32Array(25 * count)];
  base.run(positions, normals, { ...light.spheres.posed, count: 0 }, frames, { transfer: plain, visibility: open });
  base.run(positions, normals, light.spheres.posed, frames, { transfer: plain, visibility: seen });
  const more = new Float32Array(25 * groupOf.length);
  addResidual(more, groupOf, visibility!, pose.visibility!);
  const moreOf = (c: number): number => more[25 * rowOf[Math.floor(c / 25)] + (c % 25)];
  const hidden = turnVectors(
    5,
    open.map((x, c) => x - seen[c] - moreOf(c)),
    groups,
    frames,
  );
  const added = new Float32Array(25 * groupOf.length);
  addResidual(added, groupOf, diffuse, pose.diffuse);
  const transfer = turnVectors(
    5,
    plain.map((x, c) => x + added[25 * rowOf[Math.floor(c / 25)] + (c % 25)]),
    groups,
    frames,
  );
  turnVectors(5, plain, groups, frames, plain);
  const errors = { light: 0, mean: 0, residual: 0, hidden: 0, gloss: 0, meshes: light.baked.length };
  for (let v = 0; v < count; v++) {
    RED_GREEN_BLUE.forEach((axis, c) => {
      let [sum, without] = [0, 0];
      for (let q = 0; q < 25; q++) {
        sum += transfer[25 * v + q] * environment.turned[q][axis];
        without += plain[25 * v + q] * environment.turned[q][axis];
      }
      errors.light += (Math.max(0, sum) - lit[3 * v + c]) ** 2 / (3 * count);
      errors.residual += (sum - without) ** 2 / (3 * count);
      errors.mean += sum / (3 * count);
    });
    for (let q = 0; q < 9; q++) {
      errors.hidden += (hidden[25 * v + q] - dark[Math.floor(q / 3)][3 * v + (q % 3)]) ** 2 / (9 * count);
      errors.gloss += moreOf(25 * v + q) ** 2 / (9 * count);
    }
  }
  for (const name of ['light', 'residual', 'hidden', 'gloss'] as const) errors[name] = Math.sqrt(errors[name]);
  light.dispose();
  return errors;
}

/** The shade of a floor, against the library's. */
function floor(): { error: number; darkest: number; border: number } {
  const { three } = figure();
  scene.clear().add(three.mesh);
  three.mesh.updateMatrixWorld(true);
  const environment = new LightEnvironment(randomLight(5));
  const light = useLight(three.mesh, environment, { floor: { resolution: 24, size: 3 } });
  scene.add(light.floor!);
  renderer.render(scene, camera);
  const pixels = light.floor!.readShade(renderer);
  const { x, z } = light.spheres.centre;
  const floor = { centre: [x, light.floor!.height, z], size: 3, resolution: 24 };
  const transfer = floorTransfer(floor, light.spheres.posed);
  const free = floorTransfer(floor, { ...light.spheres.posed, count: 0 });
  const shade = (of: Float32Array, p: number, axis: (typeof RED_GREEN_BLUE)[number]): number => {
    let sum = 0;
    for (let q = 0; q < 25; q++) sum += of[25 * p + q] * environment.turned[q][axis];
    return sum;
  };
  let error = 0;
  let darkest = 1;
  let border = 0;
  for (let p = 0; p < 24 * 24; p++) {
    const column = (p % 24) - 11.5;
    const row = Math.floor(p / 24) - 11.5;
    const far = Math.hypot(column, row) / 12;
    RED_GREEN_BLUE.forEach((axis, c) => {
      const left = Math.min(1, shade(transfer, p, axis) / shade(free, p, axis));
      const found = pixels[4 * p + c];
      darkest = Math.min(darkest, found);
      if (far < 0.7) error = Math.max(error, Math.abs(left - found));
      if (far > 1) border = Math.max(border, Math.abs(1 - found));
    });
  }
  light.dispose();
  return { error, darkest, border };
}

const held = () => ({ ...renderer.info.memory, programs: renderer.info.programs!.length });

/** What the renderer holds before, while and after a character is lit; and whether the material is as it was. */
function memory(path: LightPath) {
  const { three } = figure();
  scene.clear().add(three.mesh);
  const material = three.mesh.material as MeshStandardMaterial;
  const { onBeforeCompile } = material;
  const own = three.mesh.onBeforeRender;
  renderer.render(scene, camera);
  const before = held();
  const light = useLight(three.mesh, randomLight(7), { path, floor: true });
  scene.add(light.floor!);
  renderer.render(scene, camera);
  const during = held();
  light.dispose();
  renderer.render(scene, camera);
  const after = held();
  three.mesh.geometry.dispose();
  return {
    before,
    during,
    after,
    restored: material.onBeforeCompile === onBeforeCompile && three.mesh.onBeforeRender === own,
  };
}

/** A lit material of each kind, with and without light; two characters of one material; the environment turned. */
function materials(path: LightPath): Record<string, { dark: number; lit: number }> {
  const kinds: Record<string, Material> = {
    standard: new MeshStandardMaterial(),
    physical: new MeshPhysicalMaterial({ clearcoat: 0.5, envMap: pixel() }),
    phong: new MeshPhongMaterial(),
    lambert: new MeshLambertMaterial({ side: 2 }),
    toon: new MeshToonMaterial(),
    bumpy: new MeshStandardMaterial({ normalMap: pixel(), flatShading: false }),
    flat: new MeshStandardMaterial({ flatShading: true }),
  };
  const out: Record<string, { dark: number; lit: number }> = {};
  for (const [name, material] of Object.entries(kinds)) {
    // What a vertex shader computes takes long to compile here.
    if (path === 'vertex' && name !== 'phong') continue;
    const { three } = figure();
    three.mesh.material = material;
    scene.clear().add(three.mesh);
    const dark = picture()[1];
    const light = useLight(three.mesh, randomLight(2), { path });
    out[name] = { dark, lit: picture()[1] };
    light.dispose();
  }
  return out;
}

function pixel(): Texture {
  const texture = new DataTexture(new Float32Array([0.5, 0.5, 1, 1]), 1, 1, undefined, FloatType);
  texture.mapping = EquirectangularReflectionMapping;
  texture.needsUpdate = true;
  return texture;
}

/** Two characters of one material: alone, beside each other, one in another light. */
function together(path: LightPath) {
  const material = new MeshStandardMaterial();
  const [a, b] = [figure().three.mesh, figure().three.mesh];
  a.material = material;
  b.material = material;
  const red = Float32Array.from({ length: 75 }, (_, c) => (c === 0 ? 2 : 0));
  const blue = Float32Array.from({ length: 75 }, (_, c) => (c === 50 ? 2 : 0));
  a.position.x = -0.5;
  b.position.x = 0.5;
  scene.clear().add(a, b);
  const own = [useLight(a, red, { path }), useLight(b, blue, { path })];
  const apart = picture();
  for (const light of own) light.dispose();
  const shared = new LightEnvironment(red);
  const both = [useLight(a, shared, { path }), useLight(b, shared, { path })];
  const near = picture();
  b.position.x = 0.15;
  const nearer = picture();
  const count = both[0].environment.characters.size;
  for (const light of both) light.dispose();
  return { apart, near, nearer, count, left: shared.characters.size };
}

/** The light of an environment that is bright on one side follows its rotation. */
function turned(path: LightPath) {
  const { three } = figure();
  scene.clear().add(three.mesh);
  // Bright towards the camera (z, number 2), dark behind.
  const sided = Float32Array.from({ length: 75 }, (_, c) => (c % 25 === 0 ? 2 : c % 25 === 2 ? 1.5 : 0));
  const light = useLight(three.mesh, sided, { path });
  const front = picture()[0];
  light.rotation.y = Math.PI;
  const back = picture()[0];
  light.rotation.y = 2 * Math.PI;
  const again = picture()[0];
  light.intensity = 0;
  const off = picture()[0];
  light.dispose();
  return { front, back, again, off };
}

/** The only instance of a crowd beside the character itself: pictures in the same light, and without shadows. */
async function crowd() {
  const { gltf } = await loadBaked();
  const material = new MeshLambertMaterial();
  gltf.scene.traverse((object) => {
    if (object instanceof SkinnedMesh) object.material = material;
  });
  const clip = gltf.animations.find(({ name }) => name === 'wave')!;
  const place = new Matrix4().makeRotationY(0.6).setPosition(0.2, 0.1, -0.3);
  const rate = 12;
  const time = clip.duration / Math.ceil(clip.duration * rate - 1e-6);
  const many = new SkinnedCrowd(gltf.scene, { clips: [clip], rate });
  many.play(many.addInstance(place), clip.name, { time });
  const environment = new LightEnvironment(randomLight(3));
  scene.clear().add(many);
  const dark = picture();
  const options = { spheres: 16, directions: 16 };
  const light = useLight(many, environment, options);
  const crowded = picture();
  many.setPoseAt(0);
  const live = picture();
  light.dispose();
  const after = picture();
  many.dispose();

  // The same alone.
  const mixer = new AnimationMixer(gltf.scene);
  gltf.scene.applyMatrix4(place);
  scene.clear().add(gltf.scene);
  const own = { path: 'vertex', baked: false, ...options } as const;
  const resting = useLight(gltf.scene, environment, own);
  const rest = picture();
  mixer.clipAction(clip).play();
  mixer.setTime(time);
  const alone = picture();
  resting.dispose();
  return { dark, after, crowded, alone, live, rest };
}

Object.assign(globalThis, { compare, baked, floor, memory, materials, together, turned, crowd });
