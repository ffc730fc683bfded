import { PliantError } from '../error.ts';
import { gramOfRows, multiply, transpose } from '../math/dense.ts';
import { FarthestPoints } from '../math/farthest-points.ts';
import { symmetricEigen } from '../math/symmetric-eigen.ts';
import { varimax } from '../math/varimax.ts';
import { sideOf } from '../mesh/bounds.ts';
import { vertexCount } from '../model/mesh.ts';
import type { RunOptions } from '../model/options.ts';
import type { KernelName } from '../model/predictor.ts';
import { checkpoint } from '../model/run.ts';
import { trainKernel } from '../regress/kernel.ts';
import { leaveOneOut, ridgeInverse } from '../regress/ridge.ts';
import type { Examples } from './examples.ts';

/**
 * Control points (Feng 2010, §2.3): the principal components of the examples, turned by Varimax so that each acts in
 * one place; of every component the vertex that moves most, and the one that moves most differently from it.
 */

/** Candidates are at least this far apart, as a fraction of the largest side of the rest pose's box. */
const SPACING = 0.05;

/** How `points` vertices are chosen among the candidates. */
export const POINT_CHOICES = ['greedy', 'spread'] as const;
export type PointChoice = (typeof POINT_CHOICES)[number];

/** The principal components of E poses: coordinates of each pose, and the components themselves. */
export interface Components {
  count: number;
  /** E × count: coordinates of the examples, scaled so that distances between rows are those between poses. */
  coordinates: Float64Array;
  /** 3N × count: what one standard deviation of each component adds to the mean pose. */
  loadings: Float64Array;
}

/** At most `most` principal components, largest first; fewer where the examples span fewer dimensions. */
export function principalComponents({ poses }: Examples, most: number): Components {
  const e = poses.length;
  const size = poses[0].length;
  const centred = centredPoses(poses);
  const { count, coordinates, vectors } = principalCoordinates(centred, e, most);
  // Component = Σ vector·centred/σ, at unit length; one standard deviation is σ/√E of it.
  const along = vectors.map((x) => x / Math.sqrt(e));
  const rows = multiply(new Float64Array(count * size), along, centred, count, e, size);
  return { count, coordinates, loadings: transpose(new Float64Array(size * count), rows, count, size) };
}

/** The coordinates alone, and the eigenvectors over the examples (count × E) that they come from. */
function principalCoordinates(
  centred: Float64Array,
  e: number,
  most: number,
  leftOut = 0,
): { count: number; coordinates: Float64Array; vectors: Float64Array } {
  const gram = gramOfRows(new Float64Array(e * e), centred, e, centred.length / e);
  const { values, vectors } = symmetricEigen(gram, e);
  let count = Math.min(most, values.filter((value) => value > 1e-10 * values[0]).length);
  let tail = values.reduce((sum, value) => sum + Math.max(0, value), 0) * leftOut;
  for (let m = e - 1; m >= 1 && m >= count; m--) tail -= Math.max(0, values[m]);
  while (count > 1 && values[count - 1] <= tail) tail -= values[--count];
  const coordinates = new Float64Array(e * count);
  for (let m = 0; m < count; m++) {
    for (let k = 0; k < e; k++) coordinates[k * count + m] = Math.sqrt(values[m]) * vectors[m * e + k];
  }
  return { count, coordinates, vectors: vectors.slice(0, count * e) };
}

/** E × 3N: the poses less their mean. */
function centredPoses(poses: readonly Float32Array[]): Float64Array {
  const mean = meanPose(poses);
  const out = new Float64Array(poses.length * mean.length);
  poses.forEach((pose, k) => {
    const o = k * mean.length;
    for (let c = 0; c < mean.length; c++) out[o + c] = pose[c] - mean[c];
  });
  return out;
}

/** The mean of E poses. */
export function meanPose(poses: readonly Float32Array[]): Float64Array {
  const mean = new Float64Array(poses[0].length);
  for (const pose of poses) for (let c = 0; c < mean.length; c++) mean[c] += pose[c] / poses.length;
  return mean;
}

/** Control points for E examples: `wanted` vertices, most telling first. */
export async function chooseControlPoints(
  examples: Examples,
  wanted: number,
  choice: PointChoice,
  kernel: KernelName,
  kappa: number,
  run: RunOptions = {},
): Promise<Uint32Array> {
  const n = vertexCount(examples.rest);
  if (wanted > n) {
    const cause = `(got ${wanted}, expected at most the ${n} vertices)`;
    throw new PliantError('bad-option', 'learn', cause, { option: 'points' });
  }
  if (choice === 'spread') return Uint32Array.from(fill(candidates(examples, wanted), examples, wanted));
  const offered = fill(candidates(examples, GREEDY_CANDIDATES), examples, Math.max(wanted, GREEDY_CANDIDATES));
  return Uint32Array.from(await greedy(examples, offered, wanted, kernel, kappa, run));
}

/** Components whose extremes a greedy choice looks at. */
const GREEDY_CANDIDATES = 24;
/** Examples that it leaves out in turn, as its time grows with their cube: evenly spaced ones where there are more. */
const GREEDY_EXAMPLES = 150;
/** The share of the examples' variance that its errors may overlook. */
const GREEDY_LEFT_OUT = 1e-6;

/** The extremes of `components` rotated components: first extremes by falling variance, then second ones. */
function candidates(examples: Examples, components: number): number[] {
  const { count, loadings: straight } = principalComponents(examples, components);
  const loadings = turnedToLocal(straight, count);
  const variance = new Float64Array(count);
  loadings.forEach((x, at) => {
    variance[at % count] += x * x;
  });
  const order = Array.from(variance.keys()).sort((a, b) => variance[b] - variance[a]);
  const n = vertexCount(examples.rest);
  const first: number[] = [];
  const second: number[] = [];
  for (const m of order) {
    const at = (i: number, c: number): number => loadings[(3 * i + c) * count + m];
    const farthest = (from: readonly number[]): number => {
      let best = 0;
      let most = -1;
      for (let i = 0; i < n; i++) {
        const size = (at(i, 0) - from[0]) ** 2 + (at(i, 1) - from[1]) ** 2 + (at(i, 2) - from[2]) ** 2;
        if (size > most) [best, most] = [i, size];
      }
      return best;
    };
    const largest = farthest([0, 0, 0]);
    first.push(largest);
    second.push(farthest([at(largest, 0), at(largest, 1), at(largest, 2)]));
  }
  return [...first, ...second];
}

/** Vertices by which the rotation of the components is found. */
const VARIMAX_SAMPLE = 4000;

/**
 * Components (3N × m) turned by Varimax. On large meshes the rotation is found from every so many vertices: rows of a tiny
 * identity, too short to count, are turned with them and come back as the rotation itself.
 */
function turnedToLocal(loadings: Float64Array, m: number): Float64Array {
  const n = loadings.length / (3 * m);
  const step = Math.ceil(n / VARIMAX_SAMPLE);
  if (step === 1) {
    varimax(loadings, m, 3);
    return loadings;
  }
  const count = Math.ceil(n / step);
  const row = 3 * m;
  const sample = new Float64Array(count * row + row * Math.ceil(m / 3));
  for (let s = 0; s < count; s++) sample.set(loadings.subarray(s * step * row, (s * step + 1) * row), s * row);
  const tiny = 1e-6 * loadings.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  for (let c = 0; c < m; c++) sample[count * row + c * m + c] = tiny;
  varimax(sample, m, 3);
  const rotation = sample.subarray(count * row, count * row + m * m).map((x) => x / tiny);
  return multiply(new Float64Array(loadings.length), loadings, rotation, 3 * n, m, m);
}

/** The candidates that keep their distance, in order; where too few do, the vertices farthest from all of them. */
function fill(offered: readonly number[], { rest }: Examples, wanted: number): number[] {
  const spacing = SPACING * sideOf(rest.positions);
  const p = rest.positions;
  const distance = (a: number, b: number): number =>
    Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
  const apart: number[] = [];
  for (const i of offered) {
    if (apart.length < wanted && apart.every((j) => distance(i, j) >= spacing)) apart.push(i);
  }
  if (apart.length === wanted) return apart;
  const sample = new FarthestPoints(vertexCount(rest), distance);
  for (const i of apart) sample.choose(i);
  while (sample.chosen.length < wanted) {
    const far = sample.farthest();
    if (!(sample.distances[far] > 0)) break; // no further point: all vertices lie on those chosen
    sample.choose(far);
  }
  return sample.chosen;
}

/** Adds, one after the other, the candidate with which leaving one example out costs least. */
async function greedy(
  examples: Examples,
  offered: readonly number[],
  wanted: number,
  kernel: KernelName,
  kappa: number,
  run: RunOptions,
): Promise<number[]> {
  const step = Math.ceil(examples.poses.length / GREEDY_EXAMPLES);
  const poses = examples.poses.filter((_, k) => k % step === 0);
  const e = poses.length;
  const { count, coordinates } = principalCoordinates(centredPoses(poses), e, e, GREEDY_LEFT_OUT);
  const chosen: number[] = [];
  const rest = new Set(offered);
  while (chosen.length < wanted && rest.size > 0) {
    let best = -1;
    let least = Infinity;
    for (const i of rest) {
      await checkpoint(run, 'learn', chosen.length, wanted, 'choosing control points');
      const error = leaveOneOutError([...chosen, i], poses, coordinates, count, kernel, kappa);
      if (error < least) [best, least] = [i, error];
    }
    if (best < 0) break; // what is left does not move
    chosen.push(best);
    rest.delete(best);
  }
  return chosen;
}

/** Sum of squared errors when each example is predicted from the others by kernel ridge regression. */
function leaveOneOutError(
  points: readonly number[],
  poses: readonly Float32Array[],
  coordinates: Float64Array,
  count: number,
  name: KernelName,
  kappa: number,
): number {
  const e = poses.length;
  const inputs = controlInputs(poses, points);
  if (inputs.every((x, at) => x === inputs[at % (3 * points.length)])) return Infinity;
  const { matrix } = trainKernel(name, inputs, 3 * points.length, 'learn');
  const blend = leaveOneOut(ridgeInverse(matrix, e, kappa, 'learn'), e, kappa);
  let sum = 0;
  const row = new Float64Array(count);
  for (let i = 0; i < e; i++) {
    for (let m = 0; m < count; m++) row[m] = -coordinates[i * count + m];
    for (let j = 0; j < e; j++) {
      const share = blend[i * e + j];
      for (let m = 0; m < count; m++) row[m] += share * coordinates[j * count + m];
    }
    for (let m = 0; m < count; m++) sum += row[m] * row[m];
  }
  return sum;
}

/** E × 3n_c: where the control points are in each pose. */
export function controlInputs(poses: readonly Float32Array[], points: ArrayLike<number>): Float64Array {
  const d = 3 * points.length;
  const inputs = new Float64Array(poses.length * d);
  poses.forEach((pose, k) => {
    for (let c = 0; c < d; c++) inputs[k * d + c] = pose[3 * points[Math.floor(c / 3)] + (c % 3)];
  });
  return inputs;
}
