import type { Lists } from '../mesh/adjacency.ts';

/**
 * The skinning decomposition in reduced coordinates. N vertices, P frames, B bones, r ≤ 3P basis vectors.
 *
 * Coordinates are centred on the rest box and divided by its diagonal, so that every tolerance is a fraction of the
 * diagonal. The trajectories of all vertices, a 3P × N matrix A, are replaced by Z = Uᵀ·A with an orthonormal 3P × r basis
 * U: distances between trajectories survive up to what was discarded.
 */
export interface FitProblem {
  vertexCount: number;
  frameCount: number;
  /** r. */
  rank: number;
  /** N·r: row i is zᵢ = Uᵀaᵢ. */
  z: Float64Array;
  /** N: |zᵢ|². */
  zNorm2: Float64Array;
  /** 4N: homogeneous rest positions ṽ = (x, y, z, HOMOGENEOUS). */
  rest: Float64Array;
  /** 10N: the distinct entries of ṽṽᵀ, in the order of MONOMIALS. */
  monomials: Float64Array;
  /** 3P·r, row-major: U. Row 3k + c is coordinate c of frame k. */
  basis: Float64Array;
  /** N: how much each vertex counts; 1 unless the vertices are a sample of a larger mesh. */
  mass: Float64Array;
  /** Centre of the rest box, in the units of the file. */
  centre: readonly [number, number, number];
  /** Diagonal of the rest box, in the units of the file. */
  diagonal: number;
  /** First frames of all clips except the first: nothing is played between them and the frame before. */
  clipStarts?: readonly number[];
  /** Squared distance from its place, in squared diagonals, beyond which a vertex is not explained; without, only the sum counts. */
  worst?: number;
  /** Sum of squares that the reduction discarded, over all vertices and frames, in squared diagonals. */
  discarded: number;
}

/** Root mean square error, in diagonals, below which nothing is left to explain: positions are hardly known better. */
const EXACT = 1e-6;

/** Whether a sum of squared errors, by mass, is within what is known of the positions or what the reduction discarded. */
export function isExact(problem: FitProblem, error: number): boolean {
  return error <= massOf(problem) * exactError(problem);
}

/** The mean squared error of a vertex, over all frames, that counts as none. */
export function exactError(problem: FitProblem): number {
  return Math.max(EXACT ** 2 * problem.frameCount, problem.discarded / massOf(problem));
}

/** What all vertices count together. */
export const massOf = ({ mass }: FitProblem): number => mass.reduce((sum, m) => sum + m, 0);

/** Whether nothing is left for another bone: `errors` (N) are squared, over all frames. No frame's is larger than their sum. */
export function isExplained(problem: FitProblem, errors: Float64Array): boolean {
  const { mass, worst = Infinity } = problem;
  const sum = errors.reduce((total, error, i) => total + mass[i] * error, 0);
  return isExact(problem, sum) && errors.every((error) => error <= worst);
}

/** The fourth homogeneous coordinate: 0.3 instead of 1 balances the normal matrix of a model of diagonal 1. */
export const HOMOGENEOUS = 0.3;

/** Numbers per vertex of `monomials`, and per pair of bones of what is summed over them. */
export const MONOMIAL_STRIDE = 10;

/** Index pairs (a, b) of the ten distinct entries of a symmetric 4 × 4 matrix. */
export const MONOMIALS: readonly (readonly [number, number])[] = [
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];

/** The 10N entries of ṽṽᵀ for 4N homogeneous rest positions. */
export function monomialsOf(rest: Float64Array): Float64Array {
  const n = rest.length / 4;
  const out = new Float64Array(MONOMIAL_STRIDE * n);
  for (let i = 0; i < n; i++) {
    MONOMIALS.forEach(([s, t], m) => {
      out[MONOMIAL_STRIDE * i + m] = rest[4 * i + s] * rest[4 * i + t];
    });
  }
  return out;
}

/** Convex weights under construction: at most `influences` bones per vertex, in double precision. */
export interface Support {
  influences: number;
  /** N: bones in use. */
  count: Uint8Array;
  /** N·influences. */
  joints: Int32Array;
  /** N·influences. */
  weights: Float64Array;
}

export function emptySupport(vertexCount: number, influences: number): Support {
  return {
    influences,
    count: new Uint8Array(vertexCount),
    joints: new Int32Array(vertexCount * influences),
    weights: new Float64Array(vertexCount * influences),
  };
}

export function copySupport(s: Support): Support {
  return { influences: s.influences, count: s.count.slice(), joints: s.joints.slice(), weights: s.weights.slice() };
}

/** Vertex → vertices that share an edge with it. */
export type VertexNeighbours = Lists;

/** Every vertex follows one bone. */
export function supportOf(assignment: Int32Array): Support {
  const n = assignment.length;
  return {
    influences: 1,
    count: new Uint8Array(n).fill(1),
    joints: assignment.slice(),
    weights: new Float64Array(n).fill(1),
  };
}

/** The bone that vertex i follows most. */
export function heaviestJoint({ influences, count, joints, weights }: Support, i: number): number {
  let best = i * influences;
  for (let s = best + 1; s < i * influences + count[i]; s++) if (weights[s] > weights[best]) best = s;
  return joints[best];
}
