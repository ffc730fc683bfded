import { boundsOf } from '../mesh/bounds.ts';
import type { Asset } from '../model/asset.ts';
import type { Mesh, Space } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import { choiceOption, numberOption, type OptionSpecs, type OptionsOf } from '../model/options.ts';

/** Up axis and unit of files that do not say: OBJ, PLY, OFF, PC2, MDD and Alembic. */
export const SPACE_OPTIONS = {
  up: choiceOption('y', ['x', 'y', 'z'], 'up axis if the file does not store one; z in Blender and 3ds Max'),
  scale: numberOption(1, { min: 1e-9, max: 1e9, unit: 'metres' }, 'length of one unit if the file does not store one'),
} as const satisfies OptionSpecs;

/** The asset in the space that it has, or that was given for it. */
export function withSpace(asset: Asset, { up, scale }: Partial<OptionsOf<typeof SPACE_OPTIONS>>): Asset {
  if (up === undefined && scale === undefined) return { ...asset, notes: [...asset.notes, ...flatNotes(asset)] };
  if (asset.space) return { ...asset, notes: [...asset.notes, note('own-space', { space: asset.space })] };
  const space: Space = { up: up ?? 'y', metresPerUnit: scale ?? 1 };
  const placed = (mesh: Mesh): Mesh => ({ ...mesh, space });
  return {
    ...asset,
    space,
    meshes: asset.meshes.map(placed),
    sequences: asset.sequences.map((sequence) => ({ ...sequence, rest: placed(sequence.rest) })),
  };
}

/** As fractions of the diagonal: how near to a plane is on it, and how far is on both of its sides. */
const ON_THE_PLANE = 0.01;
const BOTH_SIDES = 0.05;

/** A hint where a mesh of an unknown space stands on z = 0 as things do in Blender, and reaches below y = 0. */
function flatNotes({ space, meshes, sequences }: Asset): Note[] {
  if (space) return [];
  const all = [...meshes, ...sequences.map(({ rest }) => rest)].filter(({ positions }) => positions.length > 0);
  const boxes = all.map(({ positions }) => boundsOf(positions));
  if (boxes.length === 0) return [];
  const low = [0, 1, 2].map((c) => Math.min(...boxes.map(({ min }) => min[c])));
  const high = [0, 1, 2].map((c) => Math.max(...boxes.map(({ max }) => max[c])));
  const size = low.map((x, c) => high[c] - x);
  const diagonal = Math.hypot(...size);
  const stands = Math.abs(low[2]) < ON_THE_PLANE * diagonal && size[2] > size[1];
  return stands && low[1] < -BOTH_SIDES * diagonal && high[1] > BOTH_SIDES * diagonal ? [note('maybe-z-up', {})] : [];
}
