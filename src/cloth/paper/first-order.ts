import { PliantError } from '../../error.ts';
import { choleskyFactor, choleskySolve } from '../../math/cholesky.ts';
import { MATRIX_STRIDE } from '../../math/matrix34.ts';
import { polar3 } from '../../math/svd3.ts';
import { faceNeighbours, type Lists, meshEdges } from '../../mesh/adjacency.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import { TURNING_TRIANGLES as TRIANGLES } from '../../model/paper-cloth.ts';

/**
 * First-order rotation of a patch (Feng 2010, §3.4.1): R̄_k is the rotation nearest to T̄_k = Σ_t w_t G_t, and w the least squares
 * of Σ_i |Σ_t w_t G_tⁱ − R_kⁱ|² over the examples. The print sums over j; it is over t.
 *
 * Departures: t runs over the triangles around the patch, not over all, whose turns a few hundred examples cannot tell
 * apart; and a ridge draws w to the triangle next to the patch, so that T̄ is no accident where triangles turn alike.
 */
export interface FirstOrder {
  /** B·TRIANGLES: triangles of the coarse mesh. */
  triangles: Uint32Array;
  /** B·TRIANGLES. */
  weights: Float32Array;
}

/** In units of the mean diagonal. */
const RIDGE = 0.1;

/**
 * @param nearest B: the triangle next to each patch.
 * @param rotations E of 9T: G.
 * @param transforms E·B·12: R.
 */
export function fitFirstOrder(
  coarse: Mesh,
  nearest: Uint32Array,
  rotations: readonly Float64Array[],
  transforms: Float64Array,
): FirstOrder {
  const bones = nearest.length;
  const neighbours = faceNeighbours(meshEdges(coarse.triangles, vertexCount(coarse)));
  const triangles = new Uint32Array(bones * TRIANGLES);
  const weights = new Float32Array(bones * TRIANGLES);
  nearest.forEach((face, b) => {
    const near = facesAround(neighbours, face);
    const n = near.length;
    const gram = new Float64Array(n * n);
    const w = new Float64Array(n);
    rotations.forEach((g, k) => {
      for (let p = 0; p < n; p++) {
        for (let q = 0; q <= p; q++) gram[p * n + q] += dot9(g, 9 * near[p], g, 9 * near[q]);
        const m = MATRIX_STRIDE * (k * bones + b);
        for (let c = 0; c < 9; c++) w[p] += g[9 * near[p] + c] * transforms[m + 4 * Math.floor(c / 3) + (c % 3)];
      }
    });
    const ridge = RIDGE * 3 * rotations.length; // every |G|² is 3
    w[0] += ridge;
    for (let p = 0; p < n; p++) {
      gram[p * n + p] += ridge;
      for (let q = 0; q < p; q++) gram[q * n + p] = gram[p * n + q];
    }
    // With its ridge only numbers that are not finite can spoil it.
    if (!choleskyFactor(gram, n)) throw new PliantError('internal', 'train', 'rotations are not finite');
    choleskySolve(gram, n, w, 1);
    triangles.fill(face, b * TRIANGLES, (b + 1) * TRIANGLES);
    triangles.set(near, b * TRIANGLES);
    weights.set(w, b * TRIANGLES);
  });
  return { triangles, weights };
}

/** A face and those around it, across edges, nearest first; at most TRIANGLES. */
function facesAround({ offsets, items }: Lists, face: number): number[] {
  const found = new Set([face]);
  for (const f of found) {
    for (let q = offsets[f]; q < offsets[f + 1] && found.size < TRIANGLES; q++) found.add(items[q]);
  }
  return [...found];
}

function dot9(a: Float64Array, ai: number, b: Float64Array, bi: number): number {
  let sum = 0;
  for (let c = 0; c < 9; c++) sum += a[ai + c] * b[bi + c];
  return sum;
}

const blend = new Float64Array(9);
const rotation = new Float64Array(9);
const symmetric = new Float64Array(9);

/** R̄ of patch b for rotations G (9T), into `out` (9) at `o`. */
export function firstOrderRotation(
  out: Float64Array,
  o: number,
  { triangles, weights }: FirstOrder,
  g: Float64Array,
  b: number,
): void {
  blend.fill(0);
  for (let p = b * TRIANGLES; p < (b + 1) * TRIANGLES; p++) {
    const m = 9 * triangles[p];
    for (let c = 0; c < 9; c++) blend[c] += weights[p] * g[m + c];
  }
  polar3(rotation, symmetric, blend);
  for (let c = 0; c < 9; c++) out[o + c] = rotation[c];
}
