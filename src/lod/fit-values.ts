import { gatherRows } from '../math/rows.ts';
import { numbersLike } from '../mesh/attribute-floats.ts';
import type { Mesh, VertexAttribute } from '../model/mesh.ts';
import { splitByCreases } from './creases.ts';
import type { FittedLevel } from './fit-level.ts';
import { levelNormals, smoothWedges } from './fit-normals.ts';
import { groupsOf, type LevelMesh } from './level-mesh.ts';
import { keepWithin, projectValues } from './project-values.ts';
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
    if (name.startsWith('COLOR_')) {
      const own = gatherRows(Float64Array.from(values), size, splitOf);
      keepWithin(projected, own, samples, corners, { size, corners: originalCorners, values });
    }
    if (name === 'TANGENT') unitTangents(projected, normals, values, splitOf);
    return [
      name,
      { ...attribute, values: gatherRows(numbersLike(values, orOwn(projected, size, values)), size, order) },
    ];
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
