import { expect, it } from 'vitest';
import { describeModel } from '../../cli/text/describe.ts';
import { sampleBox } from '../../src/rig/samples/box.ts';

const model = sampleBox(50, 3, 24);
const morph = (name: string) => ({ name, positions: new Float32Array(model.mesh.positions.length) });
const rowsOf = (names: string[]) => new Map(describeModel({ ...model, morphs: names.map(morph) }).rows);

it('names the morphs of a rig that has some', () => {
  expect(new Map(describeModel(model).rows).has('morphs')).toBe(false);
  expect(rowsOf(['smile', 'frown']).get('morphs')).toBe('2: smile, frown');
  expect(rowsOf(Array.from({ length: 52 }, (_, m) => `m${m}`)).get('morphs')).toMatch(/^52: m0, .*, m11, …$/);
  expect(describeModel({ ...model, morphs: [morph('smile')] }).json).toMatchObject({ morphs: ['smile'] });
});
