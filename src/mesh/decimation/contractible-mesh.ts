/**
 * The connectivity of a triangle mesh under edge contractions: which faces and vertices surround a vertex, whether an edge
 * may be contracted without harm to the surface, and the contraction itself. Knows nothing of positions.
 *
 * An edge (i, j) may be contracted when the link condition holds (Dey, Edelsbrunner, Guha & Nekhayev 1999):
 * Lk(i) ∩ Lk(j) = Lk(ij), with one imaginary vertex ω beyond every boundary. A manifold then stays a manifold with the same
 * components, boundaries and handles. A vertex whose faces form no single fan (on an edge of three faces, or where two
 * fans touch) is never removed, so that the seams of other meshes stay where they are.
 */
export class ContractibleMesh {
  /** 3F: corner → vertex, as contractions leave it. Only the corners of faces that are `alive` mean anything. */
  readonly corners: Uint32Array;
  /** F: 1 while the face exists. */
  readonly alive: Uint8Array;
  /** N: a corner of the vertex, −1 for a vertex without faces; the others follow by `nextCorner`. */
  readonly firstCorner: Int32Array;
  /** 3F: another corner of the same vertex, −1 after the last. */
  readonly nextCorner: Int32Array;

  // Faces per edge around the two vertices under consideration: valid where the stamp is the current one.
  #stamp = 0;
  readonly #stampI: Int32Array;
  readonly #stampJ: Int32Array;
  readonly #facesI: Int32Array;
  readonly #facesJ: Int32Array;
  readonly #around: number[] = [];

  /** Triangles that use a vertex twice are left out from the start. */
  constructor(triangles: Uint32Array, vertexCount: number) {
    this.corners = triangles.slice();
    this.alive = new Uint8Array(triangles.length / 3);
    this.firstCorner = new Int32Array(vertexCount).fill(-1);
    this.nextCorner = new Int32Array(triangles.length).fill(-1);
    this.#stampI = new Int32Array(vertexCount);
    this.#stampJ = new Int32Array(vertexCount);
    this.#facesI = new Int32Array(vertexCount);
    this.#facesJ = new Int32Array(vertexCount);
    for (let t = triangles.length - 3; t >= 0; t -= 3) {
      const a = triangles[t];
      const b = triangles[t + 1];
      const c = triangles[t + 2];
      if (a === b || b === c || c === a) continue;
      this.alive[t / 3] = 1;
      for (let corner = t; corner < t + 3; corner++) this.#link(corner, triangles[corner]);
    }
  }

  /** The triangles that exist, 3 vertices each, in their original order. */
  triangles(): Uint32Array {
    return this.corners.filter((_, c) => this.alive[Math.floor(c / 3)] === 1);
  }

  /** Fills `out` with the vertices that share a face with i, each once, and returns it. */
  neighbours(i: number, out: number[]): number[] {
    out.length = 0;
    const stamp = ++this.#stamp;
    for (let c = this.firstCorner[i]; c >= 0; c = this.nextCorner[c]) {
      const t = c - (c % 3);
      for (let other = t; other < t + 3; other++) {
        const n = this.corners[other];
        if (n === i || this.#stampI[n] === stamp) continue;
        this.#stampI[n] = stamp;
        out.push(n);
      }
    }
    return out;
  }

  /** Whether i can be merged into its neighbour j by the link condition. */
  isContractible(i: number, j: number): boolean {
    const stamp = ++this.#stamp;
    this.#countFaces(i, this.#stampI, this.#facesI, stamp);
    if (this.#stampI[j] !== stamp || !this.#isFan(i, stamp)) return false;
    const onEdge = this.#facesI[j];
    this.#countFaces(j, this.#stampJ, this.#facesJ, stamp);

    // Vertices of Lk(i) ∩ Lk(j): exactly those opposite the edge; and no edge (ω, n), which would leave n hanging.
    let common = 0;
    for (const n of this.#around) {
      if (n === j || this.#stampJ[n] !== stamp) continue;
      common++;
      if (this.#facesI[n] === 1 && this.#facesJ[n] === 1) return false;
    }
    if (common !== onEdge) return false;
    // ω itself: two boundary vertices only along the boundary.
    if (onEdge > 1 && this.#hasBoundary(i, this.#facesI) && this.#hasBoundary(j, this.#facesJ)) return false;
    // Edges of Lk(i) ∩ Lk(j): none, or two faces would coincide.
    return !(this.#hasFaceBetweenCommon(i, j, stamp) && this.#hasFaceBetweenCommon(j, i, stamp));
  }

  /** Merges i into j: faces with both vanish, in the others j takes i's place. */
  contract(i: number, j: number): void {
    const { corners, nextCorner } = this;
    for (let c = this.firstCorner[i], next = c; c >= 0; c = next) {
      next = nextCorner[c];
      const t = c - (c % 3);
      if (corners[t] === j || corners[t + 1] === j || corners[t + 2] === j) {
        this.alive[t / 3] = 0;
        for (let other = t; other < t + 3; other++) if (other !== c) this.#unlink(other);
      } else {
        corners[c] = j;
        this.#link(c, j);
      }
    }
    this.firstCorner[i] = -1;
  }

  /** Takes away a face; vertices that have no other are gone as well. */
  removeFace(f: number): void {
    if (this.alive[f] === 0) return;
    this.alive[f] = 0;
    for (let c = 3 * f; c < 3 * f + 3; c++) this.#unlink(c);
  }

  #link(corner: number, vertex: number): void {
    this.nextCorner[corner] = this.firstCorner[vertex];
    this.firstCorner[vertex] = corner;
  }

  #unlink(corner: number): void {
    const vertex = this.corners[corner];
    let before = -1;
    for (let c = this.firstCorner[vertex]; c !== corner; c = this.nextCorner[c]) before = c;
    if (before < 0) this.firstCorner[vertex] = this.nextCorner[corner];
    else this.nextCorner[before] = this.nextCorner[corner];
  }

  /** Stamps every neighbour n of v, with the number of faces on the edge (v, n); for i, lists them in `around` as well. */
  #countFaces(v: number, stamps: Int32Array, faces: Int32Array, stamp: number): void {
    const list = stamps === this.#stampI;
    if (list) this.#around.length = 0;
    for (let c = this.firstCorner[v]; c >= 0; c = this.nextCorner[c]) {
      const t = c - (c % 3);
      for (let other = t; other < t + 3; other++) {
        const n = this.corners[other];
        if (n === v) continue;
        if (stamps[n] !== stamp) {
          stamps[n] = stamp;
          faces[n] = 0;
          if (list) this.#around.push(n);
        }
        faces[n]++;
      }
    }
  }

  /** Whether the faces around i form one closed or one open fan: its link is one cycle or one path. */
  #isFan(i: number, stamp: number): boolean {
    const around = this.#around;
    const facesI = this.#facesI;
    let start = around[0];
    let ends = 0;
    for (const n of around) {
      if (facesI[n] > 2) return false;
      if (facesI[n] === 1) {
        ends++;
        start = n;
      }
    }
    if (ends !== 0 && ends !== 2) return false;
    // Walk the link from `start`: it is connected when the walk meets every neighbour.
    let met = 1;
    let face = -1;
    for (let n = start; ; ) {
      const side = this.#otherFace(i, n, face);
      if (side < 0) break;
      face = side - (side % 3);
      n = this.corners[face] + this.corners[face + 1] + this.corners[face + 2] - i - n;
      if (n === start || this.#stampI[n] !== stamp || met > around.length) break;
      met++;
    }
    return met === around.length;
  }

  /** A corner of i in a face with n that does not start at corner `exclude`, or −1. */
  #otherFace(i: number, n: number, exclude: number): number {
    for (let c = this.firstCorner[i]; c >= 0; c = this.nextCorner[c]) {
      const t = c - (c % 3);
      if (t !== exclude && (this.corners[t] === n || this.corners[t + 1] === n || this.corners[t + 2] === n)) return c;
    }
    return -1;
  }

  #hasBoundary(v: number, faces: Int32Array): boolean {
    for (let c = this.firstCorner[v]; c >= 0; c = this.nextCorner[c]) {
      const t = c - (c % 3);
      for (let other = t; other < t + 3; other++) {
        if (this.corners[other] !== v && faces[this.corners[other]] === 1) return true;
      }
    }
    return false;
  }

  /** Whether a face of v without w has both its other vertices in common with w. */
  #hasFaceBetweenCommon(v: number, w: number, stamp: number): boolean {
    for (let c = this.firstCorner[v]; c >= 0; c = this.nextCorner[c]) {
      const t = c - (c % 3);
      let between = true;
      for (let other = t; other < t + 3 && between; other++) {
        const n = this.corners[other];
        between = n === v || (n !== w && this.#stampI[n] === stamp && this.#stampJ[n] === stamp);
      }
      if (between) return true;
    }
    return false;
  }
}
