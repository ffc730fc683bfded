import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { multiplySparse } from '../../src/math/sparse-matrix.ts';
import { signedVolume } from '../../src/measure/area.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { deformationMeter } from '../../src/rig/mix/deformation.ts';
import { MixEnergy, type MixWeights } from '../../src/rig/mix/energy.ts';
import { bendPoses } from '../../src/rig/mix/experiment.ts';
import { flexionClip } from '../../src/rig/mix/flexion.ts';
import { MixSurface } from '../../src/rig/mix/mix-surface.ts';
import { type PosePair, posePairs } from '../../src/rig/mix/pose-pairs.ts';
import { bendAngles, bendingRectangle } from '../../src/rig/mix/rectangle.ts';
import { solveMix } from '../../src/rig/mix/solve-mix.ts';
import { type TotalMeasure, totalArea, totalVolume } from '../../src/rig/mix/total-measure.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { cube, icosphere, moved, rotationOf, soup, torus } from '../mesh/shapes.ts';
import { farthest } from '../skin/rigs.ts';

const WEIGHTS: MixWeights = { local: 1, inversion: 10, total: 100, smoothness: 1e-3, prior: 1e-4 };

/** The rectangle, bent by 0, 60, 120 and 180°. */
async function bentRectangle(columns = 12, rows = 5) {
  const model = bendingRectangle({ rig: 'points', columns, rows, angles: bendAngles(60) });
  return { model, pairs: await posePairs(model, bendPoses(model)), total: totalArea(model.mesh) };
}

/** A closed tube whose middle joint bends. */
async function bentTube() {
  const model = sampleTube(80, 2, 24);
  const clip = flexionClip(model, 'bone3', { axis: 'x', toAngle: 2 }, 3);
  return { model, pairs: await posePairs(model, clipPoses(model, clip.transforms, 3)), total: totalVolume(model.mesh) };
}

const clipPoses = (model: SkinnedModel, transforms: Float32Array, poses: number) =>
  Array.from({ length: poses }, (_, k) => ({
    transforms: transforms.subarray(12 * model.skeleton.names.length * k, 12 * model.skeleton.names.length * (k + 1)),
    weight: 1 / poses,
    motion: 'flexion',
    label: `${k}`,
  }));

/** The tube without its lower third: an open surface. */
async function openTube() {
  const { model } = await bentTube();
  const { positions, triangles } = model.mesh;
  const kept = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)];
    if (corners.every((i) => positions[3 * i + 1] > 0.6)) kept.push(...corners);
  }
  const mesh: Mesh = { positions, triangles: Uint32Array.from(kept) };
  const open = { ...model, mesh };
  const clip = flexionClip(open, 'bone3', { axis: 'x', toAngle: 2 }, 3);
  return { model: open, pairs: await posePairs(open, clipPoses(open, clip.transforms, 3)), total: undefined };
}

const randomMix = (n: number, seed: number): Float64Array => {
  const random = seededRandom(seed);
  return Float64Array.from({ length: n }, () => random());
};

const CASES: Record<string, () => Promise<{ model: SkinnedModel; pairs: PosePair[]; total?: TotalMeasure }>> = {
  'flat, with its area': () => bentRectangle(),
  'closed, with its volume': bentTube,
  'open, with neither': openTube,
};

describe('pose pairs', () => {
  it.each(Object.entries(CASES))('are what the operator mix shows: %s', async (_, make) => {
    const { model, pairs } = await make();
    const n = model.mesh.positions.length / 3;
    const mixWeights = Float32Array.from(randomMix(n, 3));
    const { transforms } = model.clips.length === 1 ? bendPoses(model)[2] : clipPoses(model, flexionOf(model), 3)[2];
    const { positions } = skinPlain({ ...model, mixWeights }, transforms, { operator: 'mix' });
    const { linear, difference } = pairs[2];
    const mixed = linear.map((x, c) => x + mixWeights[Math.floor(c / 3)] * difference[c]);
    expect(farthest(mixed, positions)).toBeLessThan(2e-5);
  });

  it('turn the normals of faces with them', async () => {
    const { pairs } = await bentRectangle();
    for (const { normals } of pairs) expect([...normals]).toEqual([0, 0, 1]);
    const tube = await bentTube();
    expect(tube.pairs[0].normals.length).toBe(tube.model.mesh.triangles.length);
    const still = deformationMeter(tube.model.mesh)(
      tube.pairs[0],
      new Float64Array(tube.model.mesh.positions.length / 3),
    );
    expect(still.localRms).toBeLessThan(1e-4);
    expect(still.inverted).toBe(0);
  });
});

const flexionOf = (model: SkinnedModel): Float32Array =>
  flexionClip(model, 'bone3', { axis: 'x', toAngle: 2 }, 3).transforms;

describe('energy', () => {
  it.each(Object.entries(CASES))('has the gradient that differences show: %s', async (_, make) => {
    const { model, pairs, total } = await make();
    const energy = new MixEnergy(new MixSurface(model.mesh), pairs, WEIGHTS, total);
    const m = randomMix(energy.size, 5);
    const direction = randomMix(energy.size, 6).map((x) => x - 0.5);
    const { gradient } = energy.system(m);
    const slope = gradient.reduce((sum, g, i) => sum + g * direction[i], 0);
    const at = (step: number) => energy.terms(m.map((x, i) => x + step * direction[i])).energy;
    const h = 1e-5;
    expect(slope).toBeCloseTo((at(h) - at(-h)) / (2 * h), 5);
  });

  it.each(Object.entries(CASES))(
    'has a Gauss–Newton Hessian that is symmetric and not negative: %s',
    async (_, make) => {
      const { model, pairs, total } = await make();
      const energy = new MixEnergy(new MixSurface(model.mesh), pairs, WEIGHTS, total);
      const { sparse, ranks } = energy.system(randomMix(energy.size, 7));
      expect(ranks).toHaveLength(total ? pairs.length : 0);
      const times = (v: Float64Array) => {
        const out = multiplySparse(new Float64Array(v.length), sparse, v);
        for (const u of ranks) {
          const along = u.reduce((sum, x, i) => sum + x * v[i], 0);
          for (let i = 0; i < v.length; i++) out[i] += along * u[i];
        }
        return out;
      };
      const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);
      fc.assert(
        fc.property(fc.integer(), fc.integer(), (s, t) => {
          const [v, w] = [randomMix(energy.size, s >>> 0), randomMix(energy.size, t >>> 0)].map((x) =>
            x.map((y) => y - 0.5),
          );
          expect(dot(v, times(w))).toBeCloseTo(dot(w, times(v)), 8);
          expect(dot(v, times(v))).toBeGreaterThan(0);
        }),
        { seed: 1, numRuns: 20 },
      );
    },
  );

  it('is the same for a model that is moved, turned and scaled', async () => {
    const { model, pairs } = await bentTube();
    const m = randomMix(model.mesh.positions.length / 3, 8);
    const before = new MixEnergy(new MixSurface(model.mesh), pairs, WEIGHTS, totalVolume(model.mesh)).terms(m);
    const turn = rotationOf([0.48, 0.6, 0.64], 0.7);
    const mesh = { ...model.mesh, positions: moved(model.mesh.positions, turn, 40, [5, 6, 7]) };
    const turned = pairs.map((pair) => ({
      ...pair,
      linear: moved(pair.linear, turn, 40, [5, 6, 7]),
      difference: moved(pair.difference, turn, 40),
      normals: moved(pair.normals, turn),
    }));
    const after = new MixEnergy(new MixSurface(mesh), turned, WEIGHTS, totalVolume(mesh)).terms(m);
    for (const [name, value] of Object.entries(before)) {
      expect(Math.abs(after[name as keyof typeof after] - value)).toBeLessThanOrEqual(1e-4 * value);
    }
  });

  it('is 0 but for the prior where nothing moves', async () => {
    const { model } = await bentRectangle();
    const rest = await posePairs(model, bendPoses(model).slice(0, 1));
    const energy = new MixEnergy(new MixSurface(model.mesh), rest, WEIGHTS, totalArea(model.mesh));
    expect(energy.judged.faces).toHaveLength(0);
    expect(energy.terms(new Float64Array(energy.size).fill(1)).energy).toBeCloseTo(0, 12);
  });
});

describe('volume', () => {
  it.each([
    ['a cube', cube()],
    ['a sphere', icosphere(2)],
    ['a torus', torus(12, 8)],
  ])('of %s needs no caps, and is the one that is measured elsewhere', (_, mesh) => {
    const volume = totalVolume(mesh);
    expect(volume.caps).toHaveLength(0);
    expect(volume.measure(Float64Array.from(mesh.positions), new Float32Array(3))).toBeCloseTo(
      signedVolume(mesh.positions, mesh.triangles),
      6,
    );
  });

  it('of a sphere with a flat hole is that of the sphere cut off there', () => {
    const mesh = icosphere(3);
    // All faces that lie wholly above: the rim is not flat, but the cone closes it all the same.
    const kept = [];
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const corners = [...mesh.triangles.subarray(t, t + 3)];
      if (!corners.every((i) => mesh.positions[3 * i + 2] > 0.8)) kept.push(...corners);
    }
    const open = { ...mesh, triangles: Uint32Array.from(kept) };
    const volume = totalVolume(open);
    expect(volume.caps).toHaveLength(1);
    // The cap of a unit sphere above z = 0.8 has a volume of π·0.2²·(3 − 0.2)/3 = 0.117 of 4.19.
    const whole = signedVolume(mesh.positions, mesh.triangles);
    const rest = volume.measure(Float64Array.from(mesh.positions), new Float32Array(3));
    expect(rest).toBeLessThan(whole);
    expect(rest).toBeGreaterThan(whole - 0.2);
    expect(volume.capShare).toBeGreaterThan(0.05);
  });

  it('does not depend on the place of any mesh, however its faces meet, and has the gradient that differences show', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const mesh = soup(seededRandom(seed), 9, 12);
        const volume = totalVolume(mesh);
        const none = new Float32Array(3);
        const here = Float64Array.from(mesh.positions);
        const there = here.map((x, c) => x + [3, -2, 5][c % 3]);
        expect(volume.measure(there, none)).toBeCloseTo(volume.measure(here, none), 8);
        const slopes = new Float64Array(here.length);
        volume.gradient(slopes, here, none);
        const c = seed % here.length;
        const nudged = (h: number) =>
          volume.measure(
            here.map((x, d) => x + (d === c ? h : 0)),
            none,
          );
        expect(slopes[c]).toBeCloseTo((nudged(1e-5) - nudged(-1e-5)) / 2e-5, 6);
      }),
      { seed: 2, numRuns: 40 },
    );
  });
});

describe('solver', () => {
  it('ends where many small steps along the gradient end', async () => {
    const { model, pairs, total } = await bentRectangle(8, 3);
    const energy = new MixEnergy(new MixSurface(model.mesh), pairs, WEIGHTS, total);
    const start = new Float64Array(energy.size).fill(0.9);
    const fast = await solveMix(energy, start, { tolerance: 1e-10, maxIterations: 200 });
    let slow = start;
    let value = energy.terms(slow).energy;
    let size = 0.1;
    for (let step = 0; step < 1500 && size > 1e-9; step++) {
      const { gradient } = energy.system(slow);
      const next = slow.map((m, i) => Math.min(1, Math.max(0, m - size * gradient[i])));
      const reached = energy.terms(next).energy;
      if (reached < value) {
        slow = next;
        value = reached;
        size *= 1.3;
      } else size /= 2;
    }
    expect(fast.converged).toBe(true);
    expect(fast.energy).toBeLessThanOrEqual(value * 1.002);
    expect(Math.min(...fast.mix)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fast.mix)).toBeLessThanOrEqual(1);
  });
});
