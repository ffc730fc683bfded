import { meshEdges } from '../mesh/adjacency.ts';
import { straightDistance } from '../mesh/graph-distance.ts';
import type { Figures } from '../model/figures.ts';
import { type Mesh, vertexCount } from '../model/mesh.ts';
import { type Note, note } from '../model/note.ts';
import type { BodyMotion } from './body-motion.ts';
import { crossingLimbs } from './crossing-limbs.ts';
import type { Stage } from './stage.ts';

/** Stretch that no cloth stands. */
const TORN = 1;

/** How much a garment stretched and how deep it got into the body, gathered frame by frame. */
export class RunFigures {
  readonly #stage: Stage | undefined;
  readonly #edges: Uint32Array;
  readonly #lengths: Float64Array;
  readonly #distances: Float64Array;
  readonly #pinned: Uint8Array;
  #frames = 0;
  #strain = 0;
  #stretch = 0;
  /** The frame in which it was. */
  #worst = 0;
  #depth = 0;

  constructor(mesh: Mesh, stage: Stage | undefined) {
    const n = vertexCount(mesh);
    this.#stage = stage;
    this.#edges = meshEdges(mesh.triangles, n).vertices;
    this.#lengths = Float64Array.from({ length: this.#edges.length / 2 }, (_, e) => this.#length(mesh.positions, e));
    this.#distances = new Float64Array(n);
    this.#pinned = new Uint8Array(n);
    for (const i of stage?.pins.vertices ?? []) this.#pinned[i] = 1;
  }

  add(x: Float64Array): void {
    let sum = 0;
    for (let e = 0; e < this.#lengths.length; e++) {
      const strain = this.#lengths[e] > 0 ? this.#length(x, e) / this.#lengths[e] - 1 : 0;
      sum += Math.abs(strain);
      if (strain > this.#stretch) [this.#stretch, this.#worst] = [strain, this.#frames];
    }
    this.#strain += sum / this.#lengths.length;
    this.#frames++;
    if (!this.#stage) return;
    const { obstacles, margin } = this.#stage;
    this.#distances.fill(Infinity);
    for (const obstacle of obstacles) obstacle.distances(x, this.#distances);
    this.#distances.forEach((distance, i) => {
      // A vertex that starts inside may stay as deep.
      const depth = Math.min(0, margin[i]) - distance;
      if (this.#pinned[i] === 0) this.#depth = Math.max(this.#depth, depth);
    });
  }

  all(): Figures {
    return {
      meanEdgeStrainPercent: (100 * this.#strain) / Math.max(1, this.#frames),
      maxEdgeStretchPercent: 100 * this.#stretch,
      ...(this.#stage && { penetrationMillimetres: Math.round(1e6 * this.#depth) / 1000 }),
    };
  }

  /** Notes on cloth that stretched more than cloth does, and on limbs of the body that tore it. */
  notes(rig: BodyMotion['rig']): Note[] {
    if (this.#stretch <= TORN) return [];
    const crossing = rig && crossingLimbs(rig, this.#worst);
    return [
      note('cloth-stretched', { percent: 100 * this.#stretch, frame: this.#worst }),
      ...(crossing ? [note('limbs-cross', crossing)] : []),
    ];
  }

  #length(x: ArrayLike<number>, e: number): number {
    return straightDistance(x, this.#edges[2 * e], this.#edges[2 * e + 1]);
  }
}
