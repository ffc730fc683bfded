import { beforeAll, describe, expect, it } from 'vitest';
import { measureSequences } from '../../src/measure/measure.ts';
import { type SkinnedModel, validateWeights } from '../../src/model/skinned-model.ts';
import { bind } from '../../src/rig/bind/bind.ts';
import type { BindOptions } from '../../src/rig/bind/bind-options.ts';
import { findMirror, mirrorDifference, symmetrizeWeights } from '../../src/rig/bind/mirror.ts';
import { trimModel } from '../../src/rig/bind/trim.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { weightOf } from './bind-shapes.ts';

let figure: SkinnedModel;
const bound = async (options: Partial<BindOptions> = {}): Promise<SkinnedModel> => {
  const { weights } = await bind(figure.mesh, figure.skeleton, options);
  validateWeights(weights, figure.mesh.positions.length / 3, figure.skeleton.names.length);
  return { ...figure, weights };
};
beforeAll(() => {
  figure = sampleFigure(3000, 24, 4);
});

describe('the figure bound anew', () => {
  it.each<[string, Partial<BindOptions>, number]>([
    ['volume', {}, 0.5],
    ['heat', { method: 'heat' }, 0.8],
    ['geodesic', { method: 'geodesic' }, 0.8],
    ['inverse-distance', { method: 'inverse-distance' }, 0.8],
  ])('by %s moves much as it did', async (_, options, most) => {
    const model = await bound(options);
    for (const { name } of figure.clips) {
      const after = posedSequence(model, name);
      const result = await measureSequences(posedSequence(figure, name), after, { surfaceDistance: false });
      expect(result.rmsePercent).toBeLessThan(most);
    }
  });

  it('keeps the legs apart: along the surface far better than straight', async () => {
    const { names } = figure.skeleton;
    const [left, right] = [names.indexOf('thigh.L'), names.indexOf('thigh.R')];
    const n = figure.mesh.positions.length / 3;
    const thigh = Array.from({ length: n }, (_, i) => i).filter((i) => weightOf(figure.weights, i, left) > 0.99);
    expect(thigh.length).toBeGreaterThan(50);
    const leak = async (options: Partial<BindOptions>) => {
      const { weights } = await bound(options);
      return thigh.reduce((sum, i) => sum + weightOf(weights, i, right), 0) / thigh.length;
    };
    const straight = await leak({ method: 'inverse-distance' });
    expect(await leak({ method: 'geodesic' })).toBeLessThan(straight / 10);
    expect(await leak({})).toBeLessThan(0.03);
  });

  it('is symmetric, also after trimming, when that is asked for', async () => {
    const { weights } = await bound();
    const mirror = findMirror(figure.mesh, figure.skeleton);
    expect(mirror.matched).toBeGreaterThan(0.95 * (figure.mesh.positions.length / 3));
    const even: SkinnedModel = { ...figure, weights: symmetrizeWeights(weights, mirror) };
    const { model } = await trimModel(even, { influences: 4, evenly: true });
    expect(mirrorDifference(model.weights, mirror).mostDifference).toBeLessThan(1e-4);
  });
});
