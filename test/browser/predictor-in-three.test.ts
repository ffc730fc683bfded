import { expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { learn } from '../../src/learn/learn.ts';
import { predictorModel } from '../../src/learn/predictor-model.ts';
import { largestDistance } from '../io/gltf/fixtures.ts';
import { bendingTube } from '../learn/bending-tube.ts';
import { describeInBrowser } from './chromium.ts';

/** What pages/predictor-mesh.ts offers. */
interface PredictorPage {
  load(base64: string): Promise<void>;
  drive(points: number[]): number[];
}

describeInBrowser('predictors in three.js', (harness) => {
  it('follow their control points like the library', async () => {
    const { predictor } = await learn([bendingTube([0, 0.5, 1, 1.5, 2])], { points: 3, bones: 6 });
    const { bytes } = await writeModelGlb(predictorModel(predictor), { predictor });
    const { page, errors } = await harness.open('predictor-mesh.ts');
    await page.evaluate(
      (base64) => (globalThis as unknown as PredictorPage).load(base64),
      Buffer.from(bytes).toString('base64'),
    );
    const driver = new SurfaceDriver(predictor);
    for (const pull of [0, 0.4, -0.7]) {
      const points = Float64Array.from(predictor.kernel.mean, (x, c) => (c % 3 === 1 ? x + pull : x));
      const found = await page.evaluate((goal) => (globalThis as unknown as PredictorPage).drive(goal), [...points]);
      expect(largestDistance(found, driver.drive(points).positions)).toBeLessThan(1e-5);
    }
    expect(errors).toEqual([]);
  });
});
