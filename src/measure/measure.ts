import { PliantError } from '../error.ts';
import { gatherRows } from '../math/rows.ts';
import { sameFaces } from '../mesh/adjacency.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { isClosed } from '../mesh/inspect.ts';
import type { Figures } from '../model/figures.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { booleanOption, type OptionsOf, type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import { signedVolume, surfaceArea } from './area.ts';
import { distortionPercent, sumMotion } from './distortion.ts';
import { readCheckedFrame, requireEqualFrames } from './frames.ts';
import { matchVertices } from './match-vertices.ts';
import { compareSurfaces } from './surface-distance.ts';
import { sumVertexErrors, type VertexErrors } from './vertex-errors.ts';

/** Every figure between a sequence and its approximation; definitions in docs/notes/measures.md. */

export const MEASURE_OPTIONS = {
  surfaceDistance: booleanOption(true, 'measure the mean surface distance, which takes most of the time'),
} as const;
/** Options of `measureSequences` and `measureMeshes`. */
export type MeasureOptions = Partial<OptionsOf<typeof MEASURE_OPTIONS>> & RunOptions;

/**
 * Per cent are of the diagonal of the original's rest pose. Vertices are those of the original. The figures that compare
 * them one by one are absent when it is not known which is which.
 */
export interface SequenceErrors {
  /** Bounding-box diagonal of the original's rest pose, in its unit. */
  diagonal: number;
  /** sqrt(mean ‖v − v'‖²) over all vertices and frames, in %. */
  rmsePercent?: number;
  maxErrorPercent?: number;
  maxErrorFrame?: number;
  maxErrorVertex?: number;
  /** dE (6.1), in % of the original's motion. Also absent when the original does not move. */
  distortionPercent?: number;
  /** E_RMS (6.2), which depends on the unit. */
  rmsError?: number;
  /** E_RMS (6.2) of the animation scaled to a rest diagonal of 1. */
  rmsErrorNormalised?: number;
  /** d_avg (6.3), the mean over the frames. Absent when switched off or a mesh has no triangles. */
  surfaceDistance?: { absolute: number; percent: number };
  /** Arrays of P. */
  perFrame: {
    rmsePercent?: Float64Array;
    maxErrorPercent?: Float64Array;
    surfaceDistancePercent?: Float64Array;
    /** Square and cubic units; see `signedVolume` for open meshes. */
    originalArea: Float64Array;
    approximationArea: Float64Array;
    originalVolume: Float64Array;
    approximationVolume: Float64Array;
  };
  /** Arrays of N. */
  perVertex?: { rmsePercent: Float64Array };
}

/** Compares an approximation with the original, frame by frame. Memory is bounded by the meshes, not by the frames. */
export async function measureSequences(
  original: MeshSequence,
  approximation: MeshSequence,
  options: MeasureOptions = {},
): Promise<SequenceErrors & { report: Report }> {
  const operation = 'measure';
  const started = performance.now();
  const { surfaceDistance } = resolveOptions(MEASURE_OPTIONS, options, operation);
  const n = vertexCount(original.rest);
  const m = vertexCount(approximation.rest);
  const frames = original.frameCount;
  requireEqualFrames(operation, original, approximation);
  const diagonal = diagonalOf(original.rest.positions);
  if (!(diagonal > 0)) {
    throw new PliantError('bad-input', operation, `${original.name}: rest diagonal ${diagonal} (expected > 0)`);
  }
  if (m === 0) throw new PliantError('bad-input', operation, `${approximation.name}: no vertices`);

  const report = emptyReport(operation);
  const haveTriangles = original.rest.triangles.length > 0 && approximation.rest.triangles.length > 0;
  const surfaces = surfaceDistance && haveTriangles ? compareSurfaces(original.rest, approximation.rest) : undefined;
  const pairing = pairVertices(original.rest, approximation.rest);
  const errors = pairing === 'none' ? undefined : sumVertexErrors(n, frames);
  const motion = sumMotion(n);
  const distances = new Float64Array(frames);
  const perFrame: SequenceErrors['perFrame'] = {
    originalArea: new Float64Array(frames),
    approximationArea: new Float64Array(frames),
    originalVolume: new Float64Array(frames),
    approximationVolume: new Float64Array(frames),
  };

  const originalFrame = new Float32Array(3 * n);
  const approximationFrame = new Float32Array(3 * m);
  for (let k = 0; k < frames; k++) {
    await checkpoint(options, operation, k, frames, 'measuring');
    const a = await readCheckedFrame(operation, original, k, originalFrame);
    const b = await readCheckedFrame(operation, approximation, k, approximationFrame);
    errors?.add(k, a, typeof pairing === 'string' ? b : gatherRows(b, 3, pairing));
    motion.add(a);
    if (surfaces) distances[k] = surfaces.distance(a, b);
    perFrame.originalArea[k] = surfaceArea(a, original.rest.triangles);
    perFrame.approximationArea[k] = surfaceArea(b, approximation.rest.triangles);
    perFrame.originalVolume[k] = signedVolume(a, original.rest.triangles);
    perFrame.approximationVolume[k] = signedVolume(b, approximation.rest.triangles);
  }
  options.onProgress?.(frames, frames, 'measuring');

  const result: SequenceErrors = { diagonal, perFrame };
  if (errors) addVertexErrors(result, errors.result(), motion.squaredSum());
  if (surfaces) addSurfaceDistances(result, distances);

  const closed = { original: isClosed(original.rest), approximation: isClosed(approximation.rest) };
  report.figures = figuresOf(result, closed);
  addNotes(report, result, closed, pairing, original, approximation);
  report.seconds.measure = (performance.now() - started) / 1000;
  return { ...result, report };
}

const percentOfDiagonal =
  ({ diagonal }: SequenceErrors) =>
  (length: number): number =>
    (100 * length) / diagonal;

/** @param motion the sum of squares of the original's motion. */
function addVertexErrors(result: SequenceErrors, found: VertexErrors, motion: number): void {
  const percent = percentOfDiagonal(result);
  result.rmsePercent = percent(found.rmse);
  result.maxErrorPercent = percent(found.maxError);
  result.maxErrorFrame = found.maxErrorFrame;
  result.maxErrorVertex = found.maxErrorVertex;
  result.distortionPercent = distortionPercent(found.squaredSum, motion);
  result.rmsError = found.rmsError;
  result.rmsErrorNormalised = found.rmsError / result.diagonal;
  result.perFrame.rmsePercent = found.frameRmse.map(percent);
  result.perFrame.maxErrorPercent = found.frameMax.map(percent);
  result.perVertex = { rmsePercent: found.vertexRmse.map(percent) };
}

/** @param distances one per frame. */
function addSurfaceDistances(result: SequenceErrors, distances: Float64Array): void {
  const percent = percentOfDiagonal(result);
  const absolute = distances.reduce((sum, d) => sum + d, 0) / distances.length;
  result.surfaceDistance = { absolute, percent: percent(absolute) };
  result.perFrame.surfaceDistancePercent = distances.map(percent);
}

/** Compares two meshes at rest: a sequence of one frame, which has no motion and so no distortion. */
export async function measureMeshes(
  original: Mesh,
  approximation: Mesh,
  options: MeasureOptions = {},
): Promise<SequenceErrors & { report: Report }> {
  const still = (mesh: Mesh, fallback: string): MeshSequence =>
    memorySequence(mesh.name ?? fallback, mesh, [mesh.positions]);
  return measureSequences(still(original, 'original'), still(approximation, 'approximation'), options);
}

/** Which vertices are compared: those of equal index, vertex of the original → vertex of the approximation (N), or none. */
type Pairing = 'equal index' | 'none' | Uint32Array;

/** Equal faces have equal vertices. Points without triangles, as caches of them, are taken to be in the right order. */
function pairVertices(original: Mesh, approximation: Mesh): Pairing {
  if (vertexCount(original) !== vertexCount(approximation)) return 'none';
  if (sameFaces(original.triangles, approximation.triangles)) return 'equal index';
  return matchVertices(original, approximation) ?? 'none';
}

/** Whose surfaces bound a volume. */
interface Closed {
  original: boolean;
  approximation: boolean;
}

function figuresOf(result: SequenceErrors, closed: Closed): Figures {
  const { perFrame, surfaceDistance } = result;
  const mean = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0) / values.length;
  const figures: Figures = {
    rmsePercent: result.rmsePercent,
    maxErrorPercent: result.maxErrorPercent,
    maxErrorFrame: result.maxErrorFrame,
    maxErrorVertex: result.maxErrorVertex,
    distortionPercent: result.distortionPercent,
    rmsError: result.rmsError,
    rmsErrorNormalised: result.rmsErrorNormalised,
    surfaceDistancePercent: surfaceDistance?.percent,
    surfaceDistance: surfaceDistance?.absolute,
    originalArea: mean(perFrame.originalArea),
    approximationArea: mean(perFrame.approximationArea),
    originalVolume: closed.original ? mean(perFrame.originalVolume) : undefined,
    approximationVolume: closed.approximation ? mean(perFrame.approximationVolume) : undefined,
    diagonal: result.diagonal,
  };
  return figures;
}

function addNotes(
  report: Report,
  result: SequenceErrors,
  closed: Closed,
  pairing: Pairing,
  original: MeshSequence,
  approximation: MeshSequence,
): void {
  const { notes } = report;
  const n = vertexCount(original.rest);
  const m = vertexCount(approximation.rest);
  if (n !== m) notes.push(note('vertex-counts-differ', { original: n, approximation: m }));
  else if (pairing === 'none') notes.push(note('vertices-unmatched', {}));
  else if (pairing !== 'equal index') notes.push(note('vertices-reordered', {}));
  if (pairing !== 'none' && original.frameCount > 1 && result.distortionPercent === undefined) {
    notes.push(note('no-motion', {}));
  }
  const rests = { original: original.rest, approximation: approximation.rest };
  const both = ['original', 'approximation'] as const;
  const pointed = both.filter((which) => rests[which].triangles.length === 0);
  const open = both.filter((which) => rests[which].triangles.length > 0 && !closed[which]);
  if (pointed.length > 0) notes.push(note('no-triangles', { of: pointed }));
  if (open.length > 0) notes.push(note('no-volume', { of: open }));
}
