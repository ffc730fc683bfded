import { describe, expect, it } from 'vitest';
import { coarseMesh } from '../../src/cloth/coarse-mesh.ts';
import { DETAIL_MODES, DetailPhysics } from '../../src/cloth/detail.ts';
import { Embedding } from '../../src/cloth/embedding.ts';
import { LAYERS, refreshPairs, selfCollision, separateLayers } from '../../src/cloth/self-collision.ts';
import { sheet } from '../../src/cloth/shapes.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { squareBody } from './body.ts';

/** A sheet folded over itself along x = 0.5, its layers `gap` apart. */
function folded(gap: number) {
  const body = squareBody(600);
  const self = selfCollision(body.x, 0.03);
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
    const self = selfCollision(body.x, 0.04);
    const random = seededRandom(5);
    for (let c = 0; c < body.x.length; c++) body.x[c] = 0.6 * random();
    refreshPairs(self, body.x);
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
    const self = selfCollision(body.x, 0.03);
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
      refreshPairs(self, body.x);
      separateLayers(self, body, 0.4);
    }
    expect(layerGap(before, self.rest)).toBeLessThan(0.02);
    expect(layerGap(body.x, self.rest)).toBeGreaterThan(0.028);
    let momentum = 0;
    for (let i = 0; i < body.mass.length; i++) momentum += body.mass[i] * (body.x[3 * i + 1] - before[3 * i + 1]);
    expect(Math.abs(momentum)).toBeLessThan(1e-9);
  });

  it('the detail of a folded cloth keeps its layers apart', async () => {
    const fine = sheet('fine', 900, [0, 0, 0], [1, 0, 0], [0, 0, -1]);
    const { mesh: coarse } = await coarseMesh(fine, new Uint32Array(0), 60);
    const embedding = new Embedding(coarse, fine);
    // The right half over the left one, 5 mm apart.
    const rest = Float64Array.from(coarse.positions);
    const over = rest.map((x, c) => (rest[c - (c % 3)] > 0.5 ? [1 - x, 0.005, x][c % 3] : x));
    const [plain, apart] = [0, LAYERS.detail].map((layers) => {
      const detail = new DetailPhysics(embedding, fine, undefined, rest, { ...DETAIL_MODES.alone, layers });
      for (let k = 1; k <= 20; k++) {
        const t = Math.min(1, k / 10);
        detail.step(
          rest.map((x, c) => x + t * (over[c] - x) + (c % 3 === 1 ? 0.3 * t * (1 - t) : 0)),
          1 / 30,
        );
      }
      return layerGap(detail.x, Float64Array.from(fine.positions));
    });
    expect(apart).toBeGreaterThan(1.5 * plain);
    expect(apart).toBeGreaterThan(0.012);
  });
});
