import type { GLTF } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { writeModelGlb } from '../../../src/io/write-glb.ts';
import { seededRandom } from '../../../src/math/rng.ts';
import { diagonalOf } from '../../../src/mesh/bounds.ts';
import { expandToSplit } from '../../../src/mesh/seams.ts';
import { clipFrame, clipMorphWeights } from '../../../src/model/skeleton.ts';
import type { SkinnedModel } from '../../../src/model/skinned-model.ts';
import { noteText } from '../../../src/report/note-text.ts';
import { expectRefusal } from '../../refusal.ts';
import { loadInThree, threeVertices, withoutTextures } from '../../three-scene.ts';
import { binOf, glbOf, jsonOf, largestDistance, morphedTube, naiveLbs, readGlb } from './fixtures.ts';

/** A GLB by other hands: ours without its notes, below a node that turns and scales, and changed further. */
async function foreignFile(change: (json: GLTF.IGLTF, add: (values: Float32Array) => number) => void) {
  const { bytes } = await writeModelGlb(morphedTube(), { weights: 'float' });
  const json = jsonOf(bytes);
  const bin = [...binOf(bytes)];
  for (const thing of [...json.meshes!, ...json.nodes!]) delete (thing.extras as Record<string, unknown>)?.pliant;
  const body = json.nodes!.findIndex(({ mesh }) => mesh !== undefined);
  const roots = json.scenes![0].nodes!.filter((node) => node !== body);
  const convert = json.nodes!.push({ rotation: [0.5, 0.5, -0.5, 0.5], scale: [0.1, 0.1, 0.1], children: roots }) - 1;
  json.scenes![0].nodes = [convert, body];
  change(json, (values) => {
    const bufferView = json.bufferViews!.push({ buffer: 0, byteOffset: bin.length, byteLength: values.byteLength }) - 1;
    bin.push(...new Uint8Array(values.buffer));
    json.buffers![0].byteLength = bin.length;
    const bounds = { min: [Math.min(...values)], max: [Math.max(...values)] };
    return (
      json.accessors!.push({ bufferView, componentType: 5126, count: values.length, type: 'SCALAR', ...bounds }) - 1
    );
  });
  return glbOf(json, Uint8Array.from(bin));
}

/** The sampler of the weights of the first animation. */
const weightsOf = ({ animations, nodes }: GLTF.IGLTF) => {
  const [{ channels, samplers }] = animations!;
  const channel = channels.find(({ target }) => target.path === 'weights')!;
  return { sampler: samplers[channel.sampler], node: nodes![channel.target.node!], samplers, channels, channel };
};

/** Poses are those of three.js at every key of every clip, and the morphs have some part in them. */
async function expectAsInThree(file: Uint8Array): Promise<SkinnedModel> {
  const { models, notes } = await readGlb(file);
  expect(notes.filter((note) => /morph/.test(noteText(note)))).toEqual([]);
  const [model] = models;
  const three = await loadInThree(withoutTextures(file));
  const diagonal = diagonalOf(model.mesh.positions);
  let morphed = 0;
  for (const clip of model.clips) {
    for (let k = 0; k < clip.times.length; k++) {
      three.pose(three.animations.find(({ name }) => name === clip.name)!, clip.times[k]);
      const ours = naiveLbs(model, clipFrame(clip, k), clipMorphWeights(clip, k));
      morphed = Math.max(morphed, largestDistance(ours, naiveLbs(model, clipFrame(clip, k))) / diagonal);
      for (const mesh of three.meshes) {
        const error = largestDistance(threeVertices([mesh]), expandToSplit(ours, 3, model.mesh.seams!)) / diagonal;
        expect(error, `${clip.name} key ${k}`).toBeLessThan(1e-5);
      }
    }
  }
  expect(morphed).toBeGreaterThan(0.05);
  return model;
}

describe('morph targets on a skin', () => {
  it('are morphs that clips drive, moved with the mesh to where it stands', async () => {
    const model = await expectAsInThree(await foreignFile(() => {}));
    expect(model.morphs!.map(({ name }) => name)).toEqual(['bulge', 'shear', 'unused']);
    // The file is ten times as large.
    expect(Math.max(...model.morphs![2].positions.map(Math.abs))).toBeCloseTo(0.025, 6);
    expect(model.clips[0].morphWeights).toEqual(morphedTube().clips[0].morphWeights);
    expect(model.clips[1].morphWeights).toBeUndefined();
  });

  it.each(['STEP', 'CUBICSPLINE'] as const)('with %s tracks, whose keys are not those of the bones', async (kind) => {
    const times = Float32Array.of(0, 0.05, 0.11, 0.3);
    const random = seededRandom(5);
    const file = await foreignFile((json, add) => {
      const { sampler } = weightsOf(json);
      const perKey = kind === 'CUBICSPLINE' ? 9 : 3;
      sampler.interpolation = kind;
      sampler.input = add(times);
      sampler.output = add(Float32Array.from({ length: 4 * perKey }, () => 2 * random() - 0.7));
    });
    const model = await expectAsInThree(file);
    const [{ times: keys, morphWeights }] = model.clips;
    // 0 is shared; every step needs a key before it, every bend several.
    if (kind === 'STEP') expect(keys.length).toBe(9 + 3 + 3);
    else expect(keys.length).toBeGreaterThan(9 + 3 + 6);
    for (const t of times) expect(keys).toContain(t);
    expect(morphWeights!.length).toBe(3 * keys.length);
  });

  it.each(['mesh', 'node'] as const)('with default weights of the %s: those are the rest pose', async (place) => {
    const defaults = [0.5, -1, 2];
    const file = await foreignFile((json) => {
      if (place === 'node') weightsOf(json).node.weights = defaults;
      else json.meshes![0].weights = defaults;
    });
    const { positions } = (await expectAsInThree(file)).mesh;
    const plain = (await readGlb(await foreignFile(() => {}))).models[0];
    const expected = plain.mesh.positions.map((x, c) =>
      plain.morphs!.reduce((sum, morph, m) => sum + defaults[m] * morph.positions[c], x),
    );
    expect(largestDistance(positions, expected)).toBeLessThan(1e-7);
  });

  it('a clip of weights alone is a clip', async () => {
    const file = await foreignFile((json) => {
      const { channel, sampler } = weightsOf(json);
      json.animations = [{ name: 'talk', channels: [{ ...channel, sampler: 0 }], samplers: [sampler] }];
    });
    const model = await expectAsInThree(file);
    expect(model.clips.map(({ name }) => name)).toEqual(['talk']);
  });

  it('a track that stays at the default weights is none', async () => {
    const file = await foreignFile((json, add) => {
      const { sampler } = weightsOf(json);
      json.meshes![0].weights = [0.25, 0, 0];
      sampler.output = add(Float32Array.from({ length: 27 }, (_, w) => (w % 3 === 0 ? 0.25 : 0)));
    });
    const [model] = (await readGlb(file)).models;
    expect(model.clips.map(({ morphWeights }) => morphWeights)).toEqual([undefined, undefined]);
  });

  it('weights of another number of targets are refused', async () => {
    const { bytes } = await writeModelGlb(morphedTube());
    const json = jsonOf(bytes);
    for (const primitive of json.meshes![0].primitives) primitive.targets!.pop();
    await expectRefusal(readGlb(glbOf(json, binOf(bytes))), 'bad-file', { values: [3, 2] });
  });

  it('scales that make no sense are not believed', async () => {
    const { bytes } = await writeModelGlb(morphedTube(), { quantize: true });
    for (const morphScales of [[1, 0, 1], [1, 2], 'large', [1, Number.MAX_VALUE, 1]]) {
      const json = jsonOf(bytes);
      (json.meshes![0].extras as { pliant: Record<string, unknown> }).pliant.morphScales = morphScales;
      const [model] = (await readGlb(glbOf(json, binOf(bytes)))).models;
      expect(model.morphs![1].positions.every(Number.isFinite)).toBe(true);
      expect(Math.max(...model.clips[0].morphWeights!.map(Math.abs))).toBeLessThanOrEqual(1);
    }
  });
});
