import { Matrix4, type Skeleton, type SkinnedMesh, Vector3 } from 'three';
import { DUAL_STRIDE } from '../../src/math/dual-quaternion.ts';
import { determinant34, matrix34FromColumnMajor44 } from '../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import { BonePose } from '../../src/skin/bones.ts';
import { restSkeleton } from './mesh-model.ts';

/**
 * The bones of three.js as the library's operators want them.
 *
 * three.js skins in world space: v' = U·Σ w·M·E·v, with M = bone.matrixWorld · boneInverse, E = mesh.bindMatrix and
 * U = mesh.bindMatrixInverse. Linear blending does not care where it happens. Dual quaternions do: they know rigid
 * motions only, and a model that stands in the world at scale 0.01 would come out a hundred times too large. So bones are
 * blended as C = F⁻¹·M·E, from the mesh at rest to the mesh posed, where the frame F is the place of the mesh in the
 * world. Then v' = U·F·Φ(C)·E⁻¹·E·v.
 *
 * Meshes that share a skeleton share one space, which follows the first of them: for each of the others U and the last E
 * are its own.
 */
export class SkinSpace {
  readonly mesh: SkinnedMesh;
  readonly skeleton: Skeleton;
  /** 12B: C, rest → pose, 3 × 4 row-major. */
  readonly transforms: Float32Array;
  /** B: which of ±q̂ each bone means, continuous from pose to pose (see `BonePose.set`). */
  readonly signs: Int8Array;
  /** F. */
  readonly frame = new Matrix4();
  /** E. */
  readonly bind = new Matrix4();
  readonly bindInverse = new Matrix4();
  /** Counts the poses seen. */
  version = 0;
  #bones: BonePose;
  /** What the frame has beside the place of the mesh (see `withoutScale`). */
  readonly #scale: number;
  /** 16(B + 1): the matrices of the last pose, the place of the mesh last. */
  readonly #seen: Float64Array;
  /** 4B: real parts of the last pose's dual quaternions. */
  readonly #previous: Float64Array;

  constructor(mesh: SkinnedMesh, scale = 1) {
    const b = mesh.skeleton.bones.length;
    this.mesh = mesh;
    this.skeleton = mesh.skeleton;
    this.#scale = scale;
    this.transforms = new Float32Array(MATRIX_STRIDE * b);
    this.signs = new Int8Array(b).fill(1);
    this.#seen = new Float64Array(16 * (b + 1));
    this.#previous = new Float64Array(4 * b);
    this.#bones = this.#takeBind();
    this.refresh();
  }

  /** C, and what it splits into. */
  get bones(): BonePose {
    return this.#bones;
  }

  /** Takes over the pose that the bones have now. Cheap when nothing has moved. */
  refresh(): void {
    if (!this.mesh.bindMatrix.equals(this.bind)) this.#bones = this.#takeBind();
    if (!this.#look()) return;
    const { skeleton, frame, bind, transforms, mesh } = this;
    frame.copy(placeOf(mesh)).scale(factor.setScalar(this.#scale));
    inverse.copy(frame).invert();
    for (let j = 0; j < skeleton.bones.length; j++) {
      product.multiplyMatrices(inverse, worldOf(skeleton, j)).multiply(skeleton.boneInverses[j]).multiply(bind);
      matrix34FromColumnMajor44(transforms, MATRIX_STRIDE * j, product.elements);
    }
    this.#bones.set(transforms, this.signs);
    this.#followTurns();
    this.version++;
  }

  /**
   * A space for the same mesh that counts the scale which the bones have in common now as part of its place, not as
   * deformation: files often have mesh and bones under nodes of different scale. "In common" is the median, so that a few
   * bones may be scaled already.
   */
  withoutScale(): SkinSpace {
    const scales = Array.from(this.signs, (_, j) => scaleOf(this.transforms, MATRIX_STRIDE * j)).sort((a, b) => a - b);
    const median = scales[(scales.length - 1) >> 1];
    const usable = median > 0 && Math.abs(median - 1) > NO_SCALE;
    return usable ? new SkinSpace(this.mesh, this.#scale * median) : this;
  }

  /** A space of the same size for another mesh of the skeleton. */
  handOver(mesh: SkinnedMesh): SkinSpace {
    const scale = Math.cbrt(Math.abs(this.frame.determinant() / placeOf(mesh).determinant()));
    return new SkinSpace(mesh, Number.isFinite(scale) && scale > 0 ? scale : 1);
  }

  /** U·F: from this space to that of a mesh which shares the skeleton. */
  toMesh(out: Matrix4, mesh: SkinnedMesh): Matrix4 {
    return out.multiplyMatrices(mesh.bindMatrixInverse, this.frame);
  }

  /** E⁻¹ of this space times E of the mesh: from that mesh at rest to this space. */
  fromMesh(out: Matrix4, mesh: SkinnedMesh): Matrix4 {
    return out.multiplyMatrices(this.bindInverse, mesh.bindMatrix);
  }

  #takeBind(): BonePose {
    this.bind.copy(this.mesh.bindMatrix);
    this.bindInverse.copy(this.bind).invert();
    this.#seen.fill(Number.NaN);
    return new BonePose(restSkeleton(this.skeleton, this.bind));
  }

  /** Whether any matrix differs from what was seen last; remembers them. */
  #look(): boolean {
    const seen = this.#seen;
    const b = this.signs.length;
    let moved = false;
    for (let j = 0; j <= b; j++) {
      const { elements } = j < b ? worldOf(this.skeleton, j) : placeOf(this.mesh);
      for (let c = 0; c < 16; c++) {
        if (seen[16 * j + c] === elements[c]) continue;
        seen[16 * j + c] = elements[c];
        moved = true;
      }
    }
    return moved;
  }

  /** Of q̂ and −q̂ takes the one nearer to the last pose: a matrix cannot tell a turn by 190° from one by −170°. */
  #followTurns(): void {
    const { signs } = this;
    const { duals } = this.#bones;
    for (let j = 0; j < signs.length; j++) {
      const q = DUAL_STRIDE * j;
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += this.#previous[4 * j + c] * duals[q + c];
      if (dot < 0) {
        signs[j] = -signs[j];
        for (let c = 0; c < DUAL_STRIDE; c++) duals[q + c] = -duals[q + c];
      }
      for (let c = 0; c < 4; c++) this.#previous[4 * j + c] = duals[q + c];
    }
  }
}

/** Scales this close to 1 are rounding. */
const NO_SCALE = 1e-5;

/** The size of a matrix of C: 1 for a rigid motion. */
const scaleOf = (m: Float32Array, o: number): number => Math.cbrt(Math.abs(determinant34(m, o)));

const UNMOVED = new Matrix4();
const inverse = new Matrix4();
const product = new Matrix4();
const factor = new Vector3();

/** three.js allows holes in the list of bones. */
const worldOf = ({ bones }: Skeleton, j: number): Matrix4 => bones[j]?.matrixWorld ?? UNMOVED;

/** Where skinned vertices are taken back to: the mesh itself, or, detached, where it was bound. */
const placeOf = (mesh: SkinnedMesh): Matrix4 => (mesh.bindMode === 'detached' ? mesh.bindMatrix : mesh.matrixWorld);
