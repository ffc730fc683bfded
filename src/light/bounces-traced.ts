/**
 * Light that is reflected between parts of a surface: t ← t₀ + K ρ t, (K t)_v = (1/π) ∫ (1 − V) max(0, n·ω) t(hit) dω. The
 * hits of the first pass are kept, so that a bounce traces nothing.
 */
export class TracedBounces {
  readonly #triangles: Uint32Array;
  /** Where the hits of vertex i begin. */
  readonly #starts: Uint32Array;
  #vertices = 0;
  #count = 0;
  /** Per hit: face, weights of its second and third corner in 16 bits each, 2 cos θ / rays. */
  #faces = new Uint32Array(1 << 16);
  #corners = new Uint32Array(1 << 16);
  #factors = new Float32Array(1 << 16);

  constructor(triangles: Uint32Array, vertices: number) {
    this.#triangles = triangles;
    this.#starts = new Uint32Array(vertices + 1);
  }

  /** A hit of the vertex at hand. */
  add(face: number, u: number, v: number, factor: number): void {
    if (this.#count === this.#faces.length) this.#grow();
    const at = this.#count++;
    this.#faces[at] = face;
    this.#corners[at] = (sixteenBits(u) << 16) | sixteenBits(v);
    this.#factors[at] = factor;
  }

  /** The vertex at hand has no more hits. */
  nextVertex(): void {
    this.#starts[++this.#vertices] = this.#count;
  }

  /**
   * `bounces` times. `direct` and the result are N × `size` numbers; `albedo(i)` is what vertex i reflects. Vertices `inside`
   * other parts are seen by nobody: where a hit has some of them as corners, the others stand for them.
   */
  run(
    direct: Float32Array,
    size: number,
    bounces: number,
    albedo: (i: number) => number,
    inside: Uint8Array,
  ): Float32Array {
    const reflects = Float32Array.from(inside, (hidden, i) => (hidden ? 0 : albedo(i)));
    let light = direct;
    const sum = new Float64Array(size);
    for (let bounce = 0; bounce < bounces; bounce++) {
      const next = new Float32Array(direct.length);
      for (let i = 0; i < this.#vertices; i++) {
        sum.fill(0);
        for (let hit = this.#starts[i]; hit < this.#starts[i + 1]; hit++)
          this.#addHit(hit, light, reflects, inside, sum);
        for (let c = 0; c < size; c++) next[i * size + c] = direct[i * size + c] + sum[c];
      }
      light = next;
    }
    return light;
  }

  #addHit(hit: number, light: Float32Array, reflects: Float32Array, inside: Uint8Array, sum: Float64Array): void {
    const size = sum.length;
    const corner = 3 * this.#faces[hit];
    const a = this.#triangles[corner];
    const b = this.#triangles[corner + 1];
    const c = this.#triangles[corner + 2];
    const u = (this.#corners[hit] >>> 16) / 0xffff;
    const v = (this.#corners[hit] & 0xffff) / 0xffff;
    const w = Math.max(0, 1 - u - v);
    const seen = (inside[a] ? 0 : w) + (inside[b] ? 0 : u) + (inside[c] ? 0 : v);
    if (seen < 1e-3) return;
    const scale = this.#factors[hit] * ((u + v + w) / seen);
    const fromA = scale * w * reflects[a];
    const fromB = scale * u * reflects[b];
    const fromC = scale * v * reflects[c];
    for (let q = 0; q < size; q++) {
      sum[q] += fromA * light[a * size + q] + fromB * light[b * size + q] + fromC * light[c * size + q];
    }
  }

  #grow(): void {
    const length = 2 * this.#faces.length;
    const grown = <T extends Uint32Array | Float32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#faces = grown(this.#faces, new Uint32Array(length));
    this.#corners = grown(this.#corners, new Uint32Array(length));
    this.#factors = grown(this.#factors, new Float32Array(length));
  }
}

const sixteenBits = (x: number): number => Math.round(0xffff * Math.min(1, Math.max(0, x)));
