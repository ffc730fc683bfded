import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clothSolver } from '../../src/cloth/solver.ts';
import { limitStrain, strainOf, subStepsFor } from '../../src/cloth/strain.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { squareBody, squareScene } from './body.ts';

/** Body with every vertex moved by up to `size`. */
function shaken(seed: number, size: number, pinned: number[] = []) {
  const body = squareBody(60, pinned);
  const random = seededRandom(seed);
  for (let c = 0; c < body.x.length; c++) body.x[c] += size * (random() - 0.5);
  return body;
}

describe('limitStrain', () => {
  it('leaves the rest shape alone', () => {
    const body = squareBody(60);
    const rest = body.x.slice();
    limitStrain(body, 0.4, new Float64Array(rest.length));
    for (let c = 0; c < rest.length; c++) expect(body.x[c]).toBeCloseTo(rest[c], 12);
  });

  it('equals the average written out spring by spring', () => {
    const body = shaken(7, 0.05, [0]);
    const before = body.x.slice();
    const { a, b, length } = body.springs;
    const degree = (i: number) => a.filter((v) => v === i).length + b.filter((v) => v === i).length;
    const expected = before.slice();
    for (let e = 0; e < a.length; e++) {
      const [i, j] = [a[e], b[e]];
      const d = [0, 1, 2].map((c) => before[3 * j + c] - before[3 * i + c]);
      const now = Math.hypot(...d);
      const [wi, wj] = [body.inverseMass[i], body.inverseMass[j]];
      if (wi + wj === 0) continue;
      const factor = (1.3 * (now > length[e] ? 1 : 0.4)) / Math.max(degree(i), degree(j));
      for (let c = 0; c < 3; c++) {
        const move = (factor * (now - length[e]) * d[c]) / now / (wi + wj);
        expected[3 * i + c] += wi * move;
        expected[3 * j + c] -= wj * move;
      }
    }
    limitStrain(body, 0.4, new Float64Array(before.length));
    for (let c = 0; c < before.length; c++) expect(body.x[c]).toBeCloseTo(expected[c], 12);
  });

  it('keeps momentum and lowers the strain, for any disturbance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.double({ min: 0.001, max: 0.1, noNaN: true }), (seed, size) => {
        const body = shaken(seed, size);
        const before = body.x.slice();
        const strain = strainOf(body);
        limitStrain(body, 1, new Float64Array(before.length));
        for (let c = 0; c < 3; c++) {
          let momentum = 0;
          for (let i = 0; i < body.mass.length; i++) momentum += body.mass[i] * (body.x[3 * i + c] - before[3 * i + c]);
          expect(Math.abs(momentum)).toBeLessThan(1e-12);
        }
        expect(strainOf(body).mean).toBeLessThan(strain.mean);
      }),
    );
  });

  it('never moves a pinned vertex and survives coinciding ones', () => {
    const body = shaken(3, 0.02, [5]);
    for (let c = 0; c < 3; c++) body.x[3 * 6 + c] = body.x[3 * 5 + c];
    const pinned = body.x.slice(15, 18);
    limitStrain(body, 0.4, new Float64Array(body.x.length));
    expect(body.x.slice(15, 18)).toEqual(pinned);
    expect(body.x.every(Number.isFinite)).toBe(true);
  });
});

describe('subStepsFor', () => {
  it('grows with the resolution and the wave speed, and falls with the sweeps', () => {
    const steps = subStepsFor(1 / 24, 0.02, 40, 1);
    expect(subStepsFor(1 / 24, 0.01, 40, 1) / steps).toBeCloseTo(2, 1);
    expect(subStepsFor(1 / 24, 0.02, 80, 1) / steps).toBeCloseTo(2, 1);
    expect(subStepsFor(1 / 24, 0.02, 40, 4) / steps).toBeCloseTo(0.5, 1);
    expect(subStepsFor(1e-9, 1, 1, 1)).toBe(1);
  });

  it.each([100, 400])('hanging cloth of %i vertices stretches by about g·L/waveSpeed² at the top', (vertices) => {
    const scene = squareScene(vertices);
    // Held along z = 0 and turned to hang down.
    const { positions } = scene.mesh;
    for (let o = 0; o < positions.length; o += 3) [positions[o + 1], positions[o + 2]] = [positions[o + 2], 0];
    const pinned: number[] = [];
    for (let i = 0; i < positions.length / 3; i++) if (positions[3 * i + 1] === 0) pinned.push(i);
    const solver = clothSolver({ ...scene, pinned: Uint32Array.from(pinned) }, { frameTime: 1 / 24, sweeps: 1 });
    for (let k = 0; k < 60; k++) solver.frame();
    let lowest = 0;
    for (let o = 1; o < solver.body.x.length; o += 3) lowest = Math.min(lowest, solver.body.x[o]);
    // The mean over the length is half of the top's strain; the hem adds to the load.
    const mean = -lowest - 1;
    const expected = (9.81 * 1) / 20 ** 2 / 2;
    expect(mean).toBeGreaterThan(0.5 * expected);
    expect(mean).toBeLessThan(2.5 * expected);
  });
});
