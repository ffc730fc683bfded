import { ContractibleMesh } from './contractible-mesh.ts';
import { type ContractorOptions, centredPose } from './posed-quadrics.ts';
import { addPoseQuadrics, boundaryCorners, minimizeQuadrics, QUADRIC } from './quadrics.ts';

/** A mesh and the contractions that make it coarser, in order: every level between the first and the last. */
export interface Decimation {
  /** N. */
  vertexCount: number;
  /** 3F: the mesh before any contraction. */
  triangles: Uint32Array;
  /** C: the vertex that each contraction removes. */
  removed: Uint32Array;
  /** C: the vertex that it is merged into. */
  into: Uint32Array;
  /** C: what it cost; see `Contractor.costs`. */
  costs: Float64Array;
  options: ContractorOptions;
}

/** The mesh after some of the contractions. */
export interface DecimationLevel {
  /** n: the vertices that are left, rising. */
  vertices: Uint32Array;
  /** N: original vertex → index into `vertices` of the one it was merged into. */
  vertexOf: Uint32Array;
  /** 3f indices into `vertices`. */
  triangles: Uint32Array;
}

/** The level with `vertexCount` vertices, or the last one when the contractions do not reach that far. */
export function levelOf(decimation: Decimation, vertexCount: number): DecimationLevel {
  const { removed, into } = decimation;
  const steps = Math.min(removed.length, Math.max(0, decimation.vertexCount - vertexCount));
  // Backwards, what a vertex was merged into has already found where it ended itself.
  const end = Uint32Array.from({ length: decimation.vertexCount }, (_, i) => i);
  for (let s = steps - 1; s >= 0; s--) end[removed[s]] = end[into[s]];
  const vertices = end.filter((to, i) => to === i);
  const index = new Uint32Array(decimation.vertexCount);
  vertices.forEach((i, to) => {
    index[i] = to;
  });
  const vertexOf = end.map((i) => index[i]);
  const triangles: number[] = [];
  for (let t = 0; t < decimation.triangles.length; t += 3) {
    const a = vertexOf[decimation.triangles[t]];
    const b = vertexOf[decimation.triangles[t + 1]];
    const c = vertexOf[decimation.triangles[t + 2]];
    if (a !== b && b !== c && c !== a) triangles.push(a, b, c);
  }
  return { vertices, vertexOf, triangles: Uint32Array.from(triangles) };
}

/**
 * Where the vertices of levels lie in poses that the contractions were not computed from. The contractions are repeated in
 * their order, with the quadrics of the new pose alone: memory for one pose, however many there are.
 */
export class PosePlacer {
  readonly #decimation: Decimation;
  readonly #live: Uint32Array;
  readonly #boundary: Uint32Array;
  readonly #quadrics: Float64Array;

  constructor(decimation: Decimation) {
    this.#decimation = decimation;
    const n = decimation.vertexCount;
    this.#live = new ContractibleMesh(decimation.triangles, n).triangles();
    this.#boundary = boundaryCorners(this.#live, n);
    this.#quadrics = new Float64Array(QUADRIC * n);
  }

  /** The 3n positions of a level's vertices in a pose (3N). */
  place(pose: ArrayLike<number>, level: DecimationLevel): Float64Array {
    const { removed, into, options, vertexCount } = this.#decimation;
    const out = new Float64Array(3 * level.vertices.length);
    const { positions, centre } = centredPose(pose, 1);
    if (options.placement === 'optimal') {
      const quadrics = this.#quadrics;
      quadrics.fill(0);
      const surface = { triangles: this.#live, boundary: this.#boundary };
      addPoseQuadrics({ q: quadrics, o: 0, stride: QUADRIC }, positions, surface, options);
      for (let s = 0; s < vertexCount - level.vertices.length; s++) {
        const from = QUADRIC * removed[s];
        const to = QUADRIC * into[s];
        minimizeQuadrics(positions, 3 * into[s], quadrics, from, to);
        for (let c = 0; c < QUADRIC; c++) quadrics[to + c] += quadrics[from + c];
      }
    }
    level.vertices.forEach((i, to) => {
      for (let c = 0; c < 3; c++) out[3 * to + c] = positions[3 * i + c] + centre[c];
    });
    return out;
  }
}
