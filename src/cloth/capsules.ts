/**
 * A rig as capsules, up to three per bone that vertices follow most: quick to collide with, and never torn open by a pose.
 * A bone's capsules are fitted to the vertices whose heaviest bone it is: their union's signed distance at the vertices is
 * brought near zero (Levenberg–Marquardt, each capsule on the vertices that are nearest to it or deepest inside). A vertex
 * outside counts more than one inside, because there the body would show through the cloth. The start of each: of the axes
 * through the centroid (the principal ones and the one that leads away from the joint) and of round or open ends, what
 * leaves the least distance.
 */
import { choleskyFactor, choleskySolve } from '../math/cholesky.ts';
import { invert34, MATRIX_STRIDE } from '../math/matrix34.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';
import { dot3, length3, type Vector, vectorOf } from '../math/vector.ts';
import { boundsOf, diagonalOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import { boneCount } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { offSegment, segmentDistance } from './segment.ts';

/** A bone's capsule in the rest pose. */
export interface BoneCapsule {
  bone: number;
  a: Vector;
  b: Vector;
  radius: number;
}

/** Fewer vertices than these say little about the shape of a limb. */
const MIN_VERTICES = 8;
/** Of more vertices of a bone, and around it, these many are looked at, evenly chosen. */
const MAX_POINTS = 200;
/** The share of vertices beyond each end of a capsule: spikes do not count. */
const BEYOND = 0.02;

/** Points that follow a bone, and how much; then points of other bones around them, which no capsule should hold. */
interface Followers {
  points: Vector[];
  weights: number[];
  others?: Vector[];
}

export function fitCapsules(model: SkinnedModel): BoneCapsule[] {
  const { skeleton, mesh } = model;
  const followers = followersOf(model);
  const joint = new Float64Array(MATRIX_STRIDE);
  const near = CLOSE * diagonalOf(mesh.positions);
  const capsules: BoneCapsule[] = [];
  for (let bone = 0; bone < boneCount(skeleton); bone++) {
    if (followers[bone].points.length < MIN_VERTICES) continue;
    const of = { ...thinned(followers[bone]), others: pointsAround(followers, bone) };
    const centre = weightedMean(of);
    const placed = invert34(joint, 0, skeleton.inverseBind, MATRIX_STRIDE * bone);
    const away = vectorOf((c) => (placed ? centre[c] - joint[4 * c + 3] : 0));
    let best: Capsule[] = [];
    let error = Infinity;
    for (let count = 1; count <= MOST_PER_BONE && error > near; count++) {
      for (const axis of principalAxes(of, centre).slice(0, count === 1 ? 1 : 3)) {
        const starts = slices(of, axis, count).map((slice) => capsuleOf(slice, away));
        if (!starts.every((start) => start !== undefined)) continue;
        const fitted = refined(of, starts as Capsule[]);
        const reached = unionError(of, fitted);
        if (reached < (fitted.length > best.length ? WORTH : 1) * error) [best, error] = [fitted, reached];
      }
    }
    capsules.push(...best.map((capsule) => ({ bone, ...capsule })));
  }
  return capsules;
}

type Capsule = Omit<BoneCapsule, 'bone'>;

const MOST_PER_BONE = 3;
/** A fit with this mean distance needs no more capsules, in diagonals of the body. */
const CLOSE = 0.003;
/** One capsule more must leave less than this share of the distance. */
const WORTH = 0.75;
/** A vertex outside the capsules counts so many times as much as one inside. */
const OUTSIDE = 3;
/** A vertex of another bone inside counts as so much of a vertex of this one. */
const OTHERS = 0.3;
const ROUNDS = 20;

/** Points of other bones in a box around those of one, half as large again on each side. */
function pointsAround(followers: readonly Followers[], bone: number): Vector[] {
  const { min, max } = boundsOf(followers[bone].points.flat());
  const room = vectorOf((c) => 0.5 * (max[c] - min[c]));
  const around = followers.flatMap(({ points }, j) =>
    j === bone ? [] : points.filter((p) => p.every((x, c) => x > min[c] - room[c] && x < max[c] + room[c])),
  );
  return evenly(around);
}

/** At most MAX_POINTS of a list. */
function evenly<T>(items: readonly T[]): T[] {
  const step = Math.max(1, items.length / MAX_POINTS);
  return Array.from({ length: Math.floor(items.length / step) }, (_, q) => items[Math.floor(q * step)]);
}

const thinned = ({ points, weights }: Followers): Followers => ({ points: evenly(points), weights: evenly(weights) });

/** The points in `count` parts with as many each, along an axis. */
function slices({ points, weights }: Followers, axis: Vector, count: number): Followers[] {
  const order = points.map((_, q) => q).sort((q, r) => dot3(points[q], axis) - dot3(points[r], axis));
  return Array.from({ length: count }, (_, part) => {
    const chosen = order.slice((part * order.length) / count, ((part + 1) * order.length) / count);
    return { points: chosen.map((q) => points[q]), weights: chosen.map((q) => weights[q]) };
  });
}

/** A capsule to start from. */
function capsuleOf(of: Followers, away: Vector): Capsule | undefined {
  if (of.points.length < MIN_VERTICES) return undefined;
  const centre = weightedMean(of);
  let best: ReturnType<typeof capsuleAlong> | undefined;
  for (const axis of [...principalAxes(of, centre), scaled(away)]) {
    if (length3(axis) === 0) continue;
    for (const round of ROUND_ENDS) {
      const fitted = capsuleAlong(of, centre, axis, round);
      if (fitted.radius > 0 && !(fitted.error >= (best?.error ?? Infinity))) best = fitted;
    }
  }
  return best && { a: best.a, b: best.b, radius: best.radius };
}

/** Signed distance of a point from a capsule. */
const distanceTo = ({ a, b, radius }: Capsule, [x, y, z]: Vector): number => segmentDistance(a, b, x, y, z) - radius;

function unionDistance(capsules: readonly Capsule[], p: Vector): number {
  let least = Infinity;
  for (const capsule of capsules) least = Math.min(least, distanceTo(capsule, p));
  return least;
}

/** Weighted mean of the distance between points and the surface of all capsules. */
function unionError({ points, weights, others = [] }: Followers, capsules: readonly Capsule[]): number {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const own = points.reduce((sum, p, q) => sum + weights[q] * missBy(unionDistance(capsules, p)), 0);
  const held = others.reduce((sum, p) => sum + OTHERS * Math.max(0, -unionDistance(capsules, p)), 0);
  return (own + held) / total;
}

const missBy = (distance: number): number => (distance > 0 ? OUTSIDE * distance : -distance);

/** The starts, with less distance between the points and their union. */
function refined(of: Followers, starts: readonly Capsule[]): Capsule[] {
  let best = [...starts];
  let error = unionError(of, best);
  let damping = 0.1;
  for (let round = 0; round < ROUNDS && damping < 1e4; round++) {
    const next = best.map((capsule, k) => stepped(of, best, k, damping) ?? capsule);
    const reached = unionError(of, next);
    if (reached < error) {
      best = next;
      error = reached;
      damping /= 3;
    } else damping *= 4;
  }
  return best;
}

/** One step of Levenberg–Marquardt for the ends and the radius of capsule k, on the points that belong to it. */
function stepped(of: Followers, capsules: readonly Capsule[], k: number, damping: number): Capsule | undefined {
  const { a, b, radius } = capsules[k];
  const n = 7;
  const normal = new Float64Array(n * n);
  const right = new Float64Array(n);
  const row = new Float64Array(n); // d(distance) by a, b and the radius
  const add = (p: Vector, weight: number, outside: number) => {
    const least = unionDistance(capsules, p);
    const distance = distanceTo(capsules[k], p);
    const w = weight * (distance > 0 ? outside : 1);
    if (distance > least || w === 0) return;
    const { t, x, y, z } = offSegment;
    const s = -1 / (distance + radius || 1);
    row.set([(1 - t) * s * x, (1 - t) * s * y, (1 - t) * s * z, t * s * x, t * s * y, t * s * z, -1]);
    for (let r = 0; r < n; r++) {
      right[r] -= w * row[r] * distance;
      for (let c = 0; c < n; c++) normal[n * r + c] += w * row[r] * row[c];
    }
  };
  for (const [q, p] of of.points.entries()) add(p, of.weights[q], OUTSIDE);
  for (const p of of.others ?? []) add(p, OTHERS, 0);
  const size = normal.reduce((sum, x, c) => sum + (c % (n + 1) === 0 ? x : 0), 0) / n;
  if (size === 0) return undefined;
  for (let r = 0; r < n; r++) normal[r * (n + 1)] += damping * size;
  if (!choleskyFactor(normal, n)) return undefined;
  choleskySolve(normal, n, right, 1);
  const larger = radius + right[6];
  return larger > 0
    ? { a: vectorOf((c) => a[c] + right[c]), b: vectorOf((c) => b[c] + right[3 + c]), radius: larger }
    : undefined;
}

/** Whether the surface closes around the first and the second end, as at a fingertip, or goes on. */
const ROUND_ENDS = [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const;

function followersOf({ mesh, weights: skin, skeleton }: SkinnedModel): Followers[] {
  const followers = Array.from({ length: boneCount(skeleton) }, (): Followers => ({ points: [], weights: [] }));
  for (let i = 0; i < vertexCount(mesh); i++) {
    // Influences are sorted: the first is the heaviest.
    const of = followers[skin.joints[i * skin.influences]];
    of.points.push(vectorOf((c) => mesh.positions[3 * i + c]));
    of.weights.push(skin.weights[i * skin.influences]);
  }
  return followers;
}

const scaled = (v: Vector): Vector => vectorOf((c) => v[c] / (length3(v) || 1));

function weightedMean({ points, weights }: Followers): Vector {
  const total = weights.reduce((sum, w) => sum + w, 0);
  return vectorOf((c) => points.reduce((sum, p, q) => sum + weights[q] * p[c], 0) / total);
}

function principalAxes({ points, weights }: Followers, centre: Vector): Vector[] {
  const covariance = new Float64Array(9);
  points.forEach((p, q) => {
    for (let c = 0; c < 9; c++) {
      const row = Math.floor(c / 3);
      covariance[c] += weights[q] * (p[row] - centre[row]) * (p[c % 3] - centre[c % 3]);
    }
  });
  const { vectors } = symmetricEigen(covariance, 3);
  return [0, 3, 6].map((row) => vectorOf((c) => vectors[row + c]));
}

/** The capsule along an axis, and the mean distance between its surface and the points. */
function capsuleAlong(
  { points, weights }: Followers,
  centre: Vector,
  axis: Vector,
  round: readonly [boolean, boolean],
) {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const along = points.map((p) => dot3(p, axis) - dot3(centre, axis));
  const across = points.map((p, q) => length3(vectorOf((c) => p[c] - centre[c] - along[q] * axis[c])));
  const radius = across.reduce((sum, r, q) => sum + weights[q] * r, 0) / total;
  const sorted = along.slice().sort((s, t) => s - t);
  const beyond = Math.floor(BEYOND * sorted.length);
  let low = sorted[beyond] + (round[0] ? radius : 0);
  let high = sorted[sorted.length - 1 - beyond] - (round[1] ? radius : 0);
  if (low > high) low = high = (low + high) / 2;
  const error = along.reduce((sum, t, q) => {
    const outside = t - Math.min(high, Math.max(low, t));
    return sum + weights[q] * Math.abs(Math.hypot(outside, across[q]) - radius);
  }, 0);
  const at = (t: number): Vector => vectorOf((c) => centre[c] + t * axis[c]);
  return { a: at(low), b: at(high), radius, error };
}
