import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { realData } from './data.ts';

const wolf = realData('sequences/wolf-poses/');

/** A rig that was baked to a sequence and fitted again comes back: an error of at most this, in % of the diagonal. */
const COMES_BACK = 0.03;

describe('a baked rig comes back', () => {
  it.each(['rigid', 'affine'] as const)('figure, exercise, %s', async (kind) => {
    const model = sampleFigure(1200, 48, 24);
    const followed = new Set(model.weights.joints.filter((_, s) => model.weights.weights[s] > 0));
    const sequence = posedSequence(model, 'exercise', { operator: 'lbs' });
    const { errors } = await fit(sequence, { preset: 'fast', kind, bones: followed.size });
    expect(errors.rmsePercent).toBeLessThan(COMES_BACK);
  });

  it.skipIf(wolf.absent)(`wolf, affine${wolf.why}`, async () => {
    const { bones } = JSON.parse(readFileSync(join(wolf.path, 'rig.json'), 'utf8')) as { bones: unknown[] };
    const { sequences } = await readAsset(nodeFiles, [wolf.path]);
    const { errors } = await fit(sequences[0], { preset: 'fast', kind: 'affine', bones: bones.length });
    await sequences[0].close?.();
    expect(errors.rmsePercent).toBeLessThan(COMES_BACK);
  });
});
