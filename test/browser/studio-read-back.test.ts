import { expect, it } from 'vitest';
import { fit } from '../../src/fit/fit.ts';
import { readAsset } from '../../src/io/read-asset.ts';
import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { SkinnedModel, SkinOperator } from '../../src/model/skinned-model.ts';
import { blobFiles } from '../../src/platform/browser/files.ts';
import { linearize } from '../../src/rig/linearize/linearize.ts';
import { makeSample } from '../../src/samples.ts';
import { BlendBoneMatrices } from '../../src/skin/blend-bones.ts';
import { morphWeightsAt, poseAt } from '../../src/skin/poses.ts';
import { Skinner } from '../../src/skin/skinner.ts';
import { bindMatrices, type JointTurns, turnJoints } from '../../studio/src/core/rig/rig-pose.ts';
import { describeInBrowser } from './chromium.ts';
import { type DrawnSurface, drawnSurfaces, listenToDraws } from './read-back.ts';
import { type StudioPage, studioOpener } from './studio-page.ts';

/** Of the diagonal: what may lie between a picture and the CPU's positions. */
const TOLERANCE = 1e-4;

/** A small window: every pixel costs time, and none is looked at. */
const READ_BACK = { prepare: listenToDraws, context: { viewport: { width: 900, height: 480 } } };

/** What a GLB is to its reader. */
const modelOf = async (glb: Uint8Array): Promise<SkinnedModel> =>
  (await readAsset(blobFiles([['model.glb', new Blob([new Uint8Array(glb)])]]), ['model.glb'])).models[0];

/** 3N by the CPU: a clip at a time, joints turned on top, blend bones driven by what came of it. */
function posedByCpu(model: SkinnedModel, operator: SkinOperator, time: number, turns: JointTurns = new Map()) {
  const { skeleton, clips } = model;
  const transforms = poseAt(skeleton, clips[0], time);
  turnJoints(transforms, skeleton, bindMatrices(skeleton), turns);
  if (turns.size > 0 && model.blendBones) new BlendBoneMatrices(model).fill(transforms);
  const skinner = new Skinner(model, { operator, normals: false });
  return skinner.pose(transforms, undefined, morphWeightsAt(clips[0], time)).positions.slice();
}

/** Largest distance between a drawn surface and positions (3N) of its mesh, in diagonals. */
function distance({ triangles, positions }: DrawnSurface, mesh: Mesh, expected: Float32Array): number {
  expect(triangles).toBe(mesh.triangles.length / 3);
  expect(positions.length).toBe(3 * (mesh.seams?.vertexOf.length ?? expected.length / 3));
  let most = 0;
  for (let w = 0; w < positions.length / 3; w++) {
    const i = mesh.seams ? mesh.seams.vertexOf[w] : w;
    most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => positions[3 * w + c] - expected[3 * i + c])));
  }
  return most / diagonalOf(mesh.positions);
}

/** Stops the clock at a frame. */
async function standAt({ page, press }: StudioPage, frame: number): Promise<void> {
  await press('Pause');
  await page.getByRole('slider', { name: 'Frame', exact: true }).fill(String(frame));
}

describeInBrowser('positions on the screen', (harness) => {
  const open = studioOpener(harness);

  it('match the CPU: rigs by every operator, with turned joints', async () => {
    const { model } = await makeSample('figure', { resolution: 2500, frames: 24 });
    const n = model!.mesh.positions.length / 3;
    const mixWeights = Float32Array.from({ length: n }, (_, i) => (i % 5) / 4);
    const { bytes } = await writeModelGlb({ ...model!, operator: 'mix', mixWeights });
    const figure = await modelOf(bytes);
    const studio = await open(READ_BACK);
    const { page, drop, choose, done } = studio;
    await drop({ 'figure.glb': bytes });
    await standAt(studio, 17);
    const joint = figure.skeleton.names.findIndex((name) => /arm/i.test(name));
    await page.getByLabel('Joint', { exact: true }).selectOption(String(joint));
    await page.getByRole('slider', { name: 'Turn x' }).fill('70');
    await page.getByRole('slider', { name: 'Turn y' }).fill('-25');
    const turns: JointTurns = new Map([[joint, [70, -25, 0]]]);
    const choices: [SkinOperator, string, 'CPU' | 'GPU'][] = [
      ['lbs', 'LBS', 'GPU'],
      ['dqs', 'DQS', 'GPU'],
      ['sdqs', 'SDQS', 'GPU'],
      ['mix', 'Mix', 'GPU'],
      ['dib', 'DIB', 'CPU'],
      ['rigid', 'Rigid', 'CPU'],
    ];
    const still = posedByCpu(figure, 'lbs', figure.clips[0].times[17]);
    for (const [operator, text, processor] of choices) {
      await choose('Skinning operator', text);
      await page.getByText(`Computed on the ${processor}`).waitFor();
      const expected = posedByCpu(figure, operator, figure.clips[0].times[17], turns);
      const [drawn] = await drawnSurfaces(page);
      expect(distance(drawn, figure.mesh, expected), operator).toBeLessThan(TOLERANCE);
      expect(distance(drawn, figure.mesh, still), 'the turn is seen').toBeGreaterThan(100 * TOLERANCE);
    }
    await done();
  });

  it('match the CPU: blend bones of a linearized rig', async () => {
    const { model } = await makeSample('box', { resolution: 300, frames: 12 });
    const result = await linearize(model!, { blendBones: 2, operator: 'dqs' });
    const { bytes } = await writeModelGlb(result.model);
    const box = await modelOf(bytes);
    expect(box.blendBones).toBeDefined();
    const studio = await open(READ_BACK);
    await studio.drop({ 'box.glb': bytes });
    await standAt(studio, 5);
    await studio.page.getByRole('slider', { name: 'Turn z' }).fill('60');
    const joint = Number(await studio.page.getByLabel('Joint', { exact: true }).inputValue());
    const expected = posedByCpu(box, box.operator, box.clips[0].times[5], new Map([[joint, [0, 0, 60]]]));
    const [drawn] = await drawnSurfaces(studio.page);
    expect(distance(drawn, box.mesh, expected)).toBeLessThan(TOLERANCE);
    await studio.done();
  });

  it('match the CPU: a motion, its fit, the file of the fit, and morph corrections', async () => {
    const { sequence } = await makeSample('flag', { resolution: 200, frames: 16 });
    const flag = await writeSequenceGlb(sequence!);
    const studio = await open(READ_BACK);
    const { page, drop, press, choose, saved, done } = studio;
    await drop({ 'flag.glb': flag.bytes });
    await standAt(studio, 9);
    await choose('Preset', 'fast');
    await page.getByLabel('Kind', { exact: true }).selectOption('affine');
    await page.locator('#target').fill('8');
    await press('Fit');
    await page.getByRole('button', { name: /RMSE/ }).waitFor();
    const original = (await sequence!.readFrame(9, new Float32Array(sequence!.rest.positions.length))) as Float32Array;
    // The same options and seed give the same fit, here and in the page.
    const { model } = await fit(sequence!, { preset: 'fast', bones: 8, kind: 'affine' });
    const time = sequence!.times[9] - sequence!.times[0];
    const [left, right] = await drawnSurfaces(page);
    expect(distance(left, sequence!.rest, original)).toBeLessThan(TOLERANCE);
    expect(distance(right, model.mesh, posedByCpu(model, 'lbs', time))).toBeLessThan(TOLERANCE);

    await page.getByRole('tab', { name: 'Export' }).click();
    const { bytes } = await saved(() => press(/^GLB/));
    const corrected = await fit(sequence!, { preset: 'fast', bones: 6, eigenSkin: 3 });
    const { bytes: morphing } = await writeModelGlb(corrected.model);
    for (const [name, glb] of Object.entries({ 'chains.glb': bytes, 'morphs.glb': morphing })) {
      const opened = await modelOf(glb);
      await drop({ [name]: glb });
      await page.getByRole('img', { name: new RegExp(name) }).waitFor();
      await standAt(studio, 9);
      const expected = posedByCpu(opened, 'lbs', opened.clips[0].times[9]);
      const [drawn] = await drawnSurfaces(page);
      expect(distance(drawn, opened.mesh, expected), name).toBeLessThan(TOLERANCE);
    }
    await done();
  });
});
