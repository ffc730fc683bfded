import { addScaled, dot } from '../../math/dense.ts';
import { MATRIX_STRIDE } from '../../model/skeleton.ts';
import { type FaceShape, SHAPE } from './face-shape.ts';

/** Faces by which the direction is found that halves a cluster. */
const SAMPLE = 512;

/**
 * The faces on one side when a cluster is halved along the principal direction of what its bone leaves over at the centroids
 * of the faces.
 *
 * @param m E·12: the motion of the bone.
 */
export function halfOfFaces(shape: FaceShape, m: Float64Array, faces: readonly number[]): number[] {
  const direction = principalDirection(residuals(shape, m, faces), m.length / 4);
  const stray = new Float64Array(direction.length);
  const along = Float64Array.from(faces, (f) => {
    strayOf(stray, shape, m, f);
    return dot(stray, direction);
  });
  const mean = along.reduce((sum, x) => sum + x / faces.length, 0);
  return faces.filter((_, at) => along[at] > mean);
}

/** How the centroids of some of the faces stray, less their mean: rows × 3E. */
function residuals(shape: FaceShape, m: Float64Array, faces: readonly number[]): Float64Array {
  const d = m.length / 4;
  const step = Math.max(1, Math.ceil(faces.length / SAMPLE));
  const rows = Math.ceil(faces.length / step);
  const out = new Float64Array(rows * d);
  const mean = new Float64Array(d);
  for (let row = 0; row < rows; row++) {
    const stray = out.subarray(row * d, (row + 1) * d);
    strayOf(stray, shape, m, faces[row * step]);
    addScaled(mean, stray, 1 / rows);
  }
  return out.map((x, c) => x - mean[c % d]);
}

/** out (3E) = Rᵀ(x̄ − t) − v̄: how the centroid of a face strays in every example, in the coordinates of the bone. */
function strayOf(out: Float64Array, shape: FaceShape, m: Float64Array, f: number): void {
  shape.load(f);
  const { posed: s, rest: v } = shape;
  for (let o = 0, at = 0, c = 0; o < m.length; o += MATRIX_STRIDE, at += SHAPE, c += 3) {
    const x = s[at] - m[o + 3];
    const y = s[at + 1] - m[o + 7];
    const z = s[at + 2] - m[o + 11];
    for (let r = 0; r < 3; r++) out[c + r] = m[o + r] * x + m[o + 4 + r] * y + m[o + 8 + r] * z - v[r];
  }
}

/** The principal direction (d) of centred rows (n × d), by power iteration from the longest row. */
function principalDirection(rows: Float64Array, d: number): Float64Array {
  const all = Array.from({ length: rows.length / d }, (_, i) => rows.subarray(i * d, (i + 1) * d));
  const lengths = all.map((x) => dot(x, x));
  let direction = all[lengths.indexOf(Math.max(...lengths))].slice();
  for (let pass = 0; pass < 8; pass++) {
    const next = new Float64Array(d);
    for (const x of all) addScaled(next, x, dot(x, direction));
    const length = Math.sqrt(dot(next, next));
    if (!(length > 0)) break;
    direction = next.map((x) => x / length);
  }
  return direction;
}
