import { describe, expect, it } from 'vitest';
import { selfCollision, separateLayers } from '../../src/cloth/self-collision.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { squareBody } from './body.ts';

/** A sheet folded over itself along x = 0.5, its layers `gap` apart. */
function folded(gap: number) {
  const body = squareBody(600);
  const self = selfCollision(body, 0.03);
  for (let o = 0; o < body.x.length; o += 3) {
    if (body.x[o] > 0.5) {
      body.x[o] = 1 - body.x[o];
      body.x[o + 1] += gap;
    }
  }
  body.previous.set(body.x);
  return { body, self };
}

const layerGap = (x: Float64Array, rest: Float64Array): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let o = 0; o < x.length; o += 3) {
    if (rest[o] > 0.3) continue;
    for (let p = 0; p < x.length; p += 3) {
      if (rest[p] < 0.7) continue;
      least = Math.min(least, Math.hypot(x[o] - x[p], x[o + 1] - x[p + 1], x[o + 2] - x[p + 2]));
    }
  }
  return least;
};

describe('self-collision', () => {
  it('finds the pairs that brute force finds', () => {
    const body = squareBody(300);
    const self = selfCollision(body, 0.04);
    const random = seededRandom(5);
    for (let c = 0; c < body.x.length; c++) body.x[c] = 0.6 * random();
    separateLayers(self, body, 0);
    const x = self.collectedAt;
    const near = (p: Float64Array, i: number, j: number) =>
      Math.hypot(p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]) <= 2 * 0.04;
    const expected = new Set<string>();
    for (let i = 0; i < body.mass.length; i++) {
      for (let j = i + 1; j < body.mass.length; j++) {
        if (near(x, i, j) && !near(self.rest, i, j)) expected.add(`${i} ${j}`);
      }
    }
    const found = Array.from({ length: self.count }, (_, p) => {
      const [i, j] = self.pairs.slice(2 * p, 2 * p + 2).sort();
      return `${i} ${j}`;
    });
    expect(expected.size).toBeGreaterThan(100);
    expect(new Set(found)).toEqual(expected);
    expect(found).toHaveLength(expected.size);
  });

  it('an unfolded sheet has none', () => {
    const body = squareBody(600);
    const self = selfCollision(body, 0.03);
    expect(self.count).toBe(0);
    const before = body.x.slice();
    separateLayers(self, body, 0.4);
    expect(body.x).toEqual(before);
  });

  it('pushes layers apart to the distance asked for, keeping momentum', () => {
    const { body, self } = folded(0.01);
    const before = body.x.slice();
    for (let n = 0; n < 60; n++) {
      body.previous.set(body.x);
      separateLayers(self, body, 0.4);
    }
    expect(layerGap(before, self.rest)).toBeLessThan(0.02);
    expect(layerGap(body.x, self.rest)).toBeGreaterThan(0.028);
    let momentum = 0;
    for (let i = 0; i < body.mass.length; i++) momentum += body.mass[i] * (body.x[3 * i + 1] - before[3 * i + 1]);
    expect(Math.abs(momentum)).toBeLessThan(1e-9);
  });
});
