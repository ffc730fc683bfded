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
