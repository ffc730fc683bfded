import { squaredDistance } from '../math/vector.ts';
import { edgeCount, meshEdges } from '../mesh/adjacency.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';

/**
 * Whether a learned surface is still whole. Control points that are within reach one by one may ask for what no example
 * shows; bones then part, and the edges between them become long. Each edge is compared with the most that edges around it
 * were stretched in an example.
 */

/** Edges shorter than this fraction of the mean edge are compared with that: what is almost a point says little. */
const SHORTEST = 0.1;

/** Stretched this many times more than in any example, a surface shows it. */
export const STRETCHED = 2;

/** Where a surface is stretched most. */
export interface Strain {
  /** How many times more than in any example an edge is stretched: above 1 is extrapolation. */
  strain: number;
  /** That edge: its vertices. */
  readonly edge: [number, number];
}

/** N: the most that an edge at each vertex is stretched in poses (3N each), against its length in the rest pose; ≥ 1. */
export function stretchOf(mesh: Mesh, poses: readonly Float32Array[]): Float32Array {
  const { vertices, lengths } = restEdges(mesh);
  const stretch = new Float32Array(vertexCount(mesh)).fill(1);
  for (const pose of poses) {
    for (let e = 0; e < lengths.length; e++) {
      if (lengths[e] === 0) continue;
      const [p, q] = [vertices[2 * e], vertices[2 * e + 1]];
      const now = Math.sqrt(squaredDistance(pose, p, q)) / lengths[e];
      if (now > stretch[p]) stretch[p] = now;
      if (now > stretch[q]) stretch[q] = now;
    }
  }
  return stretch;
}

/** Measures surfaces against the stretch (N) of their examples, without allocation. */
export class SurfaceStrain {
  readonly #vertices: Uint32Array;
  /** 1 / (the square of the length to which an edge may be stretched); 0 for one that has no length. */
  readonly #weights: Float64Array;
  readonly #found: Strain = { strain: 0, edge: [0, 0] };

  constructor(mesh: Mesh, stretch: Float32Array) {
    const { vertices, lengths } = restEdges(mesh);
    this.#vertices = vertices;
    this.#weights = lengths.map((length, e) => {
      const most = length * Math.max(stretch[vertices[2 * e]], stretch[vertices[2 * e + 1]]);
      return most > 0 ? 1 / most ** 2 : 0;
    });
  }

  /** @param positions 3N. @returns what the next call overwrites. */
  measure(positions: Float32Array): Strain {
    const vertices = this.#vertices;
    const weights = this.#weights;
    let most = 0;
    let at = 0;
    for (let e = 0; e < weights.length; e++) {
      const strain = weights[e] * squaredDistance(positions, vertices[2 * e], vertices[2 * e + 1]);
      if (strain <= most) continue;
      most = strain;
      at = e;
    }
    this.#found.strain = Math.sqrt(most);
    for (let c = 0; c < 2; c++) this.#found.edge[c] = vertices[2 * at + c] ?? 0;
    return this.#found;
  }
}

function restEdges(mesh: Mesh): { vertices: Uint32Array; lengths: Float64Array } {
  const edges = meshEdges(mesh.triangles, vertexCount(mesh));
  const { vertices } = edges;
  const lengths = Float64Array.from({ length: edgeCount(edges) }, (_, e) =>
    Math.sqrt(squaredDistance(mesh.positions, vertices[2 * e], vertices[2 * e + 1])),
  );
  const mean = lengths.reduce((sum, length) => sum + length / lengths.length, 0);
  return { vertices, lengths: lengths.map((length) => Math.max(length, SHORTEST * mean)) };
}
