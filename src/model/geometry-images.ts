import { PliantError } from '../error.ts';

/**
 * Triangular geometry images (Feng 2010, §4.5): a surface as P triangular patches over a base complex, each sampled on a
 * triangular grid at several levels. At level d a side has n = 2^d steps; sample (i, j), i + j ≤ n, has the barycentric
 * coordinates (n − i − j, i, j)/n in its patch.
 *
 * Patches that share a corner or a side have the same positions, joints and weights there, to the bit, so that patches of
 * different levels can be sewn together. Normals and uvs may differ: at creases and uv seams.
 */
export interface GeometryImages {
  name?: string;
  /** 3P: the base vertices at the corners of each patch, 0 … B − 1. */
  corners: Uint32Array;
  /** P: the finest level of each patch, falling. Level d has the first patches, those with depths ≥ d. */
  depths: Uint8Array;
  /** From the coarsest, one sample per corner, to the finest. A prefix of them is a coarser model. */
  levels: ImageLevel[];
  /** A stored coordinate q stands for origin + step · q, in single precision. */
  origin: readonly [number, number, number];
  step: number;
  /** The same for uvs (v up); absent without uvs. */
  uvs?: { origin: readonly [number, number]; step: readonly [number, number] };
  /** Runs of patches with a name, P: patch → group. Absent when there is one group. */
  groupOf?: Uint16Array;
  groups?: { name: string; material?: number }[];
  /** P × levels: the largest distance from the given surface at each level, in its unit; never rising with the level. */
  errors: Float32Array;
  boxes: PatchBoxes;
}

/** Oriented boxes around patches, which are skinned as the patches are. */
export interface PatchBoxes {
  /** 12P: a corner of the box, and its three neighbours, at rest. */
  points: Float32Array;
  /** 16P: four joints and weights for each of the four points; absent without a skin. */
  joints?: Uint16Array;
  weights?: Float32Array;
}

/**
 * The images of one level: two patches to a tile of (n + 2) × (n + 1) texels (Feng 2010, §4.5.2), tiles in rows of
 * `columns`. Channels are 16-bit, interleaved; texels that belong to no patch are 0.
 */
export interface ImageLevel {
  columns: number;
  width: number;
  height: number;
  /** 3 per texel. */
  positions: Uint16Array;
  /** 2 per texel: unit normals, octahedral. */
  normals: Uint16Array;
  /** 2 per texel. */
  uvs?: Uint16Array;
  /** 4 per texel. */
  joints?: Uint16Array;
  /** 4 per texel, of 65535 in sum. */
  weights?: Uint16Array;
}

/** Images of a level by name, with their channels: what a file holds. */
export const IMAGE_CHANNELS = { positions: 3, normals: 2, uvs: 2, joints: 4, weights: 4 } as const;

export type ImageName = keyof typeof IMAGE_CHANNELS;

/** Levels beyond this have more than a million samples per patch; four bits hold a level. */
export const MAX_IMAGE_LEVEL = 10;

/** Steps along a side. */
export const stepsOf = (level: number): number => 1 << level;

/** The tiles of a level that `patches` patches need: as square as can be. */
export function tileLayout(level: number, patches: number): Pick<ImageLevel, 'columns' | 'width' | 'height'> {
  const n = stepsOf(level);
  const tiles = Math.max(1, Math.ceil(patches / 2));
  const columns = Math.max(1, Math.ceil(Math.sqrt((tiles * (n + 1)) / (n + 2))));
  return { columns, width: columns * (n + 2), height: Math.ceil(tiles / columns) * (n + 1) };
}

/** Where sample (i, j) of a patch is in the images of a level: the number of the texel. */
export function texelOf({ columns, width }: ImageLevel, level: number, patch: number, i: number, j: number): number {
  const n = stepsOf(level);
  const tile = patch >> 1;
  // The second patch of a tile is turned by half a turn, beyond the diagonal of the first.
  const x = (tile % columns) * (n + 2) + (patch & 1 ? n + 1 - i : i);
  const y = Math.floor(tile / columns) * (n + 1) + (patch & 1 ? n - j : j);
  return y * width + x;
}

/** Number of patches. */
export const patchCount = ({ depths }: GeometryImages): number => depths.length;

/** Number of patches that level d has. */
export function patchesOfLevel({ depths }: Pick<GeometryImages, 'depths'>, level: number): number {
  let count = 0;
  while (count < depths.length && depths[count] >= level) count++;
  return count;
}

/** The first `count` levels: a coarser model, which shares their images. */
export function coarserImages(images: GeometryImages, count: number): GeometryImages {
  const all = images.levels.length;
  const keep = Math.max(1, Math.min(count, all));
  const patches = patchCount(images);
  const errors = new Float32Array(patches * keep);
  for (let p = 0; p < patches; p++) errors.set(images.errors.subarray(p * all, p * all + keep), p * keep);
  return {
    ...images,
    depths: images.depths.map((depth) => Math.min(depth, keep - 1)),
    levels: images.levels.slice(0, keep),
    errors,
  };
}

/** Throws `bad-input` where images break the contract above. Does not look at single texels. */
export function validateGeometryImages(images: GeometryImages, operation = 'validateGeometryImages'): void {
  const fail = (cause: string): never => {
    throw new PliantError('bad-input', operation, cause);
  };
  const { corners, depths, levels, errors, boxes, groupOf, groups, origin, step } = images;
  const patches = depths.length;
  if (patches === 0) fail('no patches (expected at least 1)');
  if (levels.length === 0 || levels.length > MAX_IMAGE_LEVEL + 1) {
    fail(`${levels.length} levels (expected 1 to ${MAX_IMAGE_LEVEL + 1})`);
  }
  if (corners.length !== 3 * patches) fail(`${corners.length} corners (expected ${3 * patches})`);
  if (![...origin, step].every(Number.isFinite) || !(step > 0)) fail('origin and step must be finite, step above 0');
  for (let p = 0; p < patches; p++) {
    if (depths[p] >= levels.length) fail(`patch ${p} has level ${depths[p]} (expected < ${levels.length})`);
    if (p > 0 && depths[p] > depths[p - 1]) fail(`patch ${p} is finer than the one before it`);
  }
  if (errors.length !== patches * levels.length) {
    fail(`${errors.length} errors (expected ${patches * levels.length})`);
  }
  if (boxes.points.length !== 12 * patches) fail(`${boxes.points.length} numbers of boxes (expected ${12 * patches})`);
  const skinned = levels[0].joints !== undefined;
  if (skinned && (boxes.joints?.length !== 16 * patches || boxes.weights?.length !== 16 * patches)) {
    fail(`boxes need ${16 * patches} joints and weights`);
  }
  if (groupOf && (groupOf.length !== patches || groupOf.some((g) => g >= (groups?.length ?? 0)))) {
    fail('patches of a group that does not exist');
  }
  levels.forEach((level, d) => {
    const layout = tileLayout(d, patchesOfLevel(images, d));
    if (level.columns !== layout.columns || level.width !== layout.width || level.height !== layout.height) {
      fail(`images of level ${d} are ${level.width} × ${level.height} (expected ${layout.width} × ${layout.height})`);
    }
    for (const [name, channels] of Object.entries(IMAGE_CHANNELS) as [ImageName, number][]) {
      const image = level[name];
      if (!image !== !levels[0][name]) fail(`level ${d} and level 0 do not both have ${name}`);
      if (image && image.length !== channels * level.width * level.height) {
        fail(`${name} of level ${d} have ${image.length} numbers (expected ${channels * level.width * level.height})`);
      }
    }
    if (!level.joints !== !level.weights) fail(`level ${d} has joints or weights, but not both`);
  });
}
