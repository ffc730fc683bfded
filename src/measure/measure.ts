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
import { sumVertexErrors } from './vertex-errors.ts';

/** Every figure between a sequence and its approximation; definitions in docs/notes/measures.md. */

export const MEASURE_OPTIONS = {
  surfaceDistance: booleanOption(true, 'measure the mean surface distance, which takes most of the time'),
} as const;
/** Options of `measureSequences` and `measureMeshes`. */
export type MeasureOptions = Partial<OptionsOf<typeof MEASURE_OPTIONS>> & RunOptions;

/** What `measureSequences` finds, as `FIGURES` describes it. */
type ErrorFigures = Pick<
  Figures,
  | 'rmsePercent'
  | 'maxErrorPercent'
  | 'maxErrorFrame'
  | 'maxErrorVertex'
  | 'distortionPercent' // dE (6.1); absent when the original does not move
  | 'rmsError' // E_RMS (6.2)
  | 'rmsErrorNormalised'
  | 'surfaceDistancePercent' // d_avg (6.3), the mean over the frames; absent when switched off or without triangles
  | 'surfaceDistance'
  | 'originalArea'
  | 'approximationArea'
  | 'originalVolume'
  | 'approximationVolume'
>;

/**
 * Per cent are of the diagonal of the original's rest pose. Vertices are those of the original. The figures that compare
 * them one by one are absent when it is not known which is which.
 */
export interface SequenceErrors extends ErrorFigures {
  /** Bounding-box diagonal of the original's rest pose, in its unit. */
  diagonal: number;
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

  const percent = (length: number): number => (100 * length) / diagonal;
  const isOriginalClosed = isClosed(original.rest);
  const sameRest = original.rest === approximation.rest;
  const closed = {
    original: isOriginalClosed,
    approximation: sameRest ? isOriginalClosed : isClosed(approximation.rest),
  };
  const found = errors?.result();
  const distance = mean(distances);
  report.figures = {
    ...(found && {
      rmsePercent: percent(found.rmse),
      maxErrorPercent: percent(found.maxError),
      maxErrorFrame: found.maxErrorFrame,
      maxErrorVertex: found.maxErrorVertex,
      distortionPercent: distortionPercent(found.squaredSum, motion.squaredSum()),
      rmsError: found.rmsError,
      rmsErrorNormalised: found.rmsError / diagonal,
    }),
    ...(surfaces && { surfaceDistancePercent: percent(distance), surfaceDistance: distance }),
    originalArea: mean(perFrame.originalArea),
    approximationArea: mean(perFrame.approximationArea),
    ...(closed.original && { originalVolume: mean(perFrame.originalVolume) }),
    ...(closed.approximation && { approximationVolume: mean(perFrame.approximationVolume) }),
    diagonal,
  };
  if (found) {
    perFrame.rmsePercent = found.frameRmse.map(percent);
    perFrame.maxErrorPercent = found.frameMax.map(percent);
  }
  if (surfaces) perFrame.surfaceDistancePercent = distances.map(percent);
  const perVertex = found && { rmsePercent: found.vertexRmse.map(percent) };
  addNotes(report, closed, pairing, original, approximation);
  report.seconds.measure = (performance.now() - started) / 1000;
  return { ...report.figures, diagonal, perFrame, ...(perVertex && { perVertex }), report };
}

const mean = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0) / values.length;

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

function addNotes(
  { figures, notes }: Report,
  closed: Closed,
  pairing: Pairing,
  original: MeshSequence,
  approximation: MeshSequence,
): void {
  const n = vertexCount(original.rest);
  const m = vertexCount(approximation.rest);
  if (n !== m) notes.push(note('vertex-counts-differ', { original: n, approximation: m }));
  else if (pairing === 'none') notes.push(note('vertices-unmatched', {}));
  else if (pairing !== 'equal index') notes.push(note('vertices-reordered', {}));
  if (pairing !== 'none' && original.frameCount > 1 && figures.distortionPercent === undefined) {
    notes.push(note('no-motion', {}));
  }
  const rests = { original: original.rest, approximation: approximation.rest };
  const both = ['original', 'approximation'] as const;
  const pointed = both.filter((which) => rests[which].triangles.length === 0);
  const open = both.filter((which) => rests[which].triangles.length > 0 && !closed[which]);
  if (pointed.length > 0) notes.push(note('no-triangles', { of: pointed }));
  if (open.length > 0) notes.push(note('no-volume', { of: open }));
}
