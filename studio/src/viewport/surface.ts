import { BufferAttribute, BufferGeometry, type Object3D, Mesh as ThreeMesh } from 'three';
import { smoothingGroups, vertexNormals } from '../../../src/mesh/normals.ts';
import { expandToSplit } from '../../../src/mesh/seams.ts';
import type { Mesh } from '../../../src/model/mesh.ts';
import { SurfaceMaterials } from './materials.ts';

/** A mesh on the stage. */
export interface Surface {
  readonly object: Object3D;
  readonly materials: SurfaceMaterials;
  /** 3N linear RGB, or undefined for the surface's own material. */
  paint(colours: Float32Array | undefined): void;
  dispose(): void;
}

/** N·stride numbers as renderers want them: per split vertex. */
export const perSplit = (values: Float32Array, stride: number, { seams }: Mesh): Float32Array =>
  seams ? expandToSplit(values, stride, seams) : values.slice();

/** Triangles, uvs and groups of a mesh; positions and normals of its rest pose. */
export function restGeometry(mesh: Mesh): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(mesh.seams?.triangles ?? mesh.triangles, 1));
  geometry.setAttribute('position', new BufferAttribute(perSplit(mesh.positions, 3, mesh), 3));
  const normals = mesh.normals?.slice() ?? vertexNormals(mesh);
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  if (mesh.uvs) geometry.setAttribute('uv', new BufferAttribute(mesh.uvs, 2));
  for (const { start, count, material = 0 } of mesh.groups ?? []) geometry.addGroup(3 * start, 3 * count, material);
  return geometry;
}

/** Puts colours (3N) on a geometry, or takes them off. */
export function paintGeometry(geometry: BufferGeometry, mesh: Mesh, colours: Float32Array | undefined): void {
  if (colours) geometry.setAttribute('color', new BufferAttribute(perSplit(colours, 3, mesh), 3));
}

/** A surface whose positions come from the CPU, frame by frame. */
export class MovingSurface implements Surface {
  readonly object: ThreeMesh;
  readonly materials: SurfaceMaterials;
  readonly #mesh: Mesh;
  readonly #groups: Uint32Array;

  constructor(mesh: Mesh, materials = new SurfaceMaterials(mesh)) {
    this.#mesh = mesh;
    this.#groups = smoothingGroups(mesh);
    this.materials = materials;
    this.object = new ThreeMesh(restGeometry(mesh), materials.plain);
    // Bounds are those of one frame.
    this.object.frustumCulled = false;
    this.object.castShadow = true;
    this.object.receiveShadow = true;
  }

  /** @param positions 3N. */
  show(positions: Float32Array): void {
    const { position, normal } = this.object.geometry.attributes;
    const { seams } = this.#mesh;
    (position.array as Float32Array).set(seams ? expandToSplit(positions, 3, seams) : positions);
    vertexNormals(this.#mesh, positions, 'area', this.#groups, normal.array as Float32Array);
    position.needsUpdate = true;
    normal.needsUpdate = true;
  }

  paint(colours: Float32Array | undefined): void {
    paintGeometry(this.object.geometry, this.#mesh, colours);
    this.object.material = colours ? this.materials.painted : this.materials.plain;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.materials.dispose();
  }
}
