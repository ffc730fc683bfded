import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/math/rng.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { largestWeights } from '../../src/model/influences.ts';
import { clipFrame } from '../../src/model/skeleton.ts';
import { type SkinWeights, validateWeights } from '../../src/model/skinned-model.ts';
import { trimInfluences, trimModel } from '../../src/rig/bind/trim.ts';
import { sampleTube } from '../../src/rig/samples/tube.ts';
import { skinPlain } from '../../src/skin/plain.ts';
import { weightOf } from './bind-shapes.ts';

function randomWeights(seed: number, n: number, bones: number): SkinWeights {
  const random = seededRandom(seed);
  return largestWeights(
    Float64Array.from({ length: n * bones }, () => random() ** 2 + 1e-3),
    bones,
    bones,
  );
}

describe('trimInfluences', () => {
  it('keeps the largest in proportion and says what is lost (seed 5)', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (seed, bones, k) => {
        const skin = randomWeights(seed, 12, bones);
        const { weights, lost } = trimInfluences(skin, k);
        validateWeights(weights, 12, bones);
        expect(weights.influences).toBe(Math.min(k, bones));
        for (let i = 0; i < 12; i++) {
          const row = Array.from({ length: bones }, (_, j) => weightOf(skin, i, j)).sort((a, b) => b - a);
          expect(lost[i]).toBeCloseTo(
            row.slice(k).reduce((sum, w) => sum + w, 0),
            5,
          );
          for (let j = 0; j < bones; j++) {
            const kept = weightOf(weights, i, j);
            if (kept > 0) expect(kept * (1 - lost[i])).toBeCloseTo(weightOf(skin, i, j), 5);
          }
        }
      }),
      { seed: 5, numRuns: 50 },
    );
  });

  it('leaves weights with few influences as they are', () => {
    const skin = randomWeights(1, 10, 3);
    expect(trimInfluences(skin, 3).weights).toBe(skin);
    expect(trimInfluences(trimInfluences(skin, 2).weights, 4).lost.every((x) => x === 0)).toBe(true);
  });

  it('drops equals evenly when asked to', () => {
    const skin: SkinWeights = {
      influences: 4,
      joints: Uint16Array.of(0, 1, 2, 3, 0, 1, 2, 3),
      weights: Float32Array.of(0.5, 0.2, 0.2, 0.1, 0.25, 0.25, 0.25, 0.25),
    };
    const { weights, lost } = trimInfluences(skin, 2, true);
    expect([...weights.weights]).toEqual([1, 0, 0.5, 0.5]); // where all are equal the first stay
    expect(lost[0]).toBeCloseTo(0.5, 6);
    expect(trimInfluences(skin, 2).weights.weights[1]).toBeCloseTo(0.2 / 0.7, 6);
  });
});

describe('trimModel', () => {
  const model = sampleTube(300, 6, 24);

  it('measures every clip as the plain operator does', async () => {
    const { model: trimmed, errors, report } = await trimModel(model, { influences: 1 });
    expect(errors.map(({ clip }) => clip)).toEqual(model.clips.map(({ name }) => name));
    const [clip] = model.clips;
    let [sum, most] = [0, 0];
    for (let k = 0; k < clip.times.length; k++) {
      const a = skinPlain(model, clipFrame(clip, k)).positions;
      const b = skinPlain(trimmed, clipFrame(clip, k)).positions;
      for (let i = 0; i < a.length; i += 3) {
        const d = Math.hypot(a[i] - b[i], a[i + 1] - b[i + 1], a[i + 2] - b[i + 2]);
        sum += d * d;
        most = Math.max(most, d);
      }
    }
    const percent = 100 / diagonalOf(model.mesh.positions);
    const rmse = Math.sqrt(sum / (clip.times.length * (model.mesh.positions.length / 3)));
    expect(errors[0].rmsePercent).toBeCloseTo(percent * rmse, 3);
    expect(errors[0].maxErrorPercent).toBeCloseTo(percent * most, 3);
    expect(errors[0].worst).toHaveLength(5);
    expect(errors[0].worst[0].rmsePercent).toBeGreaterThanOrEqual(errors[0].worst[4].rmsePercent);
    expect(report.figures.trimmedVertices).toBeGreaterThan(0);
  });

  it('finds no error where nothing is lost', async () => {
    const { errors } = await trimModel(model, { influences: 8 });
    for (const { rmsePercent, worst } of errors) expect([rmsePercent, worst]).toEqual([0, []]);
  });

  it('says when there is no clip to measure', async () => {
    const { errors, report } = await trimModel({ ...model, clips: [] }, { influences: 1 });
    expect(errors).toEqual([]);
    expect(report.notes).toEqual([{ code: 'trim-unmeasured', data: {} }]);
  });

  it('refuses influences that no file can hold', async () => {
    await expect(trimModel(model, { influences: 9 })).rejects.toThrow(
      /influences \(got 9, expected a whole number from 1/,
    );
  });
});
