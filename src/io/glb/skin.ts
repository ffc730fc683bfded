import type { Node, Skin, TypedArray } from '@gltf-transform/core';
import { largestRemainders } from '../../math/integer-simplex.ts';
import { columnMajor44From34 } from '../../math/matrix34.ts';
import { normalizeQuaternion } from '../../math/quaternion.ts';
import { canonicalInfluences } from '../../model/influences.ts';
import { vertexCount } from '../../model/mesh.ts';
import { type Note, note } from '../../model/note.ts';
import { boneCount, LOCAL_STRIDE, MATRIX_STRIDE } from '../../model/skeleton.ts';
import type { SkinnedModel } from '../../model/skinned-model.ts';
import { addBlendBones } from '../gltf/blend-bone-extension.ts';
import type { GlbDocument } from './document.ts';
import { filteredExponential } from './filters.ts';
import { shortestFloat32 } from './json.ts';
import { type Lattice, latticeOf, throughLattice } from './lattice.ts';
import { addMesh, type ExtraAttribute, perSplitVertex } from './mesh.ts';
import { addMorphs, morphScales } from './morphs.ts';
import type { ModelGlbOptions } from './options.ts';
import { type StoredOrder, steadySlots } from './order.ts';

/** A skinned model's mesh, influences, morphs and bones. Every bone is listed as a joint, so that optimisers keep it. */

/** What clips need to know of a model that was added. */
export interface AddedModel {
  /** B: the node of each bone. */
  bones: Node[];
  skin: Skin;
  /** The node of the mesh. */
  body: Node;
  /** M: see `morphScales`. */
  scales: number[];
}

/** `shared`: a model that was added and has the same skeleton; its bones serve this one too. */
export function addSkinnedModel(
  glb: GlbDocument,
  model: SkinnedModel,
  options: ModelGlbOptions,
  shared?: AddedModel,
): AddedModel {
  const { document, scene } = glb;
  const bones = shared?.bones ?? addBones(glb, model, options);
  if (model.blendBones && !shared) addBlendBones(document, model.blendBones, bones);
  const lattice = options.quantize ? latticeOf(model.mesh.positions) : undefined;
  // Meshes on lattices of their own need skins of their own.
  const skin = (!lattice && shared?.skin) || addSkin(glb, model, options, bones, lattice);

  const order = glb.order(model.mesh);
  const extra = influenceColumns(model, options, boneCount(model.skeleton), (added) => glb.note(added), order);
  if (model.mixWeights) {
    const array = perSplitVertex(model.mixWeights, 1, model.mesh) as TypedArray;
    extra.push({ semantic: '_MIX', type: 'SCALAR', array });
  }
  // Readers that want the rest pose need to know where the stored positions lie.
  const scales = morphScales(model, lattice);
  const pliant = {
    operator: model.operator,
    ...(lattice && { lattice: [...lattice.origin, lattice.step] }),
    ...(scales.some((scale) => scale !== 1) && { morphScales: scales }),
  };
  const mesh = addMesh(glb, model.mesh, model.name, extra, { order, lattice }).setExtras({ pliant });
  addMorphs(glb, mesh, model, { order, lattice }, scales);
  const body = document.createNode(model.name).setMesh(mesh).setSkin(skin);
  scene.addChild(body);
  return { bones, skin, body, scales };
}

function addBones(glb: GlbDocument, { skeleton, name }: SkinnedModel, options: ModelGlbOptions): Node[] {
  const { document, scene } = glb;
  const bones = Array.from({ length: boneCount(skeleton) }, (_, j) => {
    const local = Float64Array.from(skeleton.restLocals.subarray(LOCAL_STRIDE * j, LOCAL_STRIDE * (j + 1)));
    normalizeQuaternion(local, 3);
    const [x, y, z, qx, qy, qz, qw, sx, sy, sz] = local.map(shortestFloat32);
    return document
      .createNode(options.names ? skeleton.names[j] : '')
      .setTranslation([x, y, z])
      .setRotation([qx, qy, qz, qw])
      .setScale([sx, sy, sz]);
  });
  // A skin's joints need a common root: free joints get a node that does nothing, which the reader knows to skip.
  const roots = bones.filter((_, j) => skeleton.parents[j] < 0);
  const root = roots.length === 1 ? undefined : document.createNode(name).setExtras({ pliant: { container: true } });
  if (root) scene.addChild(root);
  for (let j = 0; j < bones.length; j++) {
    const parent = skeleton.parents[j];
    if (parent >= 0) bones[parent].addChild(bones[j]);
    else if (root) root.addChild(bones[j]);
    else scene.addChild(bones[j]);
  }
  return bones;
}

function addSkin(
  glb: GlbDocument,
  { skeleton, name }: SkinnedModel,
  options: ModelGlbOptions,
  bones: readonly Node[],
  lattice: Lattice | undefined,
): Skin {
  const inverseBind = skeleton.inverseBind.slice();
  const matrices = new Float32Array(16 * bones.length);
  for (let j = 0; j < bones.length; j++) {
    const at = MATRIX_STRIDE * j;
    if (lattice) throughLattice(inverseBind, at, inverseBind, at, lattice);
    columnMajor44From34(matrices, 16 * j, inverseBind, at);
  }
  const skin = glb.document
    .createSkin(options.names ? name : '')
    .setInverseBindMatrices(glb.accessor('MAT4', matrices));
  for (const bone of bones) skin.addJoint(bone);
  return skin;
}

/** Weights are whole numbers of 1/levels, or any. */
const LEVELS = { float: 0, float12: 4096, u16: 65535, u8: 255 } as const;
/** What a whole number of 1/levels is stored as: itself, or the fraction. */
const STORED = {
  float: { Array: Float32Array, unit: 1 },
  float12: { Array: Float32Array, unit: 1 / LEVELS.float12 },
  u16: { Array: Uint16Array, unit: 1 },
  u8: { Array: Uint8Array, unit: 1 },
} as const;

/**
 * JOINTS_n and WEIGHTS_n of the W split vertices: at most `options.influences` per vertex, of sum 1 exactly in the chosen
 * kind of number. `bones` is how many there are to choose from.
 */
export function influenceColumns(
  model: Pick<SkinnedModel, 'name' | 'mesh' | 'weights'>,
  options: ModelGlbOptions,
  bones: number,
  addNote: (added: Note) => void,
  order?: StoredOrder,
): ExtraAttribute[] {
  const { weights: skin, mesh } = model;
  const n = vertexCount(mesh);
  const kept = Math.min(options.influences, skin.influences);
  const sets = Math.ceil(kept / 4);
  const joints = Array.from({ length: sets }, () => new Uint16Array(4 * n));
  const weights = Array.from({ length: sets }, () => new STORED[options.weights].Array(4 * n));
  const rowJoints = new Uint16Array(skin.influences);
  const row = new Float64Array(skin.influences);
  const levels = LEVELS[options.weights];
  let lost = 0;
  for (let i = 0; i < n; i++) {
    rowJoints.set(skin.joints.subarray(i * skin.influences, (i + 1) * skin.influences));
    row.set(skin.weights.subarray(i * skin.influences, (i + 1) * skin.influences));
    const used = Math.min(canonicalInfluences(rowJoints, row, skin.influences), kept);
    let sum = 0;
    for (let s = 0; s < used; s++) sum += row[s];
    lost = Math.max(lost, 1 - sum);
    for (let s = 0; s < used; s++) row[s] /= sum;
    if (levels > 0) largestRemainders(row, used, levels);
    else roundToUnitSum(row, used);
    for (let s = 0; s < used; s++) {
      // A weight that rounds to 0 has no joint either: validators object to one.
      if (row[s] === 0) continue;
      joints[s >> 2][4 * i + (s & 3)] = rowJoints[s];
      weights[s >> 2][4 * i + (s & 3)] = row[s] * STORED[options.weights].unit;
    }
  }
  if (kept < skin.influences && lost > 1e-6) {
    addNote(note('influences-trimmed', { influences: kept, maxWeightLost: lost }, model.name));
  }

  if (options.joints === 'u8' && bones > 256) addNote(note('joints-widened', { bones }, model.name));
  const small = options.joints !== 'u16' && bones <= 256;
  const stored = {
    joints: joints.map((set) => perSplitVertex(small ? Uint8Array.from(set) : set, 4, mesh)),
    weights: weights.map((set) => perSplitVertex(set, 4, mesh)),
  };
  if (order?.vertices) steadySlots(stored.joints, stored.weights, order.vertices);
  return Array.from({ length: sets }, (_, set): ExtraAttribute[] => [
    { semantic: `JOINTS_${set}`, type: 'VEC4', array: stored.joints[set] as TypedArray },
    {
      semantic: `WEIGHTS_${set}`,
      type: 'VEC4',
      array: filtersWeights(options) ? filteredExponential(stored.weights[set]) : (stored.weights[set] as TypedArray),
      normalized: options.weights === 'u16' || options.weights === 'u8',
      filtered: filtersWeights(options),
    },
  ]).flat();
}

/** Whether weights are stored as the filter EXPONENTIAL wants them. */
const filtersWeights = ({ weights, compress }: ModelGlbOptions): boolean =>
  weights === 'float12' && compress === 'meshopt';

/** Rounds weights that sum to 1 to float32 such that they still do, to the last bit that float32 has. */
function roundToUnitSum(row: Float64Array, used: number): void {
  let others = 0;
  for (let s = 1; s < used; s++) {
    row[s] = Math.fround(row[s]);
    others += row[s];
  }
  row[0] = Math.fround(1 - others);
}
