import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PriorityQueue } from '../../src/math/priority-queue.ts';

describe('PriorityQueue', () => {
  it('gives back what a stable sort would', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 200 }), (priorities) => {
        const queue = new PriorityQueue();
        priorities.forEach((priority, q) => {
          queue.push(priority, q, -q);
        });
        const out: number[] = [];
        while (queue.pop()) {
          expect(queue.priority).toBe(priorities[queue.item]);
          expect(queue.tag + queue.item).toBe(0);
          out.push(queue.item);
        }
        expect(out).toEqual(priorities.map((_, q) => q).sort((a, b) => priorities[a] - priorities[b] || a - b));
      }),
    );
  });

  it('stays sorted while entries come and go', () => {
    const queue = new PriorityQueue();
    for (const x of [5, 3, 8]) queue.push(x, x);
    queue.pop();
    expect(queue.item).toBe(3);
    queue.push(1, 1);
    queue.push(6, 6);
    const out = [];
    while (queue.pop()) out.push(queue.item);
    expect(out).toEqual([1, 5, 6, 8]);
    expect(queue.pop()).toBe(false);
  });
});
