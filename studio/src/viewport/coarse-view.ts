import { Color, Group, MeshBasicMaterial, Mesh as ThreeMesh } from 'three';
import { levelOf, PosePlacer } from '../../../src/doors/mesh.ts';
import type { CoarseData } from '../core/inspect/inspection.ts';
import { SurfaceMaterials } from './materials.ts';
import { MovingSurface, type Surface } from './surface.ts';

/** A motion with fewer vertices: the surface, and its edges over it. */
export class CoarseView {
  readonly object = new Group();
  readonly data: CoarseData;
  readonly #placer: PosePlacer;
  #shown?: { merged: number; level: ReturnType<typeof levelOf>; surface: MovingSurface; edges: ThreeMesh };

  constructor(data: CoarseData) {
    this.data = data;
    this.#placer = new PosePlacer(data.decimation);
  }

  /** What is shown of it. */
  get surface(): Surface | undefined {
    return this.#shown?.surface;
  }

  /** @param pose 3N of all vertices. */
  show(merged: number, pose: Float32Array): void {
    if (this.#shown?.merged !== merged) this.#build(merged, pose);
    const { level, surface } = this.#shown!;
    surface.move(Float32Array.from(this.#placer.place(pose, level)));
  }

  dispose(): void {
    this.object.removeFromParent();
    this.#shown?.surface.dispose();
    (this.#shown?.edges.material as MeshBasicMaterial | undefined)?.dispose();
    this.object.clear();
    this.#shown = undefined;
  }

  #build(merged: number, pose: Float32Array): void {
    const { parent } = this.object;
    this.dispose();
    parent?.add(this.object);
    const { decimation } = this.data;
    const level = levelOf(decimation, Math.round((1 - merged) * decimation.vertexCount));
    const mesh = { positions: Float32Array.from(this.#placer.place(pose, level)), triangles: level.triangles };
    const materials = new SurfaceMaterials(mesh);
    // Moves the surface behind its edges, which lie in it.
    for (const material of materials.all) {
      Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    }
    const surface = new MovingSurface(mesh, materials);
    const look = { color: new Color(0x16202c), wireframe: true, transparent: true, opacity: 0.55, fog: false };
    const edges = new ThreeMesh(surface.object.geometry, new MeshBasicMaterial(look));
    edges.frustumCulled = false;
    this.object.add(surface.object, edges);
    this.#shown = { merged, level, surface, edges };
  }
}
