import { DisjointSets } from '../math/disjoint-sets.ts';
import { gatherRows } from '../math/rows.ts';
import type { Mesh, VertexAttribute } from '../model/mesh.ts';
import { after, type FanMesh } from './weld.ts';

/**
 * Feature lines: edges across which a surface's values jump, and its borders. Around a vertex the corners whose values
 * agree form a *wedge* (Hoppe 1999): one in the middle of a smooth surface, two on a line, more where lines meet.
 */
export interface Features {
  /** 3F: corner → wedge. */
  wedgeOf: Uint32Array;
  /** Wedge → a split vertex of the mesh that has its values. */
  splitOf: Uint32Array;
  /** F: face → chart: a piece of surface without lines in it. */
  chartOf: Uint32Array;
  /** F: face → material group. */
  groupOf: Uint32Array;
  /** 3F: what the side from corner c to the next one is. */
  sides: Uint8Array;
  /** 9F, 6F: the normals and uvs of the corners, if the mesh has some. */
  normals?: Float32Array;
  uvs?: Float32Array;
}

/** What a side is: smooth, a line on the surface, or the end of it. */
export const SIDE = { smooth: 0, line: 1, border: 2 } as const;

/** Which values make a line. */
export interface FeatureOptions {
  /** Degrees between the normals of two faces at a vertex from which on an edge is hard. */
  crease: number;
  /** 2L: pairs of the mesh's vertices whose edges are lines as well. */
  lines?: Uint32Array;
}

/** The lines of a mesh, in the numbers of `fans`. */
export function findFeatures(mesh: Mesh, { twins, triangles }: FanMesh, { crease, lines }: FeatureOptions): Features {
  const corners = mesh.seams?.triangles ?? mesh.triangles;
  const faces = triangles.length / 3;
  const groupOf = new Uint32Array(faces);
  (mesh.groups ?? []).forEach(({ start, count }, g) => {
    groupOf.fill(g, start, start + count);
  });
  const agree = agreement(mesh, crease);
  const isLine = lineTest(mesh, lines);

  // (1) Wedges: neighbours around a vertex, joined where their values agree. Charts: faces that share such a side.
  const wedges = new DisjointSets(triangles.length);
  const charts = new DisjointSets(faces);
  const sides = new Uint8Array(triangles.length);
  for (let c = 0; c < triangles.length; c++) {
    const d = twins[c];
    if (d < 0) {
      sides[c] = SIDE.border;
      continue;
    }
    if (d < c) continue;
    const joined = groupOf[Math.floor(c / 3)] === groupOf[Math.floor(d / 3)] && !isLine(c);
    const here = joined && agree(corners[c], corners[after(d)]);
    const there = joined && agree(corners[after(c)], corners[d]);
    if (here) wedges.join(c, after(d));
    if (there) wedges.join(after(c), d);
    if (here && there) charts.join(Math.floor(c / 3), Math.floor(d / 3));
    else sides[c] = sides[d] = SIDE.line;
  }
  const { setOf: wedgeOf, firstOf } = wedges.numbered();
  return {
    wedgeOf,
    splitOf: firstOf.map((c) => corners[c]),
    chartOf: charts.numbered().setOf,
    groupOf,
    sides,
    ...(mesh.normals && { normals: gatherRows(mesh.normals, 3, corners) }),
    ...(mesh.uvs && { uvs: gatherRows(mesh.uvs, 2, corners) }),
  };
}

/** How many vertices lines keep from moving at all: where they meet, or reach a border. */
export function lockedVertices({ triangles, vertexOf }: FanMesh, { wedgeOf, splitOf, sides }: Features): number {
  const wedges = new Uint32Array(vertexOf.length);
  const seen = new Uint8Array(splitOf.length);
  const border = new Uint8Array(vertexOf.length);
  for (let c = 0; c < triangles.length; c++) {
    if (sides[c] === SIDE.border) border[triangles[c]] = border[triangles[after(c)]] = 1;
    if (seen[wedgeOf[c]] === 1) continue;
    seen[wedgeOf[c]] = 1;
    wedges[triangles[c]]++;
  }
  return wedges.reduce((sum, count, v) => sum + (count + border[v] > 2 ? 1 : 0), 0);
}

/** Whether the side from corner c to the next is one of the given lines. */
function lineTest({ triangles, positions }: Mesh, lines?: Uint32Array): (c: number) => boolean {
  if (!lines?.length) return () => false;
  const n = positions.length / 3;
  const keyOf = (a: number, b: number): number => Math.min(a, b) * n + Math.max(a, b);
  const keys = new Set(Array.from({ length: lines.length / 2 }, (_, l) => keyOf(lines[2 * l], lines[2 * l + 1])));
  return (c) => keys.has(keyOf(triangles[c], triangles[after(c)]));
}

/** Whether two split vertices have the same values: uvs and attributes equal, normals within the crease angle. */
function agreement(mesh: Mesh, crease: number): (a: number, b: number) => boolean {
  const { normals, uvs } = mesh;
  const cosine = Math.cos((crease * Math.PI) / 180);
  const attributes = Object.entries(mesh.attributes ?? {}).filter(([name]) => name !== 'TANGENT');
  const exact: VertexAttribute[] = attributes.map(([, attribute]) => attribute);
  if (uvs) exact.push({ size: 2, values: uvs });
  const tangents = mesh.attributes?.TANGENT?.values;
  return (a, b) => {
    if (a === b) return true;
    for (const { size, values } of exact) {
      for (let c = 0; c < size; c++) if (values[size * a + c] !== values[size * b + c]) return false;
    }
    if (tangents && tangents[4 * a + 3] * tangents[4 * b + 3] < 0) return false; // uvs mirrored
    if (!normals) return true;
    let dot = 0;
    for (let c = 0; c < 3; c++) dot += normals[3 * a + c] * normals[3 * b + c];
    return dot >= cosine;
  };
}
