import { describe, expect, it } from 'vitest';
import { CLOTH_SCENE_NAMES, SCENE_FRAMES } from '../../src/cloth/scene.ts';
import { clothScene } from '../../src/cloth/scenes.ts';
import { simulateCloth } from '../../src/cloth/simulate.ts';
import { clothSolver } from '../../src/cloth/solver.ts';

describe('cloth at full length', () => {
  // The legs of the camel need more vertices than a sheet.
  it.each(CLOTH_SCENE_NAMES.map((name) => [name, name === 'collapse' ? 2500 : 1200] as const))(
    '%s of %d vertices holds its strain in every frame',
    async (name, vertices) => {
      const { report } = await simulateCloth(clothScene(name, vertices, 1), { frames: SCENE_FRAMES[name] });
      expect(report.figures.meanEdgeStrainPercent).toBeLessThan(1.5);
      expect(report.figures.maxEdgeStretchPercent).toBeLessThan(15);
      expect(report.figures.penetrationMillimetres).toBe(0);
    },
  );

  it('a flag of 4000 vertices is as stiff on average as one of 250', async () => {
    const mean = async (vertices: number) => {
      const { report } = await simulateCloth(clothScene('flag', vertices, 1), { frames: 12 });
      return report.figures.meanEdgeStrainPercent!;
    };
    const [coarse, fine] = [await mean(250), await mean(4000)];
    expect(fine / coarse).toBeGreaterThan(0.6);
    expect(fine / coarse).toBeLessThan(1.4);
  });

  it('the camel lies still after five times its frames', () => {
    const solver = clothSolver(clothScene('collapse', 800, 1), { frameTime: 1 / 24, sweeps: 1 });
    let speed = 0;
    let fastest = 0;
    for (let k = 0; k < 175; k++) {
      const before = solver.body.x.slice();
      solver.frame();
      speed = 24 * solver.body.x.reduce((most, x, c) => Math.max(most, Math.abs(x - before[c])), 0);
      fastest = Math.max(fastest, speed);
    }
    expect(fastest).toBeLessThan(15);
    expect(speed).toBeLessThan(0.3);
  });
});
