import type { FlatStar } from './records.ts';
import { after, before } from './weld.ts';

/**
 * Flattens the star of a vertex by zᵃ (Lee et al. 1998, §3.2): angles scaled to a full turn, radii to the power a. On a line
 * each side gets half a turn, so that the line is straight and what lies on it stays on it.
 */
export class StarFlattener implements FlatStar {
  faces = 0;
  closed = false;
  target = 0;
  corners = new Int32Array(16);
  x = new Float64Array(17);
  y = new Float64Array(17);
  /** m + 1: the ring's vertices. */
  ring = new Uint32Array(17);
  readonly #angles: number[] = [];
  readonly #radii: number[] = [];

  /**
   * Orders the faces around v, which is about to be merged into w. A closed fan begins at w. `ofVertex` lists the corners of
   * v; `vertices` (3F) are those of the corners.
   */
  gather(ofVertex: readonly number[], vertices: Uint32Array, w: number): void {
    const m = ofVertex.length;
    this.#reserve(m);
    this.faces = m;
    let first = -1; // the face that begins at w; in an open fan the one that no other ends at
    for (const c of ofVertex) if (vertices[after(c)] === w) first = c;
    this.closed = first >= 0 && ofVertex.some((c) => vertices[before(c)] === w);
    if (!this.closed) {
      for (const c of ofVertex) {
        const start = vertices[after(c)];
        if (!ofVertex.some((d) => vertices[before(d)] === start)) first = c;
      }
    }
    for (let s = 0, c = first; s < m; s++) {
      this.corners[s] = c;
      this.ring[s] = vertices[after(c)];
      const end = vertices[before(c)];
      this.ring[s + 1] = end;
      for (const d of ofVertex) {
        if (vertices[after(d)] === end) {
          c = d;
          break;
        }
      }
    }
    this.target = this.ring[0] === w ? 0 : m;
  }

  /** Lays out the star by the positions (3n) of v and its ring. `bend`: where a line leaves v beside w, −1 for none. */
  layOut(positions: Float64Array, v: number, bend: number): void {
    const m = this.faces;
    const angles = this.#angles;
    const radii = this.#radii;
    let mean = 0;
    for (let s = 0; s <= m; s++) {
      radii[s] = distance(positions, v, this.ring[s]);
      mean += radii[s] / (m + 1);
    }
    let total = 0;
    for (let s = 0; s < m; s++) {
      angles[s] = Math.max(LEAST_ANGLE, angleAt(positions, v, this.ring[s], this.ring[s + 1]));
      total += angles[s];
    }
    const half = !this.closed;
    const power = Math.min(2, Math.max(0.5, (half ? Math.PI : 2 * Math.PI) / total));
    for (let s = 0; s <= m; s++) radii[s] = mean > 0 ? Math.max(1e-3, radii[s] / mean) ** power : 1;
    this.#place(bend);
  }

  /** Lays out the star with equal angles and radii: a convex polygon, in which no fan folds. */
  layOutRound(bend: number): void {
    for (let s = 0; s <= this.faces; s++) this.#angles[s] = this.#radii[s] = 1;
    this.#place(bend);
  }

  #place(bend: number): void {
    const m = this.faces;
    const angles = this.#angles;
    const turn = this.closed && bend < 0 ? 2 * Math.PI : Math.PI;
    const cut = this.closed && bend > 0 ? bend : m;
    let scale = turn / sum(angles, 0, cut);
    const scaleBehind = cut < m ? Math.PI / sum(angles, cut, m) : 0;
    let angle = 0;
    for (let s = 0; s <= m; s++) {
      // The ends of a line exactly on it, and a closed fan exactly closed.
      const exact = s === m && this.closed ? 0 : s === cut && turn === Math.PI ? Math.PI : angle;
      this.x[s] = exact === Math.PI ? -this.#radii[s] : this.#radii[s] * Math.cos(exact);
      this.y[s] = exact === Math.PI || exact === 0 ? 0 : this.#radii[s] * Math.sin(exact);
      if (s === cut) scale = scaleBehind;
      angle += scale * angles[s];
    }
  }

  /** Whether a face of the fan from w is turned over or has no area. */
  folds(): boolean {
    const { x, y, faces: m, target } = this;
    for (let s = 0; s < m; s++) {
      if (s === target || s + 1 === target || (this.closed && target === 0 && s === m - 1)) continue;
      const [ax, ay] = [x[s] - x[target], y[s] - y[target]];
      const [bx, by] = [x[s + 1] - x[target], y[s + 1] - y[target]];
      if (!(ax * by - ay * bx > LEAST_AREA * (ax * ax + ay * ay + bx * bx + by * by))) return true;
      if (!(x[s] * y[s + 1] - y[s] * x[s + 1] > 0)) return true;
    }
    return false;
  }

  #reserve(faces: number): void {
    if (faces <= this.corners.length) return;
    this.corners = new Int32Array(2 * faces);
    this.x = new Float64Array(2 * faces + 1);
    this.y = new Float64Array(2 * faces + 1);
    this.ring = new Uint32Array(2 * faces + 1);
  }
}

/** Radians: what a face without an area gets, so that it has a place. */
const LEAST_ANGLE = 1e-3;
/** Of the squares of its sides: what is left of a flat triangle in single precision. */
const LEAST_AREA = 1e-4;

function sum(values: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let s = from; s < to; s++) total += values[s];
  return total;
}

function distance(p: Float64Array, a: number, b: number): number {
  return Math.hypot(p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]);
}

/** The angle at v between a and b. */
function angleAt(p: Float64Array, v: number, a: number, b: number): number {
  const ax = p[3 * a] - p[3 * v];
  const ay = p[3 * a + 1] - p[3 * v + 1];
  const az = p[3 * a + 2] - p[3 * v + 2];
  const bx = p[3 * b] - p[3 * v];
  const by = p[3 * b + 1] - p[3 * v + 1];
  const bz = p[3 * b + 2] - p[3 * v + 2];
  const nx = ay * bz - az * by;
  const ny = az * bx - ax * bz;
  const nz = ax * by - ay * bx;
  return Math.atan2(Math.sqrt(nx * nx + ny * ny + nz * nz), ax * bx + ay * by + az * bz);
}
