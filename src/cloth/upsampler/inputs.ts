/**
 * From what a patch sees to a few numbers z. Positions and nearness to the body are each scaled by their deviation over
 * **all** patches: a patch that hardly met the body in training must not multiply what it sees by thousands. Then
 * principal components without mean, scaled to mean |z|² = 1.
 */
import { gramOfRows, multiply, transpose } from '../../math/dense.ts';
import { symmetricEigen } from '../../math/symmetric-eigen.ts';
import { PATCH_BODY_NUMBERS } from '../../model/trained-cloth.ts';
import { byteScale, largestOf, toByte } from './quantize.ts';

/** How much nearness to the body counts beside positions. */
const BODY_WEIGHT = 0.5;
/** A patch that moves less than this share of the average counts as if it moved so much. */
const LEAST_MOTION = 0.1;

/** Factors for positions and nearness. */
export interface FeatureScales {
  position: number;
  body: number;
}

/** @param frames the features of all patches, `offsets` says whose; one array per frame. */
export function featureScales(frames: readonly Float32Array[], offsets: Uint32Array): FeatureScales {
  const sums = { position: 0, body: 0 };
  const counts = { position: 0, body: 0 };
  for (const features of frames) {
    for (let v = 0; v + 1 < offsets.length; v++) {
      for (let c = offsets[v]; c < offsets[v + 1]; c++) {
        const group = c < offsets[v + 1] - PATCH_BODY_NUMBERS ? 'position' : 'body';
        sums[group] += features[c] ** 2;
        counts[group]++;
      }
    }
  }
  const scale = (group: 'position' | 'body') => (sums[group] > 0 ? Math.sqrt(counts[group] / sums[group]) : 0);
  return { position: scale('position'), body: BODY_WEIGHT * scale('body') };
}

/** The scaled features of patch v in all frames, rows × numbers. */
export function patchRows(
  frames: readonly Float32Array[],
  offsets: Uint32Array,
  v: number,
  { position, body }: FeatureScales,
): Float64Array {
  const begin = offsets[v];
  const size = offsets[v + 1] - begin;
  const rows = new Float64Array(frames.length * size);
  frames.forEach((features, k) => {
    for (let c = 0; c < size; c++)
      rows[k * size + c] = features[begin + c] * (c < size - PATCH_BODY_NUMBERS ? position : body);
  });
  return rows;
}

/** z = directions · scaled features. */
export interface Inputs {
  /** d × size, and d scales. */
  directions: Int8Array;
  directionScales: Float32Array;
  /** n × d. */
  z: Float64Array;
}

/** `count` inputs of a patch, from what it saw (rows × size). Those that the rows lack are zero. */
export function patchInputs(rows: Float64Array, size: number, count: number): Inputs {
  const n = rows.length / size;
  const across = transpose(new Float64Array(rows.length), rows, n, size);
  const { values, vectors } = symmetricEigen(gramOfRows(new Float64Array(size * size), across, size, n), size);
  const kept = Math.min(count, size);
  const square = values.subarray(0, kept).reduce((sum, x) => sum + Math.max(0, x), 0) / n;
  const length = 1 / Math.sqrt(Math.max(square, LEAST_MOTION ** 2 * size));
  const directions = new Int8Array(count * size);
  const directionScales = new Float32Array(count);
  const exact = new Float64Array(count * size);
  for (let q = 0; q < kept && values[q] > 1e-9 * values[0]; q++) {
    const scale = Math.fround(byteScale(length * largestOf(vectors, q * size, 1, size)));
    directionScales[q] = scale;
    for (let c = q * size; c < (q + 1) * size; c++) {
      directions[c] = toByte(length * vectors[c], scale);
      exact[c] = scale * directions[c];
    }
  }
  const columns = transpose(new Float64Array(size * count), exact, count, size);
  return { directions, directionScales, z: multiply(new Float64Array(n * count), rows, columns, n, size, count) };
}
