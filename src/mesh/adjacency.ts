import { DisjointSets } from '../math/disjoint-sets.ts';
/** Who touches whom in a triangle mesh, as flat arrays. `triangles` are 3F indices below `vertices` throughout. */

/** One list per row, end to end: row r is `items[offsets[r]] … items[offsets[r + 1] − 1]`. */
export interface Lists {
  /** rows + 1. */
  offsets: Uint32Array;
  items: Uint32Array;
}

/** Vertex → the faces around it, rising. A face that uses a vertex twice is listed twice. */
export function vertexFaces(triangles: Uint32Array, vertices: number): Lists {
  const order = sortBy(triangles, vertices);
  return { offsets: order.offsets, items: order.items.map((corner) => Math.floor(corner / 3)) };
}

/** `edgeOf` of a side that joins a vertex to itself. */
export const NO_EDGE = 0xffffffff;

/** The E undirected edges of a mesh. */
export interface Edges {
  /** 2E: the two vertices of each edge, smaller first; edges sorted by them. */
  vertices: Uint32Array;
  /** 3F: the edge from corner c to the next corner of its face, or NO_EDGE. */
  edgeOf: Uint32Array;
  /** Edge → the corners whose side it is, rising. 1 at a boundary, more than 2 where the mesh is not a manifold. */
  corners: Lists;
}

/** The edges of a mesh, by two counting sorts of its sides: O(N + F). */
export function meshEdges(triangles: Uint32Array, vertices: number): Edges {
  const sides = triangles.length;
  const low = new Uint32Array(sides);
  const high = new Uint32Array(sides);
  for (let c = 0; c < sides; c++) {
    const a = triangles[c];
    const b = triangles[nextCorner(c)];
    low[c] = Math.min(a, b);
    high[c] = Math.max(a, b);
  }
  const { items: order } = sortBy(low, vertices, sortBy(high, vertices).items);

  const edgeOf = new Uint32Array(sides).fill(NO_EDGE);
  const ends = new Uint32Array(2 * sides);
  const offsets = new Uint32Array(sides + 1);
  const items = new Uint32Array(sides);
  let edges = 0;
  let used = 0;
  for (const c of order) {
    if (low[c] === high[c]) continue;
    const last = 2 * edges - 2;
    if (last < 0 || ends[last] !== low[c] || ends[last + 1] !== high[c]) {
      ends[2 * edges] = low[c];
      ends[2 * edges + 1] = high[c];
      offsets[edges++] = used;
    }
    edgeOf[c] = edges - 1;
    items[used++] = c;
  }
  offsets[edges] = used;
  return {
    vertices: ends.slice(0, 2 * edges),
    edgeOf,
    corners: { offsets: offsets.slice(0, edges + 1), items: items.slice(0, used) },
  };
}

/** Number of edges. */
export const edgeCount = (edges: Edges): number => edges.vertices.length / 2;

/** Vertex → the vertices it shares an edge with, rising, each once. */
export function vertexNeighbours(edges: Edges, vertices: number): Lists {
  const ends = edges.vertices;
  const { offsets, items } = sortBy(ends, vertices);
  // Entry c of `ends` has its partner at c ^ 1. Edges are sorted, so the smaller neighbours come before the larger.
  return { offsets, items: items.map((c) => ends[c ^ 1]) };
}

/** Face → the faces it shares an edge with; more than three where an edge has more than two faces. */
export function faceNeighbours(edges: Edges): Lists {
  const { offsets: edgeOffsets, items: corners } = edges.corners;
  const sides = edges.edgeOf.length;
  const offsets = new Uint32Array(sides / 3 + 1);
  const items: number[] = [];
  for (let c = 0; c < sides; c++) {
    const e = edges.edgeOf[c];
    if (e !== NO_EDGE) {
      for (let q = edgeOffsets[e]; q < edgeOffsets[e + 1]; q++) {
        if (corners[q] !== c) items.push(Math.floor(corners[q] / 3));
      }
    }
    if (c % 3 === 2) offsets[(c + 1) / 3] = items.length;
  }
  return { offsets, items: Uint32Array.from(items) };
}

/** The edges with a single face. */
export function boundaryEdges(edges: Edges): Uint32Array {
  const { offsets } = edges.corners;
  return Uint32Array.from({ length: edgeCount(edges) }, (_, e) => e).filter((e) => offsets[e + 1] - offsets[e] === 1);
}

/**
 * E: how many more faces run along an edge from its smaller vertex to the larger than the other way. 0 along every edge of
 * a closed surface, however many faces meet there.
 */
export function edgeBalances(triangles: Uint32Array, { vertices, corners: { offsets, items } }: Edges): Int32Array {
  return Int32Array.from({ length: vertices.length / 2 }, (_, e) => {
    let balance = 0;
    for (let q = offsets[e]; q < offsets[e + 1]; q++) balance += triangles[items[q]] === vertices[2 * e] ? 1 : -1;
    return balance;
  });
}

/** Vertex → its connected component, numbered by their first vertices. An isolated vertex is a component of its own. */
export function connectedComponents(
  triangles: Uint32Array,
  vertices: number,
): { count: number; componentOf: Uint32Array } {
  const sets = new DisjointSets(vertices);
  for (let c = 0; c < triangles.length; c += 3) {
    sets.join(triangles[c], triangles[c + 1]);
    sets.join(triangles[c], triangles[c + 2]);
  }
  const { setOf, firstOf } = sets.numbered();
  return { count: firstOf.length, componentOf: setOf };
}

/** Whether two lists of triangles are the same faces, in whatever order. A cache of points, which has none, fits all. */
export function sameFaces(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length === 0 || b.length === 0) return true;
  if (a.length !== b.length) return false;
  if (a.every((i, c) => i === b[c])) return true;
  const faces = (triangles: Uint32Array): string[] =>
    Array.from({ length: triangles.length / 3 }, (_, f) => {
      const [p, q, r] = triangles.subarray(3 * f, 3 * f + 3);
      return p < q && p < r ? `${p} ${q} ${r}` : q < r ? `${q} ${r} ${p}` : `${r} ${p} ${q}`;
    });
  const known = new Set(faces(b));
  return faces(a).every((face) => known.has(face));
}

/** The corner after c in its triangle. */
const nextCorner = (c: number): number => (c % 3 === 2 ? c - 2 : c + 1);

/** Stable counting sort: for each key below `limit`, the positions in `keys` that hold it, in the order of `order`. */
function sortBy(keys: Uint32Array, limit: number, order?: Uint32Array): Lists {
  const offsets = new Uint32Array(limit + 1);
  for (let c = 0; c < keys.length; c++) offsets[keys[c] + 1]++;
  for (let key = 0; key < limit; key++) offsets[key + 1] += offsets[key];
  const next = offsets.slice();
  const items = new Uint32Array(keys.length);
  for (let q = 0; q < keys.length; q++) {
    const c = order ? order[q] : q;
    items[next[keys[c]]++] = c;
  }
  return { offsets, items };
}

/** The connected sets of a graph, numbered by their first nodes. */
export function partsOf(neighbours: Lists): { partOf: Int32Array; partCount: number } {
  const partOf = new Int32Array(neighbours.offsets.length - 1).fill(-1);
  let partCount = 0;
  const stack: number[] = [];
  for (let first = 0; first < partOf.length; first++) {
    if (partOf[first] >= 0) continue;
    partOf[first] = partCount;
    stack.push(first);
    while (stack.length > 0) {
      const item = stack.pop()!;
      for (let q = neighbours.offsets[item]; q < neighbours.offsets[item + 1]; q++) {
        const other = neighbours.items[q];
        if (partOf[other] >= 0) continue;
        partOf[other] = partCount;
        stack.push(other);
      }
    }
    partCount++;
  }
  return { partOf, partCount };
}
