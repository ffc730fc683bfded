import { addPlane, evaluateQuadric, QUADRIC } from '../mesh/decimation/quadrics.ts';

/** Values of vertices and of the corners of their faces, of `size` numbers each. */
export interface ShownValues {
  size: number;
  /** size · 3F. */
  ofCorners: ArrayLike<number>;
  /** size · n. */
  ofVertices: ArrayLike<number>;
  /** n: 1 for vertices with one value; others, on hard edges or seams, are left out. */
  isOne: Uint8Array;
}

/**
 * What a collapse does to normals or uvs: squared differences from those of the faces around, continued linearly over each
 * face's plane (Hoppe 1999, §4). Of the default pose.
 */
export class ValueQuadrics {
  /** 3n: positions, in units of the diagonal. */
  readonly #positions: Float64Array;
  readonly #shown: ShownValues;
  /** 10n: Σ w Σ_k (g_k·p + d_k)². */
  readonly #squares: Float64Array;
  /** 4 · size · n: Σ w g_k and Σ w d_k, for the components k. */
  readonly #linear: Float64Array;
  /** n: Σ w, the weight being areas. */
  readonly #areas: Float64Array;

  /** `positions`: 3n; `triangles`: 3F; `unit`: the diagonal. */
  constructor(positions: Float64Array, triangles: Uint32Array, shown: ShownValues, unit: number) {
    const n = positions.length / 3;
    this.#positions = positions.map((x) => x / unit);
    this.#shown = shown;
    this.#squares = new Float64Array(QUADRIC * n);
    this.#linear = new Float64Array(4 * shown.size * n);
    this.#areas = new Float64Array(n);
    for (let t = 0; t < triangles.length; t += 3) this.#addFace(triangles, t);
  }

  /** What merging i into j costs: squared differences times areas, in squared diagonals. */
  cost(i: number, j: number): number {
    const { isOne } = this.#shown;
    return isOne[i] === 1 && isOne[j] === 1 ? Math.max(0, this.#at(i, j) + this.#at(j, j)) : 0;
  }

  /** Adds up what i and j stand for. */
  merge(i: number, j: number): void {
    for (let c = 0; c < QUADRIC; c++) this.#squares[QUADRIC * j + c] += this.#squares[QUADRIC * i + c];
    const width = 4 * this.#shown.size;
    for (let c = 0; c < width; c++) this.#linear[width * j + c] += this.#linear[width * i + c];
    this.#areas[j] += this.#areas[i];
  }

  /** Σ w |g·p + d − s|² of vertex i, at the position and with the value of j. */
  #at(i: number, j: number): number {
    const [x, y, z] = [this.#positions[3 * j], this.#positions[3 * j + 1], this.#positions[3 * j + 2]];
    const { size, ofVertices } = this.#shown;
    const linear = this.#linear;
    let sum = evaluateQuadric(this.#squares, QUADRIC * i, x, y, z);
    let square = 0;
    for (let k = 0; k < size; k++) {
      const s = ofVertices[size * j + k];
      const o = 4 * (size * i + k);
      sum -= 2 * s * (linear[o] * x + linear[o + 1] * y + linear[o + 2] * z + linear[o + 3]);
      square += s * s;
    }
    return sum + this.#areas[i] * square;
  }

  #addFace(triangles: Uint32Array, t: number): void {
    const p = this.#positions;
    const { size, ofCorners } = this.#shown;
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const square = nx * nx + ny * ny + nz * nz;
    const longest2 = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
    if (!(square > THIN * THIN * longest2 * longest2)) return;
    const area = Math.sqrt(square) / 2;
    for (let k = 0; k < size; k++) {
      const value = ofCorners[size * t + k];
      const du = ofCorners[size * (t + 1) + k] - value;
      const dv = ofCorners[size * (t + 2) + k] - value;
      // The gradient in the plane: g·u = du, g·v = dv.
      const gx = (du * (vy * nz - vz * ny) + dv * (ny * uz - nz * uy)) / square;
      const gy = (du * (vz * nx - vx * nz) + dv * (nz * ux - nx * uz)) / square;
      const gz = (du * (vx * ny - vy * nx) + dv * (nx * uy - ny * ux)) / square;
      const d = value - (gx * p[a] + gy * p[a + 1] + gz * p[a + 2]);
      for (const corner of [a, b, c]) {
        const i = corner / 3;
        addPlane(this.#squares, QUADRIC * i, gx, gy, gz, d, area);
        const o = 4 * (size * i + k);
        this.#linear[o] += area * gx;
        this.#linear[o + 1] += area * gy;
        this.#linear[o + 2] += area * gz;
        this.#linear[o + 3] += area * d;
      }
    }
    for (const corner of [a, b, c]) this.#areas[corner / 3] += area;
  }
}

/** Height over width below which a face says nothing about how values change. */
const THIN = 1e-3;
