import {
  type Asset,
  type FileAccess,
  fit,
  linearize,
  memorySource,
  mix,
  readGltf,
  skin,
  weights,
  writeSequenceGlb,
} from '../../src/index.ts';

/** Verbs that write a GLB, as briefly as they can: an opened rig in, a file out. */

export const openGlb = (glb: Uint8Array): Promise<Asset> =>
  readGltf(memorySource('rig.glb', glb), {} as FileAccess, 'rig.glb');

type Verb = (asset: Asset) => Promise<Uint8Array>;

/** Verbs that change a given rig. */
export const EDITING_VERBS = {
  linearize: async (asset) =>
    (await linearize(asset, { blendBones: 2, trainingFrames: 4, measure: false, glb: {} })).file!,
  mix: async (asset) => (await mix(asset, { poses: 3, glb: {} })).file!,
  weights: async (asset) => (await weights(asset, { method: 'inverse-distance', glb: {} })).file!,
} satisfies Record<string, Verb>;

/** Verbs that make something new. */
export const MAKING_VERBS = {
  'mix, baked as morph targets': async (asset) => {
    const { models } = await mix(asset, { poses: 3 });
    const mixed = models.filter(({ mixWeights }) => mixWeights);
    const { sequences } = await skin({ ...asset, models: mixed }, { operator: 'mix' });
    return (await writeSequenceGlb(sequences)).bytes;
  },
  'fit, rigid': (asset) => fitted(asset, 'rigid'),
  'fit, trs': (asset) => fitted(asset, 'trs'),
  'fit, affine': (asset) => fitted(asset, 'affine'),
} satisfies Record<string, Verb>;

const fitted = async (asset: Asset, kind: 'rigid' | 'trs' | 'affine'): Promise<Uint8Array> =>
  (await fit(asset, { kind, bones: 6, iterations: 10, moves: 0, baseline: false, glb: {} })).file!;
