import type { Animation } from '@gltf-transform/core';
import { PliantError } from '../error.ts';
import { farPlace } from '../mesh/far.ts';
import { smoothingGroups, vertexNormals } from '../mesh/normals.ts';
import { type Mesh, splitVertexCount, triangleCount, validateMesh, vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { type RunOptions, resolveOptions } from '../model/options.ts';
import type { Predictor } from '../model/predictor.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import { boneCount, type Clip, type Skeleton } from '../model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../model/skinned-model.ts';
import type { TrainedCloth } from '../model/trained-cloth.ts';
import { addClip } from './glb/clips.ts';
import { GlbDocument, type GlbResult } from './glb/document.ts';
import { latticeOf, latticeOffsets, latticePositions } from './glb/lattice.ts';
import { addMesh, perSplitVertex } from './glb/mesh.ts';
import {
  GLB_OPTIONS,
  type GlbOptions,
  MODEL_GLB_OPTIONS,
  type ModelGlbOptions,
  SEQUENCE_GLB_OPTIONS,
  type SequenceGlbOptions,
} from './glb/options.ts';
import { inStoredOrder } from './glb/order.ts';
import { type AddedModel, addSkinnedModel } from './glb/skin.ts';
import { meshInGltfSpace, modelInGltfSpace, pointInGltfSpace, sequenceInGltfSpace } from './glb/space.ts';
import { addCloth } from './gltf/cloth-extension.ts';
import { MOST_GLB_BYTES } from './gltf/container.ts';
import { addPredictor } from './gltf/predictor-extension.ts';

export type { GlbResult } from './glb/document.ts';

/** Writers of binary glTF 2.0. Everything is written y up and in metres, whatever space it is kept in. */

/** Static meshes. */
export async function writeMeshGlb(
  meshes: Mesh | readonly Mesh[],
  options: Partial<GlbOptions> = {},
): Promise<GlbResult> {
  const operation = 'writeMeshGlb';
  const glb = await GlbDocument.create(operation, resolveOptions(GLB_OPTIONS, options, operation));
  for (const [m, given] of listOf(meshes).entries()) {
    validateMesh(given, operation);
    const name = given.name ?? `mesh ${m}`;
    addStaticNode(glb, shaded(meshInGltfSpace(given), glb.options), name, operation);
  }
  return glb.finish();
}

/** What a file holds beside its models. */
export interface ModelExtras {
  /** Drives the model. */
  predictor?: Predictor;
  cloth?: TrainedCloth;
  /** Where the models' 0 lies, in their space, for models far from it: the root of every skeleton is there. */
  origin?: readonly [number, number, number];
}

/**
 * Skinned models with their clips; clips of one name become one animation. Models that share one skeleton share its nodes,
 * and the clips that they share are written once. A `predictor` that drives the model, or trained `cloth`, rides along.
 */
export async function writeModelGlb(
  models: SkinnedModel | readonly SkinnedModel[],
  options: Partial<ModelGlbOptions> & ModelExtras = {},
): Promise<GlbResult> {
  const operation = 'writeModelGlb';
  const settings = resolveOptions(MODEL_GLB_OPTIONS, options, operation);
  const glb = await GlbDocument.create(operation, settings);
  const shared = new Map<Skeleton, { model: AddedModel; clips: Set<Clip> }>();
  for (const given of listOf(models)) {
    validateModel(given, operation);
    refuseEmpty(given.mesh, given.name, operation);
    const placed = modelInGltfSpace(given);
    const model = { ...placed, mesh: shaded(placed.mesh, settings) };
    const before = shared.get(given.skeleton);
    const added = addSkinnedModel(glb, model, settings, before?.model);
    if (options.origin && !before)
      placeRoot(glb, added, pointInGltfSpace(options.origin, given.mesh.space), model.name);
    const seen = new Map<string, number>(); // Two clips of one name in one model cannot be one animation.
    for (const [c, clip] of model.clips.entries()) {
      const others = seen.get(clip.name) ?? 0;
      seen.set(clip.name, others + 1);
      const name = others === 0 ? clip.name : `${clip.name} ${others + 1}`;
      const moved = before?.clips.has(given.clips[c]) ?? false;
      addClip(glb, glb.animation(name), model, clip, moved ? { ...added, bones: [] } : added, settings);
    }
    shared.set(given.skeleton, { model: added, clips: new Set([...(before?.clips ?? []), ...given.clips]) });
    if (model.operator !== 'lbs' && model.operator !== 'rigid') {
      glb.note(note('players-blend-linearly', { operator: model.operator }, model.name));
    }
    glb.count('vertices', vertexCount(model.mesh));
    if (!before) glb.count('bones', boneCount(model.skeleton));
    if (model.morphs) glb.count('morphs', model.morphs.length);
  }
  const packed = (words: Uint32Array<ArrayBuffer>) => glb.accessor('SCALAR', words);
  if (options.predictor) addPredictor(glb.document, options.predictor, packed);
  if (options.cloth) addCloth(glb.document, options.cloth, packed);
  return glb.finish();
}

/** Hangs the bones of a model below a node that stands at `origin`: they are stored around 0, with all digits of float32. */
function placeRoot(glb: GlbDocument, { bones }: AddedModel, origin: [number, number, number], name: string): void {
  const root = glb.document.createNode(name).setTranslation(origin);
  for (const node of glb.scene.listChildren()) {
    const isRoot = bones.includes(node) || node.listChildren().some((child) => bones.includes(child));
    if (isRoot) root.addChild(node);
  }
  glb.scene.addChild(root);
  glb.note(note('origin-in-node', { origin }, name));
}

/** Sequences as morph targets, one per frame, and one animation that blends from each to the next. */
export async function writeSequenceGlb(
  sequences: MeshSequence | readonly MeshSequence[],
  options: Partial<SequenceGlbOptions> & RunOptions = {},
): Promise<GlbResult> {
  const operation = 'writeSequenceGlb';
  const settings = resolveOptions(SEQUENCE_GLB_OPTIONS, options, operation);
  const glb = await GlbDocument.create(operation, settings);
  const all = listOf(sequences);
  const bytesOf = ({ rest, frameCount }: MeshSequence) =>
    frameCount * (splitVertexCount(rest) * (settings.morphNormals ? 24 : 12) + 4 * frameCount);
  const bytes = all.reduce((sum, sequence) => sum + bytesOf(sequence), 0);
  if (bytes > MOST_GLB_BYTES) {
    const cause = `${bytes} bytes of morph targets (expected at most ${MOST_GLB_BYTES}); use fewer frames`;
    throw new PliantError('too-large', operation, cause);
  }
  // Quantised frames are read twice: how far they reach says how fine the lattice can be.
  const total = all.reduce((sum, { frameCount }) => sum + (settings.quantize ? 2 : 1) * frameCount, 0);
  let done = 0;
  const nextFrame = () => checkpoint(options, operation, done++, total, 'writing frames');
  // All move together, in one animation.
  const clips = new Set(all.flatMap(({ clip }) => clip ?? []));
  const animation = glb.animation(clips.size === 1 ? [...clips][0] : 'frames');
  for (const sequence of all) {
    validateMesh(sequence.rest, operation);
    await addSequence(glb, animation, sequenceInGltfSpace(sequence), settings, operation, nextFrame);
  }
  options.onProgress?.(total, total, 'writing frames');
  return glb.finish();
}

/** `nextFrame` is called before each frame that is read, and may throw. */
async function addSequence(
  glb: GlbDocument,
  animation: Animation,
  sequence: MeshSequence,
  settings: SequenceGlbOptions,
  operation: string,
  nextFrame: () => Promise<void>,
): Promise<void> {
  const { name, frameCount } = sequence;
  const { document } = glb;
  // Normals of the rest pose alone would stay as they are while the surface moves: players that find none shade each
  // frame as it is, with facets.
  const rest = settings.morphNormals ? shaded(sequence.rest, settings) : sequence.rest;
  const reach = settings.quantize ? await farthestOffset(sequence, nextFrame) : 0;
  const { mesh, node, order, lattice } = addStaticNode(glb, rest, name, operation, reach);
  const stored = lattice && latticePositions(lattice, rest.positions);
  const morphNormals = settings.morphNormals && settings.normals && rest.normals !== undefined;
  const groups = morphNormals ? smoothingGroups(rest) : undefined;
  const restNormals = groups && vertexNormals(rest, rest.positions, 'angle', groups);
  const frame = new Float32Array(rest.positions.length);
  for (let k = 0; k < frameCount; k++) {
    await nextFrame();
    await sequence.readFrame(k, frame);
    const offsets = stored
      ? latticeOffsets(lattice, frame, stored)
      : Float32Array.from(frame, (x, c) => x - rest.positions[c]);
    const target = document
      .createPrimitiveTarget(`frame ${k}`) // Some importers cannot do without names.
      .setAttribute('POSITION', glb.accessor('VEC3', inStoredOrder(perSplitVertex(offsets, 3, rest), 3, order)));
    if (groups && restNormals) {
      const normals = vertexNormals(rest, frame, 'angle', groups);
      const change = Float32Array.from(normals, (x, c) => x - restNormals[c]);
      target.setAttribute('NORMAL', glb.accessor('VEC3', inStoredOrder(change, 3, order)));
    }
    for (const primitive of mesh.listPrimitives()) primitive.addTarget(target);
  }
  mesh.setWeights(new Array<number>(frameCount).fill(0));

  // Frame k is target k alone, so that players interpolate linearly between neighbours.
  const weights = new Float32Array(frameCount * frameCount);
  for (let k = 0; k < frameCount; k++) weights[k * frameCount + k] = 1;
  const sampler = document
    .createAnimationSampler()
    .setInput(glb.timesAccessor(sequence.times, name))
    .setOutput(glb.accessor('SCALAR', weights))
    .setInterpolation('LINEAR');
  const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath('weights').setSampler(sampler);
  animation.addSampler(sampler).addChannel(channel);
  glb.count('vertices', vertexCount(rest));
  glb.count('frames', frameCount);
}

/** The mesh, with smooth normals where it has none and they are wanted. */
const shaded = (mesh: Mesh, { normals }: GlbOptions): Mesh =>
  normals && !mesh.normals ? { ...mesh, normals: vertexNormals(mesh) } : mesh;

/** `reach` is how far morph targets will move vertices along any axis. */
function addStaticNode(glb: GlbDocument, mesh: Mesh, name: string, operation: string, reach = 0) {
  refuseEmpty(mesh, name, operation);
  const order = glb.order(mesh);
  const lattice = glb.options.quantize ? latticeOf(mesh.positions, reach) : undefined;
  const far = lattice ? undefined : farPlace(mesh.positions);
  const near = far ? { ...mesh, positions: mesh.positions.map((x, c) => x - far.origin[c % 3]) } : mesh;
  const made = addMesh(glb, near, name, [], { order, lattice });
  const node = glb.document.createNode(name).setMesh(made);
  if (far) {
    node.setTranslation(far.origin);
    glb.note(note('origin-in-node', { origin: far.origin }, name));
  }
  if (lattice) node.setTranslation([...lattice.origin]).setScale([lattice.step, lattice.step, lattice.step]);
  glb.scene.addChild(node);
  return { mesh: made, node, order, lattice };
}

/** The largest difference of a coordinate between a frame and the rest pose. */
async function farthestOffset(sequence: MeshSequence, nextFrame: () => Promise<void>): Promise<number> {
  const { rest, frameCount } = sequence;
  const frame = new Float32Array(rest.positions.length);
  let farthest = 0;
  for (let k = 0; k < frameCount; k++) {
    await nextFrame();
    await sequence.readFrame(k, frame);
    for (let c = 0; c < frame.length; c++) farthest = Math.max(farthest, Math.abs(frame[c] - rest.positions[c]));
  }
  return farthest;
}

function refuseEmpty(mesh: Mesh, name: string, operation: string): void {
  if (triangleCount(mesh) > 0) return;
  throw new PliantError('bad-input', operation, `${name} has no triangles (expected at least one)`);
}

const listOf = <T>(one: T | readonly T[]): readonly T[] => (Array.isArray(one) ? one : [one as T]);
