import { type SparseMatrix, sparseFromTriplets } from '../math/sparse-matrix.ts';
import { cross3, dot3, type Vector } from '../math/vector.ts';

/**
 * The Laplacian of a triangle mesh with linear elements: Pinkall & Polthier 1993, "Computing discrete minimal surfaces and
 * their conjugates"; the lumped mass of Meyer et al. 2003 with barycentric areas. ∫|∇u|² = uᵀ·stiffness·u and
 * ∫u² ≈ Σ mass·u². −Δu ≈ stiffness·u / mass.
 */
export interface Laplacian {
  /** N × N, symmetric, positive semi-definite; entry (i, i') is −½ Σ cot over the angles opposite the edge i i'. */
  stiffness: SparseMatrix;
  /** N: a third of the areas of the triangles around each vertex. 0 where there is none. */
  mass: Float64Array;
}

/** A triangle whose height is below this fraction of its longest side has no angles to speak of, and adds nothing. */
const FLAT = 1e-10;

/**
 * Builds the cotangent Laplacian of a mesh.
 *
 * @param positions 3N.
 * @param triangles 3F. Any number of triangles may meet at an edge.
 */
export function cotangentLaplacian(positions: ArrayLike<number>, triangles: Uint32Array): Laplacian {
  const n = positions.length / 3;
  const mass = new Float64Array(n);
  // Per corner the two entries of the opposite edge; then one per vertex for the diagonal, which every row has.
  const entries = 2 * triangles.length;
  const rows = new Uint32Array(entries + n);
  const columns = new Uint32Array(entries + n);
  const values = new Float64Array(entries + n);
  let used = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const ab = edge(positions, a, b);
    const bc = edge(positions, b, c);
    const ca = edge(positions, c, a);
    const doubleArea = Math.hypot(...cross3(ab, ca));
    const longest2 = Math.max(dot3(ab, ab), dot3(bc, bc), dot3(ca, ca));
    if (!(doubleArea > FLAT * longest2)) continue;
    for (const i of [a, b, c]) mass[i] += doubleArea / 6;
    // The angle at a lies between ab and −ca, and is opposite to bc.
    add(b, c, -dot3(ab, ca) / doubleArea);
    add(c, a, -dot3(bc, ab) / doubleArea);
    add(a, b, -dot3(ca, bc) / doubleArea);
  }
  // The diagonal makes every row sum to 0.
  for (let q = 0; q < used; q++) values[entries + rows[q]] -= values[q];
  for (let i = 0; i < n; i++) rows[entries + i] = columns[entries + i] = i;
  return { stiffness: sparseFromTriplets(n, rows, columns, values), mass };

  function add(i: number, other: number, cotangent: number): void {
    rows[used] = columns[used + 1] = i;
    columns[used] = rows[used + 1] = other;
    values[used] = values[used + 1] = -cotangent / 2;
    used += 2;
  }
}

function edge(p: ArrayLike<number>, a: number, b: number): Vector {
  return [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
}
