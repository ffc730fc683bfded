import { PliantError } from '../error.ts';
import type { ModelGlbOptions } from '../io/glb/options.ts';
import { IMAGE_OPTIONS } from '../lod/images/build.ts';
import { LOD_OPTIONS } from '../lod/lod.ts';
import type { LodDetail, LodLevel } from '../lod/lod-detail.ts';
import { requireTargets } from '../lod/require-surface.ts';
import { booleanOption, type OptionSpecs, type OptionsOf, type RunOptions } from '../model/options.ts';
import type { Pose } from '../skin/choose-poses.ts';
import type { GlbTarget, VerbReport } from './verb.ts';

/** What `lod` can be asked for, and what it answers. */

/** The options of `lod`. */
export const LOD_VERB_OPTIONS = {
  object: { type: 'string', default: undefined, description: 'object of the file [default all]' },
  ...LOD_OPTIONS,
  separate: booleanOption(false, 'a file per level instead of one with MSFT_lod'),
  images: booleanOption(false, 'triangular geometry images, with a level for every patch, instead of meshes'),
  ...IMAGE_OPTIONS,
} as const satisfies OptionSpecs;

/** Options of `lod`. Without `glb` no file is made. */
export interface LodVerbOptions extends Partial<OptionsOf<typeof LOD_VERB_OPTIONS>>, RunOptions, GlbTarget {
  /** Triangles of each level, falling; instead of `levels`. */
  triangles?: readonly number[];
  /** Largest distance of each level, rising, in % of the diagonal; instead of `levels`. */
  maxError?: readonly number[];
  /** Names of objects, groups and materials that stay as they are. */
  keep?: readonly string[];
  /** How files are written. */
  glb?: Partial<Pick<ModelGlbOptions, 'weights' | 'joints' | 'compress'>>;
}

/** What `lod` returns. */
export interface LodOutcome {
  /** The given surfaces, then the levels, finest first. */
  levels: LodLevel[];
  /** For pictures: the poses that levels were fitted to. */
  poses: Pose[];
  /** One file with all levels. */
  file?: Uint8Array;
  /** With `separate`: a file for each level after the given one. */
  files?: Uint8Array[];
  /** With `images` and `separate`: a description and images for each part. */
  imageFiles?: { name: string; bytes: Uint8Array }[];
  report: VerbReport<LodDetail>;
}

/** At most one way to say which levels are wanted, and levels that get coarser. */
export function requireChoices(options: LodVerbOptions): void {
  const { levels, triangles, maxError, keep, images } = options;
  const ofImages = (Object.keys(IMAGE_OPTIONS) as (keyof typeof IMAGE_OPTIONS)[]).find(
    (name) => options[name] !== undefined,
  );
  if (ofImages && !images) {
    throw new PliantError('bad-option', 'lod', 'needs {option:images}', { option: ofImages });
  }
  const ofMeshes = Object.entries({ levels, triangles, maxError, keep }).find(([, value]) => value !== undefined);
  if (ofMeshes && images) {
    throw new PliantError('bad-option', 'lod', `conflicts with {option:${ofMeshes[0]}}`, { option: 'images' });
  }
  const given = Object.entries({ levels, triangles, maxError }).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const cause = `conflicts with {option:${given[0][0]}}`;
    throw new PliantError('bad-option', 'lod', cause, { option: given[1][0] });
  }
  requireTargets(options);
}
