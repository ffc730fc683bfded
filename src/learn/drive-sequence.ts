import { PliantError } from '../error.ts';
import { vertexCount } from '../model/mesh.ts';
import { note } from '../model/note.ts';
import type { RunOptions } from '../model/options.ts';
import type { Predictor } from '../model/predictor.ts';
import { emptyReport, type Report } from '../model/report.ts';
import { checkpoint } from '../model/run.ts';
import type { MeshSequence } from '../model/sequence.ts';
import type { Clip } from '../model/skeleton.ts';
import { SurfaceDriver } from './drive.ts';
import { rigidClip } from './predictor-model.ts';
import { STRETCHED, SurfaceStrain } from './strain.ts';

/** Where the control points go: P frames of 3n_c coordinates. */
export interface PointPath {
  times: Float64Array;
  /** P × 3n_c. */
  points: Float64Array;
}

/** Beyond this multiple of the farthest example a pose is a guess, and the report says so. True unseen poses reach 1 to 2. */
const FAR = 2;

/** A path of control points as a motion of the surface: frames are predicted when they are read. */
export function drivenSequence(predictor: Predictor, path: PointPath): MeshSequence {
  const driver = new SurfaceDriver(predictor);
  const width = requireWidth(predictor, path);
  return {
    name: predictor.name,
    rest: predictor.mesh,
    frameCount: path.times.length,
    times: path.times,
    async readFrame(k, out = new Float32Array(3 * vertexCount(predictor.mesh))) {
      out.set(driver.drive(path.points.subarray(k * width, (k + 1) * width)).positions);
      return out;
    },
    async close() {
      driver.dispose();
    },
  };
}

/** The same as a clip of the predictor's bones and residual, for `predictorModel`; and how far from the examples it leads. */
export async function drivenClip(
  predictor: Predictor,
  path: PointPath,
  run: RunOptions = {},
): Promise<{ clip: Clip; report: Report }> {
  const driver = new SurfaceDriver(predictor);
  const width = requireWidth(predictor, path);
  const frames = path.times.length;
  const size = 4 * predictor.centroids.length;
  const transforms = new Float32Array(frames * size);
  const morphs: Float32Array[] = [];
  const report = emptyReport('drive');
  const strain = predictor.stretch && new SurfaceStrain(predictor.mesh, predictor.stretch);
  const strains = new Float64Array(frames);
  let far = 0;
  let farthest = 0;
  for (let k = 0; k < frames; k++) {
    await checkpoint(run, 'drive', k, frames, 'driving');
    const driven = driver.drive(path.points.subarray(k * width, (k + 1) * width));
    transforms.set(driven.transforms, k * size);
    morphs.push(driven.morphWeights.slice());
    if (strain) strains[k] = strain.measure(driven.positions).strain;
    if (driven.distance > FAR) far++;
    farthest = Math.max(farthest, driven.distance);
  }
  driver.dispose();
  report.figures.maxReach = farthest;
  if (far > 0) {
    report.notes.push(note('frames-far-outside', { frames: far, of: frames }));
  }
  if (strain) {
    const stretched = strains.filter((s) => s > STRETCHED).length;
    const largest = strains.reduce((most, s) => Math.max(most, s), 0);
    report.figures.maxStretch = largest;
    if (stretched > 0) {
      report.notes.push(note('frames-stretched', { frames: stretched, of: frames, factor: STRETCHED }));
    }
  }
  const clip = rigidClip('driven', path.times, transforms, predictor.centroids);
  if (predictor.residual) clip.morphWeights = Float32Array.from(morphs.flatMap((weights) => [...weights]));
  return { clip, report };
}

function requireWidth({ points }: Predictor, path: PointPath): number {
  const width = 3 * points.length;
  const frames = path.times.length;
  if (frames > 0 && path.points.length === frames * width) return width;
  const got = `${path.points.length} coordinates in ${frames} frames`;
  throw new PliantError('bad-input', 'drive', `path (got ${got}, expected ${width} per frame)`);
}
