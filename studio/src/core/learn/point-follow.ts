import { PliantError, type Predictor } from '../../../../src/index.ts';
import { choleskyFactor, choleskySolve } from '../../../../src/math/cholesky.ts';

/**
 * λ, as a share of the mean variance of a coordinate: what hardly varies is hardly followed. With a thousandth, points of a
 * horse went five times as far as in any example when one was dragged by a tenth of its size; steps between frames that
 * were no examples are followed better too (faces by a quarter; a cloth worse by a tenth).
 */
const NOISE = 0.1;

/**
 * How the other control points go along when one is dragged: as they do in the examples, on average. With C the covariance
 * of the examples' coordinates, S those that are held (of the dragged point and of the pinned ones, which do not move) and
 * F the free ones, the likeliest move is Δ_F = C_FS · (C_SS + λ·1)⁻¹ · Δ_S.
 *
 * @returns 3n_c × 3, row-major: by how much every coordinate moves with those of the dragged point.
 */
export function followGains(
  { axes, points, kernel }: Predictor,
  dragged: number,
  pinned: ReadonlySet<number>,
): Float64Array {
  const steering = Array.from(axes.keys()).filter((c) => axes[c] === 1);
  const d = steering.length;
  const covariance = new Float64Array(d * d);
  for (let e = 0; e < kernel.points.length; e += d) {
    for (let a = 0; a < d; a++) {
      for (let b = 0; b < d; b++) covariance[a * d + b] += kernel.points[e + a] * kernel.points[e + b];
    }
  }
  let trace = 0;
  for (let a = 0; a < d; a++) trace += covariance[a * d + a];

  const pointOf = (a: number): number => Math.floor(steering[a] / 3);
  const held = steering.flatMap((_, a) => (pointOf(a) === dragged || pinned.has(pointOf(a)) ? [a] : []));
  const own = held.flatMap((a, s) => (pointOf(a) === dragged ? [s] : []));
  const gains = new Float64Array(9 * points.length);
  for (let c = 0; c < 3; c++) gains[3 * (3 * dragged + c) + c] = 1;
  if (own.length === 0) return gains;

  // The columns of (C_SS + λ·1)⁻¹ that belong to the dragged point.
  const n = held.length;
  const inner = new Float64Array(n * n);
  held.forEach((a, s) => {
    held.forEach((b, t) => {
      inner[s * n + t] = covariance[a * d + b] + (s === t ? (NOISE * trace) / d + Number.MIN_VALUE : 0);
    });
  });
  const columns = new Float64Array(n * own.length);
  own.forEach((s, column) => {
    columns[s * own.length + column] = 1;
  });
  // Without variance in the examples nothing follows.
  if (!choleskyFactor(inner, n)) return gains;
  choleskySolve(inner, n, columns, own.length);

  for (let a = 0; a < d; a++) {
    if (held.includes(a)) continue;
    own.forEach((s, column) => {
      const axis = steering[held[s]] % 3;
      let gain = 0;
      for (let t = 0; t < n; t++) gain += covariance[a * d + held[t]] * columns[t * own.length + column];
      gains[3 * steering[a] + axis] = gain;
    });
  }
  return gains;
}

/** 3n_c: the points after one moved by (x, y, z) and the others followed by their gains. */
export function followed(
  start: Float64Array,
  gains: Float64Array,
  move: readonly [number, number, number],
): Float64Array {
  return start.map(
    (value, c) => value + gains[3 * c] * move[0] + gains[3 * c + 1] * move[1] + gains[3 * c + 2] * move[2],
  );
}

/** 3n_c: control points in an example; at rest if they do not drive it. */
export function examplePoints(predictor: Predictor, e: number): Float64Array {
  const { axes, points, kernel, mesh } = predictor;
  const d = kernel.mean.length;
  if (e >= exampleCount(predictor)) {
    throw new PliantError('bad-input', 'examplePoints', `example ${e} (expected below ${exampleCount(predictor)})`);
  }
  let at = 0;
  return Float64Array.from(axes, (steers, c) => {
    if (!steers) return mesh.positions[3 * points[Math.floor(c / 3)] + (c % 3)];
    const value = kernel.mean[at] + kernel.scale * kernel.points[e * d + at];
    at++;
    return value;
  });
}

export const exampleCount = ({ kernel }: Predictor): number => kernel.rowMeans.length;
