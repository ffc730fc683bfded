import { expect, it } from 'vitest';
import { writeModelGlb, writeSequenceGlb } from '../../src/io/write-glb.ts';
import { interpolateTrs, skinTransforms } from '../../src/math/trs.ts';
import { diagonalOf } from '../../src/mesh/bounds.ts';
import { expandToSplit } from '../../src/mesh/seams.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { type Clip, clipMorphWeights } from '../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { largestDistance, morphedTube, naiveLbs, richTube, tubeMesh, tubeModel } from '../io/gltf/fixtures.ts';
import { expectValidGlb } from '../validate-glb.ts';
import { describeInBrowser } from './chromium.ts';
import { type GlbPage, openGlbPage } from './glb-page.ts';

const TOLERANCE = 1e-4;

/** Every mesh of the page is where `expected` (3N) says, on the CPU and on the GPU. */
async function expectPositions(
  page: GlbPage,
  clip: string,
  t: number,
  expected: Float32Array,
  mesh: Mesh,
): Promise<void> {
  const positions = expandToSplit(expected, 3, mesh.seams!);
  const diagonal = diagonalOf(mesh.positions);
  for (const { cpu, gpu } of await page.pose(clip, t)) {
    expect(largestDistance(cpu, positions) / diagonal, `${clip} at ${t}, CPU`).toBeLessThan(TOLERANCE);
    expect(largestDistance(gpu, positions) / diagonal, `${clip} at ${t}, GPU`).toBeLessThan(TOLERANCE);
  }
}

/** Our own evaluation between key k and the next: local poses and morph weights interpolated, then skinned. */
function between(model: SkinnedModel, clip: Clip, k: number, s: number): Float32Array {
  const { parents, inverseBind } = model.skeleton;
  const stride = 10 * parents.length;
  const next = Math.min(k + 1, clip.times.length - 1);
  const locals = new Float32Array(stride);
  for (let at = 0; at < stride; at += 10) {
    interpolateTrs(locals, at, clip.locals!, k * stride + at, clip.locals!, next * stride + at, s);
  }
  const [a, b] = [clipMorphWeights(clip, k), clipMorphWeights(clip, next)];
  const morphWeights = a?.map((weight, m) => (1 - s) * weight + s * b![m]);
  return naiveLbs(model, skinTransforms(parents, inverseBind, locals), morphWeights);
}

describeInBrowser('GLBs that Pliant writes, in three.js', (harness) => {
  it('with every texture, uv set and colour that a material can have', async () => {
    const { bytes } = await writeModelGlb({ ...tubeModel(), mesh: richTube() });
    const page = await openGlbPage(harness);
    await page.load(bytes);
    const [skin, paint] = await page.looks();
    const maps = { map: 1, normalMap: 0, emissiveMap: 0, aoMap: 1, metalnessMap: 1, roughnessMap: 1, clearcoatMap: 0 };
    expect(skin.maps).toEqual(maps);
    expect(paint.maps).toEqual({});
    expect(skin.attributes).toEqual(expect.arrayContaining(['uv', 'uv1', 'color', 'color_1', 'tangent', '_heat']));
    expect(page.errors).toEqual([]);
  });

  const skinned = [tubeModel, morphedTube].flatMap((make) =>
    (['none', 'meshopt'] as const).map((compress) => ({ model: make(), compress })),
  );
  it.each(skinned)('skinned, two clips, compress $compress, morphs $model.morphs.length', async (given) => {
    const { model, compress } = given;
    const { bytes } = await writeModelGlb(model, { compress });
    await expectValidGlb(bytes);
    const page = await openGlbPage(harness);
    expect(await page.load(bytes)).toEqual({ clips: ['wave', 'nod'], meshes: 2 });
    for (const clip of model.clips) {
      const { times } = clip;
      for (let k = 0; k < times.length; k++) {
        await expectPositions(page, clip.name, times[k], between(model, clip, k, 0), model.mesh);
        if (k + 1 === times.length) continue;
        const half = (times[k] + times[k + 1]) / 2;
        await expectPositions(page, clip.name, half, between(model, clip, k, 0.5), model.mesh);
      }
    }
    expect(page.errors).toEqual([]);
  });

  it.each(['none', 'meshopt'] as const)('a morph sequence, compress %s', async (compress) => {
    const rest = tubeMesh();
    const frames = Array.from({ length: 6 }, (_, k) =>
      rest.positions.map((x, c) => (c % 3 === 2 ? x + 0.2 * Math.sin(k + 3 * rest.positions[c - 1]) : x)),
    );
    const { bytes } = await writeSequenceGlb(memorySequence('ripple', rest, frames), { compress, morphNormals: true });
    await expectValidGlb(bytes);
    const page = await openGlbPage(harness);
    expect(await page.load(bytes)).toEqual({ clips: ['frames'], meshes: 2 });
    for (let k = 0; k < frames.length; k++) {
      await expectPositions(page, 'frames', k / 24, frames[k], rest);
      if (k + 1 === frames.length) continue;
      const half = frames[k].map((x, c) => (x + frames[k + 1][c]) / 2);
      await expectPositions(page, 'frames', (k + 0.5) / 24, half, rest);
    }
    expect(page.errors).toEqual([]);
  });
});
