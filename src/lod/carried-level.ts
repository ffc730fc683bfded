import { gatherRows } from '../math/rows.ts';
import type { Mesh, VertexAttribute } from '../model/mesh.ts';
import { groupsOf, type LevelMesh } from './level-mesh.ts';
import { posedBy, trimmedWeights } from './pose.ts';
import type { PosedSurface, SurfaceLevel } from './surface.ts';

/** A level as the collapses leave it: every vertex is one of the original's, with its weights, morphs and values. */
export function carriedLevel(surface: PosedSurface, level: LevelMesh): Omit<SurfaceLevel, 'figures'> {
  const { mesh, poses, skin, morphs } = surface;
  const positions = gatherRows(mesh.positions, 3, level.vertexOf);
  const weights = skin && trimmedWeights(skin.weights, level.vertexOf);
  const carried = morphs?.map((morph) => ({ ...morph, positions: gatherRows(morph.positions, 3, level.vertexOf) }));
  return {
    mesh: carriedMesh(mesh, level, positions),
    ...(weights && { weights }),
    ...(carried && { morphs: carried }),
    poses: poses.map((pose, p) =>
      weights
        ? Float32Array.from(posedBy(surface, p, positions, weights, carried ?? []))
        : gatherRows(Float32Array.from(pose), 3, level.vertexOf),
    ),
  };
}

/** The mesh of a level with the values of the split vertices that its wedges were. */
export function carriedMesh(mesh: Mesh, level: LevelMesh, positions: Float32Array): Mesh {
  const { corners, triangles, wedgeVertex, splitOf, vertexOf } = level;
  // Without seams, split vertices are vertices: wedges in the order of their vertices.
  const split = wedgeVertex.length > vertexOf.length;
  const order = split ? Uint32Array.from(wedgeVertex.keys()) : new Uint32Array(vertexOf.length);
  if (!split) for (let w = 0; w < wedgeVertex.length; w++) order[wedgeVertex[w]] = w;
  const from = order.map((w) => splitOf[w]);
  const attributes = Object.entries(mesh.attributes ?? {}).map(([name, attribute]): [string, VertexAttribute] => [
    name,
    { ...attribute, values: gatherRows(attribute.values, attribute.size, from) },
  ]);
  const groups = groupsOf(mesh, level);
  return {
    ...(mesh.name !== undefined && { name: mesh.name }),
    positions,
    triangles,
    ...(mesh.normals && { normals: gatherRows(mesh.normals, 3, from) }),
    ...(mesh.uvs && { uvs: gatherRows(mesh.uvs, 2, from) }),
    ...(mesh.attributes && { attributes: Object.fromEntries(attributes) }),
    ...(split && { seams: { vertexOf: wedgeVertex, triangles: corners } }),
    ...(groups && { groups }),
    ...(mesh.materials && { materials: mesh.materials }),
    ...(mesh.space && { space: mesh.space }),
  };
}
