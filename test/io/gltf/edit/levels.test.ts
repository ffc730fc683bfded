import { describe, expect, it } from 'vitest';
import { dracoGlb, meshoptGlb } from '../../../../bench/engines/compressed.ts';
import { RIG_FILES } from '../../../../bench/engines/rig-files.ts';
import { openGlb } from '../../../../bench/engines/verbs.ts';
import { type LeveledNode, leveledGltf, replacedGltf } from '../../../../src/io/edit-levels.ts';
import { levelIds } from '../../../../src/io/gltf/lod-extension.ts';
import { writeModelGlb } from '../../../../src/io/write-glb.ts';
import { diagonalOf } from '../../../../src/mesh/bounds.ts';
import { joined } from '../../../../src/model/bytes.ts';
import type { SkinnedModel } from '../../../../src/model/skinned-model.ts';
import { skinPlain } from '../../../../src/skin/plain.ts';
import { morphWeightsAt, poseAt } from '../../../../src/skin/poses.ts';
import { weights } from '../../../../src/verbs/weights.ts';
import { newIssues } from '../../../validate-glb.ts';
import { binOf, glbOf, jsonOf, largestDistance, morphedTube, readGlb, tubeModel } from '../fixtures.ts';

/** Posed corners of all triangles: what does not depend on the order of vertices. */
function corners(model: SkinnedModel, clip: number, time: number): Float32Array {
  const { skeleton, mesh, clips } = model;
  const pose = poseAt(skeleton, clips[clip], time);
  const { positions } = skinPlain(model, pose, { operator: 'lbs', morphWeights: morphWeightsAt(clips[clip], time) });
  return Float32Array.from(
    { length: 3 * mesh.triangles.length },
    (_, c) => positions[3 * mesh.triangles[Math.floor(c / 3)] + (c % 3)],
  );
}

const surfaceNode = ({ origin }: SkinnedModel) => ({ node: origin!.node, place: origin!.place, bones: origin!.bones });
const surfaceOf = ({ mesh, weights, morphs, mixWeights }: SkinnedModel) => ({ mesh, weights, morphs, mixWeights });
/** Places of what is no longer used can be more than are needed. */
const UNUSED_VIEW = /^UNUSED_OBJECT \/bufferViews/;
const facts = { rms: 0.001, max: 0.01, onePixelDistance: 5, worstPose: { name: 'walk', time: 0.5 } };

/** Every model with itself as its levels. */
const levelled = (models: readonly SkinnedModel[], levels = 2): LeveledNode[] =>
  models.map((model) => ({
    ...surfaceNode(model),
    levels: Array.from({ length: levels }, () => ({ surface: surfaceOf(model), facts })),
    coverage: [...Array(levels).keys()].map((l) => 0.5 ** (l + 1)).concat(0),
  }));

async function expectSameMotion(before: readonly SkinnedModel[], after: readonly SkinnedModel[]): Promise<void> {
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  for (const [m, model] of before.entries()) {
    const tolerance = 2e-4 * diagonalOf(model.mesh.positions);
    expect(after[m].mesh.groups).toEqual(model.mesh.groups);
    for (const [c, { times }] of model.clips.entries()) {
      for (const time of [times[0], (times[0] + times[times.length - 1]) / 2]) {
        expect(largestDistance(corners(after[m], c, time), corners(model, c, time))).toBeLessThan(tolerance);
      }
    }
  }
}

const FILES = RIG_FILES.map(({ name, make }) => ({ name, make: async () => make() }));
const OTHERS = [
  { name: 'morphs', make: async () => (await writeModelGlb(morphedTube())).bytes },
  { name: 'a lattice', make: async () => (await writeModelGlb(morphedTube(), { quantize: true })).bytes },
  { name: 'Draco', make: async () => dracoGlb((await writeModelGlb(tubeModel())).bytes) },
  { name: 'meshopt', make: async () => meshoptGlb((await writeModelGlb(tubeModel())).bytes) },
];

describe('surfaces in the place of those of a file', () => {
  it.each([...FILES, ...OTHERS])('move as they do: $name', async ({ make }) => {
    const given = await make();
    const { models, source } = await openGlb(given);
    const { parts } = await replacedGltf(
      source!,
      models.map((model) => ({ at: surfaceNode(model), surface: surfaceOf(model) })),
    );
    const glb = await joined(parts);
    expect((await newIssues(given, glb)).filter((issue) => !UNUSED_VIEW.test(issue))).toEqual([]);
    await expectSameMotion(models, (await openGlb(glb)).models);
  });
});

describe('levels of the meshes of a file', () => {
  it.each([...FILES, ...OTHERS])('leave what is there as it was, and are not shown: $name', async ({ make }) => {
    const given = await make();
    const before = await openGlb(given);
    const glb = await joined((await leveledGltf(before.source!, levelled(before.models))).parts);
    const json = jsonOf(glb);
    const old = jsonOf(given);
    // Whatever is new comes behind.
    const owners = json.nodes!.flatMap((_, node) => (levelIds(json, node).length > 0 ? [node] : []));
    expect(owners).toHaveLength(before.models.length);
    const ids = owners.flatMap((node) => levelIds(json, node));
    expect(ids.every((id) => id >= old.nodes!.length)).toBe(true);
    expect(json.nodes![ids[0]].extras).toEqual({ pliantLod: facts });
    expect(json.nodes![owners[0]].extras).toMatchObject({ MSFT_screencoverage: [0.5, 0.25, 0] });
    for (const list of ['materials', 'textures', 'skins', 'scenes', 'cameras'] as const) {
      expect(json[list]).toEqual(old[list]);
    }
    expect(json.meshes!.slice(0, old.meshes!.length)).toEqual(old.meshes);
    expect(json.accessors!.slice(0, old.accessors!.length)).toEqual(old.accessors);
    expect(binOf(glb).subarray(0, binOf(given).length)).toEqual(binOf(given));
    expect(await newIssues(given, glb)).toEqual([]);
    await expectSameMotion(
      before.models,
      (await openGlb(glb)).models.map((model, m) => ({ ...model, name: before.models[m].name })),
    );
  });

  it('are replaced when there are some, and survive other verbs', async () => {
    const given = (await writeModelGlb(tubeModel())).bytes;
    const first = await readGlb(given);
    const three = await joined((await leveledGltf(first.source!, levelled(first.models, 3))).parts);
    const again = await readGlb(three);
    const two = await joined((await leveledGltf(again.source!, levelled(again.models, 2))).parts);
    const json = jsonOf(two);
    expect(json.nodes).toHaveLength(jsonOf(three).nodes!.length);
    const owner = json.nodes!.findIndex((_, node) => levelIds(json, node).length > 0);
    expect(levelIds(json, owner)).toHaveLength(2);
    const { file } = await weights(await readGlb(two), { influences: 2, glb: {} });
    const after = jsonOf(file!);
    expect(levelIds(after, owner)).toEqual(levelIds(json, owner));
    expect((await newIssues(two, file!)).filter((issue) => !issue.startsWith('UNUSED_OBJECT'))).toEqual([]);
  });

  it('are not shown in a file without scenes', async () => {
    const asset = await readGlb((await writeModelGlb(tubeModel())).bytes);
    const { parts } = await leveledGltf(asset.source!, levelled(asset.models));
    const { scenes: _, scene: _scene, ...json } = jsonOf(await joined(parts));
    const { models } = await readGlb(glbOf(json, binOf(await joined(parts))));
    expect(models).toHaveLength(1);
  });

  it('are smaller with meshopt, and the bytes of each are known', async () => {
    const asset = await readGlb((await writeModelGlb(tubeModel())).bytes);
    const plain = await leveledGltf(asset.source!, levelled(asset.models));
    const small = await leveledGltf(asset.source!, levelled(asset.models), { compress: 'meshopt' });
    expect(plain.levelBytes).toHaveLength(2);
    expect(small.levelBytes[0][0]).toBeLessThan(plain.levelBytes[0][0]);
    expect(small.report.figures.bytes).toBeLessThan(plain.report.figures.bytes!);
    await expectSameMotion(asset.models, (await readGlb(await joined(small.parts))).models);
  });
});
