import { type Bone, Matrix4, type Object3D, type SkinnedMesh } from 'three';
import type { Garment } from '../../src/cloth/worn.ts';
import { PliantError } from '../../src/error.ts';
import { matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import { gatherRows } from '../../src/math/rows.ts';
import { weldVertices } from '../../src/mesh/seams.ts';
import { vertexCount } from '../../src/model/mesh.ts';
import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { modelOf, restSkeleton } from './mesh-model.ts';
import { skinnings } from './skinnings.ts';
import { commonAncestor, updateWorld } from './world.ts';

/**
 * A skinned mesh as what cloth collides with, in metres.
 *
 * three.js has vertices at Σ w·M·E·v in the world, with M = bone.matrixWorld · boneInverse and E = mesh.bindMatrix. The
 * model at rest has them at s·E·v, where s is the scale that the bones have in common, times the metres of a unit of the
 * world: armatures of scale 0.01 then have a body of the right size, and transforms that only turn and move.
 */
export class ClothBodyMesh {
  readonly mesh: SkinnedMesh;
  readonly model: SkinnedModel;
  /** 12B: rest → world, in metres, as of the last `refresh`. */
  readonly transforms: Float32Array;
  readonly #metres: number;
  /** s. */
  readonly #scale: number;
  readonly #rig: Object3D | undefined;

  constructor(mesh: SkinnedMesh, metresPerUnit: number) {
    if (!mesh.isSkinnedMesh)
      throw new PliantError('bad-input', 'ClothMesh', `body (got ${mesh.type}, expected a SkinnedMesh)`);
    const { skeleton, geometry, bindMatrix } = mesh;
    this.mesh = mesh;
    this.#metres = metresPerUnit;
    this.transforms = new Float32Array(MATRIX_STRIDE * skeleton.bones.length);
    this.#rig = commonAncestor([mesh, ...skeleton.bones.filter((bone) => bone !== undefined)]);
    this.updateWorld();
    const matrices = skeleton.bones.map((_, j) => skinMatrix(new Matrix4(), mesh, j));
    const size = metresPerUnit * commonScale(matrices);
    this.#scale = size;
    const toRest = new Matrix4().makeScale(size, size, size).multiply(bindMatrix);
    const { operator = 'lbs' } = skinnings.get(mesh) ?? {};
    const rest = restSkeleton(skeleton, new Matrix4().makeScale(1 / size, 1 / size, 1 / size));
    this.model = { ...welded(modelOf(geometry, rest, toRest)), operator };
    this.refresh();
  }

  /** Brings the bones' world matrices up to date. */
  updateWorld(): void {
    const rig = this.#rig;
    if (!rig) updateWorld([this.mesh, ...this.mesh.skeleton.bones]);
    else {
      rig.updateWorldMatrix(true, false);
      rig.updateMatrixWorld(true);
    }
  }

  /** Takes over where the bones are now. */
  refresh(): void {
    const { transforms, mesh } = this;
    const turn = this.#metres / this.#scale;
    for (let j = 0; j < mesh.skeleton.bones.length; j++) {
      skinMatrix(product, mesh, j);
      matrix34FromColumnMajor44(rows, 0, product.elements);
      for (let c = 0; c < MATRIX_STRIDE; c++)
        transforms[MATRIX_STRIDE * j + c] = rows[c] * (c % 4 === 3 ? this.#metres : turn);
    }
  }

  /**
   * From the space of a garment to the model at rest. A garment that is skinned to bones of the body stands on the same
   * bind pose; another one stands beside the body: where the rest pose is now, if the body is in it, or else where the
   * mesh of the body is. A mere geometry is in the space of the body's.
   */
  toRest(out: Matrix4, garment?: Object3D): Matrix4 {
    const { mesh } = this;
    const { bones, boneInverses } = mesh.skeleton;
    out.copy(mesh.bindMatrix);
    const worn = garment as SkinnedMesh | undefined;
    const shared = worn?.isSkinnedMesh ? worn.skeleton.bones.findIndex((bone: Bone) => bones.includes(bone)) : -1;
    if (worn && shared >= 0) {
      const j = bones.indexOf(worn.skeleton.bones[shared]);
      out.copy(boneInverses[j]).invert().multiply(worn.skeleton.boneInverses[shared]).multiply(worn.bindMatrix);
    } else if (garment) {
      garment.updateWorldMatrix(true, false);
      const place = restPlace(mesh);
      out.multiply(place.invert()).multiply(garment.matrixWorld);
    }
    return out.premultiply(product.makeScale(this.#scale, this.#scale, this.#scale));
  }

  /** Where bone j is in the world. */
  boneMatrix(out: Matrix4, j: number): Matrix4 {
    return out.copy(this.mesh.skeleton.bones[j]?.matrixWorld ?? UNMOVED);
  }

  /** The bone that a garment hangs on: the one that the vertex nearest to the middle of its pins follows most. */
  anchorOf({ mesh, pinned }: Garment): number {
    const { mesh: skin, weights } = this.model;
    const of = pinned.length > 0 ? pinned : mesh.triangles;
    const middle = [0, 1, 2].map((c) => of.reduce((sum, i) => sum + mesh.positions[3 * i + c], 0) / of.length);
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < skin.positions.length / 3; i++) {
      const d2 = middle.reduce((sum, x, c) => sum + (x - skin.positions[3 * i + c]) ** 2, 0);
      if (d2 >= least) continue;
      least = d2;
      best = weights.joints[i * weights.influences];
    }
    return best;
  }
}

/** The same surface with one vertex where several coincide, as along seams: each place counts once. */
function welded(model: SkinnedModel): SkinnedModel {
  const { influences, joints, weights } = model.weights;
  const { positions, triangles } = model.mesh;
  const { mesh, vertexOf } = weldVertices({ positions, triangles }, { keys: [joints, weights] });
  const first = new Uint32Array(vertexCount(mesh));
  for (let w = vertexOf.length - 1; w >= 0; w--) first[vertexOf[w]] = w;
  return {
    ...model,
    mesh: { positions: mesh.positions, triangles: mesh.triangles },
    weights: {
      influences,
      joints: gatherRows(joints, influences, first),
      weights: gatherRows(weights, influences, first),
    },
    mixWeights: model.mixWeights && gatherRows(model.mixWeights, 1, first),
    morphs: [],
  };
}

const product = new Matrix4();
const rows = new Float64Array(MATRIX_STRIDE);
const UNMOVED = new Matrix4();

/** M of bone j; three.js allows holes in the list of bones. */
const skinMatrix = (out: Matrix4, { skeleton }: SkinnedMesh, j: number): Matrix4 =>
  out.multiplyMatrices(skeleton.bones[j]?.matrixWorld ?? UNMOVED, skeleton.boneInverses[j]);

/** How large matrices make things: the median, so that a few bones may be scaled. */
function commonScale(matrices: readonly Matrix4[]): number {
  const scales = matrices.map((matrix) => Math.cbrt(Math.abs(matrix.determinant())));
  const median = scales.sort((a, b) => a - b)[(scales.length - 1) >> 1];
  return median > 0 ? median : 1;
}

/** How much the matrices of a pose may differ in the rest pose, as a share of their size. */
const SAME = 1e-3;

/** Where in the world the mesh at rest is: M·E, if all bones agree, and the place of the mesh if they do not. */
function restPlace(mesh: SkinnedMesh): Matrix4 {
  const first = skinMatrix(new Matrix4(), mesh, 0);
  const size = Math.max(...first.elements.map(Math.abs));
  const agree = mesh.skeleton.bones.every((_, j) =>
    skinMatrix(product, mesh, j).elements.every((x, c) => Math.abs(x - first.elements[c]) <= SAME * size),
  );
  return agree ? first.multiply(mesh.bindMatrix) : mesh.matrixWorld.clone();
}
