import { PIN_OPTIONS, RUN_CLOTH_OPTIONS } from '../../../../src/cloth/options.ts';
import type { TrainedCloth } from '../../../../src/doors/cloth.ts';
import type { Mesh } from '../../../../src/index.ts';
import { choiceOption, integerOption, numberOption, type OptionsOf } from '../../../../src/model/options.ts';

/** Garments that the studio brings along, and one of the user's own. */
const GARMENTS = ['cape', 'skirt', 'own'] as const;

const { bending: BENDING, physics: _, ...RUN } = RUN_CLOTH_OPTIONS;
const { pinVertices: __, ...PINS } = PIN_OPTIONS;

/** How a garment is put on. Wind and stiffness can be changed while it is worn. */
export const DRESS_OPTIONS = {
  garment: choiceOption('cape', GARMENTS, 'what is put on'),
  vertices: integerOption(3000, { min: 200, max: 50_000 }, 'vertices of a cape or skirt'),
  size: numberOption(1, { min: 0.2, max: 5, unit: '×' }, 'size of a cape or skirt, relative to that of the body'),
  ...PINS,
  ...RUN,
} as const;

export type DressOptions = OptionsOf<typeof DRESS_OPTIONS>;

/** A mesh from a file or from another document. */
export interface OwnGarment {
  name: string;
  mesh: Mesh;
  /** If folds were learned for it: it has its own coarse mesh and pins. */
  trained?: TrainedCloth;
}

/** What is worn, and how. */
export interface Dress {
  options: Partial<DressOptions>;
  /** If the garment is the user's own. */
  own?: OwnGarment;
}

/** What a simulated clip is saved as. */
export type ClothFormat = 'glb' | 'abc';

/** Wind as the panel has it. */
export interface Breeze {
  /** m/s. */
  speed: number;
  /** Where it blows to, in degrees about the up axis: 0 is the front of a body, 90 its left. */
  heading: number;
}

export const MOST_WIND = 15;
export const CALM: Breeze = { speed: 0, heading: 0 };

/** As a vector, y up. */
export function windVelocity({ speed, heading }: Breeze): [number, number, number] {
  const angle = (heading * Math.PI) / 180;
  return [speed * Math.sin(angle), 0, speed * Math.cos(angle)];
}

/** Bending stiffness: the default and the ends of its slider, in powers of ten of N·m. */
export const BENDING_DEFAULT: number = BENDING.default;
export const [SOFTEST, STIFFEST]: readonly [number, number] = [-7, -2];
