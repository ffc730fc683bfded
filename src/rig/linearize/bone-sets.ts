import { squaredDifference } from '../../math/dense.ts';
import { FarthestPoints } from '../../math/farthest-points.ts';
import type { Problem } from './problem.ts';
import type { VertexWeights } from './vertex-weights.ts';

/**
 * Which master bones may drive a blend bone, and with which weights to begin: Kavan 2009, §4.1.
 */

/** A set of masters that overlap: some vertex follows them all. */
export interface BoneSet {
  /** 2 to 4, rising. */
  masters: readonly number[];
  /** The vertices that follow at least two of them: those that a blend of them can help. */
  vertices: Uint32Array;
}

/** At most four masters drive a blend bone, as in Kavan 2009. */
const MOST_MASTERS = 4;

/** All sets of 2 to 4 masters that some vertex follows together, in a steady order. */
export function overlappingSets(problem: Problem): BoneSet[] {
  const { count, starts, masters } = problem;
  // (1) The sets, as sorted lists.
  const found = new Map<string, number[]>();
  const seen = new Set<string>();
  for (let i = 0; i < count; i++) {
    const own = Array.from(masters.subarray(starts[i], starts[i + 1])).sort((a, b) => a - b);
    const whole = own.join();
    if (seen.has(whole)) continue;
    seen.add(whole);
    for (const set of subsets(own)) found.set(set.join(), set);
  }
  const sets = [...found.values()].sort((a, b) => a.length - b.length || compare(a, b));

  // (2) Their vertices: every pair knows its sets, so that each vertex looks only at sets it shares a pair with.
  const setsOfPair = new Map<string, number[]>();
  sets.forEach((set, s) => {
    for (const pair of subsets(set, 2)) {
      const key = pair.join();
      const list = setsOfPair.get(key);
      if (list) list.push(s);
      else setsOfPair.set(key, [s]);
    }
  });
  const setsOfWhole = new Map<string, number[]>();
  const vertices: number[][] = sets.map(() => []);
  for (let i = 0; i < count; i++) {
    const own = Array.from(masters.subarray(starts[i], starts[i + 1])).sort((a, b) => a - b);
    const whole = own.join();
    let mine = setsOfWhole.get(whole);
    if (!mine) {
      mine = [...new Set(subsets(own, 2).flatMap((pair) => setsOfPair.get(pair.join()) ?? []))];
      setsOfWhole.set(whole, mine);
    }
    for (const s of mine) vertices[s].push(i);
  }
  return sets.map((set, s) => ({ masters: set, vertices: Uint32Array.from(vertices[s]) }));
}

/** The subsets of 2 to `most` elements; only pairs when `most` is 2. */
function subsets(own: readonly number[], most = MOST_MASTERS): number[][] {
  let grown: number[][] = [[]];
  for (const j of own) grown = grown.concat(grown.filter((set) => set.length < most).map((set) => [...set, j]));
  return grown.filter((set) => set.length >= 2);
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((x, c) => x !== b[c]);
  return at < 0 ? 0 : a[at] - b[at];
};

/** How u-weights to begin with are chosen. */
export type Sampling = 'weights' | 'uniform';

/** How many of the vertices' own weights are tried, in addition to their mean. */
const SPREAD = 8;

/**
 * Samples of u for a set.
 * - `uniform`: three per degree of freedom, as in Kavan 2009: quarter steps inside the simplex.
 * - `weights`: the weights of the vertices in need, restricted to the set: their mean, weighted by error, and some with
 *   large errors that lie far apart; and the quarter steps as well. On the tube, where bones overlap nearly everywhere,
 *   the steps alone end at twice the error.
 */
export function sampleWeights(
  problem: Problem,
  set: BoneSet,
  state: VertexWeights,
  sampling: Sampling,
): Float64Array[] {
  const steps = quarterSteps(set.masters.length);
  if (sampling !== 'weights') return steps;
  return [...weightsInNeed(problem, set, state), ...steps];
}

/** All u in steps of ¼ with every entry above 0: 3 for two masters, 3 for three, 1 for four; subsets have the others. */
function quarterSteps(n: number): Float64Array[] {
  const out: Float64Array[] = [];
  const fill = (u: number[], left: number): void => {
    if (u.length === n - 1) out.push(Float64Array.from([...u, left], (x) => x / 4));
    else for (let x = 1; x <= left - (n - 1 - u.length); x++) fill([...u, x], left - x);
  };
  fill([], 4);
  return out;
}

/** The mean of the vertices' weights within the set, weighted by their errors, then up to 8 of them far apart. */
function weightsInNeed({ starts, masters, weights }: Problem, set: BoneSet, { errors }: VertexWeights): Float64Array[] {
  const m = set.masters.length;
  const points: Float64Array[] = [];
  const needs: number[] = [];
  const mean = new Float64Array(m);
  let total = 0;
  for (const i of set.vertices) {
    const u = new Float64Array(m);
    let sum = 0;
    for (let s = starts[i]; s < starts[i + 1]; s++) {
      const l = set.masters.indexOf(masters[s]);
      if (l < 0) continue;
      u[l] = weights[s];
      sum += weights[s];
    }
    for (let l = 0; l < m; l++) {
      u[l] /= sum;
      mean[l] += errors[i] * u[l];
    }
    total += errors[i];
    points.push(u);
    needs.push(errors[i]);
  }
  if (!(total > 0)) return [];
  // Farthest points from the mean, where a point's distance counts by its need.
  points.unshift(mean.map((x) => x / total));
  needs.unshift(0);
  const sample = new FarthestPoints(points.length, (a, b) => squaredDifference(points[a], points[b]));
  sample.choose(0);
  for (let round = 0; round < SPREAD; round++) {
    const next = sample.farthest(needs);
    if (!(sample.distances[next] * needs[next] > 1e-9 * total)) break;
    sample.choose(next);
  }
  return sample.chosen.map((p) => points[p]);
}
