import { describe, expect, it } from 'vitest';
import { CESIUM_MAN_JOINTS, cesiumMan, mixJoints, ratios, VOLUME_MUST } from '../../bench/mix-cases.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { nodeFiles } from '../../src/platform/node/index.ts';
import { mix } from '../../src/rig/mix/mix.ts';
import { realData } from './data.ts';

const { path, absent, why } = realData();

describe.skipIf(absent)(`mixes of rigs by others${why}`, () => {
  it.each(CESIUM_MAN_JOINTS.map((joint) => [joint.name, joint] as const))(
    'keep the volume of CesiumMan at the %s',
    async (_, joint) => {
      const result = await mixJoints(await cesiumMan(`${path}gltf/CesiumMan.glb`), [joint], { poses: 12 });
      expect(result.keeps).toBe('volume');
      expect(ratios(result).volume).toBeLessThan(VOLUME_MUST);
      for (const { terms } of result.rivals) expect(result.solved.terms.energy).toBeLessThan(terms.energy);
    },
  );

  it.each(['Fox', 'RiggedFigure', 'RiggedSimple', 'RobotExpressive'])(
    'are no worse than either operator: %s',
    async (name) => {
      const { models } = await readAsset(nodeFiles, [`${path}gltf/${name}.glb`]);
      for (const model of models) {
        const { solved, rivals, ...result } = await mix({ ...model, clips: model.clips.slice(0, 2) }, { poses: 6 });
        validateModel(result.model);
        for (const { terms } of rivals) expect(solved.terms.energy).toBeLessThanOrEqual(terms.energy);
      }
    },
  );
});
