import { expect, it } from 'vitest';
import { bendingOf } from '../../src/cloth/bending.ts';
import { clothBody } from '../../src/cloth/body.ts';
import { clothPasses } from '../../src/cloth/cloth-passes.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { curtain } from './ball.ts';
import { COTTON } from './body.ts';

it.each([
  ['a sheet', curtain(203).mesh, [0, 5, 9]],
  ['a ball', geodesicSphere('ball', 162, [0, 0, 0], 0.3), []],
])('kernels give %s the same bits as their twins in TypeScript', (_, mesh, pinned) => {
  const rest = clothBody(mesh, COTTON, pinned);
  const bending = bendingOf(rest, 1e-4);
  const both = [true, false].map((simd) => clothPasses(rest, bending, simd));
  // The kernels' arrays lie in one memory.
  expect(both.map(({ body }) => body.x.buffer === body.previous.buffer)).toEqual([true, false]);
  const random = seededRandom(2);
  const bumps = rest.x.map(() => 0.02 * (random() - 0.5));
  const gusts = rest.x.map(() => 5 * (random() - 0.5));
  for (const { body, wind } of both) {
    for (let c = 0; c < body.x.length; c++) body.x[c] += bumps[c];
    body.x.copyWithin(3, 0, 3); // two vertices in one place
    wind.set(gusts);
  }
  for (let step = 0; step < 6; step++) {
    for (const passes of both) {
      passes.body.acceleration.fill(-1);
      passes.addAir(1e-3);
      passes.addBending();
      passes.addViscosity(1e-3, 1e-3);
      passes.integrate(1e-3, step % 2);
      passes.limitStrain(0.4);
    }
    const [simd, plain] = both.map(({ body: { x, previous, acceleration } }) => ({ x, previous, acceleration }));
    expect(simd).toEqual(plain);
  }
  expect(both[0].body.x.every(Number.isFinite)).toBe(true);
  expect(rest.x).toEqual(Float64Array.from(mesh.positions));
});
