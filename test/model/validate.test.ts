import { describe, expect, it } from 'vitest';
import { identity34 } from '../../src/math/matrix34.ts';
import { type Mesh, validateMesh } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence, validateSequence } from '../../src/model/sequence.ts';
import { type Clip, type Skeleton, validateClip, validateSkeleton } from '../../src/model/skeleton.ts';
import { type SkinnedModel, type SkinWeights, validateModel, validateWeights } from '../../src/model/skinned-model.ts';

// One sound thing of each kind, and everything that can be wrong with it. Two triangles, a seam along their diagonal.
const mesh: Mesh = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0),
  triangles: Uint32Array.of(0, 1, 2, 2, 1, 3),
  normals: new Float32Array(18).fill(1),
  uvs: new Float32Array(12),
  seams: { vertexOf: Uint32Array.of(0, 1, 2, 2, 1, 3), triangles: Uint32Array.of(0, 1, 2, 3, 4, 5) },
  groups: [
    { name: 'a', start: 0, count: 1, material: 0 },
    { name: 'b', start: 1, count: 1 },
  ],
  materials: [{ name: 'm', baseColor: [1, 1, 1, 1], metallic: 0, roughness: 1, doubleSided: false }],
};
const skeleton: Skeleton = {
  names: ['root', 'tip'],
  parents: Int32Array.of(-1, 0),
  restLocals: Float32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1),
  inverseBind: identity34(2),
};
const clip: Clip = { name: 'still', times: Float64Array.of(0, 1), transforms: identity34(4) };
const weights: SkinWeights = {
  influences: 2,
  joints: Uint16Array.of(0, 1, 0, 1, 1, 0, 1, 0),
  weights: Float32Array.of(0.5, 0.5, 0.75, 0.25, 1, 0, 1, 0),
};
const model: SkinnedModel = { name: 'rig', mesh, weights, skeleton, clips: [clip], operator: 'lbs' };

/** The array with one number changed. */
function having<T extends Float32Array | Float64Array | Uint32Array | Uint16Array | Int32Array>(
  array: T,
  index: number,
  value: number,
): T {
  const out = array.slice() as T;
  out[index] = value;
  return out;
}
const { NaN: nan } = Number;
const refused = (cause: RegExp) =>
  expect.objectContaining({ code: 'bad-input', message: expect.stringMatching(cause) });

describe('validateMesh', () => {
  it('takes a sound mesh', () => expect(() => validateMesh(mesh)).not.toThrow());

  it.each<[Partial<Mesh>, RegExp]>([
    [{ positions: new Float32Array(11) }, /positions have 11 numbers/],
    [{ triangles: new Uint32Array(5) }, /triangles have 5 indices/],
    [{ positions: having(mesh.positions, 4, nan) }, /vertex 1 has a coordinate NaN/],
    [{ triangles: having(mesh.triangles, 5, 4) }, /triangle 1 uses vertex 4 \(expected < 4\)/],
    [{ normals: new Float32Array(12) }, /12 normal numbers \(expected 18\)/],
    [{ normals: having(mesh.normals!, 7, nan) }, /normal 2 is not finite/],
    [{ uvs: new Float32Array(8) }, /8 uv numbers \(expected 12\)/],
    [{ uvs: having(mesh.uvs!, 11, Infinity) }, /uv 5 is not finite/],
    [{ seams: { ...mesh.seams!, triangles: new Uint32Array(3) } }, /seams have 3 corners \(expected 6\)/],
    [{ seams: { ...mesh.seams!, vertexOf: having(mesh.seams!.vertexOf, 0, 4) } }, /belongs to no vertex/],
    [{ seams: { ...mesh.seams!, vertexOf: having(mesh.seams!.vertexOf, 0, 3) } }, /corner 0 has split vertex 0/],
    [{ seams: { ...mesh.seams!, triangles: having(mesh.seams!.triangles, 1, 6) } }, /corner 1 has split vertex 6/],
    [{ groups: [{ name: 'b', start: 1, count: 1 }] }, /group "b" starts at 1 \(expected 0\)/],
    [{ groups: [{ name: 'a', start: 0, count: 1 }] }, /groups cover 1 triangles \(expected 2\)/],
    [{ groups: [{ name: 'a', start: 0, count: 2, material: 1 }] }, /material 1 \(expected < 1\)/],
  ])('refuses %#', (broken, cause) => {
    expect(() => validateMesh({ ...mesh, ...broken })).toThrow(refused(cause));
  });
});

describe('validateSequence', () => {
  const frames = [mesh.positions, mesh.positions];
  const sequence = memorySequence('walk', mesh, frames);

  it('takes a sound sequence', () => expect(validateSequence(sequence)).resolves.toBeUndefined());

  it.each<[Partial<MeshSequence>, RegExp]>([
    [{ frameCount: 0 }, /walk: no frames/],
    [{ times: Float64Array.of(0) }, /1 times \(expected 2\)/],
    [{ times: Float64Array.of(1, 1) }, /time of frame 1 does not increase/],
    [{ readFrame: async () => new Float32Array(9) }, /frame 0 has 3 vertices \(expected 4\)/],
    [{ readFrame: async () => having(mesh.positions, 3, nan) }, /frame 0, vertex 1: coordinate NaN/],
    [{ rest: { ...mesh, triangles: new Uint32Array(1) } }, /triangles have 1 indices/],
  ])('refuses %#', async (broken, cause) => {
    await expect(validateSequence({ ...sequence, ...broken })).rejects.toThrow(refused(cause));
  });
});

describe('validateSkeleton and validateClip', () => {
  it('take sound ones', () => {
    expect(() => validateSkeleton(skeleton)).not.toThrow();
    expect(() => validateClip({ ...clip, morphWeights: new Float32Array(6) }, 2, 'test', 3)).not.toThrow();
  });

  it.each<[Partial<Skeleton>, RegExp]>([
    [{ names: ['root'] }, /1 names \(expected 2\)/],
    [{ restLocals: new Float32Array(10) }, /10 rest numbers \(expected 20\)/],
    [{ inverseBind: identity34(1) }, /12 inverse bind numbers \(expected 24\)/],
    [{ parents: Int32Array.of(-1, 1) }, /bone 1 has parent 1/],
    [{ parents: Int32Array.of(-2, 0) }, /bone 0 has parent -2/],
    [{ restLocals: having(skeleton.restLocals, 0, nan) }, /rest pose is not finite/],
    [{ inverseBind: having(skeleton.inverseBind, 0, nan) }, /inverse bind matrix is not finite/],
  ])('refuses skeleton %#', (broken, cause) => {
    expect(() => validateSkeleton({ ...skeleton, ...broken })).toThrow(refused(cause));
  });

  it.each<[Partial<Clip>, RegExp]>([
    [{ times: new Float64Array(0) }, /no frames/],
    [{ times: Float64Array.of(0, nan) }, /time of frame 1 does not increase/],
    [{ transforms: identity34(3) }, /36 transform numbers \(expected 48\)/],
    [{ transforms: having(clip.transforms, 1, nan) }, /a transform is not finite/],
    [{ locals: new Float32Array(20) }, /20 local pose numbers \(expected 40\)/],
    [{ locals: new Float32Array(40).fill(nan) }, /a local pose is not finite/],
    [{ morphWeights: new Float32Array(2) }, /2 morph weights \(expected 0\)/],
  ])('refuses clip %#', (broken, cause) => {
    expect(() => validateClip({ ...clip, ...broken }, 2)).toThrow(refused(cause));
  });
});

describe('validateWeights and validateModel', () => {
  it('take sound ones', () => expect(() => validateModel(model)).not.toThrow());

  it.each<[Partial<SkinWeights>, RegExp]>([
    [{ influences: 1.5 }, /1.5 influences/],
    [{ joints: new Uint16Array(7) }, /7 joints \(expected 8\)/],
    [{ weights: new Float32Array(7) }, /7 weights \(expected 8\)/],
    [{ weights: having(weights.weights, 0, nan) }, /vertex 0 has weight NaN/],
    [{ weights: having(weights.weights, 3, -0.25) }, /vertex 1 has weight -0.25/],
    [{ weights: having(having(weights.weights, 4, 0), 5, 1) }, /vertex 2: weights are not sorted/],
    [{ weights: having(weights.weights, 6, 0.99) }, /weights of vertex 3 sum to 0.99/],
    [{ joints: having(weights.joints, 1, 2) }, /vertex 0 follows bone 2 \(expected < 2\)/],
  ])('refuses weights %#', (broken, cause) => {
    expect(() => validateWeights({ ...weights, ...broken }, 4, 2)).toThrow(refused(cause));
  });

  it.each<[Partial<SkinnedModel>, RegExp]>([
    [{ morphs: [{ name: 'smile', positions: new Float32Array(9) }] }, /morph "smile" \(got 9 numbers, expected 12/],
    [{ morphs: [{ name: 'smile', positions: new Float32Array(12).fill(nan) }] }, /expected 12 finite ones/],
    [{ operator: 'mix' }, /operator mix without mix weights/],
    [{ operator: 'mix', mixWeights: new Float32Array(3) }, /mix weights \(got 3, expected 4/],
    [{ clips: [{ ...clip, transforms: identity34(2) }] }, /clip "still": 24 transform numbers/],
    [{ mesh: { ...mesh, uvs: new Float32Array(2) } }, /2 uv numbers/],
  ])('refuses model %#', (broken, cause) => {
    expect(() => validateModel({ ...model, ...broken })).toThrow(refused(cause));
  });
});
