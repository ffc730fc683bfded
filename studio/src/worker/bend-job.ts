import { signedVolume, surfaceArea } from '../../../src/doors/measure.ts';
import { Skinner } from '../../../src/index.ts';
import { checkpoint } from '../../../src/model/run.ts';
import { PosedRig } from '../core/rig/posed-rig.ts';
import { drawnBy } from '../core/rig/rig-operators.ts';
import type { BendCurves } from '../core/rig/rig-work.ts';
import type { JobTable } from './protocol.ts';

/** Area and volume of all parts while one joint turns about one of its axes and all others rest. */
export const bendJob: JobTable['bend'] = async ({ joints, axis, angles, shown }, run) => {
  const curves: BendCurves['curves'] = [];
  for (const [s, { operator, models }] of shown.entries()) {
    const area = new Float64Array(angles.length);
    const volume = new Float64Array(angles.length);
    for (const [part, model] of models.entries()) {
      const rig = new PosedRig(model);
      const skinner = new Skinner(model, { operator: drawnBy(operator, model), normals: false });
      const { triangles } = model.mesh;
      for (let a = 0; a < angles.length; a++) {
        await checkpoint(run, 'bend', s * angles.length + a, shown.length * angles.length, 'bending');
        const turn = [0, 1, 2].map((c) => (c === axis ? angles[a] : 0)) as [number, number, number];
        rig.pose('', 0, new Map([[joints[part], turn]]));
        const positions = rig.skinned(skinner);
        area[a] += surfaceArea(positions, triangles);
        volume[a] += signedVolume(positions, triangles);
      }
      skinner.dispose();
    }
    curves.push({ operator, area, volume });
  }
  const rest = shown[0].models.reduce(
    (sum, { mesh: { positions, triangles } }) => ({
      area: sum.area + surfaceArea(positions, triangles),
      volume: sum.volume + signedVolume(positions, triangles),
    }),
    { area: 0, volume: 0 },
  );
  return { axis, angles, curves, rest };
};
