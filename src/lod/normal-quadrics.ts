import { addPlane, evaluateQuadric, QUADRIC } from '../mesh/decimation/quadrics.ts';

/**
 * What a collapse does to shading: squared differences of normals from those of the faces around, continued linearly over
 * each face's plane (Hoppe 1999, §4). Of the default pose; vertices with several normals, on hard edges, are left out.
 */
export class NormalQuadrics {
  /** 3n: positions around their middle, in units of the diagonal. */
  readonly #positions: Float64Array;
  /** 3n: normals; 0 0 0 for vertices that are left out. */
  readonly #normals: Float64Array;
  /** 10n: Σ w Σ_k (g_k·p + d_k)². */
  readonly #squares: Float64Array;
  /** 12n: Σ w g_k and Σ w d_k, for the three components k. */
  readonly #linear: Float64Array;
  /** n: Σ w, the weight being areas. */
  readonly #areas: Float64Array;

  /**
   * `positions`: 3n; `triangles`: 3F, `cornerNormals`: 9F; `normals`: 3n, with 0 0 0 for vertices to leave out; `unit`: the
   * diagonal.
   */
  constructor(
    positions: Float64Array,
    triangles: Uint32Array,
    cornerNormals: Float32Array,
    normals: Float64Array,
    unit: number,
  ) {
    const n = positions.length / 3;
    this.#positions = positions.map((x) => x / unit);
    this.#normals = normals;
    this.#squares = new Float64Array(QUADRIC * n);
    this.#linear = new Float64Array(12 * n);
    this.#areas = new Float64Array(n);
    for (let t = 0; t < triangles.length; t += 3) this.#addFace(triangles, t, cornerNormals);
  }

  /** What merging i into j costs: squared differences times areas, in squared diagonals. */
  cost(i: number, j: number): number {
    const normals = this.#normals;
    const [nx, ny, nz] = [normals[3 * j], normals[3 * j + 1], normals[3 * j + 2]];
    const left = normals[3 * i] === 0 && normals[3 * i + 1] === 0 && normals[3 * i + 2] === 0;
    if (left || (nx === 0 && ny === 0 && nz === 0)) return 0;
    return Math.max(0, this.#at(i, j) + this.#at(j, j));
  }

  /** Adds up what i and j stand for. */
  merge(i: number, j: number): void {
    for (let c = 0; c < QUADRIC; c++) this.#squares[QUADRIC * j + c] += this.#squares[QUADRIC * i + c];
    for (let c = 0; c < 12; c++) this.#linear[12 * j + c] += this.#linear[12 * i + c];
    this.#areas[j] += this.#areas[i];
  }

  /** Σ w |g·p + d − s|² of vertex i, at the position and with the normal of j. */
  #at(i: number, j: number): number {
    const [x, y, z] = [this.#positions[3 * j], this.#positions[3 * j + 1], this.#positions[3 * j + 2]];
    let sum = evaluateQuadric(this.#squares, QUADRIC * i, x, y, z);
    let length2 = 0;
    for (let k = 0; k < 3; k++) {
      const s = this.#normals[3 * j + k];
      const o = 12 * i + 4 * k;
      const linear = this.#linear;
      sum -= 2 * s * (linear[o] * x + linear[o + 1] * y + linear[o + 2] * z + linear[o + 3]);
      length2 += s * s;
    }
    return sum + this.#areas[i] * length2;
  }

  #addFace(triangles: Uint32Array, t: number, cornerNormals: Float32Array): void {
    const p = this.#positions;
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const square = nx * nx + ny * ny + nz * nz;
    const longest2 = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
    if (!(square > THIN * THIN * longest2 * longest2)) return;
    const area = Math.sqrt(square) / 2;
    for (let k = 0; k < 3; k++) {
      const value = cornerNormals[3 * t + k];
      const du = cornerNormals[3 * t + 3 + k] - value;
      const dv = cornerNormals[3 * t + 6 + k] - value;
      // The gradient in the plane: g·u = du, g·v = dv.
      const gx = (du * (vy * nz - vz * ny) + dv * (ny * uz - nz * uy)) / square;
      const gy = (du * (vz * nx - vx * nz) + dv * (nz * ux - nx * uz)) / square;
      const gz = (du * (vx * ny - vy * nx) + dv * (nx * uy - ny * ux)) / square;
      const d = value - (gx * p[a] + gy * p[a + 1] + gz * p[a + 2]);
      for (const corner of [a, b, c]) {
        const i = corner / 3;
        addPlane(this.#squares, QUADRIC * i, gx, gy, gz, d, area);
        const o = 12 * i + 4 * k;
        this.#linear[o] += area * gx;
        this.#linear[o + 1] += area * gy;
        this.#linear[o + 2] += area * gz;
        this.#linear[o + 3] += area * d;
      }
    }
    for (const corner of [a, b, c]) this.#areas[corner / 3] += area;
  }
}

/** Height over width below which a face says nothing about how normals change. */
const THIN = 1e-3;
