import type { Figures } from '../model/figures.ts';
/** Scene → mesh sequence. The map of this folder: scene, solver, frames, report. */
import {
  FRAMES_PER_SECOND_OPTION,
  integerOption,
  type OptionsOf,
  type RunOptions,
  resolveOptions,
} from '../model/options.ts';
import { emptyReport, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import { type MeshSequence, memorySequence, steadyTimes } from '../model/sequence.ts';
import { colliderDistance } from './colliders.ts';
import type { ClothScene } from './scene.ts';
import { type ClothSolver, clothSolver } from './solver.ts';
import { strainOf } from './strain.ts';

export const CLOTH_OPTIONS = {
  frames: integerOption(70, { min: 1, max: 100_000 }, 'number of frames; the first is the rest pose'),
  framesPerSecond: FRAMES_PER_SECOND_OPTION,
  sweeps: integerOption(1, { min: 1, max: 100 }, 'Jacobi sweeps of strain limiting per sub-step'),
} as const;

export type ClothOptions = OptionsOf<typeof CLOTH_OPTIONS>;

/** A simulation, and how it went. */
export interface ClothResult {
  sequence: MeshSequence;
  report: Report;
}

/** Simulates a scene. Frame 0 is the scene's mesh itself. Gives way to other events between frames. */
export async function simulateCloth(
  scene: ClothScene,
  options: Partial<ClothOptions> & RunOptions = {},
): Promise<ClothResult> {
  const operation = 'simulateCloth';
  const { frames: count, framesPerSecond, sweeps } = resolveOptions(CLOTH_OPTIONS, options, operation);
  const started = performance.now();
  const solver = clothSolver(scene, { frameTime: 1 / framesPerSecond, sweeps });
  const frames = [Float32Array.from(solver.body.x)];
  const figures = new StrainFigures(solver);
  const prepared = performance.now();
  for (let k = 1; k < count; k++) {
    await checkpoint(options, operation, k, count, 'simulating');
    solver.frame();
    figures.add();
    frames.push(Float32Array.from(solver.body.x));
  }
  options.onProgress?.(count, count, 'simulating');

  const report = emptyReport(operation);
  report.iterations = solver.subSteps * (count - 1);
  report.seconds = { prepare: (prepared - started) / 1000, simulate: (performance.now() - prepared) / 1000 };
  report.figures = figures.all(frames.length);
  return { sequence: memorySequence(scene.name, scene.mesh, frames, steadyTimes(count, framesPerSecond)), report };
}

/** How much the cloth stretched and how deep it got into obstacles, gathered frame by frame. */
class StrainFigures {
  readonly #solver: ClothSolver;
  #mean = 0;
  #stretch = 0;
  #compression = 0;
  #depth = 0;
  #frames = 0;

  constructor(solver: ClothSolver) {
    this.#solver = solver;
  }

  add(): void {
    const { body, scene } = this.#solver;
    const strain = strainOf(body);
    this.#mean += strain.mean;
    this.#stretch = Math.max(this.#stretch, strain.maxStretch);
    this.#compression = Math.max(this.#compression, strain.maxCompression);
    this.#frames++;
    const normal = new Float64Array(3);
    for (const collider of scene.colliders) {
      for (let o = 0; o < body.x.length; o += 3) {
        const distance = colliderDistance(collider, body.x[o], body.x[o + 1], body.x[o + 2], normal);
        this.#depth = Math.max(this.#depth, -distance);
      }
    }
  }

  all(frames: number): Figures {
    const { body, subSteps } = this.#solver;
    return {
      vertices: body.mass.length,
      triangles: body.triangles.length / 3,
      frames,
      subStepsPerFrame: subSteps,
      meanEdgeStrainPercent: (100 * this.#mean) / Math.max(1, this.#frames),
      maxEdgeStretchPercent: 100 * this.#stretch,
      maxEdgeCompressionPercent: 100 * this.#compression,
      penetrationMillimetres: 1000 * this.#depth,
    };
  }
}
