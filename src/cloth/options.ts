/** The options of garments on bodies: light enough for a page that only offers them. */
import {
  booleanOption,
  choiceOption,
  integerOption,
  numberOption,
  type OptionSpecs,
  type OptionsOf,
} from '../model/options.ts';
import { CLOTH_PHYSICS } from '../model/trained-cloth.ts';

export const WEAR_OPTIONS = {
  coarseVertices: integerOption(300, { min: 4, max: 100_000 }, 'vertices of the coarse mesh that is simulated'),
  collider: choiceOption('capsules', ['capsules', 'surface'], 'body: capsules on its bones, or its posed surface'),
  thickness: numberOption(0.006, { min: 0, max: 1, unit: 'm' }, 'distance between cloth and body'),
  bending: numberOption(1e-4, { min: 0, max: 1, unit: 'N·m' }, 'bending stiffness: silk 1e-6, cotton 1e-5, denim 1e-4'),
  selfCollision: booleanOption(false, 'keep layers of the cloth apart: takes longer'),
} as const satisfies OptionSpecs;

export const RUN_CLOTH_OPTIONS = {
  ...WEAR_OPTIONS,
  physics: choiceOption(
    'alone',
    CLOTH_PHYSICS,
    'physics of the detail; trained cloth has a mode of its own, and alone leaves out what it learned',
  ),
  subSteps: integerOption(4, { min: 1, max: 100 }, 'sub-steps of the detail in 1/30 s'),
  settle: numberOption(1, { min: 0, max: 60, unit: 's' }, 'time to settle before the first frame'),
} as const;

/** Options of `runCloth`. */
export type RunClothOptions = OptionsOf<typeof RUN_CLOTH_OPTIONS>;

/** The options of `LiveCloth.wear`. Trained cloth has a thickness and physics of its own. */
export const LIVE_CLOTH_OPTIONS = {
  ...RUN_CLOTH_OPTIONS,
  stepsPerSecond: integerOption(60, { min: 10, max: 1000, unit: 'steps/s' }, 'fixed steps per second'),
  maxSteps: integerOption(4, { min: 1, max: 1000 }, 'steps per call at most; time beyond them is dropped'),
} as const;

/** What holds a garment. */
export const PIN_OPTIONS = {
  pinBone: { type: 'string', default: undefined, description: 'pin the vertices near a bone, or several: a,b' },
  pinDistance: numberOption(0.02, { min: 0, max: 100, unit: 'm' }, 'how near: from the surface of the limb'),
  pinGroup: { type: 'string', default: undefined, description: 'pin faces of a group or material, or several: a,b' },
  pinColor: { type: 'string', default: undefined, description: 'pin the vertices painted in a colour, as in #ff0000' },
  pinVertices: { type: 'string', default: undefined, description: 'pin vertices by number, as in 0,4,10-20' },
} as const satisfies OptionSpecs;
