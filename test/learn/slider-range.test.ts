import { expect, it } from 'vitest';
import { withinSliders } from '../../src/learn/slider-range.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { morphWeightsAt } from '../../src/skin/poses.ts';
import { tubeModel } from '../io/gltf/fixtures.ts';

/** Where morphs lead from the rest pose. */
function displacement({ morphs = [], mesh, clips }: SkinnedModel, time: number): Float64Array {
  const weights = morphWeightsAt(clips[0], time)!;
  return Float64Array.from(mesh.positions, (_, c) =>
    morphs.reduce((sum, { positions }, m) => sum + weights[m] * positions[c], 0),
  );
}

it('morphs of any weights become morphs of weights between 0 and 1, with the same motion', () => {
  const random = seededRandom(5);
  const { morphs: _, ...model } = tubeModel();
  const [clip] = model.clips;
  // Within, beyond 1, below 0, of both signs, unused.
  const ranges = [
    [0, 1],
    [0, 3],
    [-2, 0],
    [-0.5, 4],
    [0, 0],
  ];
  const given: SkinnedModel = {
    ...model,
    morphs: ranges.map((_range, m) => ({ name: `m${m}`, positions: model.mesh.positions.map(() => random() - 0.5) })),
    clips: [
      {
        ...clip,
        morphWeights: Float32Array.from(
          Array.from(clip.times).flatMap(() => ranges.map(([least, most]) => least + random() * (most - least))),
        ),
      },
    ],
  };
  const within = withinSliders(given);
  validateModel(within);
  expect(within.morphs!.map(({ name }) => name)).toEqual(['m0', 'm1', 'm2', 'm3 +', 'm3 -', 'm4']);
  expect(within.clips[0].morphWeights!.every((w) => w >= 0 && w <= 1)).toBe(true);
  for (let t = 0; t <= 1; t += 0.07) {
    const time = clip.times[0] + t * (clip.times.at(-1)! - clip.times[0]);
    const [a, b] = [displacement(given, time), displacement(within, time)];
    expect(Math.max(...a.map((x, c) => Math.abs(x - b[c])))).toBeLessThan(1e-5);
  }
});
