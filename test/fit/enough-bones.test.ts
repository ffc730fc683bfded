import { describe, expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { note } from '../../src/model/note.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { bendingSheet, sheet } from './bending-sheet.ts';

/** No more bones are made than explain the motion, whatever was asked for. */

const FRAMES = 8;
const rest = sheet(9, 9);

/** Columns of the sheet in `parts` strips, each of which moves rigidly; `noise` in units of the sheet. */
function strips(parts: number, noise = 0): MeshSequence {
  const random = seededRandom(1);
  const frames = Array.from({ length: FRAMES }, (_, k) => {
    const out = rest.positions.slice();
    for (let i = 0; i < out.length; i += 3) {
      const part = Math.min(parts - 1, Math.floor(parts * rest.positions[i]));
      const angle = 0.2 * k * (part + 1);
      const [x, y, z] = rest.positions.subarray(i, i + 3);
      out[i] = Math.cos(angle) * x - Math.sin(angle) * y + 0.3 * k;
      out[i + 1] = Math.sin(angle) * x + Math.cos(angle) * y;
      out[i + 2] = z + 0.1 * part * k;
      for (let c = 0; c < 3; c++) out[i + c] += noise * (random() - 0.5);
    }
    return out;
  });
  return memorySequence('strips', rest, frames);
}

describe('enough bones', () => {
  it.each(['rigid', 'trs', 'affine'] as const)('one %s bone for what moves as one piece', async (kind) => {
    for (const options of [{}, { bones: 10 }, { bones: 10, preset: 'fast' } as const]) {
      const { model, bones, errors, report } = await fit(strips(1), { kind, inBetween: 0, ...options });
      validateModel(model);
      expect(bones).toBe(1);
      expect(errors.rmsePercent).toBeLessThan(1e-4);
      expect(report.notes).toEqual([
        note('fewer-bones', { bones: 1, asked: options.bones ?? 40, reason: 'one-piece' }),
      ]);
    }
  });

  it('one for what does not move, and for a single frame', async () => {
    const still = memorySequence('still', rest, [rest.positions, rest.positions, rest.positions]);
    const single = memorySequence('single', rest, [rest.positions]);
    for (const sequence of [still, single]) {
      const { bones, errors, report } = await fit(sequence, {});
      expect(bones).toBe(1);
      expect(errors.maxErrorPercent).toBeLessThan(1e-4);
      expect(report.notes).toEqual([note('fewer-bones', { bones: 1, asked: 40, reason: 'no-motion' })]);
    }
  });

  it('one for each of three strips', async () => {
    const { bones, report } = await fit(strips(3), { bones: 20, inBetween: 0 });
    expect(bones).toBeGreaterThanOrEqual(3);
    expect(bones).toBeLessThanOrEqual(5);
    expect(report.notes).toEqual([note('fewer-bones', { bones, asked: 20, reason: 'explained' })]);
  });

  it('is not deceived by noise within what the reduction may discard', async () => {
    expect((await fit(strips(1, 1e-5), { inBetween: 0 })).bones).toBe(1);
    expect((await fit(strips(1, 1e-2), { bones: 10, inBetween: 0, preset: 'fast' })).bones).toBe(10);
  });

  it('a size that holds more is not filled', async () => {
    const sizeOf = async (model: { clips: { transforms: Float32Array }[] }) => model.clips[0].transforms.length;
    const { bones, kind, report } = await fit(strips(1), { maxSize: 1e5, sizeOf, inBetween: 0, preset: 'fast' });
    expect([bones, kind]).toEqual([1, 'rigid']);
    expect(report.notes).toEqual([
      note('bones-for-size', { bones: 1, kind: 'rigid', maxSize: 1e5, reason: 'explained', bestOfKinds: true }),
    ]);
  });

  it('a size that holds one bone less than explain the motion is not said to hold enough', async () => {
    const options = { kind: 'rigid', inBetween: 0, preset: 'fast' } as const;
    const { bones: enough } = await fit(strips(3), { ...options, bones: 16 });
    let models = 0;
    // The search begins with two quick fits; the full ones are larger.
    const sizeOf = async (model: SkinnedModel) => 1000 * boneCount(model.skeleton) + (++models > 2 ? 500 : 0);
    const { bones, report } = await fit(strips(3), { ...options, maxSize: 1000 * enough + 300, sizeOf });
    expect(bones).toBe(enough - 1);
    expect(report.notes).toContainEqual(
      note('bones-for-size', {
        bones,
        kind: 'rigid',
        maxSize: 1000 * enough + 300,
        reason: 'size',
        bestOfKinds: false,
      }),
    );
  });

  it('a vertex that is off by more than a target for the worst is not explained, however little all are off', async () => {
    const still = strips(1);
    const sequence = {
      ...still,
      async readFrame(k: number, out?: Float32Array) {
        const frame = await still.readFrame(k, out);
        if (k === 5) frame[3 * 44 + 2] += 3e-5;
        return frame;
      },
    };
    const target = { maxError: 0.001, errorMeasure: 'max', inBetween: 0, kind: 'rigid', precision: 1e-7 } as const;
    const { errors, ended } = await fit(sequence, target);
    expect(ended).not.toBe('target missed');
    expect(errors.maxErrorPercent).toBeLessThan(0.001);
    expect((await fit(sequence, { ...target, errorMeasure: 'rmse' })).bones).toBe(1);
  });

  it.each(['sample', 'decimate'] as const)(
    'a part between the vertices of a coarse mesh is not overlooked: %s',
    async (how) => {
      const sequence = twitch();
      const coarse = how === 'sample' ? { sample: 100 } : { sample: 100, decimate: 0.9 };
      const { bones, errors, report } = await fit(sequence, { bones: 4, inBetween: 0, ...coarse });
      expect(bones).toBeGreaterThan(1);
      expect(errors.maxErrorPercent).toBeLessThan(0.01);
      const onePiece = { code: 'fewer-bones', data: expect.objectContaining({ reason: 'one-piece' }) };
      expect(report.notes).not.toContainEqual(expect.objectContaining(onePiece));
    },
  );

  it('what has no place for more is not said to explain the motion', async () => {
    const bent = bendingSheet(4, 3, 5);
    const lonely = Float32Array.from([...bent.rest.positions, 5, 5, 5, 6, 5, 5]);
    const frames = await Promise.all(
      Array.from({ length: 5 }, async (_, k) => Float32Array.from([...(await bent.readFrame(k)), 5, 5, k, 6, 5, -k])),
    );
    const sequence = memorySequence('lonely', { ...bent.rest, positions: lonely }, frames);
    const { bones, report } = await fit(sequence, { preset: 'fast', start: 'deformation', bones: 30, inBetween: 0 });
    expect(bones).toBeLessThanOrEqual(20);
    expect(report.notes).toEqual([note('fewer-bones', { bones, asked: 30, reason: 'no-place' })]);
  });
});

/** A sheet of 1681 vertices of which nine, about one that no sample of 100 has, move a little. */
function twitch(): MeshSequence {
  const columns = 40;
  const mesh = sheet(columns, columns);
  const moves = (i: number) =>
    Math.abs((i % (columns + 1)) - 30) <= 1 && Math.abs(Math.floor(i / (columns + 1)) - 30) <= 1;
  const frames = Array.from({ length: 5 }, (_, k) =>
    mesh.positions.map((x, c) => (c % 3 === 2 && moves(Math.floor(c / 3)) ? x + 1e-3 * k : x)),
  );
  return memorySequence('twitch', mesh, frames);
}
