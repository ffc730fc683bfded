import { Group } from 'three';
import { levelOf, PosePlacer } from '../../../src/doors/mesh.ts';
import type { CoarseData } from '../core/inspect/inspection.ts';
import { EdgedSurface } from './edged-surface.ts';
import type { Surface } from './surface.ts';

/** A motion with fewer vertices: the surface, and its edges over it. */
export class CoarseView {
  readonly object = new Group();
  readonly data: CoarseData;
  readonly #placer: PosePlacer;
  #shown?: { merged: number; level: ReturnType<typeof levelOf>; edged: EdgedSurface };

  constructor(data: CoarseData) {
    this.data = data;
    this.#placer = new PosePlacer(data.decimation);
  }

  /** What is shown of it. */
  get surface(): Surface | undefined {
    return this.#shown?.edged.surface;
  }

  /** @param pose 3N of all vertices. */
  show(merged: number, pose: Float32Array): void {
    if (this.#shown?.merged !== merged) this.#build(merged, pose);
    const { level, edged } = this.#shown!;
    edged.surface.move(Float32Array.from(this.#placer.place(pose, level)));
  }

  dispose(): void {
    this.object.removeFromParent();
    this.#shown?.edged.dispose();
    this.#shown = undefined;
  }

  #build(merged: number, pose: Float32Array): void {
    this.#shown?.edged.dispose();
    const { decimation } = this.data;
    const level = levelOf(decimation, Math.round((1 - merged) * decimation.vertexCount));
    const positions = Float32Array.from(this.#placer.place(pose, level));
    const edged = new EdgedSurface({ positions, triangles: level.triangles });
    this.object.add(edged.object);
    this.#shown = { merged, level, edged };
  }
}
