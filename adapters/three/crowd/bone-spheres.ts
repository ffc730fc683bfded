import type { BufferGeometry } from 'three';
import { transformPoint34 } from '../../../src/math/matrix34.ts';
import { MATRIX_STRIDE } from '../../../src/model/skeleton.ts';
import { largestStretch } from '../largest-stretch.ts';
import { INFLUENCES } from '../mesh-model.ts';

/**
 * Spheres around the vertices that follow each bone. Linear blending puts a vertex among the places that its bones take it to,
 * and so within the smallest convex shape that holds all these spheres, moved; no vertex needs to be looked at.
 */
export class BoneSpheres {
  /** 4 per bone that moves anything: its number, then none; centre and radius are in `#spheres`. */
  readonly #joints: Uint16Array;
  /** 4 per such bone: centre, radius. */
  readonly #spheres: Float64Array;
  readonly #moved: Float64Array;

  constructor(geometries: Iterable<BufferGeometry>, jointCount: number) {
    const low = new Float64Array(3 * jointCount).fill(Infinity);
    const high = new Float64Array(3 * jointCount).fill(-Infinity);
    for (const { attributes } of geometries) {
      const { position, skinIndex, skinWeight } = attributes;
      for (let i = 0; i < position.count; i++) {
        for (let s = 0; s < INFLUENCES; s++) {
          if (skinWeight.getComponent(i, s) === 0) continue;
          const j = 3 * skinIndex.getComponent(i, s);
          for (let c = 0; c < 3; c++) {
            const x = position.getComponent(i, c);
            if (x < low[j + c]) low[j + c] = x;
            if (x > high[j + c]) high[j + c] = x;
          }
        }
      }
    }
    const used = Array.from({ length: jointCount }, (_, j) => j).filter((j) => high[3 * j] >= low[3 * j]);
    this.#joints = Uint16Array.from(used);
    this.#spheres = Float64Array.from(
      used.flatMap((j) => {
        const box = [0, 1, 2].map((c) => [low[3 * j + c], high[3 * j + c]]);
        return [...box.map(([a, b]) => 0.5 * (a + b)), 0.5 * Math.hypot(...box.map(([a, b]) => b - a))];
      }),
    );
    this.#moved = new Float64Array(this.#spheres.length);
  }

  /**
   * A sphere (centre, radius) that holds all vertices in each of `count` poses, and whatever lies between them; the matrices
   * of the first pose (12B) begin at `o` in `poses`, those of the next `stride` numbers later.
   */
  around(out: Float64Array, poses: Float32Array, o: number, stride: number, count: number): Float64Array {
    const [x, y, z] = this.#middle(poses, o, stride, count);
    let radius = 0;
    for (let k = 0; k < count; k++) {
      const m = this.#move(poses, o + stride * k);
      for (let s = 0; s < m.length; s += 4) {
        radius = Math.max(radius, Math.hypot(m[s] - x, m[s + 1] - y, m[s + 2] - z) + m[s + 3]);
      }
    }
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = radius;
    return out;
  }

  /** The middle of the box around all spheres. */
  #middle(poses: Float32Array, o: number, stride: number, count: number): Float64Array {
    box.fill(Infinity, 0, 3).fill(-Infinity, 3);
    for (let k = 0; k < count; k++) {
      const m = this.#move(poses, o + stride * k);
      for (let s = 0; s < m.length; s += 4) {
        for (let c = 0; c < 3; c++) {
          box[c] = Math.min(box[c], m[s + c] - m[s + 3]);
          box[3 + c] = Math.max(box[3 + c], m[s + c] + m[s + 3]);
        }
      }
    }
    for (let c = 0; c < 3; c++) middle[c] = 0.5 * (box[c] + box[3 + c]);
    return middle;
  }

  /** The spheres where a pose has them. */
  #move(poses: Float32Array, o: number): Float64Array {
    for (let s = 0; s < this.#joints.length; s++) {
      const m = o + MATRIX_STRIDE * this.#joints[s];
      transformPoint34(this.#moved, 4 * s, poses, m, this.#spheres, 4 * s);
      this.#moved[4 * s + 3] = this.#spheres[4 * s + 3] * largestStretch(poses, m);
    }
    return this.#moved;
  }
}

const box = new Float64Array(6);
const middle = new Float64Array(3);
