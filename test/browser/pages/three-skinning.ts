import {
  BufferAttribute,
  DataTexture,
  DirectionalLight,
  EquirectangularReflectionMapping,
  Group,
  type Material,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshDistanceMaterial,
  MeshLambertMaterial,
  MeshMatcapMaterial,
  MeshNormalMaterial,
  MeshPhongMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  MeshToonMaterial,
  OrthographicCamera,
  Scene,
  ShadowMaterial,
  WebGLRenderer,
} from 'three';
import { type ThreeOperator, useSkinning } from '../../../adapters/three/index.ts';
import { identity34 } from '../../../src/math/matrix34.ts';
import { diagonalOf } from '../../../src/mesh/bounds.ts';
import { vertexCount } from '../../../src/model/mesh.ts';
import { clipFrame, clipFrameCount } from '../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { SAMPLES, type SampleName } from '../../../src/sample-list.ts';
import { makeSample } from '../../../src/samples.ts';
import { continuousSigns } from '../../../src/skin/bones.ts';
import { skinPlain } from '../../../src/skin/plain.ts';
import { farthest, randomPose, randomRig } from '../../skin/rigs.ts';
import { type ThreeModel, threeModel } from '../../three-mesh.ts';
import { captureMaterial, captureVertices } from './capture.ts';

/** What the GPU makes of a rig under `useSkinning`, against the plain operators of the library. */

export interface Errors {
  /** Largest distance of a vertex, in diagonals of the rest pose. */
  position: number;
  /** Largest distance of a unit normal. */
  normal: number;
}

export interface RandomCase {
  seed: number;
  operator: ThreeOperator;
  scale?: number;
  mirror?: boolean;
  morphs?: boolean;
  /** Where the model stands, and how it is bound. */
  place?: 'scaled' | 'detached';
}

const renderer = new WebGLRenderer();
const scene = new Scene();
const camera = new OrthographicCamera();

/** What captures positions and normals of a mesh. A material blends by one operator. */
const capturing = ({ mesh }: ThreeModel) => {
  const { count } = mesh.geometry.getAttribute('position');
  return { positions: captureMaterial(count, 'transformed'), normals: captureMaterial(count, 'objectNormal') };
};

/** Positions and normals of the mesh, against those of the model in the same pose. */
function compare(
  three: ThreeModel,
  model: SkinnedModel,
  expected: { positions: Float64Array; normals?: Float64Array },
  materials = capturing(three),
): Errors {
  const { mesh } = three;
  const vertexOf = model.mesh.seams?.vertexOf;
  const positions = captureVertices(renderer, scene, mesh, 'transformed', materials.positions);
  const normals = captureVertices(renderer, scene, mesh, 'objectNormal', materials.normals);
  const errors: Errors = { position: 0, normal: 0 };
  for (let v = 0; v < positions.length / 3; v++) {
    const i = vertexOf ? vertexOf[v] : v;
    errors.position = Math.max(errors.position, apart(positions, v, expected.positions, i));
    errors.normal = Math.max(errors.normal, apart(normals, v, expected.normals!, v));
  }
  errors.position /= diagonalOf(model.mesh.positions);
  return errors;
}

const apart = (a: ArrayLike<number>, i: number, b: ArrayLike<number>, j: number): number =>
  Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]);

const WORST: Errors = { position: 0, normal: 0 };
const worse = (a: Errors, b: Errors): Errors => ({
  position: Math.max(a.position, b.position),
  normal: Math.max(a.normal, b.normal),
});

/** A few frames of each of a sample's clips, by the worst errors. Ends just short of 180°, where both ways are as short. */
async function sample(name: SampleName, operator: ThreeOperator, frames: number): Promise<Errors> {
  const { model } = await makeSample(name, { resolution: Math.max(300, SAMPLES[name].minResolution) });
  if (!model) throw new Error(`${name} is no rig`);
  model.mixWeights = Float32Array.from({ length: vertexCount(model.mesh) }, (_, i) => (i % 11) / 10);
  const three = threeModel(model);
  scene.clear().add(three.mesh);
  const skinning = useSkinning(three.mesh, operator);
  const materials = capturing(three);
  let errors = WORST;
  for (const clip of model.clips) {
    for (let f = 1; f <= frames; f++) {
      const transforms = clipFrame(clip, Math.floor((f / (frames + 0.2)) * (clipFrameCount(clip) - 1)));
      three.pose(transforms);
      errors = worse(errors, compare(three, model, skinPlain(model, transforms, { operator }), materials));
    }
  }
  skinning.dispose();
  return errors;
}

/** A random rig with every degenerate kind of weights, in a pose that turns bones by up to 180°. */
function random({ seed, operator, scale = 1, mirror = false, morphs = false, place }: RandomCase): Errors {
  const model = randomRig({ seed, vertices: 600, bones: 9 });
  const morphWeights = morphs ? Float32Array.from([0.7, -0.3]) : undefined;
  if (morphs) {
    model.morphs = [3, 5].map((step) => ({
      name: `${step}`,
      positions: model.mesh.positions.map((_, c) => 0.2 * Math.sin(step * c)),
    }));
  }
  const three = threeModel(model);
  if (morphWeights) three.mesh.morphTargetInfluences = [...morphWeights];
  if (place === 'detached') three.mesh.bindMode = 'detached';
  const root = new Group();
  scene.clear().add(root.add(three.mesh));
  if (place === 'scaled') {
    root.position.set(3, -2, 5);
    root.rotation.set(1, 2, 3);
    root.scale.setScalar(0.01);
  }
  const skinning = useSkinning(three.mesh, operator);
  const pose = randomPose(model, { seed: seed + 1, scale, mirror });
  three.pose(pose);
  const errors = compare(three, model, skinPlain(model, pose, { operator, morphWeights }));
  skinning.dispose();
  return errors;
}

/** A box whose upper end turns on and on, to 300°, drawn at every step without antipodality. */
async function longTurn(operator: ThreeOperator): Promise<Errors> {
  const { model } = await makeSample('box', { resolution: 300 });
  const three = threeModel(model!);
  scene.clear().add(three.mesh);
  const skinning = useSkinning(three.mesh, operator, { antipodality: false });
  const materials = capturing(three);
  const steps = 12;
  const poses = identity34(2 * (steps + 1));
  const signs = () => continuousSigns(poses, 2);
  let errors = WORST;
  for (let k = 0; k <= steps; k++) {
    const angle = (300 * Math.PI * k) / (180 * steps);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    poses.set([c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0], 12 * (2 * k + 1));
    const pose = poses.subarray(24 * k, 24 * (k + 1));
    three.pose(pose);
    renderer.render(scene, camera);
    if (k % 4 > 0) continue;
    const expected = skinPlain(model!, pose, {
      operator,
      antipodality: false,
      signs: signs().subarray(2 * k, 2 * k + 2),
    });
    errors = worse(errors, compare(three, model!, expected, materials));
  }
  skinning.dispose();
  return errors;
}

/** Largest distance of a vertex, in the world. */
function worldError({ mesh }: ThreeModel, expected: Float64Array): number {
  return farthest(captureVertices(renderer, scene, mesh, '(modelMatrix * vec4(transformed, 1.0)).xyz'), expected);
}

/** Two meshes on one skeleton, the second standing elsewhere: bones take both to the same place. */
function shared(operator: ThreeOperator): { errors: number[]; oneTexture: boolean; given: boolean } {
  const model = randomRig({ seed: 31, vertices: 300, bones: 6 });
  const first = threeModel(model);
  const second = threeModel(model);
  const { skeleton } = first.mesh;
  second.mesh.bind(skeleton, first.mesh.bindMatrix);
  second.mesh.position.set(1, 2, 3);
  second.mesh.rotation.set(0.4, 0, 0);
  second.mesh.updateMatrixWorld();
  scene.clear().add(first.mesh, second.mesh);
  const skinnings = [useSkinning(first.mesh, operator), useSkinning(second.mesh, operator)];
  const texture = skeleton.boneTexture;
  const pose = randomPose(model, { seed: 32, scale: 1.2 });
  const expected = skinPlain(model, pose, { operator }).positions;
  first.pose(pose);
  const errors = [worldError(first, expected), worldError(second, expected)];
  // The bones follow the first mesh; they have to do without it.
  skinnings[0].dispose();
  errors.push(worldError(second, expected));
  const oneTexture = skeleton.boneTexture === texture;
  skinnings[1].dispose();
  return { errors, oneTexture, given: Object.hasOwn(skeleton, 'update') };
}

/** A material shared with a mesh that three.js skins; then disposal: both are three.js's own again. */
function besides(): { neighbour: number; disposed: number; error: string } {
  const model = randomRig({ seed: 41, vertices: 200, bones: 5 });
  const material = new MeshStandardMaterial({ name: 'skin' });
  const ours = threeModel(model, material);
  const theirs = threeModel(model, material);
  scene.clear().add(ours.mesh, theirs.mesh);
  const pose = randomPose(model, { seed: 42 });
  const expected = skinPlain(model, pose, { operator: 'lbs' }).positions;
  const skinning = useSkinning(ours.mesh, 'dqs');
  ours.pose(pose);
  theirs.pose(pose);
  let error = 'none';
  try {
    useSkinning(theirs.mesh, 'sdqs');
  } catch (thrown) {
    error = String(thrown);
  }
  const captured = captureShared(ours, theirs);
  const neighbour = farthest(captured, expected);
  skinning.dispose();
  return { neighbour, disposed: worldError(ours, expected), error };
}

/** Draws both meshes with the one capturing material that `ours` has skinned, and reads the other. */
function captureShared(ours: ThreeModel, theirs: ThreeModel): Float32Array {
  const capturing = captureMaterial(200, 'transformed');
  ours.mesh.material = capturing;
  renderer.render(scene, camera);
  return captureVertices(renderer, scene, theirs.mesh, 'transformed', capturing);
}

/** Every built-in material that skins, with all that changes its vertex shader, and what else a mesh may bring. */
const MATERIALS: (() => Material)[] = [
  () => new MeshBasicMaterial({ map: pixel() }),
  () => new MeshLambertMaterial({ flatShading: true }),
  () => new MeshPhongMaterial({ normalMap: pixel() }),
  () => new MeshStandardMaterial({ normalMap: pixel(), displacementMap: pixel(), envMap: pixel() }),
  () => new MeshPhysicalMaterial({ transmission: 0.5, clearcoat: 1, anisotropy: 1, alphaHash: true }),
  () => new MeshToonMaterial(),
  () => new MeshNormalMaterial(),
  () => new MeshMatcapMaterial({ wireframe: true }),
  () => new MeshDepthMaterial({ displacementMap: pixel() }),
  () => new MeshDistanceMaterial({ displacementMap: pixel() }),
  () => new ShadowMaterial(),
];

function pixel(): DataTexture {
  const texture = new DataTexture(Uint8Array.of(128, 128, 255, 255), 1, 1);
  texture.mapping = EquirectangularReflectionMapping;
  texture.needsUpdate = true;
  return texture;
}

/** Draws with each of them; three.js reports what does not compile on the console. Returns how many were drawn. */
function materials(operator: ThreeOperator): number {
  const model = randomRig({ seed: 51, vertices: 90, bones: 4 });
  model.morphs = [{ name: 'up', positions: model.mesh.positions.map((_, c) => c % 3) }];
  let drawn = 0;
  for (const make of MATERIALS) {
    const { mesh } = threeModel(model, make());
    mesh.morphTargetInfluences = [0.5];
    mesh.geometry.setAttribute('uv', new BufferAttribute(new Float32Array(180), 2));
    mesh.geometry.setAttribute('tangent', new BufferAttribute(new Float32Array(360).fill(0.5), 4));
    mesh.castShadow = mesh.receiveShadow = true;
    const light = new DirectionalLight();
    light.castShadow = true;
    scene.clear().add(mesh, light);
    useSkinning(mesh, operator);
    renderer.shadowMap.enabled = true;
    renderer.render(scene, camera);
    if (renderer.info.render.triangles + renderer.info.render.lines > 0) drawn++;
    mesh.geometry.dispose();
  }
  renderer.shadowMap.enabled = false;
  return drawn;
}

Object.assign(globalThis, { materials, materialCount: MATERIALS.length, sample, random, longTurn, shared, besides });
