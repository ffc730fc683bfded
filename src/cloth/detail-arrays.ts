/**
 * What the physics of the detail works on, in a memory that kernels and their twins share. Vectors are four floats, x y z and
 * 0, one per vertex. Edges are in quads that share no vertex; a colour that does not fill its last quad is padded with edges
 * between spare vertices behind the real ones.
 */
import { type KernelMemory, kernelsAvailable } from '../kernels/load.ts';
import { type ArraysOf, type Slot, tabledArrays } from '../kernels/places.ts';
import { meshEdges, vertexNeighbours } from '../mesh/adjacency.ts';
import { straightDistance } from '../mesh/graph-distance.ts';
import type { Mesh } from '../model/mesh.ts';
import { hingeWeights } from './bending.ts';
import { hingesOf } from './body.ts';
import { colourConstraints } from './colouring.ts';
import { type Embedding, PHONG } from './embedding.ts';
import { type Hats, hatSums } from './hats.ts';

/** Floats of a vector, and of the frame of a coarse vertex. */
export const VECTOR = 4;
export const FRAME = 8 * VECTOR;
/** Edges that are worked on at once. */
export const QUAD = 4;
const SPARE = 2 * QUAD;

interface DetailSizes {
  vertices: number;
  edgeQuads: number;
  hinges: number;
  hatCount: number;
  /** 1 where hinges are bent at rest. */
  curved: number;
}

function slotsOf({ vertices: n, edgeQuads, hinges, hatCount }: DetailSizes, coarse: number, neighbours: number) {
  const vectors = [Float32Array, VECTOR * (n + SPARE)] as const;
  return {
    // The order of kernels/assembly/detail-table.ts, which has the meaning of each.
    coarse: [Uint32Array, 3 * n],
    weights: [Float32Array, 3 * n],
    points: vectors,
    frames: [Float32Array, FRAME * coarse],
    starts: [Uint32Array, n + 1],
    neighbours: [Uint32Array, neighbours],
    edgeEnds: [Uint32Array, 2 * QUAD * edgeQuads],
    edgeLengths: [Float32Array, QUAD * edgeQuads],
    edgeShares: [Float32Array, 2 * QUAD * edgeQuads],
    hingeVertices: [Uint32Array, 4 * hinges],
    hingeWeights: [Float32Array, 4 * hinges],
    hingeParts: [Float32Array, 4 * hinges],
    hingeRest: [Float32Array, VECTOR * hinges],
    hingeCoarse: [Uint32Array, hinges],
    hats: [Uint32Array, 3 * n],
    hatWeights: [Float32Array, 3 * n],
    hatShares: [Float32Array, hatCount],
    hatMeans: [Float32Array, VECTOR * hatCount],
    base: vectors,
    carried: vectors,
    d: vectors,
    u: vectors,
    x: vectors,
    target: vectors,
    offsetsFrom: vectors,
    offsetsTo: vectors,
    world: [Float64Array, 3 * n],
  } as const satisfies Record<string, Slot>;
}

export interface DetailArrays extends ArraysOf<ReturnType<typeof slotsOf>> {
  sizes: DetailSizes;
  memory: KernelMemory;
  /** Byte offsets of the arrays, and of the table that kernels read. */
  at: Record<keyof ReturnType<typeof slotsOf>, number> & { table: number };
}

/** Lays out a fine rest mesh on a coarse one. `free` (N) is 1, or 0 where a vertex is pinned. */
export function detailArrays(
  embedding: Embedding,
  { positions, triangles }: Mesh,
  free: Float64Array,
  hats: Hats,
  simd: boolean = kernelsAvailable(false),
): DetailArrays {
  const n = embedding.count;
  const edges = meshEdges(triangles, n);
  const colours = colourConstraints(edges.vertices, 2, n);
  const neighbours = vertexNeighbours(edges, n);
  const hinges = hingeTable(positions, hingesOf(triangles, edges), free);
  const sizes: DetailSizes = {
    vertices: n,
    edgeQuads: colours.reduce((sum, list) => sum + Math.ceil(list.length / QUAD), 0),
    hinges: hinges.vertices.length / 4,
    hatCount: hats.count,
    curved: hinges.rest.some((r) => r !== 0) ? 1 : 0,
  };
  const slots = slotsOf(sizes, embedding.coarseCount, neighbours.items.length);
  const { arrays: views, at, table, memory } = tabledArrays(Object.values(sizes), slots, simd);
  const arrays = { ...views, sizes, memory, at: { ...at, table } };

  // The embedding, relative to the middle of the coarse rest mesh: floats have seven digits.
  arrays.coarse.set(embedding.hats);
  arrays.weights.set(embedding.weights);
  const middle = middleOf(embedding.rest);
  embedding.points.forEach((p, c) => {
    arrays.points[VECTOR * Math.floor(c / 3) + (c % 3)] = p - PHONG * middle[c % 3];
  });
  arrays.starts.set(neighbours.offsets);
  arrays.neighbours.set(neighbours.items);

  let quad = 0;
  for (const colour of colours) {
    for (let start = 0; start < colour.length; start += QUAD, quad++) {
      for (let lane = 0; lane < QUAD; lane++) {
        const o = 2 * QUAD * quad + lane;
        const e = colour[start + lane];
        const [a, b] = e === undefined ? [n + 2 * lane, n + 2 * lane + 1] : edges.vertices.subarray(2 * e, 2 * e + 2);
        arrays.edgeEnds[o] = a;
        arrays.edgeEnds[o + QUAD] = b;
        if (e === undefined) continue;
        arrays.edgeLengths[QUAD * quad + lane] = straightDistance(positions, a, b);
        const sum = free[a] + free[b] || 1;
        arrays.edgeShares[o] = free[a] / sum;
        arrays.edgeShares[o + QUAD] = free[b] / sum;
      }
    }
  }

  const order = colourConstraints(hinges.vertices, 4, n).flatMap((list) => [...list]);
  order.forEach((h, q) => {
    arrays.hingeVertices.set(hinges.vertices.subarray(4 * h, 4 * h + 4), 4 * q);
    arrays.hingeWeights.set(hinges.weights.subarray(4 * h, 4 * h + 4), 4 * q);
    arrays.hingeParts.set(hinges.parts.subarray(4 * h, 4 * h + 4), 4 * q);
    arrays.hingeRest.set(hinges.rest.subarray(3 * h, 3 * h + 3), VECTOR * q);
    arrays.hingeCoarse[q] = heaviestHat(embedding, hinges.vertices[4 * h]);
  });

  arrays.hats.set(hats.items);
  arrays.hatWeights.set(hats.weights);
  arrays.hatShares.set(hatSums(hats).map((sum) => 1 / (sum || 1)));
  return arrays;
}

/** Adds vectors of four floats to points (3N). */
export function addVectors(points: Float64Array, vectors: Float32Array): void {
  for (let c = 0, v = 0; c < points.length; c += 3, v += VECTOR) {
    points[c] += vectors[v];
    points[c + 1] += vectors[v + 1];
    points[c + 2] += vectors[v + 2];
  }
}

/** The middle of points (3N). */
export function middleOf(points: ArrayLike<number>): [number, number, number] {
  const middle: [number, number, number] = [0, 0, 0];
  for (let c = 0; c < points.length; c++) middle[c % 3] += (3 * points[c]) / points.length;
  return middle;
}

/** 4H: vertices, K, and K / Σ K² over free vertices; 3H: K·r. A hinge of a triangle without area does not bend. */
function hingeTable(positions: Float32Array, vertices: Uint32Array, free: Float64Array) {
  const at = Float64Array.from(positions);
  const weights = hingeWeights(at, vertices);
  const parts = new Float64Array(weights.length);
  const rest = new Float64Array((3 * vertices.length) / 4);
  for (let h = 0; h < vertices.length; h += 4) {
    const k = weights.subarray(h, h + 4);
    if (!k.every(Number.isFinite)) k.fill(0);
    let sum = 0;
    let size = 0;
    const bend = rest.subarray((3 * h) / 4, (3 * h) / 4 + 3);
    for (let c = 0; c < 4; c++) {
      const i = vertices[h + c];
      sum += k[c] * k[c] * free[i];
      for (let axis = 0; axis < 3; axis++) {
        bend[axis] += k[c] * at[3 * i + axis];
        size += Math.abs(k[c] * at[3 * i + axis]);
      }
    }
    for (let c = 0; c < 4; c++) parts[h + c] = sum > 0 ? (k[c] * free[vertices[h + c]]) / sum : 0;
    // Flat, up to the rounding of the positions.
    if (Math.hypot(...bend) < FLAT * size) bend.fill(0);
  }
  return { vertices, weights, parts, rest };
}

/** K·r below this share of its terms is rounding. */
const FLAT = 1e-6;

function heaviestHat({ hats, weights }: Embedding, j: number): number {
  let best = 3 * j;
  for (let h = best + 1; h < 3 * j + 3; h++) if (weights[h] > weights[best]) best = h;
  return hats[best];
}
