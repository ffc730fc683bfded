import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { readGlb } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { realData } from './data.ts';

const { path, absent, why } = realData('gltf/');

const rigOf = async (file: string): Promise<SkinnedModel> =>
  (await readGlb(new Uint8Array(readFileSync(path + file)))).models[0];

describe.skipIf(absent)(`linearize rigs by others${why}`, () => {
  it('a walk of CesiumMan and a run of the fox, with ten blend bones', async () => {
    const man = await rigOf('CesiumMan.glb');
    const walk = await linearize(man, { training: 'clips' });
    expect(walk.envelopingError).toBeLessThan(10);
    expect(walk.clips[0].linearized! / walk.envelopingError).toBeLessThan(1.25);
    expect(walk.clips[0].halfWay).toBeLessThan(1.05 * walk.clips[0].linearized! + 0.1);
    expect(walk.averageInfluences.after).toBeLessThan(1.3 * walk.averageInfluences.before);
    await expectValidGlb((await writeModelGlb(walk.model)).bytes);

    const fox = await rigOf('Fox.glb');
    const run = await linearize(fox, { given: { trainingClips: [fox.clips[2]] }, measure: false, keys: 'given' });
    expect(run.envelopingError).toBeLessThan(9);
  });

  it('every joint exercised: less than 0.45 of the error is left, and other clips gain too', async () => {
    const man = await rigOf('CesiumMan.glb');
    const { envelopingError, envelopingErrorLbs, clips } = await linearize(man);
    expect(envelopingError / envelopingErrorLbs).toBeLessThan(0.45);
    expect(clips[0].linearized).toBeLessThan(clips[0].lbs!);
  });
});
