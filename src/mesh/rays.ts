import { kernelsAvailable, loadKernels, type RayKernels } from '../kernels/load.ts';
import { buildBvh } from './bvh.ts';
import { RAY_BATCH, type RayMemory, rayMemory } from './ray-memory.ts';
import { twinAny, twinClosest } from './ray-twins.ts';
import { packWide } from './wide-bvh.ts';

/** What `RayTracer.closest` found: one entry per ray. */
export interface RayHits {
  /** How far: in lengths of the ray's direction; Infinity if it met nothing. */
  distances: Float32Array;
  /** The face, or −1. */
  faces: Int32Array;
  /** Weights of the face's second and third corner at the hit; the first has 1 − u − v. */
  us: Float32Array;
  vs: Float32Array;
}

/**
 * Rays against a surface that moves: a four-wide hierarchy (wide-bvh.ts) on SIMD kernels where the host has them. It is
 * built anew for every pose, which costs less than what a hierarchy loses that only follows.
 */
export class RayTracer {
  readonly #triangles: Uint32Array;
  readonly #rays: RayMemory;
  /** Undefined where the twins run. */
  readonly #kernels: RayKernels | undefined;

  /** Rays against 3F `triangles`. `simd: false` runs the TypeScript twins. */
  constructor(triangles: Uint32Array, { simd = kernelsAvailable(false) }: { simd?: boolean } = {}) {
    this.#triangles = triangles;
    this.#rays = rayMemory(triangles.length / 3, simd);
    const { memory } = this.#rays;
    if ('buffer' in memory) this.#kernels = loadKernels(memory);
  }

  /** Moves the vertices to `positions` (3N, finite). Call it before any ray is traced. */
  build(positions: Float32Array): void {
    packWide(buildBvh(positions, this.#triangles), this.#rays);
  }

  /**
   * The first face that each of `count` rays meets, from either side. Origins and directions are 3 numbers each; hits at a
   * distance of 0 do not count, nor those beyond `limit`.
   */
  closest(origins: Float32Array, directions: Float32Array, count: number, hits: RayHits, limit = Infinity): void {
    const rays = this.#rays;
    for (let from = 0; from < count; from += RAY_BATCH) {
      const batch = this.#load(origins, directions, from, count, limit);
      if (this.#kernels) this.#kernels.rayClosest(rays.table, batch);
      else twinClosest(rays, batch);
      for (let i = 0; i < batch; i++) {
        hits.faces[from + i] = rays.faces[i];
        hits.distances[from + i] = rays.faces[i] < 0 ? Infinity : rays.limits[i];
        hits.us[from + i] = rays.us[i];
        hits.vs[from + i] = rays.vs[i];
      }
    }
  }

  /** Whether each of `count` rays meets a face: 1 or 0 to `blocked`. */
  any(origins: Float32Array, directions: Float32Array, count: number, blocked: Uint8Array, limit = Infinity): void {
    const rays = this.#rays;
    for (let from = 0; from < count; from += RAY_BATCH) {
      const batch = this.#load(origins, directions, from, count, limit);
      if (this.#kernels) this.#kernels.rayAny(rays.table, batch);
      else twinAny(rays, batch);
      for (let i = 0; i < batch; i++) blocked[from + i] = rays.faces[i] < 0 ? 0 : 1;
    }
  }

  /** Puts the next rays where they are traced; returns how many. */
  #load(origins: Float32Array, directions: Float32Array, from: number, count: number, limit: number): number {
    const rays = this.#rays;
    const batch = Math.min(RAY_BATCH, count - from);
    for (let c = 0; c < 3 * batch; c++) {
      rays.origins[c] = origins[3 * from + c];
      rays.directions[c] = directions[3 * from + c];
    }
    rays.limits.fill(limit, 0, batch);
    return batch;
  }
}
