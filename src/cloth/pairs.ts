/**
 * Pairs to learn from: a coarse and a fine simulation of one motion, the fine one guided by the coarse one. The map: coarse
 * mesh, dress the body, settle, simulate both, report.
 */
import { PliantError } from '../error.ts';
import { diagonalOf } from '../mesh/bounds.ts';
import { buildBvh } from '../mesh/bvh.ts';
import { nearestOnSurface, surfacePoint } from '../mesh/nearest.ts';
import { type Mesh, triangleCount, validateMesh, vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import {
  booleanOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
  type RunOptions,
  resolveOptions,
} from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { type MeshSequence, memorySequence, steadyTimes } from '../model/sequence.ts';
import { type BodyFrame, type BodyMotion, bodyFrames, startOf } from './body-motion.ts';
import { type CoarseMesh, coarseMesh } from './coarse-mesh.ts';
import { Embedding } from './embedding.ts';
import { Guide } from './guide.ts';
import { WEAR_OPTIONS } from './options.ts';
import { PairFigures } from './pair-figures.ts';
import { requireCloth, requireRoom } from './require-cloth.ts';
import { RunFigures } from './run-figures.ts';
import { type ClothSolver, clothSolver, type SolverOptions } from './solver.ts';
import { dress, type Garment, garmentScene, insideNotes, sizeNotes } from './worn.ts';

/** What a motion is for: to train on, to choose settings on, or to report, which nothing may be chosen on. */
export type MotionUse = 'train' | 'choose' | 'report';

/** Coarse and fine simulation of one motion. Both rest meshes lie in the same place, in metres, y up. */
export interface ClothPair {
  /** The motion. */
  name: string;
  /** What it is for, in scenes that say so. */
  use?: MotionUse;
  coarse: MeshSequence;
  /** The same frame times. */
  fine: MeshSequence;
  /** Vertices that the body holds, or that never move. */
  pinned?: { coarse: Uint32Array; fine: Uint32Array };
  /** Its frames are those of coarse and fine; its rest pose is where the rest meshes are modelled. */
  body?: BodyMotion;
  /** The distance that the fine cloth keeps from the body, m. */
  thickness?: number;
  /** What the body is to the cloth [default capsules, where it has any]. */
  collider?: 'capsules' | 'surface';
  /** The fine cloth simulated again, with 4 % more sub-steps: how well the truth repeats. */
  repeat?: MeshSequence;
}

export const PAIR_OPTIONS = {
  ...WEAR_OPTIONS,
  coarseVertices: integerOption(150, { min: 4, max: 100_000 }, 'vertices of the coarse mesh'),
  settle: numberOption(1, { min: 0, max: 60, unit: 's' }, 'time to settle before the first frame'),
  again: booleanOption(false, 'simulate the fine cloth twice, the second time with 4 % more sub-steps'),
  seconds: numberOption(5, { min: 0.1, max: 3600, unit: 's' }, 'length of a motion without a body'),
  framesPerSecond: numberOption(30, { min: 1, max: 1000, unit: 'frames/s' }, 'frames per second'),
} as const satisfies OptionSpecs;

/** Options of `simulatePair`. */
export interface PairOptions extends Partial<OptionsOf<typeof PAIR_OPTIONS>>, RunOptions {
  /** The name of the motion [default that of the body's clip or sequence, or of the garment]. */
  name?: string;
  given?: {
    /** At the body's rest pose, as the garment is. */
    coarse?: CoarseMesh;
  };
}

export interface PairResult {
  pair: ClothPair;
  report: Report;
}

/** More sub-steps for `again`. */
const AGAIN = 1.04;
const OPERATION = 'simulatePair';

export async function simulatePair(
  garment: Garment,
  body: BodyMotion | undefined,
  options: PairOptions = {},
): Promise<PairResult> {
  const settings = resolveOptions(PAIR_OPTIONS, options, OPERATION);
  const { onProgress, signal, given } = options;
  const times = body?.sequence.times ?? steadyTimes(framesIn(settings), settings.framesPerSecond);
  const frameCount = times.length;
  const frameTime = frameCount > 1 ? (times[frameCount - 1] - times[0]) / (frameCount - 1) : 1 / 30;
  requireCloth(OPERATION, garment);
  requireRoom(OPERATION, garment.mesh, frameCount * (settings.again ? 2 : 1));
  const report = emptyReport(OPERATION, given);
  const lap = lapTimer(report.seconds);

  // (1) The coarse mesh, and both on the body at rest.
  const coarse =
    given?.coarse ?? (await coarseMesh(garment.mesh, garment.pinned, settings.coarseVertices, { onProgress, signal }));
  if (given?.coarse) requireNear(garment.mesh, coarse.mesh);
  const start = body && (await startOf(body));
  const dressed = body && start && dress(garment, coarse, body, start, settings);
  const embedding = new Embedding(coarse.mesh, garment.mesh);
  const solverOptions: SolverOptions = { frameTime, sweeps: 1 };
  const simulated = { mesh: dressed?.coarse ?? coarse.mesh, pinned: coarse.pinned, stage: dressed?.coarseStage };
  const solver = clothSolver(garmentScene(garment, simulated, 'coarse', settings), solverOptions);
  const guide = new Guide(embedding, solver.body.x);
  const shown = { mesh: dressed?.fine ?? garment.mesh, pinned: garment.pinned, stage: dressed?.stage };
  const guided = (subStepFactor: number): ClothSolver =>
    clothSolver(garmentScene(garment, shown, 'simulated', settings), {
      ...solverOptions,
      subStepFactor,
      guide: (cloth, s, count) => guide.pull(cloth, s, count),
    });
  const fine = guided(1);
  const again = settings.again ? guided(AGAIN) : undefined;
  lap('prepare');

  // (2) Settle, then both through the motion.
  const settling = Math.max(1, Math.round(settings.settle / frameTime));
  const frames = { coarse: [] as Float32Array[], fine: [] as Float32Array[], again: [] as Float32Array[] };
  const figures = new PairFigures(embedding);
  const strain = new RunFigures(shown.mesh, shown.stage);
  const moved = body && start ? bodyFrames(body, start, settling) : countFrames(settling, frameCount);
  for await (const { k, frame } of moved) {
    await checkpoint(options, OPERATION, k + settling - 1, settling + frameCount - 1, 'simulating');
    for (const mover of dressed?.movers ?? []) mover.next(frame!);
    solver.frame();
    guide.next(solver.body.x);
    for (const each of again ? [fine, again] : [fine]) {
      dressed?.obstacle.moveTo(0);
      each.frame();
    }
    if (k < 0) continue;
    frames.coarse.push(Float32Array.from(solver.body.x));
    frames.fine.push(Float32Array.from(fine.body.x));
    if (again) frames.again.push(Float32Array.from(again.body.x));
    figures.add(solver.body.x, fine.body.x, again?.body.x);
    strain.add(fine.body.x);
  }
  onProgress?.(1, 1, 'simulating');
  lap('simulate');

  // (3) How it went.
  report.notes.push(...sizeNotes(garment.mesh), ...insideNotes(shown.stage), ...strain.notes(body?.rig));
  if (garment.pinned.length === 0) report.notes.push(note(body ? 'no-pins' : 'falls-freely', {}));
  report.iterations = fine.subSteps * (settling + frameCount - 1);
  report.figures = {
    vertices: vertexCount(garment.mesh),
    triangles: triangleCount(garment.mesh),
    frames: frameCount,
    coarseVertices: vertexCount(coarse.mesh),
    coarseTriangles: triangleCount(coarse.mesh),
    pinnedVertices: garment.pinned.length,
    subStepsPerFrame: fine.subSteps,
    ...figures.all(),
    ...strain.all(),
  };
  const name = options.name ?? body?.rig?.clip.name ?? body?.sequence.name ?? garment.mesh.name ?? 'cloth';
  const sequence = (rest: Mesh, of: Float32Array[]) => memorySequence(name, rest, of, times);
  const pair: ClothPair = {
    name,
    coarse: sequence(coarse.mesh, frames.coarse),
    fine: sequence(garment.mesh, frames.fine),
    pinned: { coarse: coarse.pinned, fine: garment.pinned },
    thickness: settings.thickness,
    ...(body && { body, collider: settings.collider }),
    ...(again && { repeat: sequence(garment.mesh, frames.again) }),
  };
  return { pair, report };
}

const framesIn = ({ seconds, framesPerSecond }: OptionsOf<typeof PAIR_OPTIONS>): number =>
  Math.max(1, Math.round(seconds * framesPerSecond));

/** The frames of a motion without a body. */
async function* countFrames(settling: number, count: number): AsyncGenerator<{ k: number; frame?: BodyFrame }> {
  for (let k = 1 - settling; k < count; k++) yield { k };
}

/** A fine vertex may be this far from a given coarse mesh, in diagonals of the garment. */
const NEAR = 0.1;

/** Throws for a coarse mesh that is somewhere else than the garment. */
function requireNear(fine: Mesh, coarse: Mesh): void {
  validateMesh(coarse, OPERATION);
  const bvh = buildBvh(coarse.positions, coarse.triangles);
  const within = NEAR * diagonalOf(fine.positions);
  const point = surfacePoint();
  for (let i = 0; i < vertexCount(fine); i++) {
    const [x, y, z] = fine.positions.subarray(3 * i, 3 * i + 3);
    if (nearestOnSurface(bvh, x, y, z, point, within)) continue;
    const cause = `vertex ${i} of the garment is over ${within.toPrecision(2)} m from the coarse mesh (expected one cloth)`;
    throw new PliantError('bad-input', OPERATION, cause);
  }
}
