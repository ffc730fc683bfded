import type { GLTF } from '@gltf-transform/core';
import type { GltfSource } from '../../../model/gltf-source.ts';
import { type Note, note } from '../../../model/note.ts';
import type { LostPart } from '../../../model/note-texts.ts';
import { extensionNames } from './references.ts';

/** Extensions that the nouns carry, or that say how something is stored. */
const CARRIED =
  /^(\w+_materials?_(?!variants)|\w+_texture_|KHR_mesh_quantization|KHR_draco_mesh_compression|PLIANT_)|_meshopt_compression$/;

/**
 * What of a glTF file a new one does not have, as a note; none where that is nothing. `kept`: the nodes that are written;
 * without it what nodes show is told elsewhere.
 */
export function lostNotes(source: GltfSource | undefined, kept?: ReadonlySet<number>): Note[] {
  const json = (source?.json ?? {}) as unknown as GLTF.IGLTF;
  const others = (json.nodes ?? []).filter((_, n) => kept && !kept.has(n));
  const isLost: Record<LostPart, boolean> = {
    meshes: others.some(({ mesh }) => mesh !== undefined),
    nodes: others.some(({ mesh, camera }) => mesh === undefined && camera === undefined),
    cameras: (json.cameras?.length ?? 0) > 0,
    scenes: (json.scenes?.length ?? 0) > 1,
    extras: hasExtras({ ...json, materials: undefined }),
  };
  const lost = (Object.keys(isLost) as LostPart[]).filter((part) => isLost[part]);
  const extensions = [...new Set(extensionNames(json))].filter((name) => !CARRIED.test(name));
  return lost.length + extensions.length > 0 ? [note('rebuilt', { lost, extensions })] : [];
}

/** Extras that are not Pliant's, nor names of morph targets, which are carried. */
function hasExtras(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (key !== 'extras' || Array.isArray(value)) return hasExtras(inner);
    return Object.keys(Object(inner)).some((name) => name !== 'pliant' && name !== 'targetNames');
  });
}
