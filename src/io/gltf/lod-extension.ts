import type { GLTF } from '@gltf-transform/core';
import { LOD_EXTENSION } from './extension-names.ts';

/** MSFT_lod: nodes that stand in for another one from afar. They are in no scene, and share its parent's space. */

/** The nodes of the levels after the first, finest first; those that do not exist are left out. */
export function levelIds(json: GLTF.IGLTF, node: number): number[] {
  const { extensions } = json.nodes![node];
  const ids = (extensions?.[LOD_EXTENSION] as { ids?: unknown } | undefined)?.ids;
  const exists = (id: unknown): id is number => typeof id === 'number' && json.nodes![id] !== undefined && id !== node;
  return Array.isArray(ids) ? ids.filter(exists) : [];
}

/** Triangles of the levels of a node, finest first; none where it has no levels. */
export const levelTriangles = (json: GLTF.IGLTF, node: number): number[] =>
  levelIds(json, node).map((id) =>
    (json.meshes?.[json.nodes![id].mesh ?? -1]?.primitives ?? []).reduce((sum, { indices, attributes, mode = 4 }) => {
      const corners = json.accessors?.[indices ?? attributes.POSITION]?.count ?? 0;
      return sum + (mode === 4 ? Math.floor(corners / 3) : mode > 4 ? Math.max(0, corners - 2) : 0);
    }, 0),
  );
