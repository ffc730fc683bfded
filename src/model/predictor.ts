import { PliantError } from '../error.ts';
import { firstNonFinite, type Mesh, validateMesh, vertexCount } from './mesh.ts';
import { type SkinWeights, validateWeights } from './skinned-model.ts';

/**
 * What `learn` makes of examples (Feng 2010, chapter 2): n_c control points in, a deformed surface out. Plain data, so
 * that it can be kept in a file; `SurfaceDriver` runs it. E examples, B bones, N vertices, m numbers per bone.
 */
export interface Predictor {
  name: string;
  mesh: Mesh;
  weights: SkinWeights;
  /** 3B: the bones' centroids in the rest pose. */
  centroids: Float64Array;
  /** n_c vertices. */
  points: Uint32Array;
  /** n_c different ones: what people call the control points, see `pointNames`. */
  names?: string[];
  /** 3n_c: 1 where a control point's coordinate steers, 0 where it is free. */
  axes: Uint8Array;
  kernel: Kernel;
  target: Target;
  /** B·m: the mean of the examples' targets. */
  mean: Float64Array;
  /** E × (B·m): M, all bones beside each other; targets = mean + Mᵀξ. */
  operator: Float64Array;
  translations: TranslationSolve;
  residual?: Residual;
  /** The largest distance of an example from their mean, in units of the kernel's scale: how far experience reaches. */
  reach: number;
  /** How far along each direction of the examples motions are carried on, as a multiple of their extent; without end if absent. */
  limit?: number;
  /** N: the most that an edge at each vertex was stretched in an example, against the rest pose; at least 1. */
  stretch?: Float32Array;
}

/** n_c: what the control points are called; those that were given no names are counted from 1. */
export const pointNames = ({ names, points }: Predictor): string[] =>
  names ?? Array.from(points, (_, l) => `point ${l + 1}`);

export const KERNELS = ['linear-gaussian', 'gaussian', 'polynomial', 'linear'] as const;
/** The kernel of the regression. Predictors have one of the first four; cloth has the polynomial of degree 3. */
export type KernelName = (typeof KERNELS)[number] | 'cubic';

/** Everything that evaluating a kernel against the examples needs. d coordinates steer. */
export interface Kernel {
  name: KernelName;
  /** d: the mean of the examples. */
  mean: Float64Array;
  /** s₀, the root mean square distance of the examples from it, times the width of the kernel. */
  scale: number;
  /** E × d: the examples, centred and scaled. */
  points: Float64Array;
  /** E: mean of each row of the raw kernel matrix; and the mean of all. */
  rowMeans: Float64Array;
  grandMean: number;
  /** Mean diagonal of the centred matrix. */
  diagonal: number;
}

/** What is predicted for a bone: rotation and centroid, 7 numbers, or a dual quaternion, 8. */
export const TARGETS = ['centroid', 'dual-quaternion'] as const;
/** What the regression predicts of a rotation. */
export type Target = (typeof TARGETS)[number];

export const TRANSLATIONS = ['predicted', 'poisson', 'control-points'] as const;
/** How translations are predicted. */
export type TranslationMode = (typeof TRANSLATIONS)[number];

/** The precomputed operators that give bones their translations. */
export interface TranslationSolve {
  mode: TranslationMode;
  /** B × n_c: what the control points contribute; empty for `predicted`. */
  pull: Float64Array;
  /** `poisson`: B × 3B, mostly zeros: what rotations add to predicted translations; column 3b + s multiplies column s of R_b. */
  turn?: Float64Array;
  /** `poisson`: B × B, multiplies the sum of both. */
  hold?: Float64Array;
}

/** What the bones cannot express, in the local frames of the vertices, as a few shapes. */
export interface Residual {
  /** 3N: the mean over the examples. */
  mean: Float32Array;
  /** r × 3N. */
  shapes: Float32Array;
  /** E × r: the shapes' weights are ξᵀ·blend. */
  blend: Float64Array;
}

/** Numbers that are predicted per bone. */
export const targetSize = (target: Target): number => (target === 'centroid' ? 7 : 8);

/** Throws `bad-input` where something is not a predictor, or one that contradicts itself. */
export function validatePredictor(data: unknown, operation = 'validatePredictor'): Predictor {
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new PliantError('bad-input', operation, `not a predictor: invalid ${what}`);
  };
  require(typeof data === 'object' && data !== null, 'data');
  const p = data as Predictor;
  const floats = (value: unknown, length: number, what: string): void =>
    require(value instanceof Float64Array && value.length === length && firstNonFinite(value) < 0, what);

  require(typeof p.name === 'string', 'name');
  require(p.mesh?.positions instanceof Float32Array && p.mesh.triangles instanceof Uint32Array, 'mesh');
  validateMesh(p.mesh, operation);
  const n = vertexCount(p.mesh);
  require(p.centroids instanceof Float64Array && p.centroids.length > 0 && p.centroids.length % 3 === 0, 'centroids');
  const bones = p.centroids.length / 3;
  floats(p.centroids, 3 * bones, 'centroids');
  require(p.weights?.joints instanceof Uint16Array && p.weights.weights instanceof Float32Array, 'weights');
  validateWeights(p.weights, n, bones, operation);

  require(p.points instanceof Uint32Array && p.points.length > 0 && p.points.every((i) => i < n), 'control points');
  const coordinates = 3 * p.points.length;
  const axesFit = p.axes instanceof Uint8Array && p.axes.length === coordinates && p.axes.every((a) => a <= 1);
  require(axesFit && p.axes.includes(1), 'axes of control points');
  const steering = p.axes.reduce((sum, a) => sum + a, 0);

  require((KERNELS as readonly KernelName[]).includes(p.kernel?.name), 'kernel');
  floats(p.kernel.mean, steering, 'mean of inputs');
  require(p.kernel.rowMeans instanceof Float64Array && p.kernel.rowMeans.length > 0, 'kernel');
  const examples = p.kernel.rowMeans.length;
  floats(p.kernel.rowMeans, examples, 'kernel');
  floats(p.kernel.points, examples * steering, 'examples');
  const positive = (value: unknown): boolean => Number.isFinite(value) && (value as number) > 0;
  require(positive(p.kernel.scale) &&
    positive(p.kernel.diagonal) &&
    Number.isFinite(p.kernel.grandMean), 'scale of the kernel');

  require(TARGETS.includes(p.target), 'target');
  const width = bones * targetSize(p.target);
  floats(p.mean, width, 'mean of targets');
  floats(p.operator, examples * width, 'operator');
  require(TRANSLATIONS.includes(p.translations?.mode), 'translations');
  const { mode, pull, turn, hold } = p.translations;
  floats(pull, mode === 'predicted' ? 0 : bones * p.points.length, 'translations');
  if (mode === 'poisson') {
    floats(turn, 3 * bones * bones, 'translations');
    floats(hold, bones * bones, 'translations');
  }
  require(positive(p.reach), 'reach');
  require(p.limit === undefined || (positive(p.limit) && p.limit >= 1), 'limit');
  require(p.stretch === undefined || isStretch(p.stretch, n), 'stretch');
  require(p.names === undefined || areNames(p.names, p.points.length), 'names of control points');
  if (p.residual) validateResidual(p.residual, n, examples, require);
  return p;
}

const isStretch = (value: unknown, n: number): boolean =>
  value instanceof Float32Array && value.length === n && value.every((x) => x >= 1 && x < Infinity);

const areNames = (value: unknown, count: number): boolean =>
  Array.isArray(value) &&
  value.every((name) => typeof name === 'string' && name !== '') &&
  value.length === count &&
  new Set(value).size === count;

function validateResidual(
  { mean, shapes, blend }: Residual,
  n: number,
  examples: number,
  require: (holds: boolean, what: string) => void,
): void {
  require(mean instanceof Float32Array && mean.length === 3 * n && firstNonFinite(mean) < 0, 'residual');
  require(shapes instanceof Float32Array && shapes.length % (3 * n) === 0 && firstNonFinite(shapes) < 0, 'residual');
  const rank = shapes.length / (3 * n);
  require(blend instanceof Float64Array && blend.length === examples * rank && firstNonFinite(blend) < 0, 'residual');
}
