import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { type LightModel, validateLight } from '../../src/model/light.ts';

const N = 3;
const B = 2;

function light(): LightModel {
  return {
    order: 2,
    bounces: 2,
    albedo: [0.6, 0.6, 0.6],
    operator: 'lbs',
    spheres: {
      count: 1,
      centres: Float32Array.of(0, 1, 0),
      radii: Float32Array.of(0.5),
      opacities: Float32Array.of(1),
      joints: Uint16Array.of(1, 0, 0, 0),
      weights: Float32Array.of(0.75, 0.25, 0, 0),
    },
    bounceFactors: new Float32Array(25),
    residual: {
      bones: Uint16Array.of(0, 1),
      groupOf: Uint16Array.of(0, 1, 1),
      centroids: new Float32Array(6),
      diagonal: 2,
      poses: { count: 2, centroids: new Int16Array(12), step: 1, rotations: new Int16Array(16) },
      diffuse: {
        modes: 1,
        mean: new Int8Array(12),
        meanScales: new Float32Array(8),
        basis: new Int8Array(12),
        basisScales: new Float32Array(2),
        coefficients: new Int16Array(4),
        coefficientScales: new Float32Array(2),
      },
    },
    hashes: { mesh: 'a', weights: 'b' },
  };
}

/** The same with samples in place of the residual. */
function sampled(): LightModel {
  const { residual, ...rest } = light();
  const { diffuse: _, visibility: __, ...posed } = residual!;
  return {
    ...rest,
    samples: {
      method: 'paper',
      ...posed,
      groups: 1,
      clusterOf: new Uint16Array(4),
      diffuse: {
        bases: 2,
        basis: new Float32Array(16),
        memberOf: Uint32Array.of(0, 1, 1),
        coefficients: new Int16Array(12),
        scales: new Float32Array(4),
      },
    },
  };
}

describe('light of a model', () => {
  it('takes what keeps the contract', () => {
    expect(() => validateLight(light(), N, B)).not.toThrow();
  });

  it.each<[string, (of: LightModel) => void]>([
    ['an order beyond 6', (of) => void (of.order = 7)],
    ['an operator nobody knows', (of) => void (of.operator = 'magic' as 'lbs')],
    ['a radius of 0', (of) => void of.spheres.radii.fill(0)],
    ['a sphere of a bone that does not exist', (of) => void (of.spheres.joints[0] = B)],
    ['weights of a sphere that do not sum to 1', (of) => void (of.spheres.weights[0] = 0.5)],
    ['opacities beyond 1', (of) => void of.spheres.opacities.fill(2)],
    ['factors that are not finite', (of) => void of.bounceFactors.fill(NaN)],
    ['vertices of another mesh', (of) => void (of.residual!.groupOf = new Uint16Array(N + 1))],
    ['a bone twice', (of) => void of.residual!.bones.fill(of.residual!.bones[0])],
    ['modes of another order', (of) => void (of.order = 3)],
    ['too few coefficients', (of) => void (of.residual!.diffuse.coefficients = new Int16Array(3))],
    ['too few rotations', (of) => void (of.residual!.poses.rotations = new Int16Array(4))],
  ])('refuses %s', (_, spoil) => {
    const spoilt = light();
    spoil(spoilt);
    expect(() => validateLight(spoilt, N, B)).toThrow(PliantError);
  });

  it('takes samples that keep the contract', () => {
    expect(() => validateLight(sampled(), N, B)).not.toThrow();
  });

  it.each<[string, (of: LightModel) => void]>([
    ['a method nobody knows', (of) => void (of.samples!.method = 'magic' as 'paper')],
    ['no groups', (of) => void (of.samples!.groups = 0)],
    ['a group that does not exist', (of) => void of.samples!.clusterOf.fill(1)],
    ['a cluster that does not exist', (of) => void of.samples!.diffuse.memberOf.fill(2)],
    ['more bases than numbers', (of) => void (of.samples!.diffuse.bases = 5)],
    ['bases of another order', (of) => void (of.order = 3)],
    ['too few coefficients', (of) => void (of.samples!.diffuse.coefficients = new Int16Array(3))],
    ['scales that are not finite', (of) => void of.samples!.diffuse.scales.fill(NaN)],
    ['vertices of another mesh', (of) => void (of.samples!.groupOf = new Uint16Array(N + 1))],
  ])('refuses samples with %s', (_, spoil) => {
    const spoilt = sampled();
    spoil(spoilt);
    expect(() => validateLight(spoilt, N, B)).toThrow(PliantError);
  });
});
