import { type BoneGroups, groupVertices } from '../bone-groups.ts';
import { PoseModes } from '../pose-modes.ts';

/**
 * The matrix of all vertices and poses, Figure 5.2 (a) and (b): D numbers each, a block of rows per segment. A segment is the
 * vertices of a bone. Poses come one by one; up to 128 are kept whole, of more the 64 strongest combinations per segment,
 * so that memory does not grow with them.
 */
export class SegmentRows {
  /** D. */
  readonly size: number;
  /** G × its vertices. */
  readonly vertices: readonly Uint32Array[];
  readonly groupOf: Uint16Array;
  readonly #rows: PoseModes[];
  /** N: place of a vertex in its segment. */
  readonly #placeOf: Uint32Array;

  constructor(groups: Pick<BoneGroups, 'bones' | 'groupOf'>, size: number) {
    this.size = size;
    this.groupOf = groups.groupOf;
    this.vertices = groupVertices(groups);
    this.#rows = this.vertices.map(({ length }) => new PoseModes(length * size));
    this.#placeOf = new Uint32Array(groups.groupOf.length);
    for (const own of this.vertices) own.forEach((i, at) => void (this.#placeOf[i] = at));
  }

  /** P. */
  get poses(): number {
    return this.#rows[0].poses;
  }

  /** N × D: the next pose. */
  add(values: Float32Array): void {
    const { size } = this;
    this.vertices.forEach((own, g) => {
      const row = new Float32Array(own.length * size);
      own.forEach((i, at) => void row.set(values.subarray(i * size, (i + 1) * size), at * size));
      this.#rows[g].add(row);
    });
  }

  /** D numbers of a vertex in a pose, to `out` from `o` on. */
  read(vertex: number, pose: number, out: Float64Array, o = 0): void {
    this.#rows[this.groupOf[vertex]].read(pose, this.#placeOf[vertex] * this.size, this.size, out, o);
  }

  /** P × P: mean squared difference of a segment's vertices between poses. */
  differences(segment: number): Float64Array {
    const out = this.#rows[segment].products();
    const p = this.poses;
    const squares = Float64Array.from({ length: p }, (_, k) => out[k * p + k]);
    const n = Math.max(1, this.vertices[segment].length);
    for (let a = 0, at = 0; a < p; a++) {
      for (let b = 0; b < p; b++, at++) out[at] = a === b ? 0 : Math.max(0, squares[a] + squares[b] - 2 * out[at]) / n;
    }
    return out;
  }
}
