import { PliantError } from './error.ts';
import { packData, unpackData } from './io/gltf/packed-data.ts';
import type { TileTask } from './kernels/tiles.ts';
import { type FitScene, sphereSamples } from './light/fit-base.ts';
import { type SampleEquations, sampleEquations } from './light/fit-spheres.ts';
import { requireSpheres } from './model/light.ts';
import { firstNonFinite } from './model/mesh.ts';
import { integerOption, type OptionsOf, parseOptions } from './model/options.ts';

/** A job of the task "spheres": one of the poses that spheres are fitted to. */
const JOB = { sample: integerOption(0, { min: 0, max: 65_535 }, 'which pose') } as const;

/** Spheres of a fit: its equations have 25 times their square. */
const MOST_SPHERES = 1024;

/** The equations of a fit at some parameters: 25S² and 5S numbers of 8 bytes. */
export const spheresTile: TileTask<OptionsOf<typeof JOB>> = {
  inputs: { count: 2, maxBytes: 2 ** 28 },
  version: 2,
  check: (job) => parseOptions(JOB, job, 'spheres'),

  async open([fitBytes, parameterBytes]) {
    const fit = unpackData(fitBytes) as FitScene | undefined;
    const parameters = unpackData(parameterBytes) as Float64Array;
    requireFit(fit, parameters);
    const samples = sphereSamples(fit);
    return ({ sample }) => {
      if (sample >= samples.length) throw bad(`pose ${sample} of ${samples.length}`);
      const { matrix, gradient } = sampleEquations(fit.spheres, parameters, samples[sample]);
      const numbers = new Float64Array(matrix.length + gradient.length);
      numbers.set(matrix);
      numbers.set(gradient, matrix.length);
      return new Uint8Array(numbers.buffer);
    };
  },
};

/** The inputs of the task, as blobs. */
export const packFit = (fit: FitScene): Uint8Array => packData(fit);
export const packParameters = (parameters: Float64Array): Uint8Array => packData(parameters);

/** A tile as equations of so many parameters. */
export function equationsOf(bytes: Uint8Array, parameters: number): SampleEquations {
  if (bytes.length !== 8 * parameters * (parameters + 1)) throw bad(`${bytes.length} bytes of equations`);
  const numbers = new Float64Array(bytes.slice().buffer);
  return { matrix: numbers.subarray(0, parameters ** 2), gradient: numbers.subarray(parameters ** 2) };
}

/** What came from elsewhere is looked at before anything is computed of it. */
function requireFit(fit: FitScene | undefined, parameters: unknown): asserts fit is FitScene {
  const require = (holds: boolean, what: string) => {
    if (!holds) throw bad(`invalid ${what}`);
  };
  require(typeof fit === 'object' && Array.isArray(fit?.witnesses) && Array.isArray(fit?.morphs), 'blobs');
  const { spheres, morphs, order, directions, bounceFactors, groups, witnesses } = fit!;
  require(Number.isInteger(order) && order >= 1 && order <= 6, 'order');
  require(Number.isInteger(directions) && directions >= 4 && directions <= 4096, 'directions');
  require(spheres?.count <= MOST_SPHERES, 'number of spheres');
  require(parameters instanceof Float64Array && parameters.length === 5 * spheres.count, 'parameters');
  const isOf = (
    array: Float32Array | Float64Array,
    length: number,
    type: typeof Float32Array | typeof Float64Array = Float32Array,
  ) => array instanceof type && array.length === length && firstNonFinite(array) < 0;
  require(isOf(bounceFactors, 25), 'bounces');
  require(morphs.every((moved) => isOf(moved, 4 * spheres.count)), 'morphs');
  for (const { positions, normals, groupOf, frames, transforms, morphWeights, truth } of witnesses) {
    const count = groupOf?.length;
    require(groupOf instanceof Uint32Array && groupOf.every((group) => group < groups), 'bones of vertices');
    require(isOf(positions, 3 * count) && isOf(normals, 3 * count) && isOf(truth, order ** 2 * count), 'vertices');
    require(isOf(frames, 9 * groups, Float64Array) &&
      isOf(transforms, 12 * Math.floor(transforms?.length / 12)), 'bones');
    require(isOf(morphWeights, morphs.length), 'weights of morphs');
    requireSpheres(require, spheres, transforms.length / 12);
  }
}

const bad = (cause: string): PliantError => new PliantError('bad-option', 'spheres', cause);
