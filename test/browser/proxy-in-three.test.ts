import { expect, it } from 'vitest';
import { withInBetweenKeys } from '../../src/fit/proxy/in-between.ts';
import { type ProxyModelInput, proxyModel } from '../../src/fit/proxy/proxy-model.ts';
import { type ModelGlbOptions, SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { multiply34 } from '../../src/math/matrix34.ts';
import { quaternionFromAxisAngle } from '../../src/math/quaternion.ts';
import { composeTrs } from '../../src/math/trs.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import type { SkinnedModel, SkinWeights } from '../../src/model/skinned-model.ts';
import { poseAt } from '../../src/skin/poses.ts';
import { bentSheet, straightBones, turningRig } from '../fit/turning-rig.ts';
import { largestDistance, naiveLbs, readGlb } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { openGlbPage } from './glb-page.ts';

const SIDE = 40;
const BONES = 6;
const FRAMES = 9;

function sheet(): { mesh: Mesh; weights: SkinWeights } {
  const { mesh, weights } = bentSheet(SIDE, BONES, 0.1);
  return { mesh: { ...mesh, normals: vertexNormals(mesh) }, weights };
}

/** Bones that turn, stretch and, but for rigid ones, shear or mirror: the scale of one of them crosses 0. */
function input(kind: ProxyModelInput['kind']): ProxyModelInput {
  const transforms = new Float64Array(12 * BONES * FRAMES);
  const axes = new Float64Array(9 * BONES);
  const v = new Float64Array(12);
  const q = [0, 0, 0, 1];
  for (let k = 0; k < FRAMES; k++) {
    const t = k / (FRAMES - 1);
    for (let j = 0; j < BONES; j++) {
      const m = 12 * (k * BONES + j);
      quaternionFromAxisAngle(q, 0, Math.cos(j), Math.sin(j), 0, (1 + 0.3 * j) * t);
      const s = kind === 'rigid' ? [1, 1, 1] : [1 + 0.4 * t, 1 - 0.2 * t, j === 2 ? 1 - 1.7 * t : 1.1];
      composeTrs(transforms, m, [0.1 * j * t, 0.2 * Math.sin(3 * t + j), 0.3 * t, ...q, ...s], 0);
      quaternionFromAxisAngle(q, 0, 0, 1, 0, kind === 'affine' ? t + j : j);
      composeTrs(v, 0, [0, 0, 0, ...q, 1, 1, 1], 0); // Vᵀ
      if (kind !== 'rigid') multiply34(transforms, m, transforms, m, v, 0);
      for (let r = 0; r < 3; r++) for (let c = 0; c < 3; c++) axes[9 * j + 3 * r + c] = v[4 * c + r];
    }
  }
  const times = Float64Array.from({ length: FRAMES }, (_, k) => k / 8); // exact in float32, half-way too
  return { name: 'sheet', ...sheet(), kind, transforms, axes: kind === 'trs' ? axes : undefined, times };
}

/** The aim: 0.003 % of the diagonal, at most. */
const TOLERANCE = 3e-5;

describeInBrowser('proxy bones in three.js', (harness) => {
  const cases = (['rigid', 'trs', 'affine'] as const).flatMap((kind) => [
    { kind, small: false },
    { kind, small: true },
  ]);
  it.each(cases)('$kind, small: $small, at keys and half-way between', async ({ kind, small }) => {
    const model = proxyModel(input(kind));
    const options: Partial<ModelGlbOptions> = small ? SMALL_MODEL_GLB : { weights: 'float' };
    const { bytes } = await writeModelGlb(model, options);
    // The validator does not look into compressed data: it sees the twin without.
    await expectValidGlb((await writeModelGlb(model, { ...options, compress: 'none' })).bytes);
    // Our own evaluation: of the model itself where the file is exact, else of what we read from it.
    const own = small ? (await readGlb(bytes)).models[0] : model;
    const page = await openGlbPage(harness);
    expect(await page.load(bytes)).toEqual({ clips: ['sheet'], meshes: 1 });
    const diagonal = diagonalOf(own.mesh.positions);
    expect(own.mesh.seams).toBeUndefined();
    for (let half = 0; half <= 2 * (FRAMES - 1); half++) {
      const t = half / 16;
      const expected = naiveLbs(own, poseAt(own.skeleton, own.clips[0], t));
      const [{ cpu, gpu }] = await page.pose('sheet', t);
      expect(largestDistance(cpu, expected) / diagonal, `${t} s, CPU`).toBeLessThan(TOLERANCE);
      expect(largestDistance(gpu, expected) / diagonal, `${t} s, GPU`).toBeLessThan(TOLERANCE);
    }
    expect(page.errors).toEqual([]);
  });

  it.each([false, true])('interpolates straight between poses 120° apart, small: %s', async (small) => {
    const given = turningRig('affine', 120);
    const { model, figures } = await withInBetweenKeys(given, 0.15);
    const { bytes, orders } = await writeModelGlb(model, small ? SMALL_MODEL_GLB : { weights: 'float' });
    const page = await openGlbPage(harness);
    await page.load(bytes);
    const n = given.mesh.positions.length / 3;
    const stored = orders[0] ?? Uint32Array.from({ length: n }, (_, i) => i);
    let worst = 0;
    for (let quarter = 0; quarter < 4 * (given.times.length - 1); quarter++) {
      const [k, t] = [Math.floor(quarter / 4), (quarter % 4) / 4];
      const straight = naiveLbs(given as unknown as SkinnedModel, straightBones(given, k, t));
      const [{ cpu: played }] = await page.pose('turning', (k + t) / 4);
      let sum = 0;
      stored.forEach((i, at) => {
        for (let c = 0; c < 3; c++) sum += (played[3 * at + c] - straight[3 * i + c]) ** 2;
      });
      worst = Math.max(worst, (100 * Math.sqrt(sum / n)) / diagonalOf(given.mesh.positions));
    }
    expect(figures.before).toBeGreaterThan(1);
    // RMSE over the frames is within 0.15 %; of a single one it may be a little more.
    expect(worst).toBeLessThan(0.2);
    expect(page.errors).toEqual([]);
  });
});
