import { PliantError } from '../../error.ts';
import { transformPoint34 } from '../../math/matrix34.ts';
import { quaternionFromRotation } from '../../math/quaternion.ts';
import { IDENTITY3 } from '../../math/svd3.ts';
import { type TrackedSvd, trackSvd } from '../../math/tracked-svd.ts';
import { skinTransforms } from '../../math/trs.ts';
import type { TrackedKind } from '../../math/written-svd.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import type { Mesh } from '../../model/mesh.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { type SkinnedModel, type SkinWeights, validateModel } from '../../model/skinned-model.ts';
import { type BoneShape, trackShaped } from './bone-shape.ts';
import { type BoneSupports, boneSupports, flatSupport, straightenNormals } from './proxy-supports.ts';

/**
 * Fitted bones as nodes that every engine plays. Each bone turns about a pivot c amid its vertices; its skin matrix is
 * T(A·c + t)·A·T(−c), where engines know translation, rotation and scale only:
 *
 *   rigid   A = R(t)              one node (T, R),        inverse bind T(−c)
 *   trs     A = R(t)·S(t)·Vᵀ      one node (T, R, S),     inverse bind Vᵀ·T(−c)
 *   affine  A = U(t)·S(t)·V(t)ᵀ·C parent (T, R = U, S) and child (R = Vᵀ, S = D⁻¹), inverse bind Eᵀ·T(−c)
 *
 * C = D⁻¹·Eᵀ is explained in bone-shape.ts. Rest poses are rigid, since armatures of Blender, Maya and Unreal hold no
 * scale: the constant D⁻¹ is part of the clip. Vertices follow bone j, or bone 2j + 1 of an affine model, where 2j is its
 * parent. In the rest pose the nodes show the rest mesh.
 */
export interface ProxyModelInput {
  name: string;
  mesh: Mesh;
  /** Over the B fitted bones. */
  weights: SkinWeights;
  kind: 'rigid' | 'trs' | 'affine';
  /** P·B·12: per frame, per bone, 3 × 4 row-major, rest → pose, in the units of the mesh. */
  transforms: Float64Array;
  /** 9B, for `trs`: V, row-major, scale axes in columns. */
  axes?: Float64Array;
  /** P seconds, increasing. */
  times: Float64Array;
}

/** How far the axes of nearly equal scales may move a bone's vertices (root mean square, fraction of the diagonal). */
const AXES_TOLERANCE = 1e-6;
/** How far a bone's vertices may be from the given matrices: where it is more, these are not of their kind. */
const KIND_TOLERANCE = 1e-5;

/** The model that engines play: nodes, inverse bind matrices and a clip for given matrices. */
export function proxyModel(input: ProxyModelInput): SkinnedModel {
  const { name, mesh, weights, kind, transforms, times } = input;
  const frames = times.length;
  const boneCount = transforms.length / (MATRIX_STRIDE * frames);
  checkShapes(input, boneCount);
  const nodesPerBone = kind === 'affine' ? 2 : 1;
  const nodeCount = nodesPerBone * boneCount;
  const diagonal = diagonalOf(mesh.positions) || 1;
  const supports = boneSupports(mesh.positions, weights, boneCount);

  const skeleton = looseSkeleton(boneCount, nodesPerBone);
  const locals = new Float32Array(LOCAL_STRIDE * nodeCount * frames);
  const linear = new Float64Array(9 * frames);
  const image = new Float64Array(3);
  for (let j = 0; j < boneCount; j++) {
    for (let k = 0; k < frames; k++) linearPart(linear, 9 * k, transforms, MATRIX_STRIDE * (k * boneCount + j));
    const { tracked, shape } = track(input, j, linear, supports, diagonal);
    placeBone(skeleton, nodesPerBone * j, supports.pivots.subarray(3 * j, 3 * j + 3), shape.axes);
    for (let k = 0; k < frames; k++) {
      const at = LOCAL_STRIDE * (k * nodeCount + nodesPerBone * j);
      transformPoint34(image, 0, transforms, MATRIX_STRIDE * (k * boneCount + j), supports.pivots, 3 * j);
      locals.set(image, at);
      locals.set(tracked.u.subarray(4 * k, 4 * k + 4), at + 3);
      locals.set(tracked.s.subarray(3 * k, 3 * k + 3), at + 7);
      if (kind !== 'affine') continue;
      const [x, y, z, w] = tracked.v.subarray(4 * k, 4 * k + 4);
      locals.set([0, 0, 0, -x, -y, -z, w, ...shape.thinning], at + LOCAL_STRIDE);
    }
  }
  const clip: Clip = {
    name,
    times: times.slice(),
    locals,
    transforms: skinTransforms(skeleton.parents, skeleton.inverseBind, locals),
  };
  const model: SkinnedModel = {
    name,
    mesh,
    weights: kind === 'affine' ? onChildren(weights) : weights,
    skeleton,
    clips: [clip],
    operator: 'lbs',
  };
  validateModel(model, 'proxyModel');
  return model;
}

/** The motion of bone j about its pivot, and its C; `linear` (9P) is changed where its support is flat. */
function track(
  { kind, axes }: ProxyModelInput,
  j: number,
  linear: Float64Array,
  { covariances }: BoneSupports,
  diagonal: number,
): { tracked: TrackedSvd; shape: BoneShape } {
  const covariance = covariances.slice(9 * j, 9 * j + 9);
  const tolerance = AXES_TOLERANCE * diagonal;
  const unscaled = (own: Float64Array): BoneShape => ({ axes: own, thinning: Float64Array.of(1, 1, 1) });
  const trackAs = (bone: TrackedKind, own: Float64Array) => ({
    tracked: trackSvd(linear, bone, covariance, tolerance),
    shape: unscaled(own),
  });
  const follow = () => {
    if (kind === 'rigid') return trackAs({ kind }, IDENTITY3);
    const own = axes?.slice(9 * j, 9 * j + 9);
    if (kind === 'trs') return trackAs({ kind, axes: own! }, own!);
    const flat = flatSupport(covariance);
    if (flat) straightenNormals(linear, flat, KIND_TOLERANCE * diagonal);
    return trackShaped(linear, covariance, tolerance);
  };
  const followed = follow();
  const { residual } = followed.tracked;
  if (!(residual <= KIND_TOLERANCE * diagonal)) {
    const far = ((100 * residual) / diagonal).toPrecision(2);
    const cause = `bone ${j} is not ${kind} (got a difference of ${far} % of the diagonal, expected rounding)`;
    throw new PliantError('bad-input', 'proxyModel', cause);
  }
  return followed;
}

/** Nodes without places: of an affine bone the second is the child of the first. */
function looseSkeleton(boneCount: number, nodesPerBone: number): Skeleton {
  const nodeCount = nodesPerBone * boneCount;
  return {
    names: Array.from({ length: nodeCount }, (_, node) => {
      const name = `bone ${Math.floor(node / nodesPerBone)}`;
      // Vertices follow the last node of a bone: it has the name.
      return (node + 1) % nodesPerBone === 0 ? name : `${name} stretch`;
    }),
    parents: Int32Array.from({ length: nodeCount }, (_, node) => (node % nodesPerBone === 0 ? -1 : node - 1)),
    restLocals: new Float32Array(LOCAL_STRIDE * nodeCount),
    inverseBind: new Float32Array(MATRIX_STRIDE * nodeCount),
  };
}

/** The rest pose of a bone at `node`, T(c)·E, and its inverse bind matrix Eᵀ·T(−c). A child shares both. */
function placeBone(skeleton: Skeleton, node: number, c: Float64Array, axes: Float64Array): void {
  const { restLocals, inverseBind, parents } = skeleton;
  restLocals.set([...c, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * node);
  quaternionFromRotation(restLocals, LOCAL_STRIDE * node + 3, axes, 0, 3);
  for (let r = 0; r < 3; r++) {
    const row = [0, 3, 6].map((column) => axes[column + r]);
    const shift = -(row[0] * c[0] + row[1] * c[1] + row[2] * c[2]);
    inverseBind.set([...row, shift], MATRIX_STRIDE * node + 4 * r);
  }
  const child = node + 1;
  if (parents[child] !== node) return;
  restLocals.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * child);
  inverseBind.copyWithin(MATRIX_STRIDE * child, MATRIX_STRIDE * node, MATRIX_STRIDE * child);
}

function linearPart(out: Float64Array, o: number, m: Float64Array, mi: number): void {
  for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) out[o + 3 * r + c] = m[mi + 4 * r + c];
}

/** Vertices of an affine bone follow its second node. Unused slots stay joint 0. */
function onChildren(skin: SkinWeights): SkinWeights {
  return { ...skin, joints: skin.joints.map((j, s) => (skin.weights[s] > 0 ? 2 * j + 1 : 0)) };
}

function checkShapes({ kind, transforms, axes, times }: ProxyModelInput, boneCount: number): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', 'proxyModel', cause);
  };
  if (!(Number.isInteger(boneCount) && boneCount >= 1)) {
    fail(`${transforms.length} transform numbers (expected a multiple of 12 × ${times.length} frames)`);
  }
  if (kind === 'affine' && boneCount > 32768) fail(`${boneCount} affine bones (expected at most 32768)`);
  if (kind === 'trs' && axes?.length !== 9 * boneCount) {
    fail(`${axes?.length ?? 'no'} axis numbers (expected ${9 * boneCount})`);
  }
}
