import type { ModelGlbOptions } from '../io/glb/options.ts';
import type { Asset } from '../model/asset.ts';
import { booleanOption, type OptionSpecs, type OptionsOf, type RunOptions } from '../model/options.ts';
import { BIND_OPTIONS, INFLUENCE_OPTIONS } from '../rig/bind/bind-options.ts';
import { MIRROR_OPTIONS } from '../rig/bind/mirror.ts';
import type { NameMap } from './other-motions.ts';

/** The options of `weights`. */
export const WEIGHTS_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'object of the file [default all]' },
  align: booleanOption(false, 'scale and move the skeleton into the bounding box of the mesh'),
  ...BIND_OPTIONS,
  ...INFLUENCE_OPTIONS,
  symmetrize: booleanOption(false, 'average the weights of both sides'),
  ...MIRROR_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `weights`. */
export interface WeightsVerbOptions extends Partial<OptionsOf<typeof WEIGHTS_OPTIONS>>, RunOptions {
  /** An asset whose skeleton and clips are taken [default the input]. */
  skeleton?: Asset;
  /** Assets whose clips are added. */
  clips?: readonly Asset[];
  /** For `clips`. */
  map?: NameMap;
  /** Names of bones that no vertex follows. */
  exclude?: readonly string[];
  /** Writes a GLB, with as many influences as are kept. */
  glb?: Partial<ModelGlbOptions>;
}
