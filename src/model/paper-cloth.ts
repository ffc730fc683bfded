import { firstNonFinite } from './mesh.ts';
import { type SkinWeights, validateWeights } from './skinned-model.ts';

/**
 * The deformation transformer of Feng 2010, chapter 3, trained for one coarse mesh (V vertices, T triangles, H pairs of
 * neighbouring triangles) and one fine mesh (N vertices). B patches, L clusters of q shapes each, E examples. Plain data;
 * `PaperUpsampler` runs it.
 */
export interface PaperModel {
  /** Patches → fine vertices. */
  weights: SkinWeights;
  /** B·12: coarse triangles that turn a patch, and how much each counts. */
  turning: { triangles: Uint32Array; weights: Float32Array };
  /** What Θ̇ is multiplied by to vary as Θ does, s. */
  velocityScale: number;
  /** The polynomial of degree 3 on d = 2H inputs, angles and their velocities: as `Kernel` in predictor.ts. */
  kernel: {
    mean: Float32Array;
    scale: number;
    points: Float32Array;
    rowMeans: Float32Array;
    grandMean: number;
    diagonal: number;
  };
  /** 3B + L·q: the mean of residual rotations, as vectors, and of coefficients. */
  mean: Float32Array;
  /** E × (3B + L·q): M of all patches and clusters; targets = mean + Mᵀξ. */
  operator: Float32Array;
  /** n_c fine vertices whose places the coarse mesh gives. */
  anchors: Uint32Array;
  /** B × n_c, B × B, and of B × 3B what is not 0: as `TranslationSolve` in predictor.ts. */
  translations: { pull: Float32Array; hold: Float32Array; turn: { at: Uint32Array; values: Float32Array } };
  /** N: vertex → cluster. */
  clusterOf: Uint16Array;
  /** 3N: ū, and 3N × q: V, whose unit is in the coefficients. */
  detail: { mean: Float32Array; basis: Int16Array };
}

/** Coarse triangles that turn a patch. */
export const TURNING_TRIANGLES = 12;

/** Holds a model to its meshes: `require` throws where something is wrong. */
export function checkPaperModel(
  model: unknown,
  { vertices, coarseTriangles }: { vertices: number; coarseTriangles: number },
  operation: string,
  require: (holds: boolean, what: string) => void,
): void {
  const p = model as PaperModel;
  const floats = (value: unknown, length: number, what: string): void =>
    require(value instanceof Float32Array && value.length === length && firstNonFinite(value) < 0, what);
  const indices = (value: unknown, below: number, what: string): void =>
    require(value instanceof Uint32Array && value.every((i) => i < below), what);
  const finite = (value: unknown): boolean => Number.isFinite(value);

  require(typeof p === 'object' && p !== null && typeof p.translations === 'object', 'paper');
  const bones = Math.sqrt(p.translations.hold?.length ?? 0);
  require(Number.isInteger(bones) && bones > 0 && bones <= 65_536, 'translations');
  require(p.weights?.joints instanceof Uint16Array && p.weights.weights instanceof Float32Array, 'weights');
  validateWeights(p.weights, vertices, bones, operation);

  indices(p.turning?.triangles, coarseTriangles, 'triangles of patches');
  require(p.turning.triangles.length === TURNING_TRIANGLES * bones, 'triangles of patches');
  floats(p.turning.weights, TURNING_TRIANGLES * bones, 'triangles of patches');

  require(finite(p.velocityScale) && p.velocityScale >= 0, 'velocities');
  require(p.kernel?.mean instanceof Float32Array && p.kernel.rowMeans instanceof Float32Array, 'kernel');
  const { length: inputs } = p.kernel.mean;
  const { length: examples } = p.kernel.rowMeans;
  require(inputs > 0 && examples > 0, 'kernel');
  floats(p.kernel.mean, inputs, 'kernel');
  floats(p.kernel.rowMeans, examples, 'kernel');
  floats(p.kernel.points, examples * inputs, 'examples');
  require(p.kernel.scale > 0 && p.kernel.diagonal > 0 && finite(p.kernel.grandMean), 'scale of the kernel');
  require(finite(p.kernel.scale) && finite(p.kernel.diagonal), 'scale of the kernel');

  require(p.clusterOf instanceof Uint16Array && p.clusterOf.length === vertices, 'clusters');
  const clusters = p.clusterOf.reduce((most, c) => Math.max(most, c), 0) + 1;
  floats(p.detail?.mean, 3 * vertices, 'detail');
  const { basis } = p.detail;
  require(basis instanceof Int16Array && basis.length % (3 * vertices) === 0, 'detail');
  const width = 3 * bones + (clusters * basis.length) / (3 * vertices);
  floats(p.mean, width, 'mean of targets');
  floats(p.operator, examples * width, 'operator');

  indices(p.anchors, vertices, 'anchors');
  const { pull, hold, turn } = p.translations;
  require(p.anchors.length > 0, 'anchors');
  floats(pull, bones * p.anchors.length, 'translations');
  floats(hold, bones * bones, 'translations');
  indices(turn?.at, 3 * bones * bones, 'translations');
  floats(turn.values, turn.at.length, 'translations');
}
