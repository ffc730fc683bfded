import { describe, expect, it } from 'vitest';
import { addBending, bendingFrequency2, bendingOf } from '../../src/cloth/bending.ts';
import { clothBody } from '../../src/cloth/body.ts';
import { geodesicSphere } from '../../src/cloth/shapes.ts';
import { COTTON, moved, squareBody } from './body.ts';

const largest = (values: Float64Array) => values.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

describe('bending', () => {
  it('a flat sheet feels none, wherever it is turned to', () => {
    const body = squareBody(100);
    const bending = bendingOf(body, 1);
    expect(bending.flat).toBe(true);
    body.x = moved(body.x);
    addBending(body, bending);
    expect(largest(body.acceleration)).toBeLessThan(1e-6);
  });

  it('a sphere at rest feels none, wherever it is turned to, and pushes back when it is squeezed', () => {
    const body = clothBody(geodesicSphere('ball', 400, [0, 0, 0], 1), COTTON, []);
    const bending = bendingOf(body, 1);
    expect(bending.flat).toBe(false);
    body.x = moved(body.x);
    addBending(body, bending);
    const atRest = largest(body.acceleration);
    for (let o = 0; o < body.x.length; o += 3) body.x[o] *= 0.8;
    body.acceleration.fill(0);
    addBending(body, bending);
    expect(largest(body.acceleration)).toBeGreaterThan(100 * atRest);
  });

  it('forces add up to nothing and oppose a fold', () => {
    const body = squareBody(100);
    const bending = bendingOf(body, 1);
    for (let o = 0; o < body.x.length; o += 3) body.x[o + 1] += 0.2 * Math.abs(body.x[o] - 0.5);
    addBending(body, bending);
    let total = 0;
    let work = 0;
    for (let i = 0; i < body.mass.length; i++) {
      const force = body.mass[i] * body.acceleration[3 * i + 1];
      total += force;
      work += force * (body.x[3 * i + 1] - 1);
    }
    expect(Math.abs(total)).toBeLessThan(1e-9);
    expect(work).toBeLessThan(0);
  });

  it('the energy of a cylinder is ½ · stiffness · area / radius² at any resolution', () => {
    for (const vertices of [400, 2500]) {
      const body = squareBody(vertices);
      const bending = bendingOf(body, 1);
      const rest = body.x.slice();
      const radius = 2;
      for (let o = 0; o < rest.length; o += 3) {
        body.x[o] = radius * Math.sin(rest[o] / radius);
        body.x[o + 1] = radius * Math.cos(rest[o] / radius);
      }
      addBending(body, bending);
      // The energy is quadratic in the positions: E = −½ Σ x · f.
      let energy = 0;
      for (let i = 0; i < body.mass.length; i++) {
        for (let c = 0; c < 3; c++) energy -= 0.5 * body.mass[i] * body.acceleration[3 * i + c] * body.x[3 * i + c];
      }
      // Edges along the rim have no hinge, so that a coarse sheet falls a little short.
      expect(energy / (0.5 / radius ** 2)).toBeGreaterThan(0.85);
      expect(energy / (0.5 / radius ** 2)).toBeLessThan(1.05);
    }
  });

  it('the highest frequency bounds the growth of any shape', () => {
    const body = squareBody(150);
    const bending = bendingOf(body, 1);
    const frequency2 = bendingFrequency2(body, bending);
    body.x = body.x.map((_, c) => ((c * 7919) % 101) / 101 - 0.5);
    addBending(body, bending);
    const norm = (v: Float64Array) => Math.sqrt(v.reduce((sum, x, c) => sum + x * x * body.mass[Math.floor(c / 3)], 0));
    expect(norm(body.acceleration) / norm(body.x)).toBeLessThan(1.1 * frequency2);
  });
});
