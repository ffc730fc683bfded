/** Everything Pliant can make by itself, to try it and to test it. */
import { capeGarment, paintedGarment, skirtGarment } from './cloth/garments.ts';
import { clothScene } from './cloth/scenes.ts';
import { simulateCloth } from './cloth/simulate.ts';
import { PliantError, throwIfCancelled } from './error.ts';
import { type Mesh, triangleCount, vertexCount } from './model/mesh.ts';
import { type RunOptions, resolveOptions } from './model/options.ts';
import { emptyReport, type Report } from './model/report.ts';
import type { MeshSequence } from './model/sequence.ts';
import { boneCount, clipFrameCount } from './model/skeleton.ts';
import type { SkinnedModel } from './model/skinned-model.ts';
import { sampleBox } from './rig/samples/box.ts';
import { sampleFigure } from './rig/samples/figure.ts';
import { sampleTube } from './rig/samples/tube.ts';
import { SAMPLE_NAMES, SAMPLE_OPTIONS, SAMPLES, type SampleName, type SampleOptions } from './sample-list.ts';

/** What a sample is: a mesh that moves, a rig, or a garment. */
export interface SampleResult {
  /** Of a sample of kind `sequence`. */
  sequence?: MeshSequence;
  /** Of a sample of kind `model`. */
  model?: SkinnedModel;
  /** Of a sample of kind `mesh`. */
  mesh?: Mesh;
  report: Report;
}

/** A sequence is kept in memory: so many vertices times frames at most, 12 bytes each. */
const MAX_VERTEX_FRAMES = 2 ** 27;

const isSampleName = (name: string): name is SampleName => Object.hasOwn(SAMPLES, name);

const RIGS = { tube: sampleTube, box: sampleBox, figure: sampleFigure };
const isRigName = (name: SampleName): name is keyof typeof RIGS => Object.hasOwn(RIGS, name);

const GARMENTS = { cape: capeGarment, skirt: skirtGarment };
const isGarmentName = (name: SampleName): name is keyof typeof GARMENTS => Object.hasOwn(GARMENTS, name);

/** Makes a sample by its name. The same name and options give the same bytes. */
export async function makeSample(
  name: string,
  options: Partial<SampleOptions> & RunOptions = {},
): Promise<SampleResult> {
  const operation = 'makeSample';
  if (!isSampleName(name)) {
    const cause = `no such sample (got "${name}", expected ${SAMPLE_NAMES.join(', ')})`;
    throw new PliantError('bad-option', operation, cause, { got: name, candidates: SAMPLE_NAMES });
  }
  const sample = SAMPLES[name];
  const given = resolveOptions(SAMPLE_OPTIONS, options, operation);
  const resolution = given.resolution || sample.resolution;
  const frames = given.frames || sample.frames;
  if (resolution < sample.minResolution) {
    const cause = `(got ${resolution}, expected at least ${sample.minResolution} for ${name})`;
    throw new PliantError('bad-option', operation, cause, { option: 'resolution' });
  }
  if (sample.kind === 'sequence' && resolution * frames > MAX_VERTEX_FRAMES) {
    const cause = `${resolution} vertices × ${frames} frames (expected at most ${MAX_VERTEX_FRAMES})`;
    throw new PliantError('too-large', operation, cause);
  }

  throwIfCancelled(options.signal, operation);
  const started = performance.now();
  if (isGarmentName(name)) {
    const mesh = paintedGarment(GARMENTS[name](resolution));
    options.onProgress?.(1, 1, 'building');
    const seconds = (performance.now() - started) / 1000;
    return { mesh, report: { ...emptyReport(operation), seconds: { build: seconds }, figures: sizeOf(mesh) } };
  }
  if (!isRigName(name)) {
    const { onProgress, signal } = options;
    const scene = clothScene(name, resolution, given.seed);
    return simulateCloth(scene, { frames, framesPerSecond: given.framesPerSecond, onProgress, signal });
  }
  const model = RIGS[name](resolution, frames, given.framesPerSecond);
  options.onProgress?.(1, 1, 'building');
  return { model, report: rigReport(model, (performance.now() - started) / 1000) };
}

const sizeOf = (mesh: Mesh) => ({ vertices: vertexCount(mesh), triangles: triangleCount(mesh) });

function rigReport(model: SkinnedModel, seconds: number): Report {
  const report = emptyReport('makeSample');
  report.seconds = { build: seconds };
  report.figures = {
    ...sizeOf(model.mesh),
    bones: boneCount(model.skeleton),
    frames: model.clips.reduce((sum, clip) => sum + clipFrameCount(clip), 0),
  };
  return report;
}
