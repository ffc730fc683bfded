/**
 * What a patch sees of the coarse cloth: φ_v = R_vᵀ (X_u − X_v) − (r_u − r_v) for the vertices u of its 2-ring, which neither
 * a shift nor a turn of the cloth changes, and how near the body is: max(0, s − distance) / s times the way out of it, s = 12 cm.
 */
import type { Lists } from '../../mesh/adjacency.ts';
import { secondRings } from '../../mesh/rings.ts';
import { type Mesh, vertexCount } from '../../model/mesh.ts';
import { PATCH_BODY_NUMBERS } from '../../model/trained-cloth.ts';
import type { Stage } from '../stage.ts';

/** The body is felt up to here, m. */
const SIGHT = 0.12;

export class LocalFeatures {
  /** V + 1: where the numbers of each patch begin. */
  readonly offsets: Uint32Array;
  readonly #rings: Lists;
  readonly #rest: Float64Array;
  readonly #distances: Float64Array;
  readonly #waysOut: Float64Array;

  constructor(coarse: Mesh) {
    const v = vertexCount(coarse);
    this.#rings = secondRings(coarse);
    this.#rest = Float64Array.from(coarse.positions);
    this.#distances = new Float64Array(v);
    this.#waysOut = new Float64Array(3 * v);
    this.offsets = this.#rings.offsets.map((first, i) => 3 * first + PATCH_BODY_NUMBERS * i);
  }

  /** All patches of a coarse pose (3V) with its rotations (9V), one after the other. Makes no arrays. */
  fill(pose: Float64Array, rotations: Float64Array, stage: Stage | undefined, out: Float32Array | Float64Array): void {
    const { offsets, items } = this.#rings;
    const rest = this.#rest;
    const distances = this.#distances.fill(SIGHT);
    const waysOut = this.#waysOut;
    for (const obstacle of stage?.obstacles ?? []) obstacle.approach(pose, distances, waysOut);
    let at = 0;
    for (let v = 0; v < distances.length; v++) {
      const o = 3 * v;
      const m = 9 * v;
      for (let q = offsets[v]; q < offsets[v + 1]; q++) {
        const u = 3 * items[q];
        const x = pose[u] - pose[o];
        const y = pose[u + 1] - pose[o + 1];
        const z = pose[u + 2] - pose[o + 2];
        for (let c = 0; c < 3; c++) {
          const turned = rotations[m + c] * x + rotations[m + 3 + c] * y + rotations[m + 6 + c] * z;
          out[at++] = turned - (rest[u + c] - rest[o + c]);
        }
      }
      const near = Math.min(1, (SIGHT - distances[v]) / SIGHT);
      for (let c = 0; c < 3; c++) {
        const turned =
          rotations[m + c] * waysOut[o] + rotations[m + 3 + c] * waysOut[o + 1] + rotations[m + 6 + c] * waysOut[o + 2];
        out[at++] = near > 0 ? near * turned : 0;
      }
    }
  }
}
