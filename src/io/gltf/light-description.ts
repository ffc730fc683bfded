import { PliantError } from '../../error.ts';
import type { LightModel, LightModes, LightResidual, LightSpheres } from '../../model/light.ts';
import type { LightGroups } from '../../model/light-poses.ts';
import type { LightSamples, SampledGloss, SampledVectors } from '../../model/light-samples.ts';
import type { SkinOperator } from '../../model/skin-operator.ts';

/** Since 3, spheres shrink near tangent planes (light/base-twin.ts): older residuals are of other spheres. */
export const LIGHT_VERSION = 3;

/**
 * `PLIANT_light`, an extension of primitives: how light falls on a skinned mesh (model/light.ts). Players that do not know
 * it show the mesh. Every primitive of a mesh has the same description, but for `rows`:
 *
 *   { version, order, bounces, albedo, operator, hashes, made?, place?, diagonal?, step?, samples?, accessors: { rows?, … } }
 *
 * Numbers are in accessors of scalars: int8 and int16 with scales as in model/light.ts, per row; `rows` says which row a
 * vertex of the primitive has, absent where vertex i has row i. Bones are joints of the node's skin. Everything is in the
 * space where the mesh stands at rest: `place` (3 × 4, row-major) takes the stored mesh there, absent where it already does.
 */
export interface LightDescription {
  version: typeof LIGHT_VERSION;
  order: number;
  bounces: number;
  albedo: readonly [number, number, number];
  operator: SkinOperator;
  hashes: LightModel['hashes'];
  made?: LightModel['made'];
  place?: number[];
  diagonal?: number;
  step?: number;
  samples?: Pick<LightSamples, 'method' | 'groups'> & { gloss?: Pick<SampledGloss, 'brdf' | 'parameter'> };
  accessors: Record<string, number>;
}

/** What to say of light that could not be read. */
export const notReadCode = (error: unknown): 'light-outdated' | 'light-not-read' =>
  error instanceof PliantError && error.code === 'unsupported' ? 'light-outdated' : 'light-not-read';

export const MODE_ARRAYS = [
  'mean',
  'meanScales',
  'basis',
  'basisScales',
  'coefficients',
  'coefficientScales',
] as const satisfies (keyof LightModes)[];

export const SAMPLE_ARRAYS = ['basis', 'coefficients', 'scales'] as const satisfies (keyof SampledVectors)[];

/** Numbers of an accessor. */
type Stored = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** Light as a file has it: `groupOf`, modes and samples by rows, bones as joints of the skin. `accessor` gives copies or the file's own. */
export function describedLight(description: LightDescription, accessor: (index: number) => unknown): LightModel {
  const { version, order, bounces, albedo, operator, hashes, made, accessors, diagonal, step, samples } = description;
  const fail = (cause: string): never => {
    throw new PliantError('bad-file', 'readLight', cause);
  };
  if (version !== LIGHT_VERSION) {
    const cause = `light of version ${version} (expected ${LIGHT_VERSION}: bake it again)`;
    throw new PliantError('unsupported', 'readLight', cause);
  }
  const stored = <T extends Stored>(key: string, Type: new (length: number) => T): T => {
    if (accessors[key] === undefined) return new Type(0);
    const array = accessor(accessors[key]);
    return array instanceof Type ? (array.slice() as T) : fail(`${key} of another type`);
  };
  const numbers = (key: string) => stored(key, Float32Array);
  const radii = numbers('radii');
  const spheres: LightSpheres = {
    count: radii.length,
    centres: numbers('centres'),
    radii,
    opacities: numbers('opacities'),
    joints: stored('joints', Uint16Array),
    weights: numbers('weights'),
  };
  const light: LightModel = {
    order,
    bounces,
    albedo,
    operator,
    spheres,
    bounceFactors: numbers('bounceFactors'),
    hashes: { mesh: String(hashes.mesh), weights: String(hashes.weights) },
    ...(made && { made: { clips: made.clips, poses: made.poses, rays: made.rays, seed: made.seed } }),
    ...(accessors.sphereMorphs !== undefined && { sphereMorphs: numbers('sphereMorphs') }),
  };
  if (accessors.groupOf === undefined) return light;
  const bones = stored('bones', Uint16Array);
  const modesOf = (which: 'diffuse' | 'visibility'): LightModes => {
    const coefficientScales = numbers(`${which}.coefficientScales`);
    return {
      modes: coefficientScales.length / Math.max(1, bones.length),
      mean: stored(`${which}.mean`, Int8Array),
      meanScales: numbers(`${which}.meanScales`),
      basis: stored(`${which}.basis`, Int8Array),
      basisScales: numbers(`${which}.basisScales`),
      coefficients: stored(`${which}.coefficients`, Int16Array),
      coefficientScales,
    };
  };
  const poseCentroids = stored('poseCentroids', Int16Array);
  const groups: LightGroups = {
    bones,
    groupOf: Uint16Array.from(accessor(accessors.groupOf) as Uint8Array),
    centroids: numbers('centroids'),
    diagonal: Number(diagonal),
    poses: {
      count: poseCentroids.length / (3 * bones.length),
      centroids: poseCentroids,
      step: Number(step),
      rotations: stored('poseRotations', Int16Array),
    },
  };
  if (samples) {
    const vectorsOf = (which: string): SampledVectors => {
      const coefficients = stored(`${which}.coefficients`, Int16Array);
      return {
        bases: coefficients.length / (groups.groupOf.length * groups.poses.count),
        basis: numbers(`${which}.basis`),
        memberOf: Uint32Array.from(accessor(accessors[`${which}.memberOf`]) as Uint16Array),
        coefficients,
        scales: numbers(`${which}.scales`),
      };
    };
    const { method, gloss } = samples;
    const read: LightSamples = {
      method,
      ...groups,
      groups: samples.groups,
      clusterOf: stored('clusterOf', Uint16Array),
      diffuse: vectorsOf('diffuse'),
      ...(accessors['visibility.basis'] !== undefined && { visibility: vectorsOf('visibility') }),
    };
    if (gloss) {
      const { brdf, parameter } = gloss;
      read.gloss = { brdf, parameter, viewMap: numbers('gloss.viewMap'), vectors: vectorsOf('gloss') };
    }
    return { ...light, samples: read };
  }
  const residual: LightResidual = { ...groups, diffuse: modesOf('diffuse') };
  if (accessors['visibility.mean'] !== undefined) residual.visibility = modesOf('visibility');
  return { ...light, residual };
}
