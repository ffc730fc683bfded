import { PliantError } from '../error.ts';
import type { GltfSource } from './gltf-source.ts';
import { type LightModel, validateLight } from './light.ts';
import { firstNonFinite, type Mesh, validateMesh, vertexCount } from './mesh.ts';
import { boneCount, type Clip, type Skeleton, validateClip, validateSkeleton } from './skeleton.ts';
import type { SkinOperator } from './skin-operator.ts';

export { SKIN_OPERATORS, type SkinOperator } from './skin-operator.ts';

/** The influences of N vertices, k each, sorted by falling weight; unused slots are joint 0 with weight 0. */
export interface SkinWeights {
  /** k. */
  influences: number;
  /** N·k bone indices. */
  joints: Uint16Array;
  /** N·k, ≥ 0, each vertex's sum is 1. */
  weights: Float32Array;
}

/** A displacement of the rest pose that a clip can dial in, before skinning: what glTF calls a morph target. */
export interface Morph {
  name: string;
  /** 3N: added to the rest positions, times the morph's weight. */
  positions: Float32Array;
}

/** A bone that stands for a sample of a nonlinear operator: its matrix is Φ(u; C) of the master bones' matrices. */
export interface BlendBone {
  /** The bone of the skeleton that vertices follow. */
  bone: number;
  /** Master bones, the heaviest first; none is a blend bone itself. */
  masters: Uint16Array;
  /** u, one per master: ≥ 0, falling, sum 1. */
  weights: Float32Array;
}

/** The operators that blend bones can be samples of. */
export const BLEND_OPERATORS = ['dqs', 'sdqs', 'dib'] as const;
/** An operator that blend bones can be solved for. */
export type BlendOperator = (typeof BLEND_OPERATORS)[number];

/** Kavan 2009: bones beside the hierarchy that let linear blending come close to a nonlinear operator. */
export interface BlendBones {
  operator: BlendOperator;
  /** False where turns may exceed 180°, see `SkinOptions`. */
  antipodality: boolean;
  bones: BlendBone[];
}

/** Where in a glTF file a model was read from. A writer that edits the file changes what differs from it. */
export interface ModelOrigin {
  source: GltfSource;
  /** The node with the mesh. */
  node: number;
  /** B: bone → node. Bones behind these were added. */
  bones: Int32Array;
  /** 16 per joint of the skin: its inverse bind matrices, column-major as stored. Absent where it has none. */
  inverseBind?: Float32Array;
  /** 12: what moved the stored mesh to where it stands at rest; `skeleton.inverseBind` undoes it. Absent: nothing. */
  place?: Float64Array;
  /** Where the W split vertices are stored: runs of them, each used by some primitives of the mesh. */
  runs: readonly { start: number; count: number; primitives: readonly number[] }[];
  /** Clip → animation. */
  animations: readonly number[];
  /** The model as it was read. */
  read: Pick<SkinnedModel, 'mesh' | 'weights' | 'clips' | 'operator' | 'mixWeights' | 'blendBones'>;
}

/** A mesh that bones move. */
export interface SkinnedModel {
  name: string;
  /** The rest pose: what identity transforms show. */
  mesh: Mesh;
  weights: SkinWeights;
  skeleton: Skeleton;
  clips: Clip[];
  operator: SkinOperator;
  /** N in 0…1, for `mix`: 0 is LBS, 1 is DQS. */
  mixWeights?: Float32Array;
  /** M displacements that clips drive by their `morphWeights`. */
  morphs?: Morph[];
  /** Which bones follow from others, and how. Clips have them as they have all bones. */
  blendBones?: BlendBones;
  /** How light falls on it. */
  light?: LightModel;
  /** Where it was read from, if from glTF. */
  origin?: ModelOrigin;
}

/** How far a vertex's weights may be from a sum of 1: what rounding to float32 leaves. */
export const WEIGHT_SUM_TOLERANCE = 1e-5;

/** Throws `bad-input` where weights break their contract: one checker for every model anyone makes. */
export function validateWeights(
  skin: SkinWeights,
  vertices: number,
  bones: number,
  operation = 'validateWeights',
): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, cause);
  };
  const k = skin.influences;
  if (!(Number.isInteger(k) && k >= 1)) fail(`${k} influences (expected a whole number ≥ 1)`);
  if (skin.joints.length !== vertices * k) fail(`${skin.joints.length} joints (expected ${vertices * k})`);
  if (skin.weights.length !== vertices * k) fail(`${skin.weights.length} weights (expected ${vertices * k})`);
  for (let i = 0; i < vertices; i++) {
    let sum = 0;
    for (let s = i * k; s < (i + 1) * k; s++) {
      const w = skin.weights[s];
      if (!(w >= 0)) fail(`vertex ${i} has weight ${w} (expected ≥ 0)`);
      if (s > i * k && w > skin.weights[s - 1]) fail(`vertex ${i}: weights are not sorted`);
      if (skin.joints[s] >= bones) fail(`vertex ${i} follows bone ${skin.joints[s]} (expected < ${bones})`);
      sum += w;
    }
    if (Math.abs(sum - 1) > WEIGHT_SUM_TOLERANCE) fail(`weights of vertex ${i} sum to ${sum} (expected 1)`);
  }
}

function validateBlendBones({ bones }: BlendBones, boneCount: number, operation: string): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, cause);
  };
  const blends = new Set(bones.map(({ bone }) => bone));
  if (blends.size < bones.length) fail('a bone is listed twice as a blend bone');
  for (const { bone, masters, weights } of bones) {
    if (!(Number.isInteger(bone) && bone >= 0 && bone < boneCount)) {
      fail(`blend bone ${bone} (expected a bone below ${boneCount})`);
    }
    if (masters.length === 0 || masters.length !== weights.length) {
      fail(`blend bone ${bone} has ${masters.length} masters and ${weights.length} weights (expected equal numbers)`);
    }
    const stranger = masters.find((j) => j >= boneCount || blends.has(j));
    if (stranger !== undefined)
      fail(`blend bone ${bone} has master ${stranger} (expected a bone that is not a blend bone)`);
    if (weights.some((u, l) => !(u >= 0) || (l > 0 && u > weights[l - 1]))) {
      fail(`blend bone ${bone}: weights (expected ≥ 0, decreasing)`);
    }
    const sum = weights.reduce((total, u) => total + u, 0);
    if (Math.abs(sum - 1) > WEIGHT_SUM_TOLERANCE) fail(`weights of blend bone ${bone} sum to ${sum} (expected 1)`);
  }
}

/** Throws `bad-input` where a model breaks its contract. */
export function validateModel(model: SkinnedModel, operation = 'validateModel'): void {
  const n = vertexCount(model.mesh);
  const b = boneCount(model.skeleton);
  validateMesh(model.mesh, operation);
  validateSkeleton(model.skeleton, operation);
  validateWeights(model.weights, n, b, operation);
  const morphs = model.morphs ?? [];
  for (const { name, positions } of morphs) {
    if (positions.length !== 3 * n || firstNonFinite(positions) >= 0) {
      const cause = `morph "${name}" (got ${positions.length} numbers, expected ${3 * n} finite ones)`;
      throw new PliantError('bad-input', operation, cause);
    }
  }
  for (const clip of model.clips) validateClip(clip, b, operation, morphs.length);
  if (model.blendBones) validateBlendBones(model.blendBones, b, operation);
  if (model.light) validateLight(model.light, n, b, operation);
  if (model.operator === 'mix' && !model.mixWeights) {
    throw new PliantError('bad-input', operation, 'operator mix without mix weights');
  }
  if (model.mixWeights && (model.mixWeights.length !== n || firstNonFinite(model.mixWeights) >= 0)) {
    throw new PliantError(
      'bad-input',
      operation,
      `mix weights (got ${model.mixWeights.length}, expected ${n} numbers)`,
    );
  }
}
