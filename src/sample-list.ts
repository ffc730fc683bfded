/** What samples there are, and their options: light enough for a page that only offers them. */
import { CLOTH_SCENE_NAMES, SCENE_FRAMES } from './cloth/scene.ts';
import { FRAMES_PER_SECOND_OPTION, integerOption, type OptionsOf, seedOption } from './model/options.ts';

const RIG_SAMPLE_NAMES = ['tube', 'box', 'figure'] as const;
const GARMENT_SAMPLE_NAMES = ['cape', 'skirt'] as const;
/** The names of all samples. */
export const SAMPLE_NAMES = [...CLOTH_SCENE_NAMES, ...RIG_SAMPLE_NAMES, ...GARMENT_SAMPLE_NAMES] as const;
/** The name of a sample. */
export type SampleName = (typeof SAMPLE_NAMES)[number];

/** A sample as it is listed. */
export interface Sample {
  /** A simulated mesh sequence, a skinned model with clips, or a mesh: a garment on the rest pose of the figure. */
  kind: 'sequence' | 'model' | 'mesh';
  /** What it shows. */
  description: string;
  /** Vertices when none are asked for: what takes a few seconds. */
  resolution: number;
  /** Fewer vertices cannot show its shape. */
  minResolution: number;
  /** Frames when none are asked for; of each clip, for a model. A mesh has none. */
  frames: number;
}

/** What each sample shows. */
export const SAMPLES: Readonly<Record<SampleName, Sample>> = {
  flag: {
    kind: 'sequence',
    description: 'a flag in the wind: extreme deformation at the free edge, moderate at the pole',
    resolution: 1500,
    minResolution: 50,
    frames: SCENE_FRAMES.flag,
  },
  tablecloth: {
    kind: 'sequence',
    description: 'cloth falling on a table: flat areas, with folds at the edges',
    resolution: 1600,
    minResolution: 50,
    frames: SCENE_FRAMES.tablecloth,
  },
  balloon: {
    kind: 'sequence',
    description: 'a limp ball of cloth falling on a pole: moderate deformation everywhere',
    resolution: 1500,
    minResolution: 40,
    frames: SCENE_FRAMES.balloon,
  },
  collapse: {
    kind: 'sequence',
    description: 'a hollow camel of cloth collapsing under its own weight: extreme deformation',
    resolution: 2500,
    minResolution: 1000,
    frames: SCENE_FRAMES.collapse,
  },
  tube: {
    kind: 'model',
    description: 'an elastic tube with 4 bones whose weights overlap nearly everywhere: bend, twist, both',
    resolution: 2000,
    minResolution: 50,
    frames: 48,
  },
  box: {
    kind: 'model',
    description: 'a box with 2 bones that twists by 180° and bends: linear blending collapses it',
    resolution: 1000,
    minResolution: 20,
    frames: 48,
  },
  figure: {
    kind: 'model',
    description: 'a humanoid with 21 bones: an exercise of every joint, jumping jacks, a walk, a dance, a turn, a run',
    resolution: 5000,
    minResolution: 2500,
    frames: 144,
  },
  cape: {
    kind: 'mesh',
    description: 'a cape for the figure to wear, red where it is held',
    resolution: 4000,
    minResolution: 60,
    frames: 1,
  },
  skirt: {
    kind: 'mesh',
    description: 'a skirt for the figure to wear, red where it is held',
    resolution: 4000,
    minResolution: 60,
    frames: 1,
  },
};

/** The options of `sample`. */
export const SAMPLE_OPTIONS = {
  resolution: integerOption(
    0,
    { min: 0, max: 1_000_000 },
    'number of vertices, approximately; 0: the default of the sample',
  ),
  frames: integerOption(
    0,
    { min: 0, max: 100_000 },
    'number of frames of the sequence or of each clip; 0: the default of the sample',
  ),
  framesPerSecond: FRAMES_PER_SECOND_OPTION,
  seed: seedOption('random seed of the wind in flag; other samples ignore it'),
} as const;

/** Options of `sample`. */
export type SampleOptions = OptionsOf<typeof SAMPLE_OPTIONS>;
