import { PliantError } from '../../error.ts';
import { transformPoint34 } from '../../math/matrix34.ts';
import { quaternionFromRotation } from '../../math/quaternion.ts';
import { type TrackedSvd, trackSvd } from '../../math/tracked-svd.ts';
import { skinTransforms } from '../../math/trs.ts';
import type { TrackedKind } from '../../math/written-svd.ts';
import { diagonalOf } from '../../mesh/bounds.ts';
import type { Mesh } from '../../model/mesh.ts';
import { type Clip, LOCAL_STRIDE, MATRIX_STRIDE, type Skeleton } from '../../model/skeleton.ts';
import { type SkinnedModel, type SkinWeights, validateModel } from '../../model/skinned-model.ts';
import { type BoneSupports, boneSupports, flatSupport, straightenNormals } from './proxy-supports.ts';

/**
 * Fitted bones as nodes that every engine plays. Each bone turns about a pivot c amid its vertices; its skin matrix is
 * T(A·c + t)·A·T(−c), where engines know translation, rotation and scale only:
 *
 *   rigid   A = R(t)            one node (T, R),        inverse bind T(−c)
 *   trs     A = R(t)·S(t)·Vᵀ    one node (T, R, S),     inverse bind Vᵀ·T(−c)
 *   affine  A = U(t)·S(t)·V(t)ᵀ parent (T, R = U, S) and child (R = Vᵀ), inverse bind T(−c)
 *
 * The node of a bone that vertices follow is bone j, or bone 2j + 1 of an affine model, where 2j is its parent. In the
 * rest pose the nodes show the rest mesh.
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

export function proxyModel(input: ProxyModelInput): SkinnedModel {
  const { name, mesh, weights, kind, transforms, times } = input;
  const frames = times.length;
  const boneCount = transforms.length / (MATRIX_STRIDE * frames);
  checkShapes(input, boneCount);
  const nodesPerBone = kind === 'affine' ? 2 : 1;
  const nodeCount = nodesPerBone * boneCount;
  const diagonal = diagonalOf(mesh.positions) || 1;
  const supports = boneSupports(mesh.positions, weights, boneCount);

  const locals = new Float32Array(LOCAL_STRIDE * nodeCount * frames);
  const linear = new Float64Array(9 * frames);
  const image = new Float64Array(3);
  for (let j = 0; j < boneCount; j++) {
    for (let k = 0; k < frames; k++) linearPart(linear, 9 * k, transforms, MATRIX_STRIDE * (k * boneCount + j));
    const tracked = track(input, j, linear, supports, diagonal);
    for (let k = 0; k < frames; k++) {
      const at = LOCAL_STRIDE * (k * nodeCount + nodesPerBone * j);
      transformPoint34(image, 0, transforms, MATRIX_STRIDE * (k * boneCount + j), supports.pivots, 3 * j);
      locals.set(image, at);
      locals.set(tracked.u.subarray(4 * k, 4 * k + 4), at + 3);
      locals.set(tracked.s.subarray(3 * k, 3 * k + 3), at + 7);
      if (kind !== 'affine') continue;
      const [x, y, z, w] = tracked.v.subarray(4 * k, 4 * k + 4);
      locals.set([0, 0, 0, -x, -y, -z, w, 1, 1, 1], at + LOCAL_STRIDE);
    }
  }
  const skeleton = proxySkeleton(input, boneCount, supports);
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

/** The motion of bone j about its pivot; `linear` (9P) is changed where its support is flat. */
function track(
  { kind, axes }: ProxyModelInput,
  j: number,
  linear: Float64Array,
  { covariances }: BoneSupports,
  diagonal: number,
): TrackedSvd {
  const covariance = covariances.slice(9 * j, 9 * j + 9);
  const bone: TrackedKind = kind === 'trs' ? { kind, axes: axes!.slice(9 * j, 9 * j + 9) } : { kind };
  const flat = kind === 'affine' ? flatSupport(covariance) : undefined;
  if (flat) straightenNormals(linear, flat, KIND_TOLERANCE * diagonal);
  const tracked = trackSvd(linear, bone, covariance, AXES_TOLERANCE * diagonal);
  if (!(tracked.residual <= KIND_TOLERANCE * diagonal)) {
    const far = ((100 * tracked.residual) / diagonal).toPrecision(2);
    const cause = `bone ${j} is not ${kind} (got a difference of ${far} % of the diagonal, expected rounding)`;
    throw new PliantError('bad-input', 'proxyModel', cause);
  }
  return tracked;
}

function proxySkeleton({ kind, axes }: ProxyModelInput, boneCount: number, { pivots }: BoneSupports): Skeleton {
  const nodesPerBone = kind === 'affine' ? 2 : 1;
  const nodeCount = nodesPerBone * boneCount;
  const skeleton: Skeleton = {
    names: [],
    parents: new Int32Array(nodeCount).fill(-1),
    restLocals: new Float32Array(LOCAL_STRIDE * nodeCount),
    inverseBind: new Float32Array(MATRIX_STRIDE * nodeCount),
  };
  for (let j = 0; j < boneCount; j++) {
    const c = pivots.subarray(3 * j, 3 * j + 3);
    const v = kind === 'trs' ? axes!.subarray(9 * j, 9 * j + 9) : IDENTITY3;
    const node = nodesPerBone * j;
    skeleton.names.push(`bone ${j}`);
    skeleton.restLocals.set([...c, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * node);
    if (kind === 'trs') quaternionFromRotation(skeleton.restLocals, LOCAL_STRIDE * node + 3, v.slice(), 0, 3);
    for (let r = 0; r < 3; r++) {
      const row = [v[r], v[3 + r], v[6 + r]];
      const shift = -(row[0] * c[0] + row[1] * c[1] + row[2] * c[2]);
      skeleton.inverseBind.set([...row, shift], MATRIX_STRIDE * node + 4 * r);
    }
    if (kind === 'affine') {
      skeleton.names.push(`bone ${j} axes`);
      skeleton.parents[node + 1] = node;
      skeleton.restLocals.set([0, 0, 0, 0, 0, 0, 1, 1, 1, 1], LOCAL_STRIDE * (node + 1));
      skeleton.inverseBind.copyWithin(MATRIX_STRIDE * (node + 1), MATRIX_STRIDE * node, MATRIX_STRIDE * (node + 1));
    }
  }
  return skeleton;
}

const IDENTITY3 = Float64Array.from([1, 0, 0, 0, 1, 0, 0, 0, 1]);

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
