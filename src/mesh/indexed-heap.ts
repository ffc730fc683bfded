/**
 * A binary min-heap of integer ids with a key each, whose keys may change and whose entries may be taken out at any time.
 * Equal keys leave in the order of their ids, so that what a heap decides does not depend on its history.
 *
 * Heaps that never hold the same id at the same time may share `keys` and `slots`: many queues over one set of ids then
 * need no more memory than one.
 */
export class IndexedHeap {
  /** Id → key. Only meaningful for ids that are in the heap. */
  readonly keys: Float64Array;
  /** Id → its place in `heap`, −1 when it is in none. */
  readonly #slots: Int32Array;
  readonly #heap: number[] = [];

  /** @param capacity ids are below it. */
  constructor(capacity: number, shareWith?: IndexedHeap) {
    this.keys = shareWith?.keys ?? new Float64Array(capacity);
    this.#slots = shareWith ? shareWith.#slots : new Int32Array(capacity).fill(-1);
  }

  get size(): number {
    return this.#heap.length;
  }

  has(id: number): boolean {
    return this.#slots[id] >= 0;
  }

  /** The id of the smallest key. The heap must not be empty. */
  peek(): number {
    return this.#heap[0];
  }

  /** Adds an id, or changes the key of one that is there. */
  set(id: number, key: number): void {
    let slot = this.#slots[id];
    if (slot < 0) {
      slot = this.#heap.length;
      this.#heap.push(id);
      this.#slots[id] = slot;
    }
    this.keys[id] = key;
    this.#settle(id, slot);
  }

  /** Takes out the id of the smallest key. The heap must not be empty. */
  pop(): number {
    const id = this.#heap[0];
    this.remove(id);
    return id;
  }

  /** Takes out an id, if it is there. */
  remove(id: number): void {
    const slot = this.#slots[id];
    if (slot < 0) return;
    this.#slots[id] = -1;
    const last = this.#heap.pop() as number;
    if (last === id) return;
    this.#heap[slot] = last;
    this.#slots[last] = slot;
    this.#settle(last, slot);
  }

  #before(a: number, b: number): boolean {
    const ka = this.keys[a];
    const kb = this.keys[b];
    return ka < kb || (ka === kb && a < b);
  }

  /** Moves an id from `slot` up or down to where it belongs. */
  #settle(id: number, slot: number): void {
    const heap = this.#heap;
    const slots = this.#slots;
    while (slot > 0) {
      const up = (slot - 1) >> 1;
      if (!this.#before(id, heap[up])) break;
      heap[slot] = heap[up];
      slots[heap[slot]] = slot;
      slot = up;
    }
    for (;;) {
      let down = 2 * slot + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && this.#before(heap[down + 1], heap[down])) down++;
      if (!this.#before(heap[down], id)) break;
      heap[slot] = heap[down];
      slots[heap[slot]] = slot;
      slot = down;
    }
    heap[slot] = id;
    slots[id] = slot;
  }
}
