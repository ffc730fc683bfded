import { gatherRows } from '../math/rows.ts';
import type { LevelMesh } from './level-mesh.ts';
import { projectValues, type SurfaceValues } from './project-values.ts';
import type { Samples } from './samples.ts';

/**
 * Normals of a level with the least mean angle to those of the original: a least-squares projection, then weighed anew by
 * one over the deviation (Weiszfeld 1937). Squares alone would give in to the points whose neighbourhood the level has lost.
 */

/** Times that samples are weighed anew. */
const ROUNDS = 4;
/** Radians: deviations below count as this. */
const LEAST_DEVIATION = 0.02;

/** 3w unit normals, one for all wedges of a group (w: `groupOf`). */
export function levelNormals(
  normals: Float32Array,
  originalCorners: Uint32Array,
  level: LevelMesh,
  samples: Samples,
  groupOf: Uint32Array,
): Float64Array {
  const groups = groupOf.reduce((most, g) => Math.max(most, g + 1), 0);
  const start = new Float64Array(3 * groups);
  for (let w = 0; w < groupOf.length; w++) {
    for (let c = 0; c < 3; c++) start[3 * groupOf[w] + c] += normals[3 * level.splitOf[w] + c];
  }
  normalise(start, start);
  const corners = level.corners.map((w) => groupOf[w]);
  const values: SurfaceValues = { size: 3, corners: originalCorners, values: normals };
  let found = projectValues(samples, corners, start, values);
  normalise(found, start);
  for (let round = 0; round < ROUNDS; round++) {
    const { share, factors } = reweighed(samples, corners, found, values);
    const next = projectValues({ ...samples, share }, corners, found, { ...values, factors });
    normalise(next, found);
    found = next;
  }
  return gatherRows(found, 3, groupOf);
}

/**
 * Shares of samples over their deviation from unit normals `found`, and what makes the original's normals there as long as
 * the level's: only directions are to agree.
 */
function reweighed(
  samples: Samples,
  corners: Uint32Array,
  found: Float64Array,
  { corners: originalCorners, values }: SurfaceValues,
): { share: Float64Array; factors: Float64Array } {
  const share = samples.share.slice();
  const factors = new Float64Array(samples.count);
  for (let s = 0; s < samples.count; s++) {
    if (share[s] === 0) continue;
    interpolate(here, found, corners, 3 * samples.triangle[s], samples.a[s], samples.b[s]);
    interpolate(there, values, originalCorners, 3 * samples.face[s], samples.u[s], samples.v[s]);
    const length = Math.hypot(here[0], here[1], here[2]) || 1;
    const given = Math.hypot(there[0], there[1], there[2]) || 1;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (here[k] / length - there[k] / given) ** 2;
    share[s] /= length * length * Math.max(LEAST_DEVIATION, Math.sqrt(square));
    factors[s] = length / given;
  }
  return { share, factors };
}

const here = new Float64Array(3);
const there = new Float64Array(3);

/** out = the value at weights a, b, 1 − a − b of the triangle whose corners begin at t. */
function interpolate(
  out: Float64Array,
  values: ArrayLike<number>,
  corners: Uint32Array,
  t: number,
  a: number,
  b: number,
): void {
  const [i, j, k] = [3 * corners[t], 3 * corners[t + 1], 3 * corners[t + 2]];
  for (let c = 0; c < 3; c++) out[c] = a * values[i + c] + b * values[j + c] + (1 - a - b) * values[k + c];
}

/** w: wedges of one vertex with normals within the crease angle share one, so that seams of uvs stay invisible. */
export function smoothWedges(
  normals: Float32Array,
  { wedgeVertex, splitOf, vertexOf }: LevelMesh,
  crease: number,
): Uint32Array {
  const cosine = Math.cos((crease * Math.PI) / 180);
  const first = new Int32Array(vertexOf.length).fill(-1);
  const next = new Int32Array(wedgeVertex.length).fill(-1);
  const groupOf = new Uint32Array(wedgeVertex.length);
  let groups = 0;
  for (let w = 0; w < wedgeVertex.length; w++) {
    const vertex = wedgeVertex[w];
    let alike = first[vertex];
    for (; alike >= 0; alike = next[alike]) {
      let dot = 0;
      for (let c = 0; c < 3; c++) dot += normals[3 * splitOf[w] + c] * normals[3 * splitOf[alike] + c];
      if (dot >= cosine) break;
    }
    groupOf[w] = alike >= 0 ? groupOf[alike] : groups++;
    next[w] = first[vertex];
    first[vertex] = w;
  }
  return groupOf;
}

/** Unit vectors, in place; those of no length are taken from `instead`, and else point along z. */
function normalise(vectors: Float64Array, instead: Float64Array): void {
  for (let i = 0; i < vectors.length; i += 3) {
    let length = Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2]);
    if (!(length > 1e-6)) {
      for (let c = 0; c < 3; c++) vectors[i + c] = instead[i + c];
      length = Math.hypot(vectors[i], vectors[i + 1], vectors[i + 2]);
    }
    if (!(length > 1e-6)) {
      vectors[i] = vectors[i + 1] = 0;
      vectors[i + 2] = length = 1;
    }
    for (let c = 0; c < 3; c++) vectors[i + c] /= length;
  }
}
