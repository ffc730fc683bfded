/** Garment and moving body → the garment in motion. The map: coarse mesh, stages, coarse simulation, detail, frames. */
import { PliantError } from '../error.ts';
import { type Mesh, triangleCount, validateMesh, vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import {
  choiceOption,
  integerOption,
  numberOption,
  type OptionsOf,
  type RunOptions,
  resolveOptions,
} from '../model/options.ts';
import { emptyReport, lapTimer, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { type MeshSequence, memorySequence } from '../model/sequence.ts';
import type { ClothMaterial } from './body.ts';
import { type BodyFrame, type BodyMotion, blendFrames, bodyAtRest, movedMesh, readBodyFrame } from './body-motion.ts';
import { coarseMesh } from './coarse-mesh.ts';
import { DetailPhysics } from './detail.ts';
import { Embedding } from './embedding.ts';
import { obstacleOf } from './obstacles.ts';
import { RunFigures } from './run-figures.ts';
import { clothSolver } from './solver.ts';
import { stageOf } from './stage.ts';
import type { Wind } from './wind.ts';

export const RUN_CLOTH_OPTIONS = {
  coarseVertices: integerOption(300, { min: 4, max: 100_000 }, 'vertices of the coarse mesh that is simulated'),
  physics: choiceOption('alone', ['off', 'alone'], 'folds of the fine mesh: none, or by physics of the detail'),
  collider: choiceOption('capsules', ['capsules', 'surface'], 'body: a capsule per bone, or its posed surface'),
  thickness: numberOption(0.006, { min: 0, max: 1, unit: 'm' }, 'distance between cloth and body'),
  bending: numberOption(1e-4, { min: 0, max: 1, unit: 'N·m' }, 'bending stiffness: silk 1e-6, cotton 1e-5, denim 1e-4'),
  settle: numberOption(1, { min: 0, max: 60, unit: 's' }, 'time to settle before the first frame'),
} as const;

/** Options of `runCloth`. */
export type RunClothOptions = OptionsOf<typeof RUN_CLOTH_OPTIONS>;

/** What is worn. */
export interface Garment {
  /** At the body's rest pose, in metres, y up. */
  mesh: Mesh;
  /** Vertices that the body holds. */
  pinned: Uint32Array;
  wind?: Wind;
}

export interface RunClothResult {
  sequence: MeshSequence;
  report: Report;
}

/** Frames are kept in memory: so many vertices times frames at most, 12 bytes each. */
const MAX_VERTEX_FRAMES = 2 ** 27;
/** The coarse cloth keeps this much more distance, so that its facets do not cut into the body. m. */
const COARSE_THICKNESS = 0.008;
/** The coarse cloth: cotton that calms down soon. */
const MATERIAL: Omit<ClothMaterial, 'thickness' | 'bending'> = {
  density: 0.2,
  waveSpeed: 30,
  compression: 0.4,
  viscosity: 4e-3,
  friction: 0.3,
};

export async function runCloth(
  garment: Garment,
  body: BodyMotion,
  options: Partial<RunClothOptions> & RunOptions = {},
): Promise<RunClothResult> {
  const operation = 'cloth';
  const settings = resolveOptions(RUN_CLOTH_OPTIONS, options, operation);
  const { frameCount, times } = body.sequence;
  const report = emptyReport(operation);
  const lap = lapTimer(report.seconds);
  requireCloth(operation, garment.mesh, frameCount);

  // (1) The garment on the body at rest, moved as a whole to where the motion starts.
  const first = await readBodyFrame(body, 0);
  const rest = bodyAtRest(body, first);
  const fine = movedMesh(rest.place, garment.mesh);
  const coarse = await coarseMesh(fine, garment.pinned, settings.coarseVertices, options);

  // (2) The body as both meshes meet it.
  const obstacle = obstacleOf(body, rest, settings.collider);
  const coarseStage = stageOf(coarse.mesh, coarse.pinned, rest, obstacle, settings.thickness + COARSE_THICKNESS);
  const fineStage = stageOf(fine, garment.pinned, rest, obstacle, settings.thickness);
  const inside = fineStage.margin.filter((margin) => margin < 0);
  if (inside.length > 0) {
    report.notes.push(note('cloth-starts-inside', { vertices: inside.length, depth: -Math.min(...inside) }));
  }
  if (garment.pinned.length === 0) report.notes.push(note('no-pins', {}));

  // (3) The coarse cloth, and the fine one on it.
  const frameTime = frameCount > 1 ? (times[frameCount - 1] - times[0]) / (frameCount - 1) : 1 / 30;
  const solver = clothSolver(
    {
      name: garment.mesh.name ?? 'cloth',
      mesh: coarse.mesh,
      material: { ...MATERIAL, bending: settings.bending, thickness: settings.thickness + COARSE_THICKNESS },
      pinned: coarse.pinned,
      colliders: [],
      wind: garment.wind,
      selfCollision: false,
      stage: coarseStage,
    },
    { frameTime, sweeps: 1 },
  );
  const embedding = new Embedding(coarse.mesh, fine);
  const detail = new DetailPhysics(embedding, fine, fineStage, solver.body.x);
  lap('prepare');

  // (4) The body goes to the pose of its first frame and waits there; then its motion begins.
  const settling = Math.max(1, Math.round(settings.settle / frameTime));
  const frames: Float32Array[] = [];
  const figures = new RunFigures(fine, fineStage);
  const step = (frame: BodyFrame) => {
    for (const mover of [obstacle, coarseStage.pins, fineStage.pins]) mover.next(frame);
    solver.frame();
    if (settings.physics === 'off') detail.reset(solver.body.x);
    else detail.step(solver.body.x, frameTime);
  };
  for (let k = 1 - settling; k < frameCount; k++) {
    await checkpoint(options, operation, k + settling - 1, settling + frameCount - 1, 'simulating');
    if (k <= 0) step(blendFrames(rest, first, Math.min(1, (2 * (k + settling)) / settling)));
    else step(await readBodyFrame(body, k));
    if (k >= 0) {
      figures.add(detail.x);
      frames.push(Float32Array.from(detail.x));
    }
  }
  options.onProgress?.(1, 1, 'simulating');
  lap('simulate');

  report.iterations = solver.subSteps * (settling + frameCount - 1);
  report.figures = {
    vertices: vertexCount(fine),
    triangles: triangleCount(fine),
    frames: frames.length,
    coarseVertices: vertexCount(coarse.mesh),
    coarseTriangles: triangleCount(coarse.mesh),
    pinnedVertices: garment.pinned.length,
    ...(settings.collider === 'capsules' && { capsules: body.rig?.capsules.length }),
    subStepsPerFrame: solver.subSteps,
    ...figures.all(),
  };
  return { sequence: memorySequence(garment.mesh.name ?? 'cloth', garment.mesh, frames, times), report };
}

function requireCloth(operation: string, mesh: Mesh, frames: number): void {
  validateMesh(mesh, operation);
  if (mesh.triangles.length === 0) throw new PliantError('bad-input', operation, 'the garment has no triangles');
  if (vertexCount(mesh) * frames <= MAX_VERTEX_FRAMES) return;
  const cause = `${vertexCount(mesh)} vertices × ${frames} frames (expected at most ${MAX_VERTEX_FRAMES})`;
  throw new PliantError('too-large', operation, cause);
}
