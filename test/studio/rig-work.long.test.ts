import { beforeAll, describe, expect, it } from 'vitest';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { makeSample } from '../../src/samples.ts';
import { linearize } from '../../src/verbs/linearize.ts';
import { mix } from '../../src/verbs/mix.ts';
import { Doc } from '../../studio/src/core/doc.ts';
import { jointInfluence } from '../../studio/src/core/paint/skin-paints.ts';
import { effectiveRig } from '../../studio/src/core/rig/effective-rig.ts';
import { drawnBy } from '../../studio/src/core/rig/rig-operators.ts';
import { blendShare, type Linearized, RigWork } from '../../studio/src/core/rig/rig-work.ts';
import { restoreDoc, saveDoc } from '../../studio/src/core/session/session.ts';
import { bendJob } from '../../studio/src/worker/bend-job.ts';
import { loadSession } from '../../studio/src/worker/load-session.ts';
import { checkSession } from '../../studio/src/worker/session-check.ts';
import { writeSession } from '../../studio/src/worker/session-file.ts';
import { verbJob } from '../../studio/src/worker/verb-job.ts';

const run = { signal: new AbortController().signal, onProgress: () => {} };

describe('rigs of the studio', () => {
  let tube: SkinnedModel;
  let linearized: Linearized;
  beforeAll(async () => {
    tube = (await makeSample('tube', { resolution: 200, frames: 4 })).model!;
    const input = { asset: { models: [tube] }, options: { blendBones: 3, measure: false } };
    const { models, parts } = await verbJob<'linearize'>(linearize)(input, run);
    linearized = { models, rigs: parts.map(({ original }) => original), operator: 'dqs', made: true };
  });

  it('show the available operators, each on its models', () => {
    const rig = new RigWork([tube]);
    expect(rig.operators.value).toEqual(['rigid', 'lbs', 'dqs', 'sdqs', 'dib']);
    rig.linearized.value = linearized;
    rig.mixed.value = [{ ...tube, mixWeights: new Float32Array(tube.mesh.positions.length / 3) }];
    expect(rig.operators.value.slice(-2)).toEqual(['mix', 'linearized']);
    expect(rig.modelsFor('linearized')).toBe(linearized.models);
    expect(rig.modelsFor('dqs')).toBe(rig.mixed.value);
    expect(drawnBy('mix', tube)).toBe('lbs');
    expect(rig.blendBones.value).toHaveLength(3);
    expect(rig.blendBoneAt(rig.blendBones.value[1].blend.bone)).toBe(1);
    expect(rig.blendBoneAt(0)).toBe(-1);
  });

  it('of a file with blend bones are linearized at once', () => {
    const rig = new RigWork(linearized.models);
    expect(rig.operators.value).toContain('linearized');
    expect(rig.linearized.value?.operator).toBe('dqs');
  });

  it('without their blend bones have nearly the original weights', () => {
    const effective = effectiveRig(linearized.models[0]);
    validateModel(effective);
    expect(effective.blendBones).toBeUndefined();
    let off = 0;
    for (let j = 0; j < tube.skeleton.names.length; j++) {
      const given = jointInfluence(tube.weights, j);
      jointInfluence(effective.weights, j).forEach((w, i) => {
        off += Math.abs(w - given[i]);
      });
    }
    expect(off / (tube.mesh.positions.length / 3)).toBeLessThan(0.1);
  });

  it('have blend-bone weights that complement joint weights', () => {
    const [model] = linearized.models;
    const share = blendShare(model);
    expect(Math.max(...share)).toBeGreaterThan(0.5);
    const others = tube.skeleton.names.map((_, j) => jointInfluence(model.weights, j));
    share.forEach((w, i) => {
      expect(w + others.reduce((sum, of) => sum + of[i], 0)).toBeCloseTo(1, 5);
    });
  });

  it('are restored from a session with their results', async () => {
    const content = {
      name: 'tube',
      format: 'sample',
      bytes: 0,
      meshes: [],
      sequences: [],
      models: [tube],
      motions: [],
    };
    const doc = new Doc({ ...content, predictors: [], objects: [], notes: [] });
    doc.rig.linearized.value = linearized;
    doc.operator.value = 'linearized';
    doc.turns.set(new Map([[2, [10, 20, 30]]]));
    const file = await writeSession({ active: 0, docs: [saveDoc('tube', doc)] }, run);
    const { docs } = await loadSession({ file, name: 'tube.pliant' }, run);
    const back = restoreDoc(docs[0]);
    expect(back.operator.value).toBe('linearized');
    expect(back.models.value).toEqual(linearized.models);
    expect([...back.turns.value.value]).toEqual([[2, [10, 20, 30]]]);
    docs[0].linearized!.models = [];
    expect(() => checkSession({ active: 0, docs })).toThrow(/rigs made of its own/);
  });

  it('have mix weights solved from their clips', async () => {
    const input = { asset: { models: [tube] }, options: { poses: 4, maxIterations: 5 } };
    const [mixed] = (await verbJob<'mix'>(mix)(input, run)).models;
    expect(mixed.mixWeights).toHaveLength(tube.mesh.positions.length / 3);
    expect(mixed.mixWeights!.every((m) => m >= 0 && m <= 1)).toBe(true);
  });

  it('keep area and volume at rest; bent, dual quaternions and blend bones keep more of it than linear blending', async () => {
    const shown = (['rigid', 'lbs', 'dqs'] as const).map((operator) => ({ operator, models: [tube] }));
    const input = { joints: [2], axis: 0, angles: [-90, 0, 90] };
    const { curves, rest } = await bendJob(
      { ...input, shown: [...shown, { operator: 'linearized', models: linearized.models }] },
      run,
    );
    for (const { area, volume } of curves) {
      expect(area[1] / rest.area).toBeCloseTo(1, 4);
      expect(volume[1] / rest.volume).toBeCloseTo(1, 4);
    }
    const [, lbs, dqs, linear] = curves.map(({ volume }) => volume[2] / rest.volume);
    expect(lbs).toBeLessThan(dqs);
    expect(linear).toBeGreaterThan(lbs);
  });
});
