import { BufferAttribute, BufferGeometry, type Object3D, Mesh as ThreeMesh } from 'three';
import { type Bounds, boundsOf, expandToSplit, smoothingGroups, vertexNormals } from '../../../src/doors/mesh.ts';
import type { Mesh, VertexAttribute } from '../../../src/index.ts';
import { attributeFloats } from '../../../src/mesh/attribute-floats.ts';
import { uvChannels } from './file-textures.ts';
import { SurfaceMaterials } from './materials.ts';

/** Layers of colours: the chosen paint, or the difference in its own pane. */
export type Layer = 'own' | 'difference';

/** A mesh on the stage. */
export interface Surface {
  readonly object: Object3D;
  readonly materials: SurfaceMaterials;
  /** Positions of its vertices in the next frame, if known. */
  readonly bounds?: Bounds;
  readonly layers: PaintLayers;
  dispose(): void;
}

/** N·stride numbers expanded to split vertices. */
export const perSplit = (values: Float32Array, stride: number, { seams }: Mesh): Float32Array =>
  seams ? expandToSplit(values, stride, seams) : values.slice();

/** Triangles, uvs and groups of a mesh; positions and normals (3W) of its rest pose. */
export function restGeometry(mesh: Mesh, normals = mesh.normals?.slice() ?? vertexNormals(mesh)): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setIndex(new BufferAttribute(mesh.seams?.triangles ?? mesh.triangles, 1));
  geometry.setAttribute('position', new BufferAttribute(perSplit(mesh.positions, 3, mesh), 3));
  geometry.setAttribute('normal', new BufferAttribute(normals, 3));
  setUvs(geometry, mesh);
  const { COLOR_0: colours } = mesh.attributes ?? {};
  if (colours) geometry.setAttribute('color', ownColours(colours));
  const clay = mesh.materials?.length ?? 0;
  for (const { start, count, material = clay } of mesh.groups ?? []) geometry.addGroup(3 * start, 3 * count, material);
  return geometry;
}

/** A set of uvs for each texture that needs its own: `uv`, `uv1` and so on. */
function setUvs(geometry: BufferGeometry, mesh: Mesh): void {
  for (const { channel, uvs } of uvChannels(mesh).values()) {
    const name = channel === 0 ? 'uv' : `uv${channel}`;
    if (!geometry.hasAttribute(name)) geometry.setAttribute(name, new BufferAttribute(uvs, 2));
  }
}

/** Red, green and blue; a fourth component would be drawn as contour lines. */
function ownColours(attribute: VertexAttribute): BufferAttribute {
  const { size } = attribute;
  const floats = attributeFloats(attribute);
  const rgb = Float32Array.from(
    { length: (3 * floats.length) / size },
    (_, c) => floats[size * Math.floor(c / 3) + (c % 3)],
  );
  return new BufferAttribute(rgb, 3);
}

/** The colours of a mesh in all layers, one of which is on its geometry. */
export class PaintLayers {
  readonly #object: ThreeMesh;
  readonly #mesh: Mesh;
  readonly #materials: SurfaceMaterials;
  readonly #layers: { [L in Layer]?: { colours: Float32Array; attribute: BufferAttribute } } = {};
  /** Vertex colours of the file. */
  readonly #own?: BufferAttribute;
  #shown: Layer = 'own';

  constructor(object: ThreeMesh, mesh: Mesh, materials: SurfaceMaterials) {
    this.#object = object;
    this.#mesh = mesh;
    this.#materials = materials;
    this.#own = object.geometry.getAttribute('color') as BufferAttribute | undefined;
  }

  /** 3N linear RGB, or 4N with values for contour lines; undefined for the surface's own material. */
  paint(colours: Float32Array | undefined, layer: Layer = 'own'): void {
    const before = this.#layers[layer];
    if (colours === before?.colours) return;
    if (!colours) this.#layers[layer] = undefined;
    else {
      const stride = (3 * colours.length) / this.#mesh.positions.length;
      const values = perSplit(colours, stride, this.#mesh);
      const same = before?.colours.length === colours.length;
      const attribute = same ? before.attribute : new BufferAttribute(values, stride);
      if (same) (attribute.array as Float32Array).set(values);
      attribute.needsUpdate = true;
      this.#layers[layer] = { colours, attribute };
    }
    if (layer === this.#shown) this.show(layer);
  }

  /** Whether the shown layer has colours. */
  get painted(): boolean {
    return this.#layers[this.#shown] !== undefined;
  }

  /** Chooses the layer to draw [default: the same, with what its materials are now]. */
  show(layer: Layer = this.#shown): void {
    this.#shown = layer;
    const attribute = this.#layers[layer]?.attribute;
    const colours = attribute ?? this.#own;
    if (colours) this.#object.geometry.setAttribute('color', colours);
    this.#object.material = attribute ? this.#materials.painted : this.#materials.plain;
  }
}

/** Whether an object and all of its parents are visible. */
export const isShown = (object: Object3D | null): boolean => !object || (object.visible && isShown(object.parent));

/** Updated before each frame that it is in. */
class ToldMesh extends ThreeMesh {
  onPicture: () => void = () => {};

  override updateMatrixWorld(force?: boolean): void {
    if (isShown(this)) this.onPicture();
    super.updateMatrixWorld(force);
  }
}

/** A surface with positions from the CPU. Frames that are not drawn cost nothing. */
export class MovingSurface implements Surface {
  readonly object: ToldMesh;
  readonly materials: SurfaceMaterials;
  readonly layers: PaintLayers;
  readonly #mesh: Mesh;
  readonly #groups: Uint32Array;
  /** 3N: positions for the next frame. */
  #next?: Float32Array;
  #bounds?: Bounds;
  /** Whether normals belong to a pose. */
  #lit = false;

  constructor(mesh: Mesh, materials = new SurfaceMaterials(mesh)) {
    this.#mesh = mesh;
    this.#groups = smoothingGroups(mesh);
    this.materials = materials;
    this.object = new ToldMesh(restGeometry(mesh, new Float32Array(3 * this.#groups.length)), materials.plain);
    this.object.onPicture = () => this.#settle();
    // Bounds are valid for one frame only.
    this.object.frustumCulled = false;
    this.object.castShadow = true;
    this.object.receiveShadow = true;
    this.layers = new PaintLayers(this.object, mesh, materials);
  }

  /** @param positions 3N, read when the next frame is drawn; do not change them before. */
  move(positions: Float32Array): void {
    this.#next = positions;
    this.#bounds = undefined;
  }

  get bounds(): Bounds {
    this.#bounds ??= boundsOf(this.#next ?? (this.object.geometry.attributes.position.array as Float32Array));
    return this.#bounds;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.materials.dispose();
  }

  #settle(): void {
    if (this.#lit && !this.#next) return;
    const { position, normal } = this.object.geometry.attributes;
    const normals = normal.array as Float32Array;
    if (this.#next) {
      const { seams } = this.#mesh;
      (position.array as Float32Array).set(seams ? expandToSplit(this.#next, 3, seams) : this.#next);
      vertexNormals(this.#mesh, this.#next, 'area', this.#groups, normals);
    } else if (this.#mesh.normals) normals.set(this.#mesh.normals);
    else vertexNormals(this.#mesh, this.#mesh.positions, 'angle', this.#groups, normals);
    position.needsUpdate = true;
    normal.needsUpdate = true;
    this.#next = undefined;
    this.#lit = true;
  }
}
