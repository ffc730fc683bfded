import { boneGroups } from '../../src/light/bone-groups.ts';
import { storePoses } from '../../src/light/pose-features.ts';
import { seededRandom } from '../../src/math/rng.ts';
import type { LightModel, LightModes } from '../../src/model/light.ts';
import { lightHashes } from '../../src/model/light-hashes.ts';
import type { SampledVectors } from '../../src/model/light-samples.ts';
import type { SkinnedModel } from '../../src/model/skinned-model.ts';
import { restClip } from '../../src/skin/poses.ts';

/** The same with samples of poses in place of a residual. */
export function anySamples(model: SkinnedModel, seed = 1): LightModel {
  const { residual, ...light } = anyLight(model, seed);
  const random = seededRandom(seed);
  const { diffuse: _, visibility: __, ...posed } = residual!;
  const n = posed.groupOf.length;
  const groups = 2;
  const vectors = (bases: number, clusters: number, size: number): SampledVectors => ({
    bases,
    basis: Float32Array.from({ length: clusters * bases * size }, random),
    memberOf: Uint32Array.from({ length: n * groups }, () => clusters * random()),
    coefficients: Int16Array.from({ length: n * posed.poses.count * bases }, () => 65535 * random() - 32768),
    scales: Float32Array.from({ length: clusters * bases }, random),
  });
  const viewMap = Float32Array.from({ length: 4096 }, random);
  return {
    ...light,
    samples: {
      method: 'paper',
      ...posed,
      groups,
      clusterOf: Uint16Array.from({ length: posed.bones.length * posed.poses.count }, (_, at) => at % groups),
      diffuse: vectors(3, 5, 4),
      visibility: vectors(2, 3, 4),
      gloss: { brdf: 'phong', parameter: 32, viewMap, vectors: vectors(4, 2, 16) },
    },
  };
}

/** Light with any numbers in all that a file stores. */
export function anyLight(model: SkinnedModel, seed = 1): LightModel {
  const random = seededRandom(seed);
  const floats = (length: number) => Float32Array.from({ length }, () => random());
  const groups = boneGroups(model);
  const [order, modes, size] = [2, 3, 4];
  const g = groups.bones.length;
  const n = groups.groupOf.length;
  const rest = restClip(model.skeleton, 'rest').transforms;
  const poses = storePoses(groups, [rest, rest]);
  const modesOf = (): LightModes => ({
    modes,
    mean: Int8Array.from({ length: n * size }, () => 255 * random() - 128),
    meanScales: floats(g * size),
    basis: Int8Array.from({ length: n * modes * size }, () => 255 * random() - 128),
    basisScales: floats(g * modes),
    coefficients: Int16Array.from({ length: g * modes * poses.count }, () => 65535 * random() - 32768),
    coefficientScales: floats(g * modes),
  });
  const bone = groups.bones[g - 1];
  return {
    order,
    bounces: 2,
    albedo: [0.5, 0.25, 0.125],
    operator: model.operator,
    spheres: {
      count: 2,
      centres: floats(6),
      radii: floats(2).map((r) => r + 0.1),
      opacities: floats(2),
      joints: Uint16Array.of(bone, bone, bone, bone, bone, bone, bone, bone),
      weights: Float32Array.of(0.5, 0.25, 0.25, 0, 1, 0, 0, 0),
    },
    bounceFactors: floats(25),
    residual: { ...groups, poses, diffuse: modesOf(), visibility: modesOf() },
    hashes: lightHashes(model),
    made: { clips: ['walk'], poses: 2, rays: 64, seed: 3 },
    ...(model.morphs && { sphereMorphs: floats(8 * model.morphs.length) }),
  };
}
