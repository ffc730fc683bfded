import { expect, it } from 'vitest';
import { boundsOf } from '../../src/doors/mesh.ts';
import { Skinner } from '../../src/index.ts';
import { triangleCount } from '../../src/model/mesh.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { levelModels } from '../../studio/src/core/levels/levels-work.ts';
import { PosedRig } from '../../studio/src/core/rig/posed-rig.ts';
import { levelsJob } from '../../studio/src/worker/levels-job.ts';

const run = { onProgress: () => {}, onSoFar: () => {}, signal: new AbortController().signal };

it('levels of a rig that was no file follow its joints', async () => {
  const figure = sampleFigure(1200, 8, 12);
  const made = await levelsJob({ models: [figure], opened: { notes: [] }, options: { levels: 1, poses: 4 } }, run);
  const [given, level] = levelModels([figure], made).map(([model]) => model);
  expect(triangleCount(level.mesh)).toBeLessThan(triangleCount(given.mesh));
  const { name, times } = figure.clips[0];
  const boxes = [given, level].map((model) => {
    const rig = new PosedRig(model);
    const skinner = new Skinner(model, { operator: 'lbs', normals: false });
    return [0.25, 0.5, 0.75].map((share) => {
      rig.pose(name, share * times[times.length - 1]);
      return boundsOf(rig.skinned(skinner));
    });
  });
  boxes[0].forEach((box, k) => {
    [...box.min, ...box.max].forEach((x, c) => {
      expect([...boxes[1][k].min, ...boxes[1][k].max][c]).toBeCloseTo(x, 1);
    });
  });
});
