import { crossOfEdges } from './triangle.ts';

/**
 * Curvature of a triangle mesh after Rusinkiewicz 2004: in every face the second fundamental form that best explains how
 * normals turn along its edges, turned into the tangent planes of its vertices and averaged there by area. Positive
 * where the surface bends away from its normal, as a sphere that faces out.
 */
export interface Curvature {
  /** N: mean curvature, 1 over the mesh's unit of length. */
  mean: Float64Array;
  /** N: the principal curvature of larger magnitude. */
  major: Float64Array;
  /** N: the other one. */
  minor: Float64Array;
  /** 3N: unit direction of the larger one, across ridges and valleys; its sign means nothing. */
  direction: Float64Array;
}

export function meshCurvature(positions: ArrayLike<number>, triangles: Uint32Array): Curvature {
  const n = positions.length / 3;
  const { normals, areas } = areaNormals(positions, triangles);
  // Per vertex a frame u, v of the tangent plane, and in it the form [a b; b c], summed by area.
  const u = new Float64Array(3 * n);
  const v = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) tangentFrame(u, v, normals, 3 * i);
  const forms = new Float64Array(3 * n);
  const form = new Float64Array(3);
  const frame = new Float64Array(9);
  for (let t = 0; t < triangles.length; t += 3) {
    const area = faceForm(form, frame, positions, triangles, t, normals);
    if (area === 0) continue;
    for (let c = t; c < t + 3; c++) addTurned(forms, triangles[c], form, frame, u, v, normals, area / 3);
  }
  const out: Curvature = {
    mean: new Float64Array(n),
    major: new Float64Array(n),
    minor: new Float64Array(n),
    direction: new Float64Array(3 * n),
  };
  for (let i = 0; i < n; i++) {
    if (!(areas[i] > 0)) continue;
    principal(out, i, forms[3 * i] / areas[i], forms[3 * i + 1] / areas[i], forms[3 * i + 2] / areas[i], u, v);
  }
  return out;
}

/** Unit normals by area, and a third of the area of the faces around each vertex. */
function areaNormals(positions: ArrayLike<number>, triangles: Uint32Array) {
  const n = positions.length / 3;
  const normals = new Float64Array(3 * n);
  const areas = new Float64Array(n);
  const cross = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    crossOfEdges(cross, positions, a, 3 * triangles[t + 1], a, 3 * triangles[t + 2]);
    const area = Math.sqrt(cross[0] ** 2 + cross[1] ** 2 + cross[2] ** 2) / 2;
    for (let c = t; c < t + 3; c++) {
      areas[triangles[c]] += area / 3;
      // Over the squared lengths of both edges (Max 1999): exact where all neighbours lie on a sphere.
      const i = 3 * triangles[c];
      const j = 3 * triangles[c === t + 2 ? t : c + 1];
      const k = 3 * triangles[c === t ? t + 2 : c - 1];
      const scale = 1 / (distance2(positions, i, j) * distance2(positions, i, k) || Infinity);
      for (let d = 0; d < 3; d++) normals[i + d] += cross[d] * scale;
    }
  }
  for (let i = 0; i < 3 * n; i += 3) {
    const length = Math.sqrt(normals[i] ** 2 + normals[i + 1] ** 2 + normals[i + 2] ** 2);
    if (length > 0) for (let d = 0; d < 3; d++) normals[i + d] /= length;
    else normals[i + 2] = 1;
  }
  return { normals, areas };
}

const distance2 = (p: ArrayLike<number>, i: number, j: number): number =>
  (p[j] - p[i]) ** 2 + (p[j + 1] - p[i + 1]) ** 2 + (p[j + 2] - p[i + 2]) ** 2;

/** Two unit vectors at right angles to the normal at `o` and to each other. */
function tangentFrame(u: Float64Array, v: Float64Array, n: Float64Array, o: number): void {
  // The axis that is least along the normal.
  let axis = 0;
  for (let d = 1; d < 3; d++) if (Math.abs(n[o + d]) < Math.abs(n[o + axis])) axis = d;
  const along = n[o + axis];
  for (let d = 0; d < 3; d++) u[o + d] = (d === axis ? 1 : 0) - along * n[o + d];
  const length = Math.sqrt(u[o] ** 2 + u[o + 1] ** 2 + u[o + 2] ** 2);
  for (let d = 0; d < 3; d++) u[o + d] /= length;
  v[o] = n[o + 1] * u[o + 2] - n[o + 2] * u[o + 1];
  v[o + 1] = n[o + 2] * u[o] - n[o] * u[o + 2];
  v[o + 2] = n[o] * u[o + 1] - n[o + 1] * u[o];
}

/**
 * The form [a b; b c] of a face in the frame it writes (rows: tangent, second tangent, normal): the least squares of
 * form·e = Δn over its three edges e, both in the face's plane. Returns the area; 0 for a face without one.
 */
function faceForm(
  form: Float64Array,
  frame: Float64Array,
  p: ArrayLike<number>,
  triangles: Uint32Array,
  t: number,
  normals: Float64Array,
): number {
  const corners = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const cross = crossOfEdges(new Float64Array(3), p, corners[0], corners[1], corners[0], corners[2]);
  const doubleArea = Math.sqrt(cross[0] ** 2 + cross[1] ** 2 + cross[2] ** 2);
  const first = Math.sqrt(distance2(p, corners[0], corners[1]));
  if (!(doubleArea > 0) || !(first > 0)) return 0;
  for (let d = 0; d < 3; d++) {
    frame[d] = (p[corners[1] + d] - p[corners[0] + d]) / first;
    frame[6 + d] = cross[d] / doubleArea;
  }
  frame[3] = frame[7] * frame[2] - frame[8] * frame[1];
  frame[4] = frame[8] * frame[0] - frame[6] * frame[2];
  frame[5] = frame[6] * frame[1] - frame[7] * frame[0];
  // Normal equations in (a, b, c): each edge (x, y) with Δn = (s, r) says a·x + b·y = s and b·x + c·y = r.
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let ra = 0;
  let rb = 0;
  let rc = 0;
  for (let e = 0; e < 3; e++) {
    const i = corners[e];
    const j = corners[(e + 1) % 3];
    let x = 0;
    let y = 0;
    let s = 0;
    let r = 0;
    for (let d = 0; d < 3; d++) {
      x += (p[j + d] - p[i + d]) * frame[d];
      y += (p[j + d] - p[i + d]) * frame[3 + d];
      s += (normals[j + d] - normals[i + d]) * frame[d];
      r += (normals[j + d] - normals[i + d]) * frame[3 + d];
    }
    xx += x * x;
    xy += x * y;
    yy += y * y;
    ra += x * s;
    rb += y * s + x * r;
    rc += y * r;
  }
  // [xx xy 0; xy xx+yy xy; 0 xy yy]·(a, b, c) = (ra, rb, rc), by Cramer's rule.
  const det = xx * ((xx + yy) * yy - xy * xy) - xy * xy * yy;
  if (!(det > 0)) return 0;
  form[0] = (ra * ((xx + yy) * yy - xy * xy) - xy * (rb * yy - xy * rc)) / det;
  form[1] = (xx * (rb * yy - xy * rc) - ra * xy * yy) / det;
  form[2] = (xx * ((xx + yy) * rc - xy * rb) - xy * xy * rc + ra * xy * xy) / det;
  return doubleArea / 2;
}

/** Adds the form of a face, its plane turned onto the tangent plane of vertex i about their common line. */
function addTurned(
  forms: Float64Array,
  i: number,
  form: Float64Array,
  frame: Float64Array,
  u: Float64Array,
  v: Float64Array,
  normals: Float64Array,
  weight: number,
): void {
  const o = 3 * i;
  const cos = normals[o] * frame[6] + normals[o + 1] * frame[7] + normals[o + 2] * frame[8];
  // Coordinates of u and v in the face's frame. Turning the vertex's plane onto the face's takes a vector x to
  // x − (n_f·x)·(n_f + n_i)/(1 + cos): its part along the face's normal goes.
  const ux = turned(u, o, frame, 0, normals, cos);
  const uy = turned(u, o, frame, 3, normals, cos);
  const vx = turned(v, o, frame, 0, normals, cos);
  const vy = turned(v, o, frame, 3, normals, cos);
  const [a, b, c] = form;
  forms[o] += weight * (a * ux * ux + 2 * b * ux * uy + c * uy * uy);
  forms[o + 1] += weight * (a * ux * vx + b * (ux * vy + uy * vx) + c * uy * vy);
  forms[o + 2] += weight * (a * vx * vx + 2 * b * vx * vy + c * vy * vy);
}

function turned(x: Float64Array, o: number, frame: Float64Array, row: number, n: Float64Array, cos: number): number {
  let dot = 0;
  let across = 0;
  let lift = 0;
  for (let d = 0; d < 3; d++) {
    dot += x[o + d] * frame[row + d];
    across += x[o + d] * frame[6 + d];
    lift += n[o + d] * frame[row + d];
  }
  return dot - (across * lift) / Math.max(1 + cos, 1e-6);
}

/** Eigenvalues and the major eigenvector of [a b; b c]. */
function principal(out: Curvature, i: number, a: number, b: number, c: number, u: Float64Array, v: Float64Array): void {
  const mean = (a + c) / 2;
  const spread = Math.sqrt(((a - c) / 2) ** 2 + b * b);
  const sign = mean < 0 ? -1 : 1;
  out.mean[i] = mean;
  out.major[i] = mean + sign * spread;
  out.minor[i] = mean - sign * spread;
  // The direction of the largest value; that of the smallest is at a right angle.
  const angle = Math.atan2(2 * b, a - c) / 2 + (sign < 0 ? Math.PI / 2 : 0);
  for (let d = 0; d < 3; d++) {
    out.direction[3 * i + d] = Math.cos(angle) * u[3 * i + d] + Math.sin(angle) * v[3 * i + d];
  }
}
