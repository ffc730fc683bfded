import type { OptionSpecs, OptionsOf } from '../../model/options.ts';

/** What the writers of GLB files can be asked for. */

export const GLB_OPTIONS = {
  normals: {
    type: 'boolean',
    default: true,
    description: 'write normals (meshes and models without any get smooth ones)',
  },
  uvs: { type: 'boolean', default: true, description: 'write the texture coordinates of meshes that have some' },
  materials: {
    type: 'boolean',
    default: true,
    description: 'write materials and their pictures (a plain grey one where there is none)',
  },
  names: { type: 'boolean', default: true, description: 'write the names of bones and materials' },
  reorder: {
    type: 'boolean',
    default: false,
    description: 'store triangles, vertices and influences in the order that renders fastest and compresses best',
  },
  quantize: {
    type: 'boolean',
    default: false,
    description:
      'positions at 14 bits, normals at 8 (KHR_mesh_quantization), uvs at 12, motion at about 14: off by about 0.005 % of the size',
  },
  compress: {
    type: 'choice',
    default: 'none',
    choices: ['none', 'meshopt'],
    description: 'lossless compression of the data (EXT_meshopt_compression), which the player must know',
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
    description: 'most bones that a vertex may follow; more than 4 need a second set, which few players read',
  },
  joints: {
    type: 'choice',
    default: 'auto',
    choices: ['auto', 'u8', 'u16'],
    description: 'how bone indices are stored; auto takes the smaller one that holds them',
  },
  weights: {
    type: 'choice',
    default: 'u16',
    choices: ['float', 'float12', 'u16', 'u8'],
    description:
      'how weights are stored, float12 as floats of 12 bits, which meshopt makes smaller than u16; sums are exact in each',
  },
  rotations: {
    type: 'choice',
    default: 'float',
    choices: ['float', 'i16'],
    description: 'how the rotations of clips are stored',
  },
} as const satisfies OptionSpecs;

/** The options of writing sequences as a GLB with morph targets. */
export const SEQUENCE_GLB_OPTIONS = {
  ...GLB_OPTIONS,
  morphNormals: {
    type: 'boolean',
    default: false,
    description: 'write the change of the normals too: right shading at twice the size',
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
