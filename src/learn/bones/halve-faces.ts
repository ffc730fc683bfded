import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type FaceShape, SHAPE } from './face-shape.ts';

/** Faces by which the direction is found that halves a cluster. */
const SAMPLE = 512;

/**
 * The faces on one side when a cluster is halved along the principal direction of what its bone leaves over at the faces'
 * centroids, in its own coordinates: Rᵀ(x̄ − t) − v̄, 3E numbers. Along a direction d that is
 * Σ_k (R_k·d_k)·(x̄_k − t_k) − d_k·v̄.
 *
 * @param m E·12: the motion of the bone.
 */
export function halfOfFaces(shape: FaceShape, m: Float64Array, faces: readonly number[]): number[] {
  const e = m.length / MATRIX_STRIDE;
  const direction = principalDirection(...residuals(shape, m, faces));
  const turned = new Float64Array(3 * e);
  const restSide = new Float64Array(3);
  let constant = 0;
  for (let k = 0; k < e; k++) {
    for (let r = 0; r < 3; r++) {
      const row = MATRIX_STRIDE * k + 4 * r;
      const [x, y, z] = direction.subarray(3 * k, 3 * k + 3);
      turned[3 * k + r] = m[row] * x + m[row + 1] * y + m[row + 2] * z;
      constant += turned[3 * k + r] * m[row + 3];
      restSide[r] += direction[3 * k + r];
    }
  }
  const along = new Float64Array(faces.length);
  let mean = 0;
  faces.forEach((f, at) => {
    shape.load(f);
    const { posed: s, rest: v } = shape;
    let sum = -constant;
    for (let r = 0; r < 3; r++) sum -= restSide[r] * v[r];
    for (let k = 0; k < e; k++) {
      for (let r = 0; r < 3; r++) sum += turned[3 * k + r] * s[SHAPE * k + r];
    }
    along[at] = sum;
    mean += sum / faces.length;
  });
  return faces.filter((_, at) => along[at] > mean);
}

/** How the centroids of some of the faces stray, less their mean: rows × 3E, and 3E. */
function residuals(shape: FaceShape, m: Float64Array, faces: readonly number[]): [Float64Array, number] {
  const d = m.length / 4;
  const step = Math.max(1, Math.ceil(faces.length / SAMPLE));
  const rows = Math.ceil(faces.length / step);
  const out = new Float64Array(rows * d);
  const mean = new Float64Array(d);
  for (let row = 0; row < rows; row++) {
    shape.load(faces[row * step]);
    const { posed: s, rest: v } = shape;
    for (let k = 0; k < d / 3; k++) {
      const o = MATRIX_STRIDE * k;
      const x = s[SHAPE * k] - m[o + 3];
      const y = s[SHAPE * k + 1] - m[o + 7];
      const z = s[SHAPE * k + 2] - m[o + 11];
      for (let r = 0; r < 3; r++) {
        const stray = m[o + r] * x + m[o + 4 + r] * y + m[o + 8 + r] * z - v[r];
        out[row * d + 3 * k + r] = stray;
        mean[3 * k + r] += stray / rows;
      }
    }
  }
  for (let row = 0; row < rows; row++) for (let c = 0; c < d; c++) out[row * d + c] -= mean[c];
  return [out, d];
}

/** The principal direction (d) of centred rows (n × d), by power iteration from the longest row. */
function principalDirection(rows: Float64Array, d: number): Float64Array {
  const n = rows.length / d;
  let longest = 0;
  let most = -1;
  for (let i = 0; i < n; i++) {
    let norm = 0;
    for (let c = 0; c < d; c++) norm += rows[i * d + c] ** 2;
    if (norm > most) [longest, most] = [i, norm];
  }
  let direction = rows.slice(longest * d, (longest + 1) * d);
  for (let pass = 0; pass < 8; pass++) {
    const next = new Float64Array(d);
    for (let i = 0; i < n; i++) {
      let dot = 0;
      for (let c = 0; c < d; c++) dot += rows[i * d + c] * direction[c];
      for (let c = 0; c < d; c++) next[c] += dot * rows[i * d + c];
    }
    let norm = 0;
    for (let c = 0; c < d; c++) norm += next[c] ** 2;
    if (!(norm > 0)) break;
    for (let c = 0; c < d; c++) next[c] /= Math.sqrt(norm);
    direction = next;
  }
  return direction;
}
