import { transformMesh } from '../mesh/transform-mesh.ts';
import { type Asset, emptyAsset } from '../model/asset.ts';
import { firstNonFinite, type Mesh, type Space, vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import type { Beside } from './beside.ts';
import { type ColladaAnimation, readAnimations, readClips } from './collada/animations.ts';
import { bindOthers, readBones } from './collada/bones.ts';
import {
  belowRoots,
  bindUnmirrored,
  findJoints,
  geometryOf,
  readSkin,
  readSkinWeights,
} from './collada/controllers.ts';
import { COLLADA_OPERATION, ColladaDocument } from './collada/document.ts';
import { readGeometry, whyNoMesh } from './collada/geometry.ts';
import { readMaterials, withMaterials } from './collada/materials.ts';
import { nodesBy, nodeWorld, readScene, type SceneNode } from './collada/scene.ts';
import { child, childrenOf, XML_LIMITS, type XmlElement } from './collada/xml.ts';
import { type ByteSource, readAll } from './files.ts';

/** COLLADA: the meshes, skins and clips of the scene. Units and up axis are kept and said in `space`. */

/** Vertices of all instances at most: one geometry can be shown any number of times. */
const MOST_VERTICES = 2 ** 26;

/**
 * Reads a COLLADA file (.dae): meshes, rigs with their clips, and skeletons that move without a mesh. Pictures are read from the
 * files `beside` it.
 */
export async function readCollada(source: ByteSource, beside?: Beside): Promise<Asset> {
  const bytes = await readAll(source, COLLADA_OPERATION, XML_LIMITS.bytes);
  const document = new ColladaDocument(bytes, source.name);
  const scene = readScene(document);
  const animations = readAnimations(document, scene);
  const space = readSpace(document);
  const asset: Asset = { ...emptyAsset('COLLADA', bytes.length), space, notes: document.notes };
  if (animations.length > 0) asset.clipNames = animations.map(({ name }) => name);

  const materials = await readMaterials(document, beside);
  let vertices = 0;
  const leftOut: XmlElement[] = [];
  const geometry = (element: XmlElement, instance?: XmlElement): Mesh | undefined => {
    const why = whyNoMesh(document, element);
    if (why) {
      leftOut.push(element);
      document.note(note('object-not-read', { reason: why }, element.attributes.name ?? element.attributes.id));
      return undefined;
    }
    const mesh = readGeometry(document, element, instance ? boundMaterials(document, instance) : new Map());
    vertices += vertexCount(mesh);
    if (vertices > MOST_VERTICES) document.fail(element, `more than ${MOST_VERTICES} vertices in all`, 'too-large');
    return { ...withMaterials(mesh, materials), space };
  };

  const moves = movingNodes(scene, animations);
  scene.forEach(({ element }, node) => {
    for (const instance of element.children) {
      if (instance.name !== 'instance_geometry' && instance.name !== 'instance_controller') continue;
      const target = document.target(instance, 'url');
      const skinned = target.name === 'controller' && child(target, 'skin') !== undefined;
      if (skinned) {
        const model = readSkinnedModel(document, scene, animations, instance, target, geometry);
        if (model) asset.models.push(model);
      } else {
        const mesh = geometry(geometryOf(document, target), instance);
        if (!mesh) continue;
        if (moves[node]) asset.models.push(readRigidModel(document, scene, animations, node, mesh));
        else asset.meshes.push(placed(document, element, mesh, nodeWorld(scene, node)));
      }
    }
  });
  const isEmpty = () => asset.models.length + asset.meshes.length === 0;
  if (isEmpty() && leftOut.length === 0) readUnplaced(document, asset, geometry);
  // Nothing but geometries without a mesh: the first of them says why.
  if (isEmpty()) readGeometry(document, leftOut[0], new Map());
  return asset;
}

type ReadMesh = (element: XmlElement, instance?: XmlElement) => Mesh | undefined;

/** Geometries that no scene shows. */
function readUnplaced(document: ColladaDocument, asset: Asset, geometry: ReadMesh): void {
  const all: XmlElement[] = [];
  for (const library of childrenOf(document.root, 'library_geometries')) {
    all.push(...childrenOf(library, 'geometry'));
  }
  if (all.length === 0) document.fail(document.root, 'no meshes (expected at least one <geometry>)');
  asset.meshes.push(...all.flatMap((element) => geometry(element) ?? []));
  document.note(note('no-instances', {}));
}

/** `<asset>`: up axis and unit (5-17). */
function readSpace(document: ColladaDocument): Space {
  const element = child(document.root, 'asset');
  const up = (element && child(element, 'up_axis')?.text.trim()) || 'Y_UP';
  const axis = { X_UP: 'x', Y_UP: 'y', Z_UP: 'z' }[up] as Space['up'] | undefined;
  if (!axis) return document.fail(element ?? document.root, `up axis ${up} (expected X_UP, Y_UP or Z_UP)`);
  const metres = (element && child(element, 'unit')?.attributes.meter) ?? '1';
  if (!(Number(metres) > 0 && Number.isFinite(Number(metres)))) {
    return document.fail(element!, `a unit of ${metres} metres (expected > 0)`);
  }
  return { up: axis, metresPerUnit: Number(metres) };
}

/** Symbol → name of the material that an instance binds to it. */
function boundMaterials(document: ColladaDocument, instance: XmlElement): Map<string, string> {
  const bind = child(instance, 'bind_material');
  const common = bind && child(bind, 'technique_common');
  return new Map(
    (common ? childrenOf(common, 'instance_material') : []).map(({ attributes }) => {
      const id = (attributes.target ?? '').replace(/^#/, '');
      return [attributes.symbol ?? '', document.byId(id)?.attributes.name ?? id];
    }),
  );
}

/** Whether some animation moves each node or one above it. */
function movingNodes(scene: readonly SceneNode[], animations: readonly ColladaAnimation[]): boolean[] {
  const own = new Set(animations.flatMap((animation) => animation.tracks.map((track) => track.node)));
  const moves: boolean[] = [];
  scene.forEach(({ parent }, node) => {
    moves.push(own.has(node) || (parent >= 0 && moves[parent]));
  });
  return moves;
}

function placed(document: ColladaDocument, element: XmlElement, mesh: Mesh, world: Float64Array): Mesh {
  const moved = transformMesh(mesh, world);
  if (firstNonFinite(moved.positions) >= 0) document.fail(element, 'the placed mesh exceeds the range of float32');
  return moved;
}

function readSkinnedModel(
  document: ColladaDocument,
  scene: readonly SceneNode[],
  animations: readonly ColladaAnimation[],
  instance: XmlElement,
  controller: XmlElement,
  geometry: ReadMesh,
): SkinnedModel | undefined {
  const skin = readSkin(document, controller);
  const given = geometry(skin.geometry, instance);
  if (!given) return undefined;

  // (1) The bones: the joints, all joints below the skeleton's roots, and what stands above them.
  const byId = nodesBy(scene, 'id');
  const roots = childrenOf(instance, 'skeleton').map((element) => {
    const id = element.text.trim().replace(/^#/, '');
    return byId.get(id) ?? document.fail(element, `no node has the id ${id}`);
  });
  const joints = findJoints(document, scene, skin, roots);
  if (new Set(joints).size < joints.length) document.fail(skin.element, 'a joint is listed twice');
  const below = belowRoots(scene, roots.length > 0 ? roots : joints);
  const isJoint = (node: number) => below[node] && scene[node].element.attributes.type === 'JOINT';
  const bones = readBones(document, scene, [...joints, ...[...scene.keys()].filter(isJoint)]);
  const boneOfJoint = joints.map((node) => bones.boneOf.get(node)!);

  // (2) The mesh in the space of the bind pose.
  bindUnmirrored(skin, bones.worlds, boneOfJoint);
  const mesh = placed(document, skin.element, given, skin.bindShape);
  boneOfJoint.forEach((bone, joint) => {
    bones.skeleton.inverseBind.set(skin.inverseBind.subarray(16 * joint, 16 * joint + 12), MATRIX_STRIDE * bone);
  });
  bindOthers(bones, boneOfJoint);

  // (3) Weights and clips.
  return {
    name: mesh.name ?? controller.attributes.name ?? '',
    mesh,
    weights: readSkinWeights(document, skin, vertexCount(mesh), boneOfJoint),
    skeleton: bones.skeleton,
    clips: readClips(document, scene, bones, animations),
    operator: 'lbs',
  };
}

/** A mesh that animated nodes carry: every vertex follows its node. */
function readRigidModel(
  document: ColladaDocument,
  scene: readonly SceneNode[],
  animations: readonly ColladaAnimation[],
  node: number,
  mesh: Mesh,
): SkinnedModel {
  const bones = readBones(document, scene, [node]);
  const bone = bones.boneOf.get(node)!;
  const n = vertexCount(mesh);
  return {
    name: mesh.name ?? scene[node].name,
    mesh: placed(document, scene[node].element, mesh, bones.worlds.slice(MATRIX_STRIDE * bone)),
    weights: { influences: 1, joints: new Uint16Array(n).fill(bone), weights: new Float32Array(n).fill(1) },
    skeleton: bones.skeleton,
    clips: readClips(document, scene, bones, animations),
    operator: 'rigid',
  };
}
