import { describe, expect, it } from 'vitest';
import { identity34 } from '../../src/math/matrix34.ts';
import { type Mesh, validateMesh } from '../../src/model/mesh.ts';
import { type MeshSequence, memorySequence, validateSequence } from '../../src/model/sequence.ts';
import { type Clip, type Skeleton, validateClip, validateSkeleton } from '../../src/model/skeleton.ts';
import { type SkinnedModel, type SkinWeights, validateModel, validateWeights } from '../../src/model/skinned-model.ts';
import { type Refusal, refusal } from '../refusal.ts';

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
const refused = (facts: Refusal) => refusal('bad-input', facts);

describe('validateMesh', () => {
  it('takes a sound mesh', () => expect(() => validateMesh(mesh)).not.toThrow());

  it.each<[Partial<Mesh>, Refusal]>([
    [{ positions: new Float32Array(11) }, { values: [11] }],
    [{ triangles: new Uint32Array(5) }, { values: [5] }],
    [{ positions: having(mesh.positions, 4, nan) }, { values: [1, 'NaN'] }],
    [{ triangles: having(mesh.triangles, 5, 4) }, { values: [1, 4, 4] }],
    [{ normals: new Float32Array(12) }, { values: [12, 18] }],
    [{ normals: having(mesh.normals!, 7, nan) }, { values: [2] }],
    [{ uvs: new Float32Array(8) }, { values: [8, 12] }],
    [{ uvs: having(mesh.uvs!, 11, Infinity) }, { values: [5] }],
    [{ seams: { ...mesh.seams!, triangles: new Uint32Array(3) } }, { values: [3, 6] }],
    [{ seams: { ...mesh.seams!, vertexOf: having(mesh.seams!.vertexOf, 0, 4) } }, { values: ['split vertex'] }],
    [{ seams: { ...mesh.seams!, vertexOf: having(mesh.seams!.vertexOf, 0, 3) } }, { values: [0, 0] }],
    [{ seams: { ...mesh.seams!, triangles: having(mesh.seams!.triangles, 1, 6) } }, { values: [1, 6] }],
    [{ groups: [{ name: 'b', start: 1, count: 1 }] }, { values: ['b', 1, 0] }],
    [{ groups: [{ name: 'a', start: 0, count: 1 }] }, { values: [1, 2] }],
    [{ groups: [{ name: 'a', start: 0, count: 2, material: 1 }] }, { values: [1, 1] }],
  ])('refuses %#', (broken, facts) => {
    expect(() => validateMesh({ ...mesh, ...broken })).toThrow(refused(facts));
  });
});

describe('validateSequence', () => {
  const frames = [mesh.positions, mesh.positions];
  const sequence = memorySequence('walk', mesh, frames);

  it('takes a sound sequence', () => expect(validateSequence(sequence)).resolves.toBeUndefined());

  it.each<[Partial<MeshSequence>, Refusal]>([
    [{ frameCount: 0 }, { values: ['walk', 'frames'] }],
    [{ times: Float64Array.of(0) }, { values: [1, 2] }],
    [{ times: Float64Array.of(1, 1) }, { values: [1] }],
    [{ readFrame: async () => new Float32Array(9) }, { values: [0, 3, 4] }],
    [{ readFrame: async () => having(mesh.positions, 3, nan) }, { values: [0, 1, 'NaN'] }],
    [{ rest: { ...mesh, triangles: new Uint32Array(1) } }, { values: [1] }],
  ])('refuses %#', async (broken, facts) => {
    await expect(validateSequence({ ...sequence, ...broken })).rejects.toThrow(refused(facts));
  });
});

describe('validateSkeleton and validateClip', () => {
  it('take sound ones', () => {
    expect(() => validateSkeleton(skeleton)).not.toThrow();
    expect(() => validateClip({ ...clip, morphWeights: new Float32Array(6) }, 2, 'test', 3)).not.toThrow();
  });

  it.each<[Partial<Skeleton>, Refusal]>([
    [{ names: ['root'] }, { values: [1, 2] }],
    [{ restLocals: new Float32Array(10) }, { values: [10, 20] }],
    [{ inverseBind: identity34(1) }, { values: [12, 24] }],
    [{ parents: Int32Array.of(-1, 1) }, { values: [1, 1] }],
    [{ parents: Int32Array.of(-2, 0) }, { values: [0, -2] }],
    [{ restLocals: having(skeleton.restLocals, 0, nan) }, { values: ['rest'] }],
    [{ inverseBind: having(skeleton.inverseBind, 0, nan) }, { values: ['inverse bind'] }],
  ])('refuses skeleton %#', (broken, facts) => {
    expect(() => validateSkeleton({ ...skeleton, ...broken })).toThrow(refused(facts));
  });

  it.each<[Partial<Clip>, Refusal]>([
    [{ times: new Float64Array(0) }, { values: ['frames'] }],
    [{ times: Float64Array.of(0, nan) }, { values: [1] }],
    [{ transforms: identity34(3) }, { values: [36, 48] }],
    [{ transforms: having(clip.transforms, 1, nan) }, { values: ['transform'] }],
    [{ locals: new Float32Array(20) }, { values: [20, 40] }],
    [{ locals: new Float32Array(40).fill(nan) }, { values: ['local'] }],
    [{ morphWeights: new Float32Array(2) }, { values: [2, 0] }],
  ])('refuses clip %#', (broken, facts) => {
    expect(() => validateClip({ ...clip, ...broken }, 2)).toThrow(refused(facts));
  });
});

describe('validateWeights and validateModel', () => {
  it('take sound ones', () => expect(() => validateModel(model)).not.toThrow());

  it.each<[Partial<SkinWeights>, Refusal]>([
    [{ influences: 1.5 }, { values: [1.5] }],
    [{ joints: new Uint16Array(7) }, { values: [7, 8] }],
    [{ weights: new Float32Array(7) }, { values: [7, 8] }],
    [{ weights: having(weights.weights, 0, nan) }, { values: [0, 'NaN'] }],
    [{ weights: having(weights.weights, 3, -0.25) }, { values: [1, -0.25] }],
    [{ weights: having(having(weights.weights, 4, 0), 5, 1) }, { values: [2] }],
    [{ weights: having(weights.weights, 6, 0.99) }, { values: [3, '0.99'] }],
    [{ joints: having(weights.joints, 1, 2) }, { values: [0, 2, 2] }],
  ])('refuses weights %#', (broken, facts) => {
    expect(() => validateWeights({ ...weights, ...broken }, 4, 2)).toThrow(refused(facts));
  });

  it.each<[Partial<SkinnedModel>, Refusal]>([
    [{ morphs: [{ name: 'smile', positions: new Float32Array(9) }] }, { values: ['smile', 9, 12] }],
    [{ morphs: [{ name: 'smile', positions: new Float32Array(12).fill(nan) }] }, { values: [12] }],
    [{ operator: 'mix' }, { values: ['mix weights'] }],
    [{ operator: 'mix', mixWeights: new Float32Array(3) }, { values: [3, 4] }],
    [{ clips: [{ ...clip, transforms: identity34(2) }] }, { values: ['still', 24] }],
    [{ mesh: { ...mesh, uvs: new Float32Array(2) } }, { values: [2] }],
  ])('refuses model %#', (broken, facts) => {
    expect(() => validateModel({ ...model, ...broken })).toThrow(refused(facts));
  });
});
