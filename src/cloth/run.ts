/** Garment and moving body → the garment in motion. The map: dress the body, let it settle, simulate, report. */
import { triangleCount, vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import { type RunOptions, resolveOptions } from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import { type TrainedCloth, validateTrainedCloth } from '../model/trained-cloth.ts';
import {
  type BodyFrame,
  type BodyMotion,
  bodyFrames,
  farthestWay,
  rigidBetween,
  someOf,
  startOf,
} from './body-motion.ts';
import { Folds } from './folds.ts';
import { RUN_CLOTH_OPTIONS, type RunClothOptions } from './options.ts';
import { requireCloth, requireRoom } from './require-cloth.ts';
import { RunFigures } from './run-figures.ts';
import { learnedOf, ownOptions, trainedGarment } from './trained-garment.ts';
import type { Wind } from './wind.ts';
import { CLOTH_SPEED, type Garment, wearGarment, wearNotes } from './worn.ts';

export interface RunClothResult {
  sequence: MeshSequence;
  report: Report;
}

export async function runCloth(
  given: Garment | TrainedCloth,
  body: BodyMotion,
  options: Partial<RunClothOptions> & RunOptions & { wind?: Wind } = {},
): Promise<RunClothResult> {
  const operation = 'cloth';
  const trained = 'fine' in given ? validateTrainedCloth(given, operation) : undefined;
  const garment = trained ? { ...trainedGarment(trained), wind: options.wind } : (given as Garment);
  const settings = resolveOptions(RUN_CLOTH_OPTIONS, options, operation, trained && ownOptions(trained));
  const { onProgress, signal } = options;
  const { frameCount, times } = body.sequence;
  const report = emptyReport(operation);
  const lap = lapTimer(report.seconds);
  requireCloth(operation, garment);
  requireRoom(operation, garment.mesh, frameCount);

  // (1) Dress the body at rest.
  const frameTime = frameCount > 1 ? (times[frameCount - 1] - times[0]) / (frameCount - 1) : 1 / 30;
  const start = await startOf(body);
  const worn = await wearGarment(garment, body, start, frameTime, { ...settings, onProgress, signal });
  const { fine, coarse, stage, solver, rest, embedding } = worn;
  const folds = new Folds({ ...rest, embedding, stage, ...(trained && learnedOf(trained)) }, settings, solver.body.x);
  lap('prepare');

  // (2) The body goes to the pose of its first frame and waits there; then its motion begins.
  const settling = Math.max(1, Math.round(settings.settle / frameTime));
  const frames: Float32Array[] = [];
  const figures = new RunFigures(fine, stage);
  const jumps: number[] = [];
  const samples = someOf(body.sequence.rest.positions);
  let before: BodyFrame = start.first;
  for await (const { k, frame } of bodyFrames(body, start, settling)) {
    await checkpoint(options, operation, k + settling - 1, settling + frameCount - 1, 'simulating');
    if (k > 0) {
      // A body that goes farther than cloth can follow takes it along, as live.
      const motion = rigidBetween(before.positions, frame.positions, samples);
      if (farthestWay(motion, solver.body.x) > CLOTH_SPEED * frameTime) {
        jumps.push(k);
        worn.carry(motion, frame);
        folds.reset(solver.body.x);
      }
      before = frame;
    }
    worn.next(frame);
    folds.step(solver.body.x, frameTime);
    if (k < 0) continue;
    figures.add(folds.x);
    frames.push(Float32Array.from(folds.x));
  }
  onProgress?.(1, 1, 'simulating');
  lap('simulate');

  // (3) How it went.
  report.notes.push(...wearNotes(worn));
  report.iterations = solver.subSteps * (settling + frameCount - 1);
  report.figures = {
    vertices: vertexCount(fine),
    triangles: triangleCount(fine),
    frames: frames.length,
    coarseVertices: vertexCount(coarse),
    coarseTriangles: triangleCount(coarse),
    pinnedVertices: garment.pinned.length,
    ...(settings.collider === 'capsules' && { capsules: body.rig?.capsules.length }),
    subStepsPerFrame: solver.subSteps,
    ...figures.all(),
  };
  report.notes.push(...figures.notes(body.rig));
  if (jumps.length > 0) report.notes.push(note('body-jumps', { frames: jumps.length, first: jumps[0] }));
  return { sequence: memorySequence(garment.mesh.name ?? 'cloth', garment.mesh, frames, times), report };
}
