import { type Bone, Matrix4, type Object3D, type SkinnedMesh } from 'three';
import { PliantError } from '../../src/error.ts';
import { BLEND_BONE_EXTENSION } from '../../src/io/gltf/extension-names.ts';
import type { BlendOperator } from '../../src/model/skinned-model.ts';
import { BLENDS } from '../../src/skin/blend-bones.ts';
import type { Influences } from '../../src/skin/bones.ts';
import { requireSkinnedMesh } from './given.ts';
import { SkinSpace } from './skin-space.ts';
import { commonAncestor, matrix4From34, updateWorld } from './world.ts';

/** What a blend bone follows: Kavan 2009, (3). */
export interface BlendBoneProperties {
  operator: BlendOperator;
  /** Master bones, as indices into `skeleton.bones`. */
  joints: number[];
  /** Their u-weights, ≥ 0, sum 1. */
  weights: number[];
  /** False where turns may exceed 180°; then bones have to move continuously. */
  antipodality?: boolean;
}

interface Driven extends Influences {
  bone: Bone;
  operator: BlendOperator;
  antipodality: boolean;
  /** The bind pose's world matrix: the inverse of the bone's inverse bind matrix. */
  bind: Matrix4;
}

/**
 * Moves the blend bones of a rig that `pliant linearize` made, from its master bones: the skin matrix of each becomes
 * Φ(u; skin matrices of the masters), by the library's own operators. Baked clips need no driver; a rig that is posed
 * live, by hand, physics or a mixer of several clips, does. Call `update()` after the bones have moved and before
 * rendering:
 *
 *     mixer.update(seconds);
 *     driver.update();
 *     renderer.render(scene, camera);
 */
export class BlendBoneDriver {
  readonly mesh: SkinnedMesh;
  readonly #space: SkinSpace;
  readonly #driven: Driven[];
  readonly #still: Object3D[] = [];
  /** What mesh and bones stand under. */
  readonly #rig: Object3D | undefined;

  constructor(mesh: SkinnedMesh) {
    requireSkinnedMesh(mesh, 'BlendBoneDriver');
    this.mesh = mesh;
    const { bones, boneInverses } = mesh.skeleton;
    this.#driven = bones.flatMap((bone, j) => {
      const blend = blendOf(bone);
      if (!blend) return [];
      const { operator, antipodality = true } = blend;
      const bind = boneInverses[j].clone().invert();
      return [{ ...sorted(blend, bone, bones.length), bone, operator, antipodality, bind }];
    });
    if (this.#driven.length === 0) {
      throw fail(`the skeleton has no blend bones (got ${bones.length} bones, none with ${BLEND_BONE_EXTENSION})`);
    }
    // A blend may have shear, which position, rotation and scale cannot say: matrices are written directly. Clips have
    // such a bone as two nodes; the upper one, which no vertex follows, stands still.
    for (const { bone, operator } of this.#driven) {
      bone.matrixAutoUpdate = false;
      if (operator === 'sdqs' && bone.parent && bones.includes(bone.parent as Bone)) this.#still.push(bone.parent);
    }
    for (const object of this.#still) {
      object.matrixAutoUpdate = false;
      object.matrix.identity();
    }
    this.#rig = commonAncestor([mesh, ...bones.filter((bone) => bone !== undefined)]);
    this.#updateWorld();
    this.#space = new SkinSpace(mesh).withoutScale();
  }

  /** The bones it moves. */
  get bones(): Bone[] {
    return this.#driven.map(({ bone }) => bone);
  }

  /** Brings the blend bones to where the master bones have them now. */
  update(): void {
    const space = this.#space;
    this.#updateWorld();
    space.refresh();
    for (const driven of this.#driven) {
      BLENDS[driven.operator](phi, driven, space.bones, driven.antipodality);
      const { bone, bind } = driven;
      // World = (F·Φ·E⁻¹)·bind.
      matrix4From34(bone.matrixWorld, phi).premultiply(space.frame).multiply(space.bindInverse).multiply(bind);
      bone.matrix.copy(bone.matrixWorld);
      if (bone.parent) bone.matrix.premultiply(inverse.copy(bone.parent.matrixWorld).invert());
    }
  }

  /** Leaves the blend bones where they are, to be moved by clips again. */
  dispose(): void {
    for (const object of [...this.bones, ...this.#still]) object.matrixAutoUpdate = true;
  }

  #updateWorld(): void {
    if (this.#rig) {
      this.#rig.updateWorldMatrix(true, false);
      this.#rig.updateMatrixWorld(true);
    } else {
      updateWorld([this.mesh, ...this.mesh.skeleton.bones]);
    }
  }
}

const phi = new Float64Array(12);
const inverse = new Matrix4();

const fail = (cause: string): PliantError => new PliantError('bad-input', 'BlendBoneDriver', cause);

/** What GLTFLoader keeps of a blend bone's extension. */
function blendOf(bone: Bone | undefined): BlendBoneProperties | undefined {
  return bone?.userData.gltfExtensions?.[BLEND_BONE_EXTENSION];
}

/** The influences of a blend bone, the heaviest first, of sum 1. */
function sorted({ operator, joints, weights }: BlendBoneProperties, { name }: Bone, bones: number): Influences {
  const wrong = (cause: string): PliantError => fail(`blend bone "${name}": ${cause}`);
  if (!Object.hasOwn(BLENDS, operator)) {
    throw wrong(`operator (got ${operator}, expected ${Object.keys(BLENDS).join(', ')})`);
  }
  if (!Array.isArray(joints) || !Array.isArray(weights) || joints.length !== weights.length || joints.length === 0) {
    throw wrong(`joints and weights (got ${joints?.length} and ${weights?.length}, expected as many, at least one)`);
  }
  const order = joints.map((_, s) => s).sort((a, b) => weights[b] - weights[a]);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (const s of order) {
    if (!(Number.isInteger(joints[s]) && joints[s] >= 0 && joints[s] < bones)) {
      throw wrong(`joint ${joints[s]} (expected one of the skeleton's ${bones} bones)`);
    }
    if (!(weights[s] >= 0 && sum > 0)) throw wrong(`weight ${weights[s]} (expected ≥ 0, and a sum above 0)`);
  }
  return {
    joints: order.map((s) => joints[s]),
    weights: order.map((s) => weights[s] / sum),
    start: 0,
    k: order.length,
  };
}
