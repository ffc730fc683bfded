import type { GLTF } from '@gltf-transform/core';
import { isSurface } from '../io/gltf/mesh.ts';
import { groupsOf } from '../lod/join-meshes.ts';
import type { Asset } from '../model/asset.ts';
import type { GltfSource } from '../model/gltf-source.ts';
import type { Mesh } from '../model/mesh.ts';
import { findNamed } from './choose.ts';
import type { LodPart } from './lod-parts.ts';

/** What `lod` leaves as it is: groups of meshes, by any name that a file or a tool shows for them. */

/** A mesh, and names that its file has for it. */
export interface NamedMesh {
  mesh: Mesh;
  /** Of all of it: objects and nodes. */
  names: readonly (string | undefined)[];
  /** Of its groups: materials that stand for none when read. */
  groupNames?: readonly (string | undefined)[];
}

/** A part of a glTF file with the names of its node, its mesh and all its materials. */
export function namedPart({ model, at }: LodPart, source: GltfSource): NamedMesh {
  const { nodes = [], meshes = [], materials = [] } = source.json as unknown as GLTF.IGLTF;
  const node = nodes[at.node];
  const mesh = meshes[node.mesh ?? -1];
  return {
    mesh: model.mesh,
    names: [model.name, node.name, mesh?.name],
    groupNames: mesh?.primitives.filter(isSurface).map(({ material = -1 }) => materials[material]?.name),
  };
}

/** Of each group of each mesh, whether an option names it; throws with the names that there are. */
export function keptGroups(
  meshes: readonly NamedMesh[],
  names: readonly string[],
  asset: Pick<Asset, 'name'>,
): boolean[][] {
  const named = meshes.map(({ mesh, names: whole, groupNames = [] }) =>
    groupsOf(mesh).map(({ name, material = -1 }, g) =>
      [...whole, name, mesh.materials?.[material]?.name, groupNames[g]].filter((each) => !!each),
    ),
  );
  const known = named.flat(2).map((name) => ({ name }));
  for (const name of names) findNamed(known, { verb: 'lod', asset, option: 'keep', name });
  return named.map((groups) => groups.map((own) => own.some((name) => name !== undefined && names.includes(name))));
}
