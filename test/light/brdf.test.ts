import { describe, expect, it } from 'vitest';
import { phongLobe } from '../../src/light/gloss.ts';
import { bakeLight } from '../../src/light/light.ts';
import { brdfFactors, viewTerms } from '../../src/light/paper/brdf-factors.ts';
import { localFrames } from '../../src/light/paper/gloss-vectors.ts';
import { SampledLight } from '../../src/light/paper/sampled-light.ts';
import { LightScene } from '../../src/light/scene.ts';
import { TRACE_OPTIONS } from '../../src/light/traced-pose.ts';
import { evaluateSh } from '../../src/math/spherical-harmonics.ts';
import { defaultsOf } from '../../src/model/options.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { choosePoses } from '../../src/skin/choose-poses.ts';
import { traceWith } from '../../src/verbs/light-parts.ts';
import { smallFigure } from './small-figure.ts';

const SIZE = 25;

/** 25 numbers: what a direction of view takes of light, by the factors. */
function rowOf(
  { viewMap, lightMap }: ReturnType<typeof brdfFactors>,
  view: readonly [number, number, number],
): number[] {
  const terms = viewTerms(viewMap, ...view, new Float64Array(viewMap.length / 1024));
  return Array.from({ length: SIZE }, (_, c) => terms.reduce((sum, x, k) => sum + x * lightMap[k * SIZE + c], 0));
}

describe('a BRDF in factors', () => {
  it('with all terms is its lobe', () => {
    const factors = brdfFactors(5, 'phong', 64, SIZE);
    expect(factors.lost).toBeLessThan(1e-9);
    const lobe = phongLobe(5, 64).factors;
    for (const [x, y] of [
      [0, 0],
      [0.3, 0.2],
      [-0.4, 0.1],
      [0.1, -0.5],
    ]) {
      const z = Math.sqrt(1 - x * x - y * y);
      const expected = new Float64Array(SIZE);
      evaluateSh(5, -x, -y, z, expected); // mirrored
      rowOf(factors, [x, y, z]).forEach((value, c) => {
        expect(Math.abs(value - lobe[Math.floor(Math.sqrt(c))] * expected[c])).toBeLessThan(0.03);
      });
    }
  });

  it.each([
    ['phong', 8],
    ['phong', 32],
    ['cook-torrance', 0.3],
  ] as const)('%s %f loses less with more terms', (brdf, parameter) => {
    const lost = [1, 4, 9, 16, SIZE].map((terms) => brdfFactors(5, brdf, parameter, terms).lost);
    lost.slice(1).forEach((x, k) => void expect(x).toBeLessThan(lost[k]));
    expect(lost[0]).toBeLessThan(1);
    expect(lost[4]).toBeLessThan(1e-9);
  });

  it('of Cook and Torrance sends no more than it gets', () => {
    const factors = brdfFactors(5, 'cook-torrance', 0.3, SIZE);
    for (const x of [0, 0.3, 0.6, 0.9]) {
      const [mean] = rowOf(factors, [x, 0, Math.sqrt(1 - x * x)]);
      const sent = mean * Math.sqrt(4 * Math.PI);
      expect(sent).toBeGreaterThan(0.3);
      expect(sent).toBeLessThanOrEqual(1.001);
    }
  });
});

describe('light through a BRDF', () => {
  const figure = smallFigure();

  it('is in frames whose z is the normal', () => {
    const scene = new LightScene([figure]);
    const posed = scene.pose(choosePoses([figure], { poses: 3 }).poses[2].parts);
    const frames = localFrames(scene, posed);
    for (let i = 0; i < scene.vertices; i += 7) {
      const f = frames.subarray(9 * i, 9 * i + 9);
      for (let r = 0; r < 3; r++) expect(f[3 * r + 2]).toBeCloseTo(posed.normals[3 * i + r], 5);
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          expect(f[a] * f[b] + f[3 + a] * f[3 + b] + f[6 + a] * f[6 + b]).toBeCloseTo(Number(a === b), 5);
        }
      }
    }
  });

  it('comes back in traced poses when each is its own group with all bases', async () => {
    const settings = { poses: 3, rays: 32, spheres: 8, neighbours: 1, bases: 64, brdf: 'phong', order: 4 } as const;
    const { models, poses } = await bakeLight([figure], { ...settings, method: 'paper' }, traceWith());
    validateModel(models[0]);
    const samples = models[0].light!.samples!;
    const light = new SampledLight(samples, figure.skeleton.parents);
    const got = new Float32Array(samples.groupOf.length * 64);
    const options = { ...defaultsOf(TRACE_OPTIONS), rays: 32, brdf: 'phong', order: 4 } as const;
    let p = 0;
    for await (const { glossy, inside } of traceWith()(
      [figure],
      poses.map(({ parts }) => parts),
      options,
      {},
    )) {
      light.set(poses[p++].parts[0].transforms);
      light.read(samples.gloss!.vectors, got);
      const most = glossy!.reduce((a, x) => Math.max(a, Math.abs(x)), 0);
      const worst = got.reduce(
        (a, x, c) => (inside[Math.floor(c / 64)] ? a : Math.max(a, Math.abs(x - glossy![c]))),
        0,
      );
      expect(worst).toBeLessThan(2e-3 * most);
    }
  });

  it('is refused where nothing would store it', async () => {
    await expect(bakeLight([figure], { brdf: 'phong' }, traceWith())).rejects.toMatchObject({ code: 'bad-option' });
  });
});
