import { describe, expect, it } from 'vitest';
import { bird } from '../../bench/fit-growth-cases.ts';
import { memorySource, NO_FILES } from '../../src/io/files.ts';
import { SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { readGltf } from '../../src/io/read-gltf.ts';
import { measureSequences } from '../../src/measure/measure.ts';
import type { MeshSequence } from '../../src/model/sequence.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { fit } from '../../src/verbs/fit.ts';

const motion = bird(8, 6);
const FEW = { bones: 4, preset: 'fast', baseline: false } as const;

/** Errors of the file of a fit, whose vertices are stored in their order, by reading it. */
async function errorOfFile(file: Uint8Array, sequence: MeshSequence): Promise<number> {
  const { models } = await readGltf(memorySource('bird', file), NO_FILES, 'bird.glb');
  return (await measureSequences(sequence, posedSequence(models[0], 0), { surfaceDistance: false })).rmsePercent!;
}

describe('the error that fit reports', () => {
  it.each([
    ['plain', {}],
    ['with weights in 8 bits', { weights: 'u8' }],
    ['small', { ...SMALL_MODEL_GLB, reorder: false }],
  ] as const)('is that of the file, read back: %s', async (_, glb) => {
    const { file, report } = await fit(motion, { ...FEW, glb });
    expect(report.figures.rmsePercent).toBeCloseTo(await errorOfFile(file!, motion), 9);
  });

  it('does not depend on the order in which vertices are stored', async () => {
    const error = async (reorder: boolean) =>
      (await fit(motion, { ...FEW, glb: { ...SMALL_MODEL_GLB, reorder } })).report.figures.rmsePercent!;
    expect(await error(true)).toBeCloseTo(await error(false), 6);
  });

  it('nor on the space of the file', async () => {
    const rest = { ...motion.rest, space: { up: 'z', metresPerUnit: 0.01 } } as const;
    const { report } = await fit({ ...motion, rest }, { ...FEW, glb: {} });
    const { report: here } = await fit(motion, { ...FEW, glb: {} });
    expect(report.figures.rmsePercent! / here.figures.rmsePercent!).toBeCloseTo(1, 3);
  });

  it('is of the model where none is written', async () => {
    const { result, report } = await fit(motion, FEW);
    const { rmsePercent } = await measureSequences(motion, posedSequence(result.model, 0), { surfaceDistance: false });
    expect(report.figures.rmsePercent).toBeCloseTo(rmsePercent!, 9);
  });
});
