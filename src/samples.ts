/** Everything Pliant can make by itself, to try it and to test it: one table for the library, the CLI and the studio. */
import { CLOTH_SCENE_NAMES, type ClothSceneName, clothScene, SCENE_FRAMES } from './cloth/scenes.ts';
import { simulateCloth } from './cloth/simulate.ts';
import { PliantError, throwIfCancelled } from './error.ts';
import { vertexCount } from './model/mesh.ts';
import { defaultsOf, type OptionsOf, type RunOptions, resolveOptions, seedOption } from './model/options.ts';
import { emptyReport, type Report } from './model/report.ts';
import type { MeshSequence } from './model/sequence.ts';
import { boneCount, clipFrameCount } from './model/skeleton.ts';
import type { SkinnedModel } from './model/skinned-model.ts';
import { sampleBox } from './rig/sample-box.ts';
import { sampleFigure } from './rig/sample-figure.ts';
import { sampleTube } from './rig/sample-tube.ts';

export const RIG_SAMPLE_NAMES = ['tube', 'box', 'figure'] as const;
export const SAMPLE_NAMES = [...CLOTH_SCENE_NAMES, ...RIG_SAMPLE_NAMES] as const;
export type SampleName = (typeof SAMPLE_NAMES)[number];

export interface Sample {
  /** A simulated mesh sequence, or a skinned model with clips. */
  kind: 'sequence' | 'model';
  /** What it shows. */
  description: string;
  /** Vertices when none are asked for: what takes a few seconds. */
  resolution: number;
  /** Fewer vertices cannot show its shape. */
  minResolution: number;
  /** Frames when none are asked for; of each clip, for a model. */
  frames: number;
}

export const SAMPLES: Readonly<Record<SampleName, Sample>> = {
  flag: {
    kind: 'sequence',
    description: 'a flag in the wind, held along one edge: extreme deformation at the free edge, moderate at the pole',
    resolution: 1500,
    minResolution: 50,
    frames: SCENE_FRAMES.flag,
  },
  tablecloth: {
    kind: 'sequence',
    description: 'a cloth falls on a table: large areas stay flat, folds form at the edges',
    resolution: 1600,
    minResolution: 50,
    frames: SCENE_FRAMES.tablecloth,
  },
  balloon: {
    kind: 'sequence',
    description: 'a limp ball of cloth falls on a pole: moderate deformation all over',
    resolution: 1500,
    minResolution: 40,
    frames: SCENE_FRAMES.balloon,
  },
  collapse: {
    kind: 'sequence',
    description: 'a hollow camel of cloth collapses under its own weight: extreme deformation',
    resolution: 2500,
    minResolution: 1000,
    frames: SCENE_FRAMES.collapse,
  },
  tube: {
    kind: 'model',
    description: 'an elastic tube of 4 bones whose influences overlap nearly everywhere: bend, twist, both',
    resolution: 2000,
    minResolution: 50,
    frames: 48,
  },
  box: {
    kind: 'model',
    description: 'a box of 2 bones that twists by half a turn and bends: where linear blending collapses',
    resolution: 1000,
    minResolution: 20,
    frames: 48,
  },
  figure: {
    kind: 'model',
    description: 'a humanoid of 21 bones: an exercise for every joint, jumping jacks and a walk',
    resolution: 5000,
    minResolution: 2500,
    frames: 144,
  },
};

export const SAMPLE_OPTIONS = {
  resolution: {
    type: 'number',
    default: 0,
    min: 0,
    max: 1_000_000,
    integer: true,
    description: 'number of vertices, met as nearly as the shape allows; 0 is the default of the sample',
  },
  frames: {
    type: 'number',
    default: 0,
    min: 0,
    max: 100_000,
    integer: true,
    description: 'number of frames of the sequence or of each clip; 0 is the default of the sample',
  },
  framesPerSecond: {
    type: 'number',
    default: 24,
    min: 1,
    max: 1000,
    unit: 'frames/s',
    description: 'frames per second',
  },
  seed: seedOption('chooses the gusts of the flag’s wind; the other samples have no chance in them'),
} as const;

export type SampleOptions = OptionsOf<typeof SAMPLE_OPTIONS>;
export const SAMPLE_DEFAULTS: SampleOptions = defaultsOf(SAMPLE_OPTIONS);

export interface SampleResult {
  /** Of a sample of kind `sequence`. */
  sequence?: MeshSequence;
  /** Of a sample of kind `model`. */
  model?: SkinnedModel;
  report: Report;
}

/** A sequence is kept in memory: so many vertices times frames at most, 12 bytes each. */
const MAX_VERTEX_FRAMES = 2 ** 27;

const isSampleName = (name: string): name is SampleName => Object.hasOwn(SAMPLES, name);
const isSceneName = (name: SampleName): name is ClothSceneName =>
  (CLOTH_SCENE_NAMES as readonly SampleName[]).includes(name);

/** Makes a sample by its name. The same name and options give the same bytes. */
export async function makeSample(
  name: string,
  options: Partial<SampleOptions> & RunOptions = {},
): Promise<SampleResult> {
  const operation = 'makeSample';
  const fail = (code: 'bad-option' | 'too-large', cause: string) => new PliantError(code, operation, cause);
  if (!isSampleName(name)) {
    throw fail('bad-option', `no sample of this name (got "${name}", expected ${SAMPLE_NAMES.join(', ')})`);
  }
  const sample = SAMPLES[name];
  const given = resolveOptions(SAMPLE_OPTIONS, options, operation);
  const resolution = given.resolution || sample.resolution;
  const frames = given.frames || sample.frames;
  if (resolution < sample.minResolution) {
    throw fail('bad-option', `resolution (got ${resolution}, expected at least ${sample.minResolution} for ${name})`);
  }
  if (sample.kind === 'sequence' && resolution * frames > MAX_VERTEX_FRAMES) {
    throw fail('too-large', `${resolution} vertices × ${frames} frames (expected at most ${MAX_VERTEX_FRAMES})`);
  }

  throwIfCancelled(options.signal, operation);
  if (isSceneName(name)) {
    const { onProgress, signal } = options;
    const scene = clothScene(name, resolution, given.seed);
    return simulateCloth(scene, { frames, framesPerSecond: given.framesPerSecond, onProgress, signal });
  }
  const started = performance.now();
  const model = makeRig(name, resolution, frames, given.framesPerSecond);
  options.onProgress?.(1, 1, 'building');
  return { model, report: rigReport(model, (performance.now() - started) / 1000) };
}

function makeRig(
  name: Exclude<SampleName, ClothSceneName>,
  resolution: number,
  frames: number,
  framesPerSecond: number,
): SkinnedModel {
  switch (name) {
    case 'tube':
      return sampleTube(resolution, frames, framesPerSecond);
    case 'box':
      return sampleBox(resolution, frames, framesPerSecond);
    case 'figure':
      return sampleFigure(resolution, frames, framesPerSecond);
  }
}

function rigReport(model: SkinnedModel, seconds: number): Report {
  const report = emptyReport('makeSample');
  report.seconds = { build: seconds };
  report.figures = [
    { name: 'vertices', value: vertexCount(model.mesh), unit: '' },
    { name: 'triangles', value: model.mesh.triangles.length / 3, unit: '' },
    { name: 'bones', value: boneCount(model.skeleton), unit: '' },
    ...model.clips.map((clip) => ({ name: `frames of ${clip.name}`, value: clipFrameCount(clip), unit: '' })),
  ];
  return report;
}
