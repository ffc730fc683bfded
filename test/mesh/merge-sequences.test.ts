import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { fit } from '../../src/fit/fit.ts';
import { memorySource } from '../../src/io/files.ts';
import { SMALL_MODEL_GLB } from '../../src/io/glb/options.ts';
import { readGltf } from '../../src/io/read-gltf.ts';
import { writeModelGlb } from '../../src/io/write-glb.ts';
import { mergeSequences } from '../../src/mesh/merge-sequences.ts';
import { type Mesh, validateMesh, vertexCount } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import { type SkinnedModel, validateModel } from '../../src/model/skinned-model.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { bendingSheet } from '../fit/bending-sheet.ts';
import { memoryFiles } from '../io/support.ts';
import { expectValidGlb } from '../validate-glb.ts';

/** A sheet that bends, and a smaller one with uvs, a material and a seam, 3 units beside it, that bends more slowly. */
function scene(): [MeshSequence, MeshSequence] {
  const first = { ...bendingSheet(8, 5, 9), name: 'first' };
  const other = bendingSheet(5, 4, 9);
  const beside = (positions: Float32Array): Float32Array => positions.map((x, c) => (c % 3 === 0 ? x + 3 : x));
  const n = vertexCount(other.rest);
  const rest: Mesh = {
    ...other.rest,
    positions: beside(other.rest.positions),
    uvs: new Float32Array(2 * n).map((_, c) => c / (2 * n)),
    groups: [{ name: 'all', start: 0, count: other.rest.triangles.length / 3, material: 0 }],
    materials: [{ name: 'red', baseColor: [1, 0, 0, 1], metallic: 0, roughness: 1, doubleSided: true }],
  };
  const second: MeshSequence = {
    ...other,
    name: 'second',
    rest,
    readFrame: async (k, out) => {
      const frame = beside(await other.readFrame(k));
      out?.set(frame);
      return out ?? frame;
    },
  };
  return [first, second];
}

const errorOf = async (model: SkinnedModel, sequence: MeshSequence): Promise<number> => {
  const posed = posedSequence(model, 0);
  let worst = 0;
  for (let k = 0; k < sequence.frameCount; k++) {
    const [a, b] = [await sequence.readFrame(k), await posed.readFrame(k)];
    a.forEach((x, c) => {
      worst = Math.max(worst, Math.abs(x - b[c]));
    });
  }
  return worst;
};

describe('mergeSequences', () => {
  it('puts meshes end to end, frame by frame', async () => {
    const parts = scene();
    const { sequence, splitSequence } = mergeSequences(parts);
    validateMesh(sequence.rest);
    const frame = await sequence.readFrame(4);
    expect(frame).toEqual(Float32Array.from([...(await parts[0].readFrame(4)), ...(await parts[1].readFrame(4))]));
    for (const [p, part] of splitSequence(sequence).entries()) {
      expect(part.rest).toEqual(parts[p].rest);
      expect(await part.readFrame(7)).toEqual(await parts[p].readFrame(7));
    }
  });

  it('gives every mesh a model of its own after the fit; all share a skeleton', async () => {
    const parts = scene();
    const { sequence, split } = mergeSequences(parts);
    const { model } = await fit(sequence, { preset: 'fast', bones: 8, kind: 'affine' });
    const models = split(model);
    expect(models.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(models[1].skeleton).toBe(models[0].skeleton);
    expect(models[1].clips[0]).toBe(models[0].clips[0]);
    expect(models[1].mesh).toBe(parts[1].rest);
    const whole = posedSequence(model, 0);
    const frame = await whole.readFrame(5);
    let at = 0;
    for (const [p, part] of models.entries()) {
      validateModel(part);
      const posed = await posedSequence(part, 0).readFrame(5);
      expect(Math.max(...posed.map((x, c) => Math.abs(x - frame[at + c])))).toBeLessThan(1e-6);
      at += posed.length;
      expect(await errorOf(part, parts[p])).toBeLessThan(0.1);
    }
  });

  it('drops bones that nobody follows, and keeps their ancestors', async () => {
    const { sequence, split } = mergeSequences(scene());
    const { model } = await fit(sequence, { preset: 'fast', bones: 6, kind: 'affine' });
    const b = boneCount(model.skeleton);
    // Bones 2 and 3 are the two nodes of one affine bone: nobody follows them any more.
    const joints = model.weights.joints.map((j) => (j === 3 ? 1 : j));
    const [part] = split({ ...model, weights: { ...model.weights, joints } });
    expect(boneCount(part.skeleton)).toBe(b - 2);
    expect(part.skeleton.names).not.toContain('bone 1');
    expect([...part.skeleton.parents]).toEqual(Array.from({ length: b - 2 }, (_, j) => (j % 2 ? j - 1 : -1)));
    validateModel(part);
  });

  it.each([{}, SMALL_MODEL_GLB])('is written with one set of bones and one clip: %j', async (options) => {
    const { sequence, split } = mergeSequences(scene());
    const { model } = await fit(sequence, { preset: 'fast', bones: 6 });
    const models = split(model);
    const { bytes } = await writeModelGlb(models, options);
    // The validator does not look into compressed data.
    await expectValidGlb((await writeModelGlb(models, { ...options, compress: 'none' })).bytes);
    const alone = (await writeModelGlb(models[0], options)).bytes.length;
    expect(bytes.length).toBeLessThan(alone + (await writeModelGlb({ ...models[1], clips: [] }, options)).bytes.length);

    const asset = await readGltf(memorySource('scene.glb', bytes), memoryFiles({}), 'scene.glb');
    expect(asset.models.map(({ skeleton }) => boneCount(skeleton))).toEqual([6, 6]);
    const [frame, again] = await Promise.all(
      [models[1], asset.models[1]].map(async (m) => (await posedSequence(m, 0).readFrame(6)).slice().sort()),
    );
    // Reordered vertices are compared as a set of coordinates.
    expect(Math.max(...frame.map((x, c) => Math.abs(x - again[c])))).toBeLessThan(2e-3);
  });

  it('interpolates parts with fewer frames, and holds them at their ends', async () => {
    const rest: Mesh = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), triangles: Uint32Array.of(0, 1, 2) };
    const at = (x: number): Float32Array => rest.positions.map((v, c) => (c % 3 === 2 ? x : v));
    const long = memorySequence('long', rest, [0, 1, 2, 3, 4].map(at), Float64Array.of(0, 1, 2, 3, 4));
    const short = memorySequence('short', rest, [at(10), at(20)], Float64Array.of(1, 3));
    const { sequence } = mergeSequences([short, long]);
    expect(sequence.frameCount).toBe(5);
    const heights = await Promise.all([0, 1, 2, 3, 4].map(async (k) => (await sequence.readFrame(k))[2]));
    expect(heights).toEqual([10, 10, 15, 20, 20]);
  });

  it('follows another rest pose', async () => {
    const parts = scene();
    const { sequence, split } = mergeSequences(parts);
    const { model } = await fit(sequence, { preset: 'fast', bones: 4, restFrame: 3 });
    const [first, second] = split(model);
    expect(first.mesh.positions).toEqual(await parts[0].readFrame(3));
    expect(second.mesh.uvs).toEqual(parts[1].rest.uvs);
  });

  it('refuses nothing, other spaces, and models of other meshes', async () => {
    const [first, second] = scene();
    expect(() => mergeSequences([])).toThrow(PliantError);
    const turned = { ...second, rest: { ...second.rest, space: { up: 'z', metresPerUnit: 1 } as const } };
    expect(() => mergeSequences([first, turned])).toThrow(expect.objectContaining({ code: 'bad-input' }));
    const { model } = await fit(first, { preset: 'fast', bones: 3 });
    expect(() => mergeSequences([first, second]).split(model)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  });
});
