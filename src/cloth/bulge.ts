/**
 * What Phong tessellation adds on average under the hats of coarse vertices: in a pose with rotations R_v it moves the point
 * n_j by Σ_v β_jv R_v (n_j − r_v), mostly to the outside of bends, and on average by
 *
 *   bulge_u = Σ_v R_v K_uv,   K_uv = Σ_j β_ju β_jv (n_j − r_v) / Σ_j β_ju.
 *
 * A simulated fine cloth does not bulge: its mean is where the coarse cloth is.
 */

/** Fine points on a coarse mesh. */
interface Points {
  /** 3N: coarse vertices. */
  hats: Uint32Array;
  /** 3N: β. */
  weights: Float64Array;
  /** V: Σ_j β_jv. */
  hatSums: Float64Array;
  /** 3V: r. */
  rest: Float64Array;
}

export class Bulge {
  /** V + 1: coarse vertex → its part of the lists. */
  readonly #starts: Uint32Array;
  readonly #vertices: Uint32Array;
  /** 3 per entry: K. */
  readonly #vectors: Float64Array;

  constructor({ hats, weights, hatSums, rest }: Points) {
    const lists = Array.from(hatSums, () => new Map<number, Float64Array>());
    const nearest = new Float64Array(3);
    for (let o = 0; o < hats.length; o += 3) {
      nearest.fill(0);
      for (let h = o; h < o + 3; h++) {
        for (let c = 0; c < 3; c++) nearest[c] += weights[h] * rest[3 * hats[h] + c];
      }
      for (let u = o; u < o + 3; u++) {
        for (let v = o; v < o + 3; v++) {
          const share = (weights[u] * weights[v]) / hatSums[hats[u]];
          if (!(share > 0)) continue;
          const k = lists[hats[u]].get(hats[v]) ?? new Float64Array(3);
          lists[hats[u]].set(hats[v], k);
          for (let c = 0; c < 3; c++) k[c] += share * (nearest[c] - rest[3 * hats[v] + c]);
        }
      }
    }
    this.#starts = new Uint32Array(lists.length + 1);
    lists.forEach((list, u) => {
      this.#starts[u + 1] = this.#starts[u] + list.size;
    });
    this.#vertices = Uint32Array.from(lists.flatMap((list) => [...list.keys()]));
    this.#vectors = Float64Array.from(lists.flatMap((list) => [...list.values()].flatMap((k) => [...k])));
  }

  /** Takes `share` of the bulge from vectors of the coarse vertices (3V), for rotations (9V). */
  takeFrom(out: Float64Array, r: Float64Array, share: number): void {
    const k = this.#vectors;
    for (let u = 0; u + 1 < this.#starts.length; u++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let q = this.#starts[u]; q < this.#starts[u + 1]; q++) {
        const m = 9 * this.#vertices[q];
        x += r[m] * k[3 * q] + r[m + 1] * k[3 * q + 1] + r[m + 2] * k[3 * q + 2];
        y += r[m + 3] * k[3 * q] + r[m + 4] * k[3 * q + 1] + r[m + 5] * k[3 * q + 2];
        z += r[m + 6] * k[3 * q] + r[m + 7] * k[3 * q + 1] + r[m + 8] * k[3 * q + 2];
      }
      out[3 * u] -= share * x;
      out[3 * u + 1] -= share * y;
      out[3 * u + 2] -= share * z;
    }
  }
}
