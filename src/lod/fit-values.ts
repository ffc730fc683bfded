import { gatherRows } from '../math/rows.ts';
import type { Mesh, VertexAttribute } from '../model/mesh.ts';
import { splitByCreases } from './creases.ts';
import type { FittedLevel } from './fit-level.ts';
import { groupsOf, type LevelMesh } from './level-mesh.ts';
import { projectValues } from './project-values.ts';
import type { CollapseRecords } from './records.ts';
import type { Samples } from './samples.ts';

/**
 * The mesh of a level: uvs, colours, normals and tangents of its wedges, so that they look as on the original where the
 * surfaces are nearest. A seam may be a slit in one chart, and the nearest point lie across it: what the records carry
 * tells which nearest points have the right uvs.
 */
export function meshWithValues(
  mesh: Mesh,
  made: LevelMesh,
  fitted: FittedLevel,
  records: CollapseRecords,
  crease: number,
): Mesh {
  const { level, normalOf } =
    mesh.normals && made.isSoft
      ? splitByCreases(made, mesh, records, crease)
      : { level: made, normalOf: mesh.normals && smoothWedges(mesh.normals, made, crease) };
  const { corners, triangles, wedgeVertex, splitOf, vertexOf } = level;
  const originalCorners = mesh.seams?.triangles ?? mesh.triangles;
  const carriedValues = (size: number, values: ArrayLike<number>): Float64Array => {
    const start = gatherRows(Float64Array.from(values), size, splitOf);
    return projectValues(fitted.carried, corners, start, { size, corners: originalCorners, values });
  };
  const uvs = mesh.uvs && carriedValues(2, mesh.uvs);
  const samples = uvs ? onTheSameSide(fitted.nearest, level, uvs, mesh.uvs!, originalCorners) : fitted.nearest;
  const project = (size: number, values: ArrayLike<number>, start = carriedValues(size, values)): Float64Array =>
    projectValues(samples, corners, start, { size, corners: originalCorners, values });

  // Without seams split vertices are vertices: wedges in their order.
  const split = wedgeVertex.length > vertexOf.length;
  const order = split ? Uint32Array.from(wedgeVertex.keys()) : new Uint32Array(vertexOf.length);
  if (!split) for (let w = 0; w < wedgeVertex.length; w++) order[wedgeVertex[w]] = w;
  const inOrder = (values: Float64Array, size: number): Float32Array =>
    gatherRows(Float32Array.from(values), size, order);
  /** With the original's values at vertices that stayed as they were. */
  const orOwn = (found: Float64Array, size: number, values: ArrayLike<number>): Float64Array => {
    for (let w = 0; w < splitOf.length; w++) {
      if (fitted.frozen[wedgeVertex[w]] === 0) continue;
      for (let c = 0; c < size; c++) found[size * w + c] = values[size * splitOf[w] + c];
    }
    return found;
  };

  const normals =
    normalOf && orOwn(levelNormals(mesh.normals!, originalCorners, level, fitted.nearest, normalOf), 3, mesh.normals!);
  const attributes = Object.entries(mesh.attributes ?? {}).map(([name, attribute]): [string, VertexAttribute] => {
    const { size, values, normalized } = attribute;
    if (!(values instanceof Float32Array) && !normalized) {
      // Numbers that stand for something: nothing lies between them.
      return [name, { ...attribute, values: gatherRows(gatherRows(values, size, splitOf), size, order) }];
    }
    const projected = project(size, values);
    if (name === 'TANGENT') unitTangents(projected, normals, values, splitOf);
    return [name, { ...attribute, values: gatherRows(likeThose(values, orOwn(projected, size, values)), size, order) }];
  });
  const groups = groupsOf(mesh, level);
  return {
    ...(mesh.name !== undefined && { name: mesh.name }),
    positions: Float32Array.from(fitted.rest),
    triangles,
    ...(normals && { normals: inOrder(normals, 3) }),
    ...(uvs && { uvs: inOrder(orOwn(project(2, mesh.uvs!, uvs), 2, mesh.uvs!), 2) }),
    ...(mesh.attributes && { attributes: Object.fromEntries(attributes) }),
    ...(split && { seams: { vertexOf: wedgeVertex, triangles: corners } }),
    ...(groups && { groups }),
    ...(mesh.materials && { materials: mesh.materials }),
    ...(mesh.space && { space: mesh.space }),
  };
}

/** How far the uvs of a nearest point may be from those carried, relative to the triangle's size on the texture. */
const UV_REACH = 0.5;

/** The samples without those whose uvs on the original are far from the level's (`uvs`: 2w): they lie across a seam. */
function onTheSameSide(
  samples: Samples,
  { corners }: LevelMesh,
  uvs: Float64Array,
  originalUvs: Float32Array,
  originalCorners: Uint32Array,
): Samples {
  const share = samples.share.slice();
  for (let s = 0; s < samples.count; s++) {
    const t = 3 * samples.triangle[s];
    const f = 3 * samples.face[s];
    const [a, b] = [samples.a[s], samples.b[s]];
    const [u, v] = [samples.u[s], samples.v[s]];
    const [i, j, k] = [2 * corners[t], 2 * corners[t + 1], 2 * corners[t + 2]];
    const [l, m, n] = [2 * originalCorners[f], 2 * originalCorners[f + 1], 2 * originalCorners[f + 2]];
    const area2 = Math.abs(
      (uvs[j] - uvs[i]) * (uvs[k + 1] - uvs[i + 1]) - (uvs[k] - uvs[i]) * (uvs[j + 1] - uvs[i + 1]),
    );
    let apart = 0;
    for (let c = 0; c < 2; c++) {
      const here = a * uvs[i + c] + b * uvs[j + c] + (1 - a - b) * uvs[k + c];
      const there = u * originalUvs[l + c] + v * originalUvs[m + c] + (1 - u - v) * originalUvs[n + c];
      apart += (here - there) ** 2;
    }
    if (apart > (UV_REACH * UV_REACH * area2) / 2) share[s] = 0;
  }
  return { ...samples, share };
}

/** 3w unit normals, one for all wedges of a group (w: `groupOf`). */
function levelNormals(
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
  const found = projectValues(samples, corners, start, { size: 3, corners: originalCorners, values: normals });
  normalise(found, start);
  return gatherRows(found, 3, groupOf);
}

/** w: wedges of one vertex with normals within the crease angle share one, so that seams of uvs stay invisible. */
function smoothWedges(
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

/** Tangents of unit length across the normals, with the handedness that the wedge has on the original. */
function unitTangents(
  tangents: Float64Array,
  normals: Float64Array | undefined,
  original: ArrayLike<number>,
  splitOf: Uint32Array,
): void {
  for (let w = 0; w < splitOf.length; w++) {
    const t = tangents.subarray(4 * w, 4 * w + 3);
    if (normals) {
      const n = normals.subarray(3 * w, 3 * w + 3);
      const along = t[0] * n[0] + t[1] * n[1] + t[2] * n[2];
      for (let c = 0; c < 3; c++) t[c] -= along * n[c];
    }
    const length = Math.hypot(t[0], t[1], t[2]);
    if (length > 1e-6) for (let c = 0; c < 3; c++) t[c] /= length;
    else for (let c = 0; c < 3; c++) t[c] = original[4 * splitOf[w] + c];
    tangents[4 * w + 3] = original[4 * splitOf[w] + 3] < 0 ? -1 : 1;
  }
}

/** The numbers in the kind of array that the original has, rounded and kept in its range. */
function likeThose<T extends VertexAttribute['values']>(kind: T, values: Float64Array): T {
  const Kind = kind.constructor as new (length: number) => T;
  const out = new Kind(values.length);
  if (out instanceof Float32Array) out.set(values);
  else {
    const signed = out instanceof Int8Array || out instanceof Int16Array;
    const most = 2 ** (8 * out.BYTES_PER_ELEMENT - (signed ? 1 : 0)) - 1;
    for (let c = 0; c < values.length; c++)
      out[c] = Math.round(Math.min(most, Math.max(signed ? -most : 0, values[c])));
  }
  return out;
}
