import { after, before } from './weld.ts';

/**
 * Collapses of half-edges v → w, each recorded as a bijection between the star of v before and after (in the manner of
 * Lee et al. 1998, "MAPS", without its tracing): the star is flattened around v, and a flat point lies in one face of
 * the fan from v and in one of the fan from w. A point of a coarse face walks these records backwards to the point of
 * the original that it stands for. Faces keep their numbers, and the corner of v becomes that of w.
 */

/** A point of a face by the weights of its three corners. */
export interface FacePoint {
  face: number;
  u: number;
  v: number;
  w: number;
}

/** The star of a vertex, flattened: m faces between m + 1 points of the ring, the last of them the first in a closed fan. */
export interface FlatStar {
  /** m. */
  faces: number;
  closed: boolean;
  /** Place in the ring of the vertex that v is merged into. */
  target: number;
  /** m: the corner of v in each face, in order around it; the corner after it is at the same place of the ring. */
  corners: Int32Array;
  /** m + 1 each: where the ring lies, v at the origin. */
  x: Float64Array;
  y: Float64Array;
}

/** Instead of a target: faces that vanish. */
const REMOVAL = 0xffffffff;

/** Collapses in the order they happened. */
export class CollapseRecords {
  /** How many. */
  count = 0;
  /** Record → where its places begin; one more than there are records. */
  #starts = new Uint32Array(1024);
  #targets = new Uint32Array(1024);
  #closed = new Uint8Array(1024);
  /** Place → the corner of v in the face from this point of the ring to the next; −1 for the last. */
  #corners = new Int32Array(8192);
  /** Place → the record that changed that face before, −1 for none. */
  #previous = new Int32Array(8192);
  #x = new Float32Array(8192);
  #y = new Float32Array(8192);

  /** Appends a collapse. `last` (F): the last record of every face; it is brought up to date. */
  add(star: FlatStar, last: Int32Array): void {
    const start = this.#starts[this.count];
    const end = start + star.faces + 1;
    this.#reserve(end);
    const r = this.count++;
    for (let s = 0; s <= star.faces; s++) {
      const corner = s < star.faces ? star.corners[s] : -1;
      this.#corners[start + s] = corner;
      this.#previous[start + s] = corner < 0 ? -1 : last[Math.floor(corner / 3)];
      this.#x[start + s] = star.x[s];
      this.#y[start + s] = star.y[s];
    }
    this.#starts[r + 1] = end;
    this.#targets[r] = star.target;
    this.#closed[r] = star.closed ? 1 : 0;
    for (let s = 0; s < star.faces; s++) last[Math.floor(star.corners[s] / 3)] = r;
  }

  /** Appends that faces vanish without a trace. */
  addRemoval(faces: readonly number[]): void {
    const start = this.#starts[this.count];
    const end = start + faces.length;
    this.#reserve(end);
    const r = this.count++;
    for (const [s, face] of faces.entries()) this.#corners[start + s] = 3 * face;
    this.#starts[r + 1] = end;
    this.#targets[r] = REMOVAL;
  }

  /** Does collapse r to a mesh that has gone through those before it. */
  replay(r: number, state: CollapsedMesh): void {
    const corners = this.#corners;
    const start = this.#starts[r];
    if (this.#targets[r] === REMOVAL) {
      for (let s = start; s < this.#starts[r + 1]; s++) state.alive[corners[s] / 3] = 0;
      return;
    }
    const last = this.#starts[r + 1] - 1; // the place after the last face
    const at = start + this.#targets[r];
    // The faces on both sides of the half-edge: the one that begins at w and the one that ends there.
    const left = at < last ? corners[at] : -1;
    const right = at > start ? corners[at - 1] : this.#closed[r] === 1 ? corners[last - 1] : -1;
    const { vertices, wedges } = state;
    const into = left >= 0 ? vertices[after(left)] : vertices[before(right)];
    const leftFrom = left >= 0 ? wedges[left] : -1;
    const leftTo = left >= 0 ? wedges[after(left)] : -1;
    const rightFrom = right >= 0 ? wedges[right] : -1;
    const rightTo = right >= 0 ? wedges[before(right)] : leftTo;
    for (let s = start; s < last; s++) {
      const c = corners[s];
      const face = Math.floor(c / 3);
      state.last[face] = r;
      if (c === left || c === right) {
        state.alive[face] = 0;
        continue;
      }
      vertices[c] = into;
      // A wedge that has no part in the half-edge goes along to w as it is: the collapse takes a line off its place.
      wedges[c] = wedges[c] === leftFrom ? leftTo : wedges[c] === rightFrom ? rightTo : wedges[c];
    }
  }

  /**
   * The point of the original that a point of a face stands for, into `out` (which may be the point itself). `last` (F) has
   * the last record of every face, as `CollapsedMesh` has it.
   */
  carry(last: Int32Array, face: number, u: number, v: number, w: number, out: FacePoint): void {
    const corners = this.#corners;
    const flatX = this.#x;
    const flatY = this.#y;
    for (let r = last[face]; r >= 0; ) {
      const start = this.#starts[r];
      const end = this.#starts[r + 1] - 1;
      let s = start;
      while (Math.floor(corners[s] / 3) !== face) s++;
      const at = start + this.#targets[r];
      const corner = corners[s] % 3;
      const first = corner === 0 ? u : corner === 1 ? v : w;
      const second = corner === 0 ? v : corner === 1 ? w : u;
      const third = 1 - first - second;
      const x = first * flatX[at] + second * flatX[s] + third * flatX[s + 1];
      const y = first * flatY[at] + second * flatY[s] + third * flatY[s + 1];

      // The face of the fan from v that holds it: both its weights beside v's are ≥ 0 there.
      let best = -Infinity;
      let bestPlace = start;
      let a = 0;
      let b = 0;
      for (let q = start; q < end; q++) {
        const area = flatX[q] * flatY[q + 1] - flatY[q] * flatX[q + 1];
        if (!(area > 0)) continue;
        const p = (x * flatY[q + 1] - y * flatX[q + 1]) / area;
        const n = (flatX[q] * y - flatY[q] * x) / area;
        const inside = Math.min(p, n);
        if (inside <= best) continue;
        best = inside;
        bestPlace = q;
        a = p;
        b = n;
        if (inside >= 0) break;
      }
      a = Math.max(0, a);
      b = Math.max(0, b);
      if (a + b > 1) {
        const sum = a + b;
        a /= sum;
        b /= sum;
      }
      const place = corners[bestPlace];
      face = Math.floor(place / 3);
      const rest = 1 - a - b;
      const k = place % 3;
      u = k === 0 ? rest : k === 1 ? b : a;
      v = k === 0 ? a : k === 1 ? rest : b;
      w = k === 0 ? b : k === 1 ? a : rest;
      r = this.#previous[bestPlace];
    }
    out.face = face;
    out.u = u;
    out.v = v;
    out.w = w;
  }

  /** Makes room for one more record that ends at this place. */
  #reserve(end: number): void {
    if (this.count + 2 > this.#starts.length) {
      this.#starts = doubled(this.#starts, Uint32Array);
      this.#targets = doubled(this.#targets, Uint32Array);
      this.#closed = doubled(this.#closed, Uint8Array);
    }
    while (end > this.#corners.length) {
      this.#corners = doubled(this.#corners, Int32Array);
      this.#previous = doubled(this.#previous, Int32Array);
      this.#x = doubled(this.#x, Float32Array);
      this.#y = doubled(this.#y, Float32Array);
    }
  }
}

/** The same numbers with as much room again. */
function doubled<T extends { length: number; set(from: T): void }>(old: T, Type: new (length: number) => T): T {
  const out = new Type(2 * old.length);
  out.set(old);
  return out;
}

/** A mesh after some collapses. */
export interface CollapsedMesh {
  /** 3F: corner → vertex. */
  vertices: Uint32Array;
  /** 3F: corner → wedge. */
  wedges: Uint32Array;
  /** F: 1 while the face exists. */
  alive: Uint8Array;
  /** F: the last record that changed the face, −1 for none. */
  last: Int32Array;
  /** Whether wedges are those of the lines without hard edges. */
  isSoft: boolean;
}
