import { polar3 } from '../../math/svd3.ts';
import { crossOfEdges } from '../../mesh/triangle.ts';
import { type Mesh, triangleCount } from '../../model/mesh.ts';

/**
 * G_t of Feng 2010, §3.4.1: how each triangle of the coarse mesh is turned against its rest shape. It is the rotation nearest
 * to [e₁' e₂' n'] · [e₁ e₂ n]⁻¹, with two edges and the unit normal. A triangle without area at rest does not turn.
 */
export class TriangleRotations {
  /** 9T: of the pose last seen. */
  readonly rotations: Float64Array;
  readonly #triangles: Uint32Array;
  /** 9T: [e₁ e₂ n]⁻¹. */
  readonly #inverses: Float64Array;
  readonly #frame = new Float64Array(9);
  readonly #product = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #symmetric = new Float64Array(9);
  readonly #normal = new Float64Array(3);

  constructor(mesh: Mesh) {
    const count = triangleCount(mesh);
    this.#triangles = mesh.triangles;
    this.rotations = new Float64Array(9 * count);
    this.#inverses = new Float64Array(9 * count);
    for (let t = 0; t < count; t++) {
      this.#frameOf(mesh.positions, t);
      invert3(this.#inverses, 9 * t, this.#frame);
    }
    this.measure(mesh.positions);
  }

  measure(pose: ArrayLike<number>): void {
    const inverse = this.#inverses;
    const product = this.#product;
    const frame = this.#frame;
    for (let o = 0; o < this.rotations.length; o += 9) {
      this.#frameOf(pose, o / 9);
      for (let r = 0; r < 9; r += 3) {
        for (let c = 0; c < 3; c++) {
          product[r + c] =
            frame[r] * inverse[o + c] + frame[r + 1] * inverse[o + 3 + c] + frame[r + 2] * inverse[o + 6 + c];
        }
      }
      polar3(this.#rotation, this.#symmetric, product);
      for (let c = 0; c < 9; c++) this.rotations[o + c] = this.#rotation[c];
    }
  }

  /** Columns: two edges and the unit normal. */
  #frameOf(x: ArrayLike<number>, t: number): void {
    const a = 3 * this.#triangles[3 * t];
    const b = 3 * this.#triangles[3 * t + 1];
    const c = 3 * this.#triangles[3 * t + 2];
    const n = crossOfEdges(this.#normal, x, a, b, a, c);
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) || 1;
    for (let r = 0; r < 3; r++) {
      this.#frame[3 * r] = x[b + r] - x[a + r];
      this.#frame[3 * r + 1] = x[c + r] - x[a + r];
      this.#frame[3 * r + 2] = n[r] / length;
    }
  }
}

/** The inverse at `o`, or all zeros, whose polar factor is the identity, for a singular matrix. */
function invert3(out: Float64Array, o: number, m: Float64Array): void {
  const [a, b, c, d, e, f, g, h, i] = m;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (determinant === 0) return;
  const s = 1 / determinant;
  const cofactors = [e * i - f * h, c * h - b * i, b * f - c * e];
  const second = [f * g - d * i, a * i - c * g, c * d - a * f];
  const third = [d * h - e * g, b * g - a * h, a * e - b * d];
  out.set(
    [...cofactors, ...second, ...third].map((x) => s * x),
    o,
  );
}
