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
import { type Strain, strainOf } from './strain.ts';

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
  const strains: Strain[] = [];
  let depth = 0;
  const prepared = performance.now();
  for (let k = 1; k < count; k++) {
    await checkpoint(options, operation, k, count, 'simulating');
    solver.frame();
    strains.push(strainOf(solver.body));
    depth = Math.max(depth, depthOf(solver));
    frames.push(Float32Array.from(solver.body.x));
  }
  options.onProgress?.(count, count, 'simulating');

  const report = emptyReport(operation);
  report.iterations = solver.subSteps * (count - 1);
  report.seconds = { prepare: (prepared - started) / 1000, simulate: (performance.now() - prepared) / 1000 };
  const most = (of: 'maxStretch' | 'maxCompression') => strains.reduce((max, strain) => Math.max(max, strain[of]), 0);
  const sum = strains.reduce((total, strain) => total + strain.mean, 0);
  report.figures = {
    vertices: solver.body.mass.length,
    triangles: solver.body.triangles.length / 3,
    frames: frames.length,
    subStepsPerFrame: solver.subSteps,
    meanEdgeStrainPercent: (100 * sum) / Math.max(1, strains.length),
    maxEdgeStretchPercent: 100 * most('maxStretch'),
    maxEdgeCompressionPercent: 100 * most('maxCompression'),
    penetrationMillimetres: 1000 * depth,
  };
  return { sequence: memorySequence(scene.name, scene.mesh, frames, steadyTimes(count, framesPerSecond)), report };
}

/** The deepest that a vertex is inside an obstacle, m. */
function depthOf({ body: { x }, scene }: ClothSolver): number {
  const normal = new Float64Array(3);
  let depth = 0;
  for (const collider of scene.colliders) {
    for (let o = 0; o < x.length; o += 3) {
      depth = Math.max(depth, -colliderDistance(collider, x[o], x[o + 1], x[o + 2], normal));
    }
  }
  return depth;
}
