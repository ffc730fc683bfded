import type { ByteSource } from '../files.ts';

const PAGE_BYTES = 1 << 16;
const MOST_PAGES = 64;

/** Small reads through pages of 64 KiB, the latest 64 of which are kept; larger reads go to the source. */
export class PageCache {
  readonly #source: ByteSource;
  /** Number of the page → its bytes, the page that was used last at the end. */
  readonly #pages = new Map<number, Promise<Uint8Array>>();

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (length > PAGE_BYTES || offset + length > this.#source.size) return this.#source.read(offset, length);
    const first = Math.floor(offset / PAGE_BYTES);
    const start = offset - first * PAGE_BYTES;
    const page = await this.#page(first);
    if (start + length <= PAGE_BYTES) return page.subarray(start, start + length);
    const out = new Uint8Array(length);
    out.set(page.subarray(start));
    out.set((await this.#page(first + 1)).subarray(0, start + length - PAGE_BYTES), PAGE_BYTES - start);
    return out;
  }

  #page(number: number): Promise<Uint8Array> {
    const offset = number * PAGE_BYTES;
    const page = this.#pages.get(number) ?? this.#source.read(offset, Math.min(PAGE_BYTES, this.#source.size - offset));
    this.#pages.delete(number);
    this.#pages.set(number, page);
    if (this.#pages.size > MOST_PAGES) this.#pages.delete(this.#pages.keys().next().value!);
    return page;
  }
}
