import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlowGraph } from '../../src/math/max-flow.ts';

type Join = readonly [a: number, b: number, capacity: number];

const cutOf = (joins: readonly Join[], side: (node: number) => boolean): number =>
  joins.reduce((sum, [a, b, capacity]) => sum + (side(a) === side(b) ? 0 : capacity), 0);

describe('FlowGraph', () => {
  it('sends what the least of all cuts lets through, and finds that cut', () => {
    const node = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node, fc.integer({ min: 0, max: 9 })), { maxLength: 24 }), (joins) => {
        const graph = new FlowGraph(7);
        for (const [a, b, capacity] of joins) graph.join(a, b, capacity);
        let least = Infinity;
        for (let set = 0; set < 32; set++) {
          least = Math.min(
            least,
            cutOf(joins, (i) => i === 0 || (i < 6 && ((set >> (i - 1)) & 1) === 1)),
          );
        }
        expect(graph.maxFlow(0, 6)).toBe(least);
        const side = graph.sideOfSource();
        expect([side[0], side[6]]).toEqual([1, 0]);
        expect(cutOf(joins, (i) => side[i] === 1)).toBe(least);
      }),
      { seed: 1 },
    );
  });

  it('cuts a long chain at its weakest join', () => {
    const graph = new FlowGraph(20_000);
    for (let i = 1; i < 20_000; i++) graph.join(i - 1, i, i === 12_345 ? 0.5 : 2);
    expect(graph.maxFlow(0, 19_999)).toBe(0.5);
    expect(graph.sideOfSource().indexOf(0)).toBe(12_345);
  });
});
