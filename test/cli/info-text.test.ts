import { expect, it } from 'vitest';
import { modelRows } from '../../cli/text/info-text.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';
import { info } from '../../src/verbs/info.ts';

const model = sampleBox(50, 3, 24);
const morph = (name: string) => ({ name, positions: new Float32Array(model.mesh.positions.length) });
const morphsOf = async (...names: string[]) => {
  const { report } = await info({ ...model, morphs: names.map(morph) });
  return new Map(modelRows(report.detail.assets[0].models[0])).get('morphs');
};

it('names the morphs of a rig that has some', async () => {
  expect(await morphsOf()).toBeUndefined();
  expect(await morphsOf('smile', 'frown')).toBe('2: smile, frown');
  expect(await morphsOf(...Array.from({ length: 52 }, (_, m) => `m${m}`))).toMatch(/^52: m0, .*, m11, …$/);
});
