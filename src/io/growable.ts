/** Flat arrays of unknown final length. One class per kind of array: a shared one would slow both. */

export class FloatList {
  length = 0;
  #data = new Float32Array(1024);

  push(value: number): void {
    if (this.length === this.#data.length) {
      const larger = new Float32Array(2 * this.length);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.length++] = value;
  }

  /** A copy of just the right length. */
  toArray(): Float32Array {
    return this.#data.slice(0, this.length);
  }
}

export class IndexList {
  length = 0;
  #data = new Uint32Array(1024);

  push(value: number): void {
    if (this.length === this.#data.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.#data);
      this.#data = larger;
    }
    this.#data[this.length++] = value;
  }

  /** A copy of just the right length. */
  toArray(): Uint32Array {
    return this.#data.slice(0, this.length);
  }
}

/** A corner without a uv or normal. */
export const NONE = 0xffffffff;

/** Polygons of unknown number, by their corners: each has a vertex and may have a uv and a normal. */
export class PolygonList {
  readonly #starts = new IndexList();
  readonly #corners = new IndexList();
  readonly #uvs = new IndexList();
  readonly #normals = new IndexList();

  get count(): number {
    return this.#starts.length;
  }

  /** Starts the next polygon. */
  begin(): void {
    this.#starts.push(this.#corners.length);
  }

  addCorner(vertex: number, uv: number, normal: number): void {
    this.#corners.push(vertex);
    this.#uvs.push(uv);
    this.#normals.push(normal);
  }

  finish(hasUvs: boolean, hasNormals: boolean) {
    this.begin();
    return {
      starts: this.#starts.toArray(),
      corners: this.#corners.toArray(),
      cornerUvs: hasUvs ? this.#uvs.toArray() : undefined,
      cornerNormals: hasNormals ? this.#normals.toArray() : undefined,
    };
  }
}
