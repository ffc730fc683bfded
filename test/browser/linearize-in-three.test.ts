import { expect, it } from 'vitest';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { envelopingError } from '../../src/measure/enveloping.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { poseAt } from '../../src/skin/poses.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { smallSample } from '../rig/linearize-rigs.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { type GlbPage, openGlbPage } from './glb-page.ts';

/** 3N positions as the shaders of three.js have them, of which seams keep several copies. */
async function drawn(page: GlbPage, { positions, seams }: Mesh, clip: string, t: number): Promise<Float32Array> {
  const [{ gpu }] = await page.pose(clip, t);
  if (!seams) return gpu;
  const out = new Float32Array(positions.length);
  seams.vertexOf.forEach((i, w) => {
    for (let c = 0; c < 3; c++) out[3 * i + c] = gpu[3 * w + c];
  });
  return out;
}

describeInBrowser('linearized GLBs in plain three.js', (harness) => {
  it.each(['box', 'tube'] as const)('%s: matches dual quaternions within the reported error', async (name) => {
    const sample = await smallSample(name, 300, 8);
    const model = { ...sample, clips: [sample.clips[0]] };
    const result = await linearize(model, { training: 'clips', blendBones: 6, keys: 'given' });
    const [reported] = result.clips;
    const { bytes } = await writeModelGlb(result.model);
    await expectValidGlb(bytes);
    const page = await openGlbPage(harness);
    await page.load(bytes);

    const [clip] = model.clips;
    const skinner = new Skinner(model, { operator: 'dqs', normals: false });
    const exact: Float32Array[] = [];
    const shown: Float32Array[] = [];
    for (const t of clip.times) {
      exact.push(skinner.pose(poseAt(model.skeleton, clip, t)).positions.slice());
      shown.push(await drawn(page, model.mesh, clip.name, t));
    }
    const found = await envelopingError(
      memorySequence('exact', model.mesh, exact),
      memorySequence('shown', model.mesh, shown),
      model,
      clip,
    );
    // Off only by what the file rounds: weights have 16 bits.
    expect(Math.abs(found.percent! - reported.linearized!)).toBeLessThan(0.05);
    expect(found.percent!).toBeLessThan(0.2 * reported.lbs!);
    expect(page.errors).toEqual([]);
  });
});
