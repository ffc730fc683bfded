import { Euler, Quaternion } from 'three';
import { KTX2, pngOf, WEBP } from './pictures.ts';
import { RigBuilder, type RigOptions } from './rig-builder.ts';

/** Files as people have them, each with something that a tool may lose or break. Small: a few hundred vertices. */
export interface RigFile {
  name: string;
  make(): Uint8Array;
  /** How far our own positions may be off between keys, in % of the diagonal: cubic splines are read as straight pieces. */
  between?: number;
  /** Why players may show it otherwise. */
  reason?: string;
}

const file = (name: string, edit: (rig: RigBuilder) => void, options: RigOptions = {}): RigFile => ({
  name,
  make() {
    const rig = new RigBuilder(options);
    edit(rig);
    if (rig.json.animations!.length === 0) {
      rig.clip('Bend');
      rig.clip('Twist', { keys: 5, amount: -0.8 });
    }
    return rig.glb();
  },
});

/** A visor that follows two of the joints, in another order. */
function addVisor(rig: RigBuilder): void {
  const joints = [rig.joints[3], rig.joints[2]];
  const skin = rig.json.skins.push({ name: 'Visor', joints, inverseBindMatrices: rig.inverseBinds(joints) }) - 1;
  const attributes = rig.tube(0.3, 1.3, 1.9);
  const n = RigBuilder.VERTICES;
  attributes.JOINTS_0 = rig.attribute(
    'VEC4',
    Uint8Array.from({ length: 4 * n }, (_, w) => (w % 4 === 1 ? 1 : 0)),
  );
  const share = (i: number) => 0.5 + (0.4 * i) / n;
  attributes.WEIGHTS_0 = rig.attribute(
    'VEC4',
    Float32Array.from({ length: 4 * n }, (_, w) => {
      const i = Math.floor(w / 4);
      return [share(i), 1 - Math.fround(share(i)), 0, 0][w % 4];
    }),
  );
  const mesh = rig.json.meshes.push({ name: 'Visor', primitives: [{ attributes, indices: rig.tubeIndices() }] }) - 1;
  const parent = rig.json.nodes[rig.armature].children!.includes(rig.body) ? rig.armature : undefined;
  rig.node('Visor', { mesh, skin }, parent);
}

/** A sword in the hand, a socket for another, and something in `extras` everywhere. */
function addSword(rig: RigBuilder): void {
  const hand = rig.joints[3];
  const unit = 1 / rig.world(rig.armature).getMaxScaleOnAxis();
  const mesh = rig.json.meshes.push({ name: 'Sword', ...rig.box([0.05 * unit, 0.8 * unit, 0.1 * unit]) }) - 1;
  rig.node('Sword', { mesh, translation: [0.3 * unit, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }, hand);
  rig.node('Socket', { translation: [0, 0.2 * unit, 0], extras: { slot: 'shield' } }, hand);
}

function addExtras({ json }: RigBuilder): void {
  const things = [...json.nodes, ...json.meshes, ...json.skins, ...json.scenes, ...(json.animations ?? [])];
  for (const [t, thing] of things.entries())
    thing.extras = { ...(thing.extras as object), id: t, tags: ['a', { b: t }] };
  for (const { primitives } of json.meshes) for (const primitive of primitives) primitive.extras = { lod: 0 };
  json.asset.extras = { made: 'by hand' };
  json.asset.copyright = 'nobody';
  json.extras = { project: 'judges' };
}

/** Every slot of a material, with pictures, transforms, further uv sets and vertex colours. */
function addMaterials(rig: RigBuilder, { webp = false, ktx2 = false } = {}): void {
  const { json, bin } = rig;
  const image = (bytes: Uint8Array, mimeType: string, name: string) => ({
    bufferView: bin.view(bytes),
    mimeType,
    name,
  });
  json.images = [];
  json.textures = [];
  json.samplers = [{ magFilter: 9729, minFilter: 9987, wrapS: 33071 }, { wrapT: 33648 }];
  const picture = (name: string, color: [number, number, number]) => {
    const source = json.images!.push(image(pngOf(...color), 'image/png', name) as never) - 1;
    return json.textures!.push({ source, sampler: source % 2, name }) - 1;
  };
  const offset = { KHR_texture_transform: { offset: [0.25, 0.5], rotation: 0.5, scale: [2, 3], texCoord: 2 } };
  json.materials = [
    {
      name: 'Everything',
      pbrMetallicRoughness: {
        baseColorFactor: [0.9, 0.8, 0.7, 1],
        baseColorTexture: { index: picture('base colour', [200, 30, 30]), extensions: offset },
        metallicFactor: 0.9,
        roughnessFactor: 0.6,
        metallicRoughnessTexture: { index: picture('metallic-roughness', [0, 128, 255]), texCoord: 1 },
      },
      normalTexture: { index: picture('normal', [128, 128, 255]), scale: 0.7, texCoord: 3 },
      occlusionTexture: { index: picture('occlusion', [90, 90, 90]), strength: 0.5, texCoord: 4 },
      emissiveTexture: { index: picture('emissive', [10, 20, 30]), texCoord: 5 },
      emissiveFactor: [0.1, 0.2, 0.3],
      alphaMode: 'MASK',
      alphaCutoff: 0.4,
      extensions: {
        KHR_materials_ior: { ior: 1.45 },
        KHR_materials_emissive_strength: { emissiveStrength: 3 },
        KHR_materials_specular: { specularFactor: 0.3, specularTexture: { index: picture('specular', [1, 2, 3]) } },
        KHR_materials_clearcoat: { clearcoatFactor: 0.5, clearcoatRoughnessFactor: 0.1 },
      },
      extras: { shader: 'toon' },
    },
    { name: 'Nobody uses this', doubleSided: true },
  ] as never;
  rig.use('KHR_texture_transform', 'KHR_materials_ior', 'KHR_materials_emissive_strength');
  rig.use('KHR_materials_specular', 'KHR_materials_clearcoat');
  if (webp) {
    const source = json.images.push(image(WEBP, 'image/webp', 'webp') as never) - 1;
    json.textures[0].extensions = { EXT_texture_webp: { source } };
    rig.use('EXT_texture_webp');
  }
  if (ktx2) {
    const source = json.images.push(image(KTX2, 'image/ktx2', 'ktx2') as never) - 1;
    json.textures[1].extensions = { KHR_texture_basisu: { source } };
    rig.use('KHR_texture_basisu');
  }
  const [body] = json.meshes[0].primitives;
  const n = RigBuilder.VERTICES;
  body.material = 0;
  for (let set = 1; set < 6; set++) {
    const uvs = Float32Array.from({ length: 2 * n }, (_, c) => ((c * (set + 2)) % 97) / 97);
    body.attributes[`TEXCOORD_${set}`] = rig.attribute('VEC2', uvs);
  }
  const colors = Uint8Array.from({ length: 4 * n }, (_, c) => (c % 4 === 3 ? 255 : (c * 31) % 256));
  body.attributes.COLOR_0 = rig.attribute('VEC4', colors, { normalized: true });
  const tangents = Float32Array.from({ length: 4 * n }, (_, c) => [0, 1, 0, -1][c % 4]);
  body.attributes.TANGENT = rig.attribute('VEC4', tangents);
  body.attributes._WEAR = rig.attribute(
    'SCALAR',
    Float32Array.from({ length: n }, (_, i) => i / n),
  );
}

/** Extensions that no library knows, which name nodes, meshes and accessors by index. */
function addUnknownExtensions(rig: RigBuilder): void {
  const { json, joints, body, bin } = rig;
  const [hips, spine, , hand] = joints;
  json.extensions = {
    VRMC_vrm: {
      specVersion: '1.0',
      humanoid: { humanBones: { hips: { node: hips }, spine: { node: spine }, leftHand: { node: hand } } },
      expressions: { preset: { blink: { morphTargetBinds: [{ node: body, index: 0, weight: 1 }] } } },
    },
    EXAMPLE_curves: { accessor: bin.add('SCALAR', Float32Array.of(1, 2, 3, 5, 8)) },
  };
  json.nodes[hand].extensions = { VRMC_node_constraint: { constraint: { rotation: { source: spine, weight: 0.5 } } } };
  rig.use('VRMC_vrm', 'EXAMPLE_curves', 'VRMC_node_constraint');
}

/** Other scenes, of which the second is shown; cameras and lights on nodes and joints. */
function addScenes(rig: RigBuilder): void {
  const { json, joints } = rig;
  const shown = json.scenes[0].nodes!;
  json.meshes.push({ name: 'Table', ...rig.box([1, 0.1, 1]) });
  json.scenes.splice(0, 1, { name: 'Empty', nodes: [] }, { name: 'Shown', nodes: shown });
  rig.node('Table', { mesh: json.meshes.length - 1 });
  json.scene = 1;
  json.cameras = [{ type: 'perspective', name: 'Lens', perspective: { yfov: 0.7, znear: 0.1 } }];
  json.extensions = { KHR_lights_punctual: { lights: [{ type: 'spot', name: 'Lamp', spot: {}, intensity: 20 }] } };
  rig.use('KHR_lights_punctual');
  rig.node('Camera', { camera: 0, translation: [0, 1, 4] }, joints[0]);
  const lamp = rig.node('Light', { extensions: { KHR_lights_punctual: { light: 0 } } }, joints[2]);
  json.scenes.push({ name: 'Also the limb', nodes: [...shown.filter((node) => node !== lamp)] });
}

/** Cubic and step tracks, a clip that starts late, sparse and interleaved data. */
function addOddStorage(rig: RigBuilder): void {
  const { json, bin, joints } = rig;
  rig.clip('Late', { start: 0.5 });
  const animation = rig.clip('Mixed tracks', { start: 0.25, keys: 5 });
  const [, bend] = animation.channels.map(({ sampler }) => animation.samplers[sampler]);
  const values = floats(rig, bend.output);
  const withTangents = Array.from({ length: 5 }, (_, k) => [
    ...[0, 0, 0, 0],
    ...values.slice(4 * k, 4 * k + 4),
    ...[0, 0, 0, 0],
  ]);
  animation.samplers[1] = {
    input: bend.input,
    interpolation: 'CUBICSPLINE',
    output: bin.add('VEC4', Float32Array.from(withTangents.flat())),
  };
  const [x, y, z] = json.nodes[joints[2]].translation!;
  const steps = {
    input: rig.times(Float32Array.of(0.25, 0.5, 0.7)),
    interpolation: 'STEP' as const,
    output: bin.add('VEC3', Float32Array.of(x, y, z, x + 0.1, y, z, x, y, z)),
  };
  const target = { node: joints[2], path: 'translation' as const };
  animation.channels.push({ sampler: animation.samplers.push(steps) - 1, target });

  // Normals and uvs in one buffer view, in turn.
  const [{ attributes }] = json.meshes[0].primitives;
  const n = RigBuilder.VERTICES;
  const [normals, uvs] = [floats(rig, attributes.NORMAL), floats(rig, attributes.TEXCOORD_0)];
  const both = Float32Array.from({ length: 5 * n }, (_, c) => {
    const [i, s] = [Math.floor(c / 5), c % 5];
    return s < 3 ? normals[3 * i + s] : uvs[2 * i + s - 3];
  });
  const bufferView = bin.view(both, { byteStride: 20, target: 34962 });
  const at = (byteOffset: number, type: string) => ({ bufferView, byteOffset, componentType: 5126, count: n, type });
  bin.accessors[attributes.NORMAL] = at(0, 'VEC3');
  bin.accessors[attributes.TEXCOORD_0] = at(12, 'VEC2');

  // A few vertices of another uv set, the rest 0.
  const indices = { bufferView: bin.view(Uint16Array.of(3, 5, 8)), componentType: 5123 };
  const sparse = { count: 3, indices, values: { bufferView: bin.view(Float32Array.of(1, 2, 3, 4, 5, 6)) } };
  attributes.TEXCOORD_1 = bin.accessors.push({ componentType: 5126, count: n, type: 'VEC2', sparse }) - 1;
}

/** The numbers of an accessor that was added whole. */
function floats({ bin }: RigBuilder, accessor: number): Float32Array {
  const { byteOffset, byteLength } = bin.bufferViews[bin.accessors[accessor].bufferView as number] as {
    byteOffset: number;
    byteLength: number;
  };
  return new Float32Array(bin.data().slice(byteOffset, byteOffset + byteLength).buffer);
}

/** The arm grows and shrinks, and the hand with it. */
function addScales(rig: RigBuilder): void {
  const animation = rig.clip('Grow');
  const { input } = animation.samplers[0];
  const scales = Float32Array.from({ length: 27 }, (_, c) => 1 + 0.4 * Math.sin((Math.PI * Math.floor(c / 3)) / 8));
  const sampler = animation.samplers.push({ input, output: rig.bin.add('VEC3', scales) }) - 1;
  animation.channels.push({ sampler, target: { node: rig.joints[2], path: 'scale' } });
}

/** The arm is larger at rest than it was bound, and the hand with it; the hand is wider than it is long. */
function scaleJoints({ json, joints }: RigBuilder): void {
  json.nodes[joints[2]].scale = [1.3, 1.3, 1.3];
  json.nodes[joints[3]].scale = [1.2, 0.9, 1.2];
}

/** The limb was bound straight and rests bent, as in files that were saved in the middle of a motion. */
function turnJoints({ json, joints }: RigBuilder): void {
  for (const joint of joints) {
    const { rotation } = json.nodes[joint];
    const bent = new Quaternion().setFromEuler(new Euler(0.5, 0.1, -0.3)).multiply(new Quaternion(...rotation!));
    json.nodes[joint].rotation = bent.toArray();
  }
}

/** Two morph targets below the skin, one of them sparse, driven by the first clip. */
function addMorphs(rig: RigBuilder): void {
  const { json, bin, body } = rig;
  const n = RigBuilder.VERTICES;
  const bulge = Float32Array.from({ length: 3 * n }, (_, c) => (c % 3 === 0 ? 0.1 * Math.sin(c) : 0));
  const bounds = (array: Float32Array) => ({
    min: [0, 1, 2].map((c) => Math.min(...array.filter((_, i) => i % 3 === c))),
    max: [0, 1, 2].map((c) => Math.max(...array.filter((_, i) => i % 3 === c))),
  });
  const moved = Float32Array.of(0.1, 0, 0, 0, 0, 0.2);
  const indices = { bufferView: bin.view(Uint16Array.of(40, 90)), componentType: 5123 };
  const sparse = { count: 2, indices, values: { bufferView: bin.view(moved) } };
  const few = {
    componentType: 5126,
    count: n,
    type: 'VEC3',
    sparse,
    min: [0, 0, 0],
    max: [Math.fround(0.1), 0, Math.fround(0.2)],
  };
  json.meshes[0].primitives[0].targets = [
    { POSITION: rig.attribute('VEC3', bulge, bounds(bulge)) },
    { POSITION: bin.accessors.push(few) - 1 },
  ];
  json.meshes[0].weights = [0, 0.5];
  json.meshes[0].extras = { targetNames: ['Bulge', 'Dent'] };
  const animation = rig.clip('Talk');
  const output = bin.add('SCALAR', Float32Array.of(0, 0.5, 1, 0, 0.3, 1));
  const sampler = animation.samplers.push({ input: rig.times(Float32Array.of(0, 0.5, 1)), output }) - 1;
  animation.channels.push({ sampler, target: { node: body, path: 'weights' } });
  rig.clip('Bend', { keys: 5 });
}

const MIXAMO: RigOptions = { scale: 0.01, inArmature: true };

/** The rigs that edited files are judged by. */
export const RIG_FILES: readonly RigFile[] = [
  file('armature of scale 0.01', () => {}, MIXAMO),
  file('mesh in metres below an armature of scale 0.01', () => {}, { scale: 0.01 }),
  file('armature turned from z up', () => {}, { zUp: true, inArmature: true }),
  file('two skins on shared joints', addVisor),
  file('sword, socket, leaves and extras', (rig) => {
    addSword(rig);
    rig.clip('Bend');
    addExtras(rig);
  }),
  file('several scenes, camera and light', addScenes),
  file('unknown extensions that name nodes', addUnknownExtensions),
  file('six uv sets and every texture', (rig) => addMaterials(rig, { webp: true })),
  file('KTX2', (rig) => addMaterials(rig, { ktx2: true })),
  {
    ...file('cubic, step and late tracks, sparse and interleaved', addOddStorage),
    between: 0.1,
    reason: 'Blender does not read the tangents of cubic splines',
  },
  file('joints with a track of scales', addScales),
  file('joints scaled at rest', scaleJoints),
  file('a rest pose that is not the bind pose', turnJoints),
  file('the same below an armature of scale 0.01', turnJoints, MIXAMO),
  file('morph targets below a skin', addMorphs),
  file(
    'all of it at once',
    (rig) => {
      addVisor(rig);
      addSword(rig);
      addMaterials(rig, { webp: true, ktx2: true });
      addUnknownExtensions(rig);
      rig.clip('Late', { start: 0.5 });
      rig.clip('Bend');
      addExtras(rig);
    },
    { ...MIXAMO, zUp: true },
  ),
];
