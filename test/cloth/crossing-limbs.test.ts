import { describe, expect, it } from 'vitest';
import type { BoneCapsule } from '../../src/cloth/capsules.ts';
import { crossingLimbs } from '../../src/cloth/crossing-limbs.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { Vector } from '../../src/math/vector.ts';

const RADIUS = 0.1;
const NAMES = ['still', 'moved'];

/** Two capsules 9 m apart at rest; in frame k the second is moved by `ways[k]`. */
function rigOf(a: [Vector, Vector], b: [Vector, Vector], ways: readonly Vector[]) {
  const far = ([x, y, z]: Vector): Vector => [x + 9, y, z];
  const capsules: BoneCapsule[] = [
    { bone: 0, a: a[0], b: a[1], radius: RADIUS },
    { bone: 1, a: far(b[0]), b: far(b[1]), radius: RADIUS },
  ];
  const at = ([x, y, z]: Vector): number[] => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];
  const transforms = Float32Array.from(ways.flatMap(([x, y, z]) => [...at([0, 0, 0]), ...at([x - 9, y, z])]));
  return { capsules, names: NAMES, clip: { name: 'clip', times: Float64Array.from(ways.keys()), transforms } };
}

const between = ([a, b]: [Vector, Vector], t: number): number[] => a.map((x, c) => x + t * (b[c] - x));

/** Slow and obvious. */
function distanceOf(p: [Vector, Vector], q: [Vector, Vector]): number {
  let least = Infinity;
  for (let i = 0; i <= 200; i++) {
    for (let j = 0; j <= 200; j++) {
      const [x, y] = [between(p, i / 200), between(q, j / 200)];
      least = Math.min(least, Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
    }
  }
  return least;
}

describe('crossingLimbs', () => {
  it('finds how deep any two capsules are in each other', () => {
    const random = seededRandom(5);
    const vector = (size: number): Vector => [size * random(), size * random(), size * random()];
    for (let q = 0; q < 20; q++) {
      const first: [Vector, Vector] = [vector(0.4), vector(0.4)];
      // Points and parallels too.
      const second: [Vector, Vector] = q % 5 === 0 ? [first[0], first[0]] : [vector(0.4), vector(0.4)];
      const depth = 2 * RADIUS - distanceOf(first, second);
      const found = crossingLimbs(rigOf(first, second, [[0, 0, 0]]), 0);
      if (depth < 0.019) expect(found).toBeUndefined();
      if (depth > 0.021) expect(found!.depth).toBeCloseTo(depth, 2);
    }
  });

  it('tells of the frame and the limbs, and looks no farther than asked', () => {
    const limb: [Vector, Vector] = [
      [0, 0, 0],
      [0, 1, 0],
    ];
    const ways: Vector[] = [1, 0.15, 0.05, 0.1].map((x) => [x, 0, 0]);
    expect(crossingLimbs(rigOf(limb, limb, ways), 3)).toMatchObject({ limb: 'moved', other: 'still', frame: 2 });
    expect(crossingLimbs(rigOf(limb, limb, ways), 1)).toMatchObject({ frame: 1, depth: expect.closeTo(0.05, 5) });
    expect(crossingLimbs(rigOf(limb, limb, ways), 0)).toBeUndefined();
  });
});
