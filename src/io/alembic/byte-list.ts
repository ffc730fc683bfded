/** Bytes of a header block being put together, little-endian. */
export class ByteList {
  readonly #bytes: number[] = [];

  uint(value: number, width: number): this {
    for (let c = 0; c < width; c++) this.#bytes.push(Math.floor(value / 256 ** c) % 256);
    return this;
  }

  float64(value: number): this {
    return this.add(new Uint8Array(Float64Array.of(value).buffer));
  }

  add(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  toArray(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
