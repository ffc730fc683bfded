import { booleanOption, choiceOption, integerOption, type OptionSpecs, type OptionsOf } from '../../model/options.ts';

/** What the writers of GLB files can be asked for. */

export const GLB_OPTIONS = {
  normals: booleanOption(true, 'write normals (smooth ones are computed if missing)'),
  uvs: booleanOption(true, 'write texture coordinates, if present'),
  materials: booleanOption(true, 'write materials and their textures (a plain grey material if there is none)'),
  names: booleanOption(true, 'write the names of bones and materials'),
  reorder: booleanOption(false, 'order triangles, vertices and influences for rendering and compression'),
  quantize: booleanOption(
    false,
    'quantize positions to 14 bits, normals to 8 (KHR_mesh_quantization), uvs to 12, motion to about 14: an error of about 0.005 % of the size',
  ),
  compress: choiceOption(
    'none',
    ['none', 'meshopt'],
    'lossless compression (EXT_meshopt_compression), which the player must support',
  ),
} as const satisfies OptionSpecs;

/** The options of writing models as a GLB. */
export const MODEL_GLB_OPTIONS = {
  ...GLB_OPTIONS,
  influences: integerOption(
    4,
    { min: 1, max: 8 },
    'maximum bones per vertex; more than 4 need a second set, which few players read',
  ),
  joints: choiceOption('auto', ['auto', 'u8', 'u16'], 'storage of bone indices; auto: the smaller type that fits'),
  weights: choiceOption(
    'u16',
    ['float', 'float12', 'u16', 'u8'],
    'storage of weights; float12: floats with 12 bits, which meshopt compresses better than u16',
  ),
  rotations: choiceOption('float', ['float', 'i16'], 'storage of the rotations of clips'),
} as const satisfies OptionSpecs;

/** The options of writing sequences as a GLB with morph targets. */
export const SEQUENCE_GLB_OPTIONS = {
  ...GLB_OPTIONS,
  morphNormals: booleanOption(false, 'also morph the normals: correct shading at twice the size'),
} as const satisfies OptionSpecs;

/** What makes files smallest: put these over the defaults. */
export const SMALL_GLB = { names: false, reorder: true, quantize: true, compress: 'meshopt' } as const;
/** The same for models, whose weights are then kept at 12 bits and rotations at 16. */
export const SMALL_MODEL_GLB = { ...SMALL_GLB, weights: 'float12', rotations: 'i16' } as const;
/** What a fit solves its weights for where the file is to be small: they then take 10 bits, without loss. */
export const SMALL_WEIGHT_LEVELS = 1024;

/** Options of writing any GLB. */
export type GlbOptions = OptionsOf<typeof GLB_OPTIONS>;
/** Options of writing models as a GLB. */
export type ModelGlbOptions = OptionsOf<typeof MODEL_GLB_OPTIONS>;
/** Options of writing sequences as a GLB with morph targets. */
export type SequenceGlbOptions = OptionsOf<typeof SEQUENCE_GLB_OPTIONS>;
