import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/math/rng.ts';
import { buildBvh } from '../../src/mesh/bvh.ts';
import { segmentHitsSurface } from '../../src/mesh/segment-hit.ts';
import { cube, icosphere, soup } from './shapes.ts';

const all = () => true;
const point = (random: Random, size = 2) => [0, 1, 2].map(() => (random() * 2 - 1) * size);

describe('segmentHitsSurface', () => {
  it('says what trying every triangle says (seed 4)', () => {
    const random = seededRandom(4);
    const mesh = soup(random, 80, 120);
    const bvh = buildBvh(mesh.positions, mesh.triangles);
    let hits = 0;
    for (let trial = 0; trial < 200; trial++) {
      const [a, b] = [point(random), point(random)];
      let slow = false;
      for (let f = 0; f < 120; f++) {
        const one = buildBvh(mesh.positions, mesh.triangles.slice(3 * f, 3 * f + 3));
        slow ||= segmentHitsSurface(one, a, b, all);
      }
      expect(segmentHitsSurface(bvh, a, b, all)).toBe(slow);
      if (slow) hits++;
    }
    expect(hits).toBeGreaterThan(40);
    expect(hits).toBeLessThan(195);
  });

  it('knows the inside of a sphere, also along the axes', () => {
    const mesh = icosphere(3);
    const bvh = buildBvh(mesh.positions, mesh.triangles);
    const random = seededRandom(6);
    for (let trial = 0; trial < 200; trial++) {
      const inside = point(random, 0.5);
      expect(segmentHitsSurface(bvh, inside, point(random, 0.5), all)).toBe(false);
      const far = point(random).map((x) => x + Math.sign(x) * 2);
      expect(segmentHitsSurface(bvh, inside, far, all)).toBe(true);
    }
    for (const axis of [0, 1, 2]) {
      const to = [0, 0, 0];
      to[axis] = 3;
      expect(segmentHitsSurface(bvh, [0, 0, 0], to, all)).toBe(true);
      expect(segmentHitsSurface(bvh, to, [0, 0, 0], all)).toBe(true);
    }
  });

  it('looks through faces that do not count, does not count its ends, and meets nothing in an empty mesh', () => {
    const { positions, triangles } = cube();
    const bvh = buildBvh(positions, triangles);
    const through = (counts: (f: number) => boolean) =>
      segmentHitsSurface(bvh, [0.4, 0.3, -1], [0.4, 0.3, 0.5], counts);
    expect(through(all)).toBe(true);
    expect(through((f) => f > 1)).toBe(false);
    expect(segmentHitsSurface(bvh, [0.4, 0.3, 0], [0.4, 0.3, 0.5], all)).toBe(false);
    expect(segmentHitsSurface(buildBvh(positions, new Uint32Array()), [0, 0, 0], [1, 1, 1], all)).toBe(false);
  });
});
