import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { skinTransforms } from '../../src/math/trs.ts';
import type { Clip } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { columnFields, sampleField } from '../../src/rig/mix/bend-fields.ts';
import { flexionClip } from '../../src/rig/mix/flexion.ts';
import { mix } from '../../src/rig/mix/mix.ts';
import { bendAngles, bendingRectangle } from '../../src/rig/mix/rectangle.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { restClip } from '../../src/skin/poses.ts';
import { soup } from '../mesh/shapes.ts';
import { codesOf } from '../notes.ts';
import { randomPose, randomRig } from '../skin/rigs.ts';

describe('mix', () => {
  const rectangle = () => bendingRectangle({ rig: 'points', columns: 31, rows: 8, angles: bendAngles(20) });

  it('has less energy than linear blending, dual quaternions and all combinations, and says so', async () => {
    const model = rectangle();
    const before = structuredClone(model);
    const rivals = [...columnFields('zero'), ...columnFields('w0')].map((field) => ({
      name: field.name,
      mix: sampleField(field, model.mesh.positions),
    }));
    const result = await mix(model, { antipodality: false, rivals });
    expect(result.keeps).toBe('area');
    expect(result.converged).toBe(true);
    expect(result.rivals).toHaveLength(5 + 50);
    for (const { terms } of result.rivals) expect(result.solved.terms.energy).toBeLessThanOrEqual(terms.energy);
    expect(result.report.figures).toMatchObject({
      energy: result.solved.terms.energy,
      areaErrorPercent: result.solved.totalErrorPercent,
    });
    expect(model).toEqual(before);
    validateModel(result.model);
    expect(result.model.operator).toBe('mix');
  });

  it('is the same field for a rig of another size that stands elsewhere', async () => {
    const tube = sampleTube(200, 2, 24);
    const motion = (model: SkinnedModel) => [flexionClip(model, 'bone3', { axis: 'x', toAngle: 2 }, 6)];
    const scaled = scaledRig(tube, 100);
    const small = await mix(tube, { given: { motions: motion(tube) } });
    const large = await mix(scaled, { given: { motions: motion(scaled) } });
    expect(large.solved.terms.energy / small.solved.terms.energy).toBeCloseTo(1, 3);
    const off = large.solved.mix.map((m, i) => Math.abs(m - small.solved.mix[i]));
    expect(Math.max(...off)).toBeLessThan(0.02);
  });

  it('is the same field for a mesh that is kept mirrored and in another unit, which its bones make up for', async () => {
    const tube = withoutSeams(sampleTube(120, 4, 24));
    const factors = [-100, 100, 100];
    const kept: SkinnedModel = {
      ...tube,
      mesh: {
        positions: tube.mesh.positions.map((x, c) => factors[c % 3] * x),
        triangles: tube.mesh.triangles.map((_, c, all) => all[c % 3 === 0 ? c : c % 3 === 1 ? c + 1 : c - 1]),
      },
      skeleton: { ...tube.skeleton, inverseBind: unscaled(tube.skeleton.inverseBind, factors) },
      clips: tube.clips.map((clip) => ({ ...clip, transforms: unscaled(clip.transforms, factors) })),
    };
    const [one, other] = [await mix(tube), await mix(kept)];
    expect(other.report.notes).toEqual([]);
    expect(other.solved.terms.energy / one.solved.terms.energy).toBeCloseTo(1, 3);
    expect(Math.max(...other.solved.mix.map((m, i) => Math.abs(m - one.solved.mix[i])))).toBeLessThan(0.02);
  });

  it('keeps volumes, of surfaces with small holes too, and areas of faces where there is no volume', async () => {
    const tube = sampleTube(300, 2, 24);
    const motions = [flexionClip(tube, 'bone3', { axis: 'x' }, 6)];
    const closed = await mix(tube, { given: { motions } });
    expect([closed.keeps, closed.report.notes]).toEqual(['volume', []]);
    expect(closed.solved.totalErrorPercent!).toBeLessThan(closed.rivals[0].totalErrorPercent!);

    const cut = (y: number): SkinnedModel => ({ ...tube, mesh: { ...tube.mesh, triangles: facesAbove(tube, y) } });
    const holed = await mix(withoutSeams(cut(-0.19)), { given: { motions } });
    expect(holed.keeps).toBe('volume');
    expect(holed.report.notes).toEqual([{ code: 'holes-closed', data: { holes: 1 }, about: 'tube' }]);

    const strip = await mix(withoutSeams(frontOnly(tube)), { given: { motions } });
    expect(strip.keeps).toBe('none');
    expect(strip.solved.totalErrorPercent).toBeUndefined();
    expect(codesOf(strip.report.notes)).toEqual(['areas-only']);
    expect(strip.solved.terms.energy).toBeLessThan(strip.rivals[4].terms.energy);
  });

  it('weighs several motions alike, however many poses they have', async () => {
    const tube = sampleTube(100, 9, 24);
    const { poses } = await mix(tube, { poses: 4 });
    expect(poses).toHaveLength(12);
    expect(new Set(poses.map(({ motion }) => motion))).toEqual(new Set(['bend', 'twist', 'bend-and-twist']));
    expect(poses.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
    const unequal = await mix(tube, { given: { motions: [tube.clips[0], restClip(tube.skeleton, 'rest')] }, poses: 4 });
    expect(unequal.poses.map(({ weight }) => weight)).toEqual([0.125, 0.125, 0.125, 0.125, 0.5]);
  });

  it('has nothing to do for one bone, and says so', async () => {
    const tube = sampleTube(100, 3, 24);
    const single = { ...tube.weights, weights: tube.weights.weights.map((_, s) => Number(s % 4 === 0)) };
    const result = await mix({ ...tube, weights: { ...single, joints: single.joints.map(() => 0) } });
    expect(result.faces).toHaveLength(0);
    expect(codesOf(result.report.notes)).toContain('nothing-to-mix');
    expect(new Set(result.model.mixWeights)).toEqual(new Set([1]));
  });

  it('bears parts, isolated vertices, flat faces, and faces that meet in threes', async () => {
    const tube = withoutSeams(sampleTube(120, 2, 24));
    const n = tube.mesh.positions.length / 3;
    const extra = [0.5, 0.5, 0.5, 2, 2, 2];
    const broken: SkinnedModel = {
      ...tube,
      mesh: {
        positions: Float32Array.from([...tube.mesh.positions, ...extra]),
        triangles: Uint32Array.from([...tube.mesh.triangles, 0, 0, 1, 3, 4, n, ...tube.mesh.triangles.subarray(0, 3)]),
      },
      weights: {
        influences: 4,
        joints: Uint16Array.from([...tube.weights.joints, 0, 1, 2, 3, 0, 0, 0, 0]),
        weights: Float32Array.from([...tube.weights.weights, 0.25, 0.25, 0.25, 0.25, 1, 0, 0, 0]),
      },
    };
    const { model, converged } = await mix(broken, { poses: 4 });
    expect(converged).toBe(true);
    validateModel(model);
    expect(model.mixWeights![n + 1]).toBe(1);
  });

  it('bears any rig: soups of triangles, bones that mirror, scale and turn by 180°, weights of every kind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e6 }), async (seed) => {
        const rig = randomRig({ seed, vertices: 30, bones: 3 + (seed % 3) });
        const { triangles } = soup(seededRandom(seed), 30, 20);
        const poses = [0, 1, 2].map((k) => randomPose(rig, { seed: seed + k, scale: 1.5, mirror: seed % 2 === 0 }));
        const transforms = Float32Array.from(poses.flatMap((pose) => [...pose]));
        const clips = [{ name: 'any', times: Float64Array.of(0, 1, 2), transforms }];
        const { model, solved, rivals } = await mix({ ...rig, mesh: { ...rig.mesh, triangles }, clips });
        validateModel(model);
        expect(Math.min(...solved.mix)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...solved.mix)).toBeLessThanOrEqual(1);
        expect(solved.terms.energy).toBeLessThanOrEqual(Math.min(...rivals.map(({ terms }) => terms.energy)) + 1e-12);
      }),
      { seed: 3, numRuns: 25 },
    );
  });

  it('says that it leaves out scale and morphs', async () => {
    const tube = withoutSeams(sampleTube(60, 2, 24));
    const { skeleton } = tube;
    const [clip] = tube.clips;
    const scaled = Float32Array.from(clip.locals!, (x, c) => (c % 40 === 27 ? 1.5 : x));
    const transforms = skinTransforms(skeleton.parents, skeleton.inverseBind, scaled);
    const morphs = [{ name: 'puff', positions: tube.mesh.positions.map((x) => 0.1 * x) }];
    const moved = { ...clip, locals: scaled, transforms, morphWeights: Float32Array.of(0, 1) };
    const { report } = await mix({ ...tube, morphs, clips: [moved] });
    const percent = expect.closeTo(50, 3);
    expect(report.notes).toMatchObject([
      { code: 'bones-scale', data: { bone: 'bone3', percent }, about: 'tube' },
      { code: 'morphs-ignored' },
    ]);
    const plain = await mix(tube, { poses: 2 });
    expect(plain.report.notes).toEqual([]);
  });

  it('refuses what it cannot judge, in one sentence', async () => {
    const tube = sampleTube(60, 3, 24);
    await expect(mix({ ...tube, clips: [] })).rejects.toMatchObject({ code: 'not-found' });
    const points = { ...tube, mesh: { positions: tube.mesh.positions, triangles: new Uint32Array(0) } };
    await expect(mix(points)).rejects.toMatchObject({ code: 'bad-input' });
    const long = sampleTube(7000, 1000, 24);
    await expect(mix(long, { poses: 1000 })).rejects.toMatchObject({ code: 'too-large' });
    await expect(mix(tube, { keep: 'area' })).rejects.toMatchObject({ code: 'bad-input', option: 'keep' });
    await expect(mix(withoutSeams(frontOnly(tube)), { keep: 'volume' })).rejects.toMatchObject({
      code: 'bad-input',
      option: 'keep',
    });
    await expect(mix(tube, { poses: 0 })).rejects.toMatchObject({ code: 'bad-option', option: 'poses' });
    const alien: Clip = { ...tube.clips[0], transforms: new Float32Array(12) };
    await expect(mix(tube, { given: { motions: [alien] } })).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('can be cancelled, and reports progress', async () => {
    const labels = new Set<string>();
    const stop = new AbortController();
    const onProgress = (_done: number, _total: number, label: string) => {
      labels.add(label);
      if (label === 'solving') stop.abort();
    };
    await expect(mix(sampleTube(100, 6, 24), { onProgress, signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect([...labels]).toEqual(['posing', 'comparing', 'solving']);
  });
});

describe('a joint that bends', () => {
  it('turns what hangs below it, and nothing else', () => {
    const tube = sampleTube(60, 2, 24);
    const clip = flexionClip(tube, 'bone3', { axis: 'x', fromAngle: -0.5, toAngle: 1 }, 4);
    expect(clip.times).toHaveLength(4);
    const matrix = (k: number, j: number) => [...clip.transforms.subarray(12 * (4 * k + j), 12 * (4 * k + j + 1))];
    for (let k = 0; k < 4; k++) {
      for (const [c, x] of matrix(k, 1).entries()) expect(x).toBeCloseTo(Number(c % 5 === 0), 5);
      const angle = -0.5 + 0.5 * k;
      expect(matrix(k, 2)[5]).toBeCloseTo(Math.cos(angle), 5);
      for (const [c, x] of matrix(k, 3).entries()) expect(x).toBeCloseTo(matrix(k, 2)[c], 5);
    }
  });

  it('finds its axis in the clips', () => {
    const box = sampleBox(60, 12, 24);
    const bend = { ...box, clips: [box.clips[1]] };
    const auto = flexionClip(bend, 'upper', {}, 3).transforms;
    const given = flexionClip(bend, 'upper', { axis: 'x' }, 3).transforms;
    for (const [c, x] of auto.entries()) expect(x).toBeCloseTo(given[c], 4);
    expect(() => flexionClip(bend, 'lower')).toThrow(expect.objectContaining({ code: 'bad-option' }));
    expect(() => flexionClip(bend, 'middle')).toThrow(expect.objectContaining({ code: 'not-found' }));
    expect(() => flexionClip(bend, 'upper', { axis: 'x', toAngle: 0 })).toThrow(
      expect.objectContaining({ code: 'bad-option' }),
    );
  });
});

/** A rig of another size: mesh, bones and motion. */
function scaledRig(model: SkinnedModel, scale: number): SkinnedModel {
  const { skeleton, mesh } = model;
  return {
    ...model,
    mesh: { ...mesh, positions: mesh.positions.map((x) => scale * x) },
    skeleton: {
      ...skeleton,
      restLocals: skeleton.restLocals.map((x, c) => (c % 10 < 3 ? scale * x : x)),
      inverseBind: skeleton.inverseBind.map((x, c) => (c % 4 === 3 ? scale * x : x)),
    },
    clips: [],
  };
}

/** Matrices (12 each) of a mesh that is scaled by these factors first. */
const unscaled = (matrices: Float32Array, factors: readonly number[]): Float32Array =>
  matrices.map((x, c) => (c % 4 === 3 ? x : x / factors[c % 4]));

const withoutSeams = (model: SkinnedModel): SkinnedModel => ({
  ...model,
  mesh: { positions: model.mesh.positions, triangles: model.mesh.triangles },
});

function facesWhere({ mesh }: SkinnedModel, keep: (i: number) => boolean): Uint32Array {
  const kept: number[] = [];
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const corners = [...mesh.triangles.subarray(t, t + 3)];
    if (corners.every(keep)) kept.push(...corners);
  }
  return Uint32Array.from(kept);
}

const facesAbove = (model: SkinnedModel, y: number): Uint32Array =>
  facesWhere(model, (i) => model.mesh.positions[3 * i + 1] > y);

/** A strip of a surface, which bounds nothing. */
const frontOnly = (model: SkinnedModel): SkinnedModel => ({
  ...model,
  mesh: { ...model.mesh, triangles: facesWhere(model, (i) => model.mesh.positions[3 * i + 2] > 0.02) },
});
