import { lod } from '../../src/doors/lod.ts';
import {
  type Asset,
  convert,
  drive,
  type FileAccess,
  fit,
  learn,
  linearize,
  memorySource,
  mix,
  pointNames,
  readGltf,
  skin,
  weights,
  writeSequenceGlb,
} from '../../src/index.ts';

/** Verbs that write a GLB, as briefly as they can: an opened rig in, a file out. */

export const openGlb = (glb: Uint8Array): Promise<Asset> =>
  readGltf(memorySource('rig.glb', glb), {} as FileAccess, 'rig.glb');

type Verb = (asset: Asset) => Promise<Uint8Array>;

/** Whether a clip scales bones, which dual quaternions alone cannot follow. */
const hasScaledBones = ({ models }: Asset): boolean =>
  models.some(({ clips }) =>
    clips.some(({ transforms: m }) =>
      Array.from({ length: m.length / 12 }, (_, b) => Math.hypot(m[12 * b], m[12 * b + 4], m[12 * b + 8])).some(
        (length) => Math.abs(length - 1) > 0.01,
      ),
    ),
  );

/** Verbs that change a given rig, or only pack it. */
export const EDITING_VERBS = {
  convert: async (asset) => (await convert(asset, { format: 'glb' })).file!,
  linearize: async (asset) => {
    const operator = hasScaledBones(asset) ? 'sdqs' : 'dqs';
    return (await linearize(asset, { operator, blendBones: 2, trainingFrames: 4, measure: false, glb: {} })).file!;
  },
  lod: async (asset) => (await lod(asset, { levels: 1, poses: 2, glb: {} })).file!,
  mix: async (asset) => (await mix(asset, { poses: 3, glb: {} })).file!,
  weights: async (asset) => (await weights(asset, { method: 'inverse-distance', glb: {} })).file!,
} satisfies Record<string, Verb>;

/** More that edit. */
export const LEVEL_FILES = {
  'lod, a file per level': async (asset) =>
    (await lod(asset, { levels: 1, poses: 2, separate: true, glb: {} })).files![0],
} satisfies Record<string, Verb>;

/** Verbs that make something new. */
export const MAKING_VERBS = {
  'mix, baked as morph targets': async (asset) => {
    const { models } = await mix(asset, { poses: 3 });
    const mixed = models.filter(({ mixWeights }) => mixWeights);
    const { sequences } = await skin({ ...asset, models: mixed }, { operator: 'mix' });
    return (await writeSequenceGlb(sequences)).bytes;
  },
  skin: async (asset) => (await writeSequenceGlb((await skin(asset)).sequences)).bytes,
  learn: async (asset) => (await learned(asset)).file!,
  drive: async (asset) => {
    const { predictor } = await learned(asset);
    const by = [{ name: pointNames(predictor)[0], offset: [0, 0.1, 0] }];
    return (await drive(predictor, { by, glb: {} })).file!;
  },
  'fit, rigid': (asset) => fitted(asset, 'rigid'),
  'fit, trs': (asset) => fitted(asset, 'trs'),
  'fit, affine': (asset) => fitted(asset, 'affine'),
} satisfies Record<string, Verb>;

const fitted = async (asset: Asset, kind: 'rigid' | 'trs' | 'affine'): Promise<Uint8Array> =>
  (await fit(asset, { kind, bones: 6, iterations: 10, moves: 0, baseline: false, glb: {} })).file!;

const learned = (asset: Asset) => learn(asset, { points: 2, bones: 3, glb: {} });
