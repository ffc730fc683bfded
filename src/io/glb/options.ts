import type { OptionSpecs, OptionsOf } from '../../model/options.ts';

/** What the writers of GLB files can be asked for. */

export const GLB_OPTIONS = {
  normals: {
    type: 'boolean',
    default: true,
    description: 'write normals (smooth ones are computed if missing)',
  },
  uvs: { type: 'boolean', default: true, description: 'write texture coordinates, if present' },
  materials: {
    type: 'boolean',
    default: true,
    description: 'write materials and their textures (a plain grey material if there is none)',
  },
  names: { type: 'boolean', default: true, description: 'write the names of bones and materials' },
  reorder: {
    type: 'boolean',
    default: false,
    description: 'order triangles, vertices and influences for rendering and compression',
  },
  quantize: {
    type: 'boolean',
    default: false,
    description:
      'quantize positions to 14 bits, normals to 8 (KHR_mesh_quantization), uvs to 12, motion to about 14: an error of about 0.005 % of the size',
  },
  compress: {
    type: 'choice',
    default: 'none',
    choices: ['none', 'meshopt'],
    description: 'lossless compression (EXT_meshopt_compression), which the player must support',
  },
} as const satisfies OptionSpecs;

/** The options of writing models as a GLB. */
export const MODEL_GLB_OPTIONS = {
  ...GLB_OPTIONS,
  influences: {
    type: 'number',
    default: 4,
    min: 1,
    max: 8,
    integer: true,
    description: 'maximum bones per vertex; more than 4 need a second set, which few players read',
  },
  joints: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'u8', 'u16'],
    description: 'storage of bone indices; auto: the smaller type that fits',
  },
  weights: {
    type: 'choice',
    default: 'u16',
    choices: ['float', 'float12', 'u16', 'u8'],
    description: 'storage of weights; float12: floats with 12 bits, which meshopt compresses better than u16',
  },
  rotations: {
    type: 'choice',
    default: 'float',
    choices: ['float', 'i16'],
    description: 'storage of the rotations of clips',
  },
} as const satisfies OptionSpecs;

/** The options of writing sequences as a GLB with morph targets. */
export const SEQUENCE_GLB_OPTIONS = {
  ...GLB_OPTIONS,
  morphNormals: {
    type: 'boolean',
    default: false,
    description: 'also morph the normals: correct shading at twice the size',
  },
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
