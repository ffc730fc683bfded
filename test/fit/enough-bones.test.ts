import { describe, expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { seededRandom } from '../../src/math/rng.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { sheet } from './bending-sheet.ts';

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
      expect(report.notes).toEqual([`1 bone instead of ${options.bones ?? 40}: the mesh moves as one piece`]);
    }
  });

  it('one for what does not move, and for a single frame', async () => {
    const still = memorySequence('still', rest, [rest.positions, rest.positions, rest.positions]);
    const single = memorySequence('single', rest, [rest.positions]);
    for (const sequence of [still, single]) {
      const { bones, errors, report } = await fit(sequence, {});
      expect(bones).toBe(1);
      expect(errors.maxErrorPercent).toBeLessThan(1e-4);
      expect(report.notes).toEqual(['1 bone instead of 40: nothing moves']);
    }
  });

  it('one for each of three strips', async () => {
    const { bones, report } = await fit(strips(3), { bones: 20, inBetween: 0 });
    expect(bones).toBeGreaterThanOrEqual(3);
    expect(bones).toBeLessThanOrEqual(5);
    expect(report.notes.join()).toMatch(/^\d bones instead of 20: they explain the motion/);
  });

  it('is not deceived by noise within what the reduction may discard', async () => {
    expect((await fit(strips(1, 1e-5), { inBetween: 0 })).bones).toBe(1);
    expect((await fit(strips(1, 1e-2), { bones: 10, inBetween: 0, preset: 'fast' })).bones).toBe(10);
  });

  it('a size that holds more is not filled', async () => {
    const sizeOf = async (model: { clips: { transforms: Float32Array }[] }) => model.clips[0].transforms.length;
    const { bones, kind, report } = await fit(strips(1), { maxSize: 1e5, sizeOf, inBetween: 0, preset: 'fast' });
    expect([bones, kind]).toEqual([1, 'rigid']);
    expect(report.notes).toEqual(['1 rigid bone: enough to explain the motion']);
  });
});
