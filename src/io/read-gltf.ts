import type { GLTF } from '@gltf-transform/core';
import { PliantError } from '../error.ts';
import { weldVertices } from '../mesh/seams.ts';
import { transformMesh } from '../mesh/transform-mesh.ts';
import { type Asset, emptyAsset } from '../model/asset.ts';
import { splitVertexCount, validateMesh } from '../model/mesh.ts';
import { distinctNotes, note } from '../model/note.ts';
import { MATRIX_STRIDE, validateClip, validateSkeleton } from '../model/skeleton.ts';
import { validateModel } from '../model/skinned-model.ts';
import { type ByteSource, type FileAccess, readAll } from './files.ts';
import { decodeAccessors } from './gltf/accessors.ts';
import { readBones, readClips } from './gltf/bones.ts';
import { checkExtensions, checkRanges } from './gltf/check.ts';
import { readCloth } from './gltf/cloth-extension.ts';
import { parseContainer } from './gltf/container.ts';
import { Budget, GltfFault, STEP_BYTES } from './gltf/limits.ts';
import { readMaterials } from './gltf/materials.ts';
import { type MeshData, pliantExtras, readMeshData } from './gltf/mesh.ts';
import { type ModelContext, readRigidModel, readSkinnedModel } from './gltf/models.ts';
import { animatedSequences, isCache, type MorphNode, morphed, readMorphNode, targetSequence } from './gltf/morphs.ts';
import { type NodeTree, readNodes } from './gltf/nodes.ts';
import { readPredictor, withAppearance } from './gltf/predictor-extension.ts';
import { type GltfSurroundings, KEPT_BYTES, leftInFile, openImages, readBuffers } from './gltf/resources.ts';
import { checkSchema } from './gltf/schema.ts';
import { belongTogether, playedTogether } from './gltf/together.ts';
import { type GltfAnimation, morphingTracks, readAnimations } from './gltf/tracks.ts';

const OPERATION = 'readGltf';

/** How a glTF file is read. */
export interface GltfReading {
  /** Names of clips; `a+b` stands for two animations that play at once. */
  clips?: readonly string[];
  /** Whether meshes that only morph targets move are models too, unless the targets are the frames of a cache. */
  blendShapes?: boolean;
}

/**
 * Reads glTF 2.0, as .glb or as .gltf with its files beside it. Each shown node with a mesh becomes one thing: a
 * skinned model when it has a skin or hangs below animated nodes, a sequence when it has morph targets, else a static
 * mesh. `path` is where `file` lies; only files below that folder are opened, through `files`.
 */
export async function readGltf(
  file: ByteSource,
  files: FileAccess,
  path: string,
  { clips = [], blendShapes = false }: GltfReading = {},
): Promise<Asset> {
  try {
    const bytes = await readAll(file, OPERATION);
    const { json: unchecked, bin, binary } = parseContainer(bytes);
    const json = checkSchema(unchecked);
    checkExtensions(json);
    const surroundings: GltfSurroundings = { files, path, opened: new Map(), room: KEPT_BYTES };
    if (bin) {
      const kept = leftInFile(surroundings, file, bin.byteOffset - bytes.byteOffset, bin.length) ?? bin;
      surroundings.bin = { bytes: bin, kept };
    }
    const { buffers, kept, bytes: bytesBeside } = await readBuffers(json, surroundings);
    const budget = new Budget(bytes.length + bytesBeside);
    checkRanges(json, buffers, budget);

    const format = `glTF 2.0 (${binary ? 'binary' : 'JSON'})`;
    const asset: Asset = { ...emptyAsset(format, bytes.length + bytesBeside), ownTimes: true };
    asset.space = { up: 'y', metresPerUnit: 1 };
    const tree = readNodes(json);
    const accessors = await decodeAccessors(json, buffers);
    const materials = await readMaterials(json, kept, surroundings, asset.notes);
    const source = { json: { ...json }, buffers: kept, images: await openImages(json, surroundings) };
    asset.source = source;
    const alone = readAnimations(json, accessors, budget, asset.notes);
    const animations = [...alone, ...playedTogether(alone, clips)];
    asset.clipsTogether = belongTogether(alone);
    if (animations.length > 0) asset.clipNames = animations.map(({ name }) => name);
    const transparent = containers(json, tree, animations);
    const meshes = new Map<number, MeshData | undefined>();
    const meshData = (index: number): MeshData | undefined => {
      if (!meshes.has(index)) meshes.set(index, readMeshData(json, index, accessors, materials, asset.notes));
      return meshes.get(index);
    };
    const { notes } = asset;
    const context = { json, source, accessors, tree, animations, transparent, budget, notes };
    readMeshNodes(asset, meshData, context, blendShapes);
    const predictor = readPredictor(json, accessors);
    if (predictor) asset.predictors = [withAppearance(predictor, asset.models)];
    const cloth = readCloth(json, accessors);
    if (cloth) asset.cloths = [cloth];
    noteInterpolation(asset, animations);
    asset.notes = distinctNotes(asset.notes);
    validateAsset(asset);
    return asset;
  } catch (error) {
    if (error instanceof GltfFault) throw new PliantError(error.code, OPERATION, error.message, { file: path });
    throw error;
  }
}

/** What each shown node with a mesh becomes. */
function readMeshNodes(
  asset: Asset,
  meshData: (index: number) => MeshData | undefined,
  context: ModelContext,
  blendShapes: boolean,
): void {
  const { json, tree, animations, budget } = context;
  const moved = movedNodes(tree, animations);
  const morphing: MorphNode[] = [];
  for (const node of tree.order) {
    const definition = json.nodes![node];
    if (!tree.shown[node] || definition.mesh === undefined) continue;
    const data = meshData(definition.mesh);
    if (!data) continue;
    budget.take(instanceBytes(data) + STEP_BYTES * animations.length, `nodes[${node}]`);
    const name = definition.name || data.mesh.name!;

    const given = definition.weights ?? json.meshes![definition.mesh].weights ?? [];
    const weights = Float64Array.from(data.targets, (_, m) => given[m] ?? 0);
    const world = tree.worlds.subarray(MATRIX_STRIDE * node, MATRIX_STRIDE * (node + 1));
    const isModel = definition.skin !== undefined || moved[node];
    if (isModel || (blendShapes && data.targets.length > 0 && !isCache(animations, node, weights))) {
      // The rest pose is what is shown at rest, morphs included.
      const positions = morphed(data.mesh.positions, data.targets, weights);
      const atRest = { ...data, mesh: { ...data.mesh, positions } };
      const read = definition.skin !== undefined ? readSkinnedModel : readRigidModel;
      asset.models.push(read(context, { node, rest: weights }, name, atRest));
    } else if (data.targets.length > 0) {
      morphing.push(readMorphNode(name, node, data, weights, world));
    } else {
      asset.meshes.push({ ...transformMesh(weldVertices(data.mesh).mesh, world), name });
      asset.meshOrigins ??= [];
      asset.meshOrigins.push({ node, place: world.slice() });
    }
  }
  readSequences(asset, morphing, context);
  if (asset.meshes.length + asset.models.length + asset.sequences.length === 0) readMotion(asset, context);
}

/** Sequences of the nodes with morph targets, animation by animation. */
function readSequences(asset: Asset, morphing: readonly MorphNode[], { animations, budget }: ModelContext): void {
  budget.take(STEP_BYTES * animations.length * morphing.length, 'morph animation');
  const movers = animations.map((animation) => ({
    animation,
    nodes: morphing.filter(({ node, weights }) => morphingTracks(animation, node, weights).length > 0),
  }));
  const used = movers.filter(({ nodes }) => nodes.length > 0);
  for (const { animation, nodes } of used) {
    const nameOf = ({ name }: MorphNode) => (used.length > 1 ? `${name} ${animation.name}` : name);
    for (const sequence of animatedSequences(nodes, animation, nameOf, budget)) asset.sequences.push(sequence);
  }
  const animated = new Set(used.flatMap(({ nodes }) => nodes));
  for (const morph of morphing) {
    if (animated.has(morph)) continue;
    asset.sequences.push(targetSequence(morph));
    asset.notes.push(note('targets-as-frames', {}, morph.name));
  }
}

/** A file of animated nodes without any mesh is a motion. */
function readMotion(asset: Asset, { tree, animations, transparent, budget, notes }: ModelContext): void {
  if (!animations.some(({ poses }) => poses.size > 0)) return;
  const shown = tree.order.filter((node) => tree.shown[node]);
  const bones = readBones(tree, shown, transparent, budget, notes);
  const { clips } = readClips(bones, animations, budget);
  if (clips.length === 0) return;
  asset.motions.push({ name: bones.skeleton.names[0], skeleton: bones.skeleton, clips, fromRest: true });
}

/** n: 1 for nodes that some animation moves, and for all below them. */
function movedNodes(tree: NodeTree, animations: readonly GltfAnimation[]): Uint8Array {
  const moved = new Uint8Array(tree.parents.length);
  for (const { poses } of animations) for (const node of poses.keys()) moved[node] = 1;
  for (const node of tree.order) if (tree.parents[node] >= 0 && moved[tree.parents[node]]) moved[node] = 1;
  return moved;
}

/** Nodes that Pliant's writer put above free joints because a skin needs a common root. They do nothing. */
function containers(json: GLTF.IGLTF, tree: NodeTree, animations: readonly GltfAnimation[]): Set<number> {
  const moved = movedNodes(tree, animations);
  const isContainer = (node: number): boolean => {
    const { extras, matrix, translation, rotation, scale } = json.nodes![node];
    return pliantExtras(extras)?.container === true && !(matrix || translation || rotation || scale || moved[node]);
  };
  return new Set(tree.order.filter(isContainer));
}

/** What one more use of a mesh costs: positions, normals, uvs, influences and targets, welded, split and moved. */
function instanceBytes({ mesh, influences, targets }: MeshData): number {
  return splitVertexCount(mesh) * (64 + 12 * influences + 24 * targets.length) + 2 * 4 * mesh.triangles.length;
}

function noteInterpolation(asset: Asset, animations: readonly GltfAnimation[]): void {
  const hasMore = animations.some(({ tracks }) => tracks.some(({ between }) => between.length > 0));
  if (hasMore) asset.notes.push(note('frames-added', {}));
}

/** Numbers that are fine one by one may overflow together: what leaves here keeps its contract. */
function validateAsset(asset: Asset): void {
  try {
    for (const mesh of asset.meshes) validateMesh(mesh, OPERATION);
    for (const { rest } of asset.sequences) validateMesh(rest, OPERATION);
    for (const model of asset.models) validateModel(model, OPERATION);
    for (const { skeleton, clips } of asset.motions) {
      validateSkeleton(skeleton, OPERATION);
      for (const clip of clips) validateClip(clip, skeleton.parents.length, OPERATION);
    }
  } catch (error) {
    if (error instanceof PliantError) throw new GltfFault(error.explain());
    throw error;
  }
}
