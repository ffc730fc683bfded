import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexedHeap } from '../../src/mesh/indexed-heap.ts';

describe('the indexed heap', () => {
  it('agrees with sorting, whatever is set, changed and removed', () => {
    const steps = fc.array(fc.tuple(fc.nat(20), fc.option(fc.integer({ min: -3, max: 3 }))), { maxLength: 120 });
    fc.assert(
      fc.property(steps, (ops) => {
        const heap = new IndexedHeap(21);
        const oracle = new Map<number, number>();
        for (const [id, key] of ops) {
          if (key === null) {
            heap.remove(id);
            oracle.delete(id);
          } else {
            heap.set(id, key);
            oracle.set(id, key);
          }
        }
        const order = [...oracle].sort(([a, ka], [b, kb]) => ka - kb || a - b).map(([id]) => id);
        const popped: number[] = [];
        while (heap.size > 0) popped.push(heap.pop());
        expect(popped).toEqual(order);
      }),
    );
  });

  it('lets several heaps share their tables', () => {
    const even = new IndexedHeap(10);
    const odd = new IndexedHeap(10, even);
    for (let id = 0; id < 10; id++) (id % 2 === 0 ? even : odd).set(id, -id);
    even.remove(8);
    expect([even.pop(), even.pop(), odd.pop(), even.size, odd.size]).toEqual([6, 4, 9, 2, 4]);
  });
});
