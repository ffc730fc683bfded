import { type Lists, meshEdges, vertexNeighbours } from '../mesh/adjacency.ts';

/**
 * Vertices inside other limbs see nothing but the inside of these: what was traced there is black, and would bleed into the
 * modes of poses in which they are outside. They take the mean of what their neighbours have, ring by ring.
 */
export class InsideFill {
  readonly #neighbours: Lists;

  constructor(triangles: Uint32Array, vertices: number) {
    this.#neighbours = vertexNeighbours(meshEdges(triangles, vertices), vertices);
  }

  /** In place: `values` has `size` numbers per vertex. A part that is inside as a whole gets 0. */
  fill(values: Float32Array, size: number, inside: Uint8Array): void {
    const { offsets, items } = this.#neighbours;
    const isKnown = inside.map((hidden) => 1 - hidden);
    let ring: number[] = [];
    inside.forEach((hidden, i) => {
      if (hidden) values.fill(0, i * size, (i + 1) * size);
      if (hidden) ring.push(i);
    });
    while (ring.length > 0) {
      const reached = ring.filter((i) => items.subarray(offsets[i], offsets[i + 1]).some((j) => isKnown[j] === 1));
      if (reached.length === 0) return;
      for (const i of reached) {
        const known = items.subarray(offsets[i], offsets[i + 1]).filter((j) => isKnown[j] === 1);
        for (const j of known) {
          for (let c = 0; c < size; c++) values[i * size + c] += values[j * size + c] / known.length;
        }
      }
      for (const i of reached) isKnown[i] = 1;
      ring = ring.filter((i) => isKnown[i] === 0);
    }
  }
}
