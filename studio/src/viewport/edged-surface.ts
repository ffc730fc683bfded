import { Color, Group, MeshBasicMaterial, Mesh as ThreeMesh } from 'three';
import type { Mesh } from '../../../src/index.ts';
import { SurfaceMaterials } from './materials.ts';
import { MovingSurface } from './surface.ts';

/** A surface with its edges drawn on it. */
export class EdgedSurface {
  readonly object = new Group();
  readonly surface: MovingSurface;
  readonly #edges: MeshBasicMaterial;

  constructor(mesh: Mesh) {
    // Moves the surface behind its edges, which lie in it.
    const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    const materials = new SurfaceMaterials(mesh, behind);
    this.surface = new MovingSurface(mesh, materials);
    const look = { color: new Color(0x16202c), wireframe: true, transparent: true, opacity: 0.55, fog: false };
    this.#edges = new MeshBasicMaterial(look);
    const edges = new ThreeMesh(this.surface.object.geometry, this.#edges);
    edges.frustumCulled = false;
    this.object.add(this.surface.object, edges);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.surface.dispose();
    this.#edges.dispose();
  }
}
