import { describe, expect, it } from 'vitest';
import { fitSpheres, type SphereSample } from '../../src/light/fit-spheres.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { LightSpheres } from '../../src/model/light.ts';

const random = seededRandom(11);
const points = Array.from({ length: 120 }, () => [3 * random() - 1.5, 3 * random() - 1.5, 1.5 + random()]);

/** Something smooth of centre, radius and opacity, as the light behind a sphere is. */
const sample = (truth: Float32Array): SphereSample => ({
  truth,
  evaluate({ count, centres, radii, opacities }, out) {
    points.forEach((point, i) => {
      out[i] = 1;
      for (let s = 0; s < count; s++) {
        const d2 = point.reduce((sum, x, c) => sum + (x - centres[3 * s + c]) ** 2, 0);
        out[i] *= 1 - opacities[s] * Math.min(1, radii[s] ** 2 / d2);
      }
    });
  },
});

const spheres = (centres: number[], radii: number[], opacities: number[]): LightSpheres => ({
  count: radii.length,
  centres: Float32Array.from(centres),
  radii: Float32Array.from(radii),
  opacities: Float32Array.from(opacities),
  joints: new Uint16Array(4 * radii.length),
  weights: Float32Array.from({ length: 4 * radii.length }, (_, w) => Number(w % 4 === 0)),
});

const start = spheres([-0.6, 0, 0, 0.6, 0, 0], [0.5, 0.5], [0.9, 0.9]);

function traced(of: LightSpheres): Float32Array {
  const out = new Float32Array(points.length);
  sample(out).evaluate(of, out);
  return out;
}

describe('fitting spheres to traced light', () => {
  it('comes close to what other spheres gave', async () => {
    const truth = traced(spheres([-0.5, 0.15, 0.05, 0.6, -0.1, 0.05], [0.55, 0.45], [0.95, 0.8]));
    const { spheres: found, before, after, steps } = await fitSpheres(start, [sample(truth)]);
    expect(steps).toBeGreaterThan(0);
    expect(after).toBeLessThan(0.35 * before);
    expect(found.centres[0]).toBeGreaterThan(start.centres[0]);
    expect(found.radii[0]).toBeGreaterThan(start.radii[0]);
    expect([...found.opacities].every((o) => o >= 0 && o <= 1)).toBe(true);
    expect([...start.radii]).toEqual([0.5, 0.5]);
  });

  it('leaves spheres that are right already, and that no vertex sees', async () => {
    const right = await fitSpheres(start, [sample(traced(start))]);
    expect([right.before, right.after, right.steps]).toEqual([0, 0, 0]);
    const blind: SphereSample = { truth: Float32Array.of(1), evaluate: (_, out) => void out.fill(0.5) };
    const { spheres: kept } = await fitSpheres(start, [blind]);
    expect(kept).toEqual(start);
  });

  it('never gets worse', async () => {
    const noise = Float32Array.from(points, () => random());
    const { before, after } = await fitSpheres(start, [sample(noise)]);
    expect(after).toBeLessThanOrEqual(before);
  });

  it('can be cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(fitSpheres(start, [sample(traced(spheres([0, 0, 0], [1], [1])))], { signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});
