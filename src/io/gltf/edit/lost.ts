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
 * without it, meshes and joints are told elsewhere. `more`: what else is lost.
 */
export function lostNotes(
  source: GltfSource | undefined,
  kept?: ReadonlySet<number>,
  more: readonly LostPart[] = [],
): Note[] {
  const json = (source?.json ?? {}) as unknown as GLTF.IGLTF;
  const others = (json.nodes ?? []).filter((_, n) => kept && !kept.has(n));
  const isLost: Record<LostPart, boolean> = {
    meshes: others.some(({ mesh }) => mesh !== undefined),
    nodes: kept
      ? others.some(isBare)
      : hasEmptyNodes(json.nodes ?? [], new Set(json.skins?.flatMap(({ joints }) => joints))),
    clips: false,
    morphs: false,
    cameras: (json.cameras?.length ?? 0) > 0,
    scenes: (json.scenes?.length ?? 0) > 1,
    materials: hasUnusedMaterials(json),
    extras: hasExtras({ ...json, materials: undefined }),
    copyright: json.asset?.copyright !== undefined,
  };
  const lost = (Object.keys(isLost) as LostPart[]).filter((part) => isLost[part] || more.includes(part));
  const extensions = [...new Set(extensionNames(json))].filter((name) => !CARRIED.test(name));
  return lost.length + extensions.length > 0 ? [note('rebuilt', { lost, extensions })] : [];
}

/** Nodes that show nothing, and that no extension is about. */
const isBare = ({ mesh, camera, extensions }: GLTF.INode): boolean =>
  mesh === undefined && camera === undefined && !extensions;

/** Whether there are bare nodes with nothing below them: sockets, ends of bones. */
const hasEmptyNodes = (nodes: readonly GLTF.INode[], joints: ReadonlySet<number>): boolean =>
  nodes.some((node, n) => isBare(node) && !node.children?.length && !joints.has(n));

function hasUnusedMaterials({ materials = [], meshes = [] }: GLTF.IGLTF): boolean {
  const used = new Set(meshes.flatMap(({ primitives }) => primitives.map(({ material }) => material)));
  return materials.some((_, m) => !used.has(m));
}

/** Extras that are not Pliant's, nor names of morph targets, which are carried. */
function hasExtras(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    if (key !== 'extras' || Array.isArray(value)) return hasExtras(inner);
    return Object.keys(Object(inner)).some((name) => name !== 'pliant' && name !== 'targetNames');
  });
}
