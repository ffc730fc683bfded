import type { GLTF } from '@gltf-transform/core';
import { IDENTITY34, invert34, matrix34FromColumnMajor44, multiply34 } from '../../math/matrix34.ts';
import { weldVertices } from '../../mesh/seams.ts';
import { transformMesh, transformVectors } from '../../mesh/transform-mesh.ts';
import type { GltfSource } from '../../model/gltf-source.ts';
import { vertexCount } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import {
  type Morph,
  SKIN_OPERATORS,
  type SkinnedModel,
  type SkinOperator,
  type SkinWeights,
} from '../../model/skinned-model.ts';
import type { Bones } from '../bones.ts';
import { InfluenceRows } from '../influences.ts';
import type { Accessors } from './accessors.ts';
import { readBlendBones } from './blend-bone-extension.ts';
import { bindEnds, chainEnds, type Morphing, readBones, readClips } from './bones.ts';
import { readLight } from './light-extension.ts';
import { type Budget, GltfFault } from './limits.ts';
import { contractToVertices, type MeshData } from './mesh.ts';
import type { NodeTree } from './nodes.ts';
import type { GltfAnimation } from './tracks.ts';

/** Nodes with a mesh that bones move: by a skin, or rigidly by the animated nodes above them. */

export interface ModelContext {
  json: GLTF.IGLTF;
  source: GltfSource;
  accessors: Accessors;
  tree: NodeTree;
  animations: readonly GltfAnimation[];
  transparent: ReadonlySet<number>;
  budget: Budget;
  notes: Note[];
}

/** How far a matrix's numbers may be from the identity's, in units of the mesh, and still be rounding. */
const NEARLY_IDENTITY = 1e-6;

/**
 * glTF 2.0 §3.7.3. The mesh node's own transform plays no part. `data` is the mesh as it is at rest, with the weights of
 * `morphing`; clips have the difference to those.
 */
export function readSkinnedModel(
  context: ModelContext,
  morphing: Morphing,
  name: string,
  data: MeshData,
): SkinnedModel {
  const { json, source, accessors, tree, animations, transparent, budget, notes } = context;
  const skinIndex = json.nodes![morphing.node].skin!;
  const skin = json.skins![skinIndex];
  if (new Set(skin.joints).size < skin.joints.length) throw new GltfFault(`skins[${skinIndex}] lists a joint twice`);
  const ends = chainEnds(json.nodes!, skin.joints);
  const bones = readBones(tree, [...skin.joints, ...ends], transparent, budget, notes);
  if (bones.nodes.length > 2 ** 16) {
    throw new GltfFault(`skins[${skinIndex}] has ${bones.nodes.length} bones (expected at most 65536)`, 'too-large');
  }
  const inverseBind = readInverseBind(bones, skin, skinIndex, accessors);

  const boneOfJoint = Uint16Array.from(skin.joints, (joint) => bones.boneOf.get(joint)!);
  const split = readWeights(data, boneOfJoint, name, notes);
  const keys: ArrayLike<number>[] = [split.joints, split.weights, ...data.targets];
  if (data.mix) keys.push(data.mix);
  const welded = weldVertices(data.mesh, { keys });
  const n = vertexCount(welded.mesh);
  const weights: SkinWeights = {
    influences: split.influences,
    joints: contractToVertices(split.joints, split.influences, welded.vertexOf, n),
    weights: contractToVertices(split.weights, split.influences, welded.vertexOf, n),
  };

  // Pliant's own files hold the mesh where it is meant to be, or say on which lattice it is; files that it edited do not.
  const isPlaced = data.pliant && data.pliant.ownSpace !== true;
  const place = isPlaced ? pliantLattice(data.pliant) : placeAtRest(bones, weights);
  const isMoved = place !== undefined && undoInBind(bones, boneOfJoint, place);
  if (place && !isMoved) {
    notes.push(note('flattened-at-rest', {}, name));
  }
  bindEnds(bones, ends);
  const { clips, animations: animationOf } = readClips(bones, animations, budget, morphing);
  const model: SkinnedModel = {
    name,
    mesh: { ...(isMoved ? transformMesh(welded.mesh, place) : welded.mesh), name },
    weights,
    skeleton: bones.skeleton,
    clips,
    operator: readOperator(data, name, notes),
  };
  if (data.targets.length > 0) {
    model.morphs = readMorphs(data, welded.vertexOf, n, isMoved ? place : undefined);
    restoreScales(model, data.pliant?.morphScales);
  }
  const blendBones = readBlendBones(json, skin.joints, boneOfJoint, notes);
  if (blendBones) model.blendBones = blendBones;
  if (data.mix && data.pliant) {
    model.mixWeights = contractToVertices(data.mix, 1, welded.vertexOf, n).map((w) => Math.min(1, Math.max(0, w)));
  }
  const { node } = morphing;
  const { runs } = data;
  const light = readLight(json, accessors, model, { node, runs }, boneOfJoint, notes);
  if (light) model.light = light;
  model.origin = { source, node, bones: bones.nodes, runs, animations: animationOf, read: { ...model } };
  if (inverseBind) model.origin.inverseBind = inverseBind;
  if (isMoved) model.origin.place = place;
  return model;
}

/** A mesh that hangs below animated nodes: every vertex follows its own node. Morphs as of a skinned model. */
export function readRigidModel(context: ModelContext, morphing: Morphing, name: string, data: MeshData): SkinnedModel {
  const { json, source, accessors, tree, animations, transparent, budget, notes } = context;
  const { node } = morphing;
  const bones = readBones(tree, [node], transparent, budget, notes);
  const bone = bones.boneOf.get(node)!;
  const world = bones.worlds.subarray(MATRIX_STRIDE * bone, MATRIX_STRIDE * (bone + 1));
  const { mesh, vertexOf } = weldVertices(data.mesh, { keys: data.targets });
  const n = vertexCount(mesh);
  // A bone that is flat at rest has the identity as its inverse bind matrix (see readBones).
  const place = isInvertible(world) ? world : undefined;
  const { clips, animations: animationOf } = readClips(bones, animations, budget, morphing);
  const model: SkinnedModel = {
    name,
    mesh: { ...(place ? transformMesh(mesh, place) : mesh), name },
    weights: { influences: 1, joints: new Uint16Array(n).fill(bone), weights: new Float32Array(n).fill(1) },
    skeleton: bones.skeleton,
    clips,
    operator: 'rigid',
    ...(data.targets.length > 0 && { morphs: readMorphs(data, vertexOf, n, place) }),
  };
  const { runs } = data;
  const light = readLight(json, accessors, model, { node, runs }, Uint16Array.of(bone), notes);
  if (light) model.light = light;
  model.origin = { source, node, bones: bones.nodes, runs, animations: animationOf, read: { ...model } };
  if (place) model.origin.place = place.slice();
  return model;
}

/** The morph targets of N welded vertices, moved with the mesh. */
function readMorphs(
  { targets, targetNames }: MeshData,
  vertexOf: Uint32Array,
  n: number,
  place: Float64Array | undefined,
): Morph[] {
  return targets.map((target, m) => {
    const positions = contractToVertices(target, 3, vertexOf, n);
    return { name: targetNames[m], positions: place ? transformVectors(positions, place) : positions };
  });
}

/** In place: Pliant's writer may store a morph larger or smaller, with weights to match, and says by how much. */
function restoreScales({ morphs = [], clips }: SkinnedModel, scales: unknown): void {
  const count = morphs.length;
  if (!(Array.isArray(scales) && scales.length === count && scales.every((s) => isSane(s) && s > 1e-30))) return;
  for (const [m, morph] of morphs.entries()) morph.positions = morph.positions.map((x) => x / scales[m]);
  for (const clip of clips) clip.morphWeights = clip.morphWeights?.map((weight, w) => weight * scales[w % count]);
}

/** What float32 holds, with room for products. */
const isSane = (x: unknown): x is number => typeof x === 'number' && Math.abs(x) < 1e30;

const isInvertible = (m: Float64Array): boolean => invert34(new Float64Array(MATRIX_STRIDE), 0, m, 0);

/** Puts the skin's matrices in, and returns them as stored; a skin without any has identities. */
function readInverseBind(
  bones: Bones,
  skin: GLTF.ISkin,
  index: number,
  accessors: Accessors,
): Float32Array | undefined {
  const { inverseBind } = bones.skeleton;
  const accessor = skin.inverseBindMatrices;
  const matrices =
    accessor === undefined ? undefined : accessors.numbers(accessor, 'MAT4', `skins[${index}].inverseBindMatrices`);
  if (matrices && matrices.length < 16 * skin.joints.length) {
    throw new GltfFault(
      `skins[${index}] has ${matrices.length / 16} inverse bind matrices (expected ${skin.joints.length})`,
    );
  }
  for (const [j, joint] of skin.joints.entries()) {
    const at = MATRIX_STRIDE * bones.boneOf.get(joint)!;
    if (matrices) matrix34FromColumnMajor44(inverseBind, at, matrices, 16 * j);
    else inverseBind.set(IDENTITY34, at);
  }
  return matrices;
}

/** The W split vertices' influences, with bones instead of joints. */
function readWeights(data: MeshData, boneOfJoint: Uint16Array, name: string, notes: Note[]): SkinWeights {
  const slots = data.influences;
  if (slots === 0) throw new GltfFault(`${name}: a mesh with a skin needs JOINTS_0 and WEIGHTS_0 in every primitive`);
  const w = data.joints.length / slots;
  const rows = new InfluenceRows(w, slots, boneOfJoint[0]);
  for (let i = 0; i < w; i++) {
    for (let s = 0; s < slots; s++) {
      const weight = data.weights[i * slots + s];
      const joint = data.joints[i * slots + s];
      if (weight < 0) throw new GltfFault(`${name}: vertex ${i} has weight ${weight} (expected ≥ 0)`);
      if (weight > 0 && joint >= boneOfJoint.length) {
        throw new GltfFault(`${name}: vertex ${i} follows joint ${joint} (expected < ${boneOfJoint.length})`);
      }
      rows.joints[s] = weight > 0 ? boneOfJoint[joint] : 0;
      rows.weights[s] = weight;
    }
    rows.next();
  }
  notes.push(...rows.notes(name));
  return rows.result();
}

/**
 * Files often keep a skinned mesh in a space of its own (z up, centimetres) that only joints and inverse bind matrices
 * turn into the scene's. Bounds, units and operators that know no scale need the mesh as it stands in the scene: move
 * it by G = world · inverseBind at rest, of the bone with the most weight, and let inverseBind undo it. Positions in
 * every pose stay the same, since (M·G⁻¹)·(G·v) = M·v; where the rest pose is the bind pose, all M become identities.
 * Undefined when G is the identity.
 */
function placeAtRest(bones: Bones, weights: SkinWeights): Float64Array | undefined {
  const { inverseBind } = bones.skeleton;
  const totals = new Float64Array(bones.nodes.length);
  for (let s = 0; s < weights.joints.length; s++) totals[weights.joints[s]] += weights.weights[s];
  const heaviest = MATRIX_STRIDE * totals.reduce((best, total, j) => (total > totals[best] ? j : best), 0);

  const place = new Float64Array(MATRIX_STRIDE);
  multiply34(place, 0, bones.worlds, heaviest, inverseBind, heaviest);
  return place.every((value, c) => Math.abs(value - IDENTITY34[c]) < NEARLY_IDENTITY) ? undefined : place;
}

/** Lets inverseBind (changed in place) undo that the mesh is moved. False, and nothing done, where that is impossible. */
function undoInBind(bones: Bones, boneOfJoint: Uint16Array, place: Float64Array): boolean {
  const { inverseBind } = bones.skeleton;
  const undo = new Float64Array(MATRIX_STRIDE);
  if (!invert34(undo, 0, place, 0)) return false;
  for (const j of boneOfJoint) multiply34(inverseBind, MATRIX_STRIDE * j, inverseBind, MATRIX_STRIDE * j, undo, 0);
  return true;
}

/** The map from a quantised mesh to its rest pose, as Pliant's writer notes it: origin and step of a lattice. */
function pliantLattice(pliant: Record<string, unknown> | undefined): Float64Array | undefined {
  const lattice = pliant?.lattice;
  if (!(Array.isArray(lattice) && lattice.length === 4 && lattice.every(isSane) && lattice[3] > 1e-30))
    return undefined;
  const [x, y, z, step] = lattice;
  return Float64Array.of(step, 0, 0, x, 0, step, 0, y, 0, 0, step, z);
}

/** glTF knows linear blending only; Pliant's writer says which operator it was. */
function readOperator(data: MeshData, name: string, notes: Note[]): SkinOperator {
  const said = data.pliant?.operator;
  const operator = SKIN_OPERATORS.find((known) => known === said);
  if (said === undefined || (operator && (operator !== 'mix' || data.mix))) return operator ?? 'lbs';
  notes.push(note('operator-unknown', {}, name));
  return 'lbs';
}
