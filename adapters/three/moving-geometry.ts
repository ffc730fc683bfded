import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from 'three';
import { vertexNormals } from '../../src/mesh/normals.ts';
import { expandToSplit } from '../../src/mesh/seams.ts';
import { flippedUvs } from '../../src/mesh/texture-uvs.ts';
import type { Mesh } from '../../src/model/mesh.ts';

/** Triangles, groups and uvs of a mesh of the library; positions and normals that change. */
export function movingGeometry(mesh: Mesh): BufferGeometry {
  const { seams, triangles, positions, uvs, groups = [] } = mesh;
  const geometry = new BufferGeometry();
  const moving = (values: Float32Array): BufferAttribute => new BufferAttribute(values, 3).setUsage(DynamicDrawUsage);
  geometry.setIndex(new BufferAttribute(seams?.triangles ?? triangles, 1));
  geometry.setAttribute('position', moving(seams ? expandToSplit(positions, 3, seams) : positions.slice()));
  geometry.setAttribute('normal', moving(vertexNormals(mesh)));
  if (uvs) geometry.setAttribute('uv', new BufferAttribute(flippedUvs(uvs), 2));
  for (const { start, count, material = 0 } of groups) geometry.addGroup(3 * start, 3 * count, material);
  return geometry;
}
