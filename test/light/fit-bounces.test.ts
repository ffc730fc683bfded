import { expect, it } from 'vitest';
import { addBounces } from '../../src/light/bounces.ts';
import { BounceFit } from '../../src/light/fit-bounces.ts';
import { seededRandom } from '../../src/math/rng.ts';

it('factors of bounces come back from what they made', () => {
  const random = seededRandom(2);
  const factors = Float32Array.from({ length: 25 }, () => random() - 0.5);
  const fit = new BounceFit(5);
  const check: number[] = [];
  for (let i = 0; i < 200; i++) {
    const u = Float32Array.from({ length: 25 }, (_, c) => (c === 0 ? 1 / Math.sqrt(4 * Math.PI) : random() - 0.5));
    const shade = 0.8 * random();
    const blocked = u.map((x, c) => x * shade * (c === 0 ? 1 : 0.5 + random()));
    const direct = u.map((x, c) => x - blocked[c]);
    const traced = direct.slice();
    addBounces(5, traced, 0, blocked, 0, factors);
    fit.add(u, direct, traced);
    const again = direct.slice();
    if (i > 150) {
      addBounces(5, again, 0, blocked, 0, fit.finish());
      check.push(...again.map((x, c) => Math.abs(x - traced[c])));
    }
  }
  expect(Math.max(...check)).toBeLessThan(0.02);
});

it('nothing learned is nothing added', () => {
  expect([...new BounceFit(5).finish()].every((x) => x === 0)).toBe(true);
});
