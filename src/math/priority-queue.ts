/**
 * A binary heap: the entry of lowest priority comes out first, equal priorities in the order they came in,
 * so that a flood over a constant field grows evenly. Each entry carries an item and a tag.
 */
export class PriorityQueue {
  size = 0;
  /** What the last `pop` took out. */
  priority = 0;
  item = 0;
  tag = 0;
  readonly #priorities: number[] = [];
  readonly #orders: number[] = [];
  readonly #items: number[] = [];
  readonly #tags: number[] = [];
  #pushed = 0;

  push(priority: number, item: number, tag = 0): void {
    const order = this.#pushed++;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#priorities[parent] <= priority) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, priority, order, item, tag);
  }

  /** Takes the first entry out into `priority`, `item` and `tag`. Returns false when there is none. */
  pop(): boolean {
    if (this.size === 0) return false;
    this.priority = this.#priorities[0];
    this.item = this.#items[0];
    this.tag = this.#tags[0];
    const last = --this.size;
    const priority = this.#priorities[last];
    const order = this.#orders[last];
    const item = this.#items[last];
    const tag = this.#tags[last];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#before(child + 1, this.#priorities[child], this.#orders[child])) child++;
      if (!this.#before(child, priority, order)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, priority, order, item, tag);
    return true;
  }

  #before(at: number, priority: number, order: number): boolean {
    const p = this.#priorities[at];
    return p < priority || (p === priority && this.#orders[at] < order);
  }

  #put(at: number, priority: number, order: number, item: number, tag: number): void {
    this.#priorities[at] = priority;
    this.#orders[at] = order;
    this.#items[at] = item;
    this.#tags[at] = tag;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#priorities[from], this.#orders[from], this.#items[from], this.#tags[from]);
  }
}
