import { PliantError } from '../../error.ts';
import { translation34 } from '../../math/matrix34.ts';
import { boundsOf, diagonalOf } from '../../mesh/bounds.ts';
import { buildPointBvh } from '../../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../../mesh/nearest.ts';
import { uniqueRows } from '../../mesh/unique-rows.ts';
import { countingWeights } from '../../model/influences.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import { choiceOption, numberOption, type OptionSpecs, type OptionsOf, resolveOptions } from '../../model/options.ts';
import type { Skeleton } from '../../model/skeleton.ts';
import type { SkinWeights } from '../../model/skinned-model.ts';
import { otherSideNames } from './bone-names.ts';
import { bindMatrices } from './bone-segments.ts';

/** Mirror symmetry of weights: the vertex on the other side should follow the bones of the other side as strongly. */

const OPERATION = 'mirror';

/** The options of `findMirror`. */
export const MIRROR_OPTIONS = {
  mirrorAxis: choiceOption('x', ['x', 'y', 'z'], 'axis of mirror symmetry'),
  mirrorTolerance: numberOption(
    1e-3,
    { min: 0, max: 0.1, unit: 'of the diagonal' },
    'maximum distance of a vertex from the mirror image of its partner',
  ),
} as const satisfies OptionSpecs;
/** Options of `findMirror`. */
export type MirrorOptions = OptionsOf<typeof MIRROR_OPTIONS>;

/** Which vertex and which bone lies on the other side. */
export interface Mirror {
  axis: 0 | 1 | 2;
  /** Coordinate of the plane along the axis. */
  plane: number;
  /** N: the vertex at the mirrored place, itself on the plane, −1 where there is none. Partners are mutual. */
  partnerOf: Int32Array;
  /** Vertices with a partner. */
  matched: number;
  /** B: the bone of the other side, itself for bones in the middle. */
  boneOf: Int32Array;
}

/** The plane across the axis (through the origin or the middle of the box) that mirrors most vertices onto others. */
export function findMirror(mesh: Mesh, skeleton: Skeleton, options: Partial<MirrorOptions> = {}): Mirror {
  const { mirrorAxis, mirrorTolerance } = resolveOptions(MIRROR_OPTIONS, options, OPERATION);
  const axis = 'xyz'.indexOf(mirrorAxis) as Mirror['axis'];
  const tolerance = mirrorTolerance * diagonalOf(mesh.positions);
  const { min, max } = boundsOf(mesh.positions);
  const planes = [0, (min[axis] + max[axis]) / 2];
  const found = planes.map((plane) => matchVertices(mesh, axis, plane, tolerance));
  const best = found[1].matched > found[0].matched ? 1 : 0;
  return {
    axis,
    plane: planes[best],
    ...found[best],
    boneOf: matchSides(skeleton, axis, planes[best]),
  };
}

function matchVertices(
  mesh: Mesh,
  axis: number,
  plane: number,
  tolerance: number,
): Pick<Mirror, 'partnerOf' | 'matched'> {
  const n = vertexCount(mesh);
  const { classOf, firstOf } = uniqueRows(n, [mesh.positions]);
  const bvh = buildPointBvh(mesh.positions, firstOf); // each place once
  const place = surfacePoint();
  const nearest = Int32Array.from(firstOf, (i) => {
    const p = [mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]];
    p[axis] = 2 * plane - p[axis];
    // `within` is exclusive.
    nearestOnSurface(bvh, p[0], p[1], p[2], place, tolerance * (1 + 1e-9) + Number.MIN_VALUE);
    return place.face;
  });
  const partnerOf = Int32Array.from(classOf, (point) => {
    const other = nearest[point];
    return other >= 0 && nearest[other] === point ? firstOf[other] : -1;
  });
  return { partnerOf, matched: partnerOf.reduce((sum, partner) => sum + (partner >= 0 ? 1 : 0), 0) };
}

/** Joints this far from the mirrored place, as a fraction of the skeleton's size, still are its counterpart. */
const JOINT_TOLERANCE = 0.05;

/**
 * The other side's bone: that of the name, if it stands at the mirrored place; else the one that stands there; else that of
 * the name, as for a skeleton whose sides are posed differently; else the bone itself.
 */
function matchSides(skeleton: Skeleton, axis: number, plane: number): Int32Array {
  const { names } = skeleton;
  const binds = bindMatrices(skeleton, OPERATION);
  const joints = names.map((_, j) => translation34(binds, j));
  const tolerance = JOINT_TOLERANCE * diagonalOf(joints.flat());
  const out = Int32Array.from(joints, (joint, j) => {
    const image = joint.with(axis, 2 * plane - joint[axis]);
    const far = (other: number): number => Math.hypot(...joints[other].map((x, c) => x - image[c]));
    const named = otherSideNames(names[j])
      .map((name) => names.indexOf(name))
      .find((other) => other >= 0);
    if (named !== undefined && far(named) <= tolerance) return named;
    let nearest = j; // where several joints are equally near, a bone is its own counterpart
    for (let other = 0; other < joints.length; other++) if (far(other) < far(nearest)) nearest = other;
    return far(nearest) <= tolerance ? nearest : (named ?? j);
  });
  // Pairs are mutual: a bone that two others would mirror to belongs to none of them.
  return out.map((other, j) => (out[other] === j ? other : j));
}

/** Differences above this share of a vertex's weight are counted. */
const NOTABLE = 0.01;

/** How far weights are from their mirror image. */
export interface MirrorDifference {
  /** N: the share of weight (0…1) that the mirrored partner has on other bones; 0 for vertices without a partner. */
  difference: Float64Array;
  /** Vertices whose difference exceeds 0.01. */
  differing: number;
  mostDifferent: number;
  mostDifference: number;
}

/** How far the weights are from those of their mirror image: ½ Σ_j |w_ij − w_i'j'|. */
export function mirrorDifference(skin: SkinWeights, mirror: Mirror): MirrorDifference {
  const k = skin.influences;
  const difference = new Float64Array(mirror.partnerOf.length);
  let mostDifferent = 0;
  let differing = 0;
  mirror.partnerOf.forEach((partner, i) => {
    if (partner < 0) return;
    const rest = new Map<number, number>();
    const add = (joint: number, w: number): void => {
      rest.set(joint, (rest.get(joint) ?? 0) + w);
    };
    for (let s = 0; s < k; s++) {
      add(skin.joints[i * k + s], skin.weights[i * k + s]);
      add(mirror.boneOf[skin.joints[partner * k + s]], -skin.weights[partner * k + s]);
    }
    for (const w of rest.values()) difference[i] += Math.abs(w) / 2;
    if (difference[i] > NOTABLE) differing++;
    if (difference[i] > difference[mostDifferent]) mostDifferent = i;
  });
  return { difference, differing, mostDifferent, mostDifference: difference[mostDifferent] ?? 0 };
}

/** Fewer mirrored vertices than this part of all are no symmetry. */
const LEAST_MATCHED = 0.5;

/**
 * Weights that are their own mirror image: each vertex gets the mean of its own and its partner's mirrored weights; those
 * without a partner keep theirs. Throws `bad-input` where the mesh is not symmetric.
 */
export function symmetrizeWeights(skin: SkinWeights, mirror: Mirror): SkinWeights {
  const k = skin.influences;
  const n = mirror.partnerOf.length;
  if (mirror.matched < LEAST_MATCHED * n) {
    const cause = `the mesh is not symmetric across ${'xyz'[mirror.axis]} (got ${mirror.matched} mirrored vertices of ${n})`;
    throw new PliantError('bad-input', OPERATION, cause);
  }
  const bones = mirror.boneOf.length;
  const dense = new Float64Array(n * bones);
  for (let i = 0; i < n; i++) {
    const partner = mirror.partnerOf[i];
    for (let s = 0; s < k; s++) {
      const own = skin.weights[i * k + s] / 2;
      dense[i * bones + skin.joints[i * k + s]] += own;
      if (partner < 0) dense[i * bones + skin.joints[i * k + s]] += own;
      else dense[i * bones + mirror.boneOf[skin.joints[partner * k + s]]] += skin.weights[partner * k + s] / 2;
    }
  }
  return countingWeights(dense, bones);
}
