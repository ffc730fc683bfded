import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import type { InfluenceSet } from './influence-sets.ts';

/**
 * How far the paths of points on bones bulge between poses taken at equal steps. A path departs from the chord between
 * two of its points by at most h²·|p''|/8, and p₋₁ − 2·p₀ + p₁ is h²·p'': an estimate, since p'' changes too. The
 * difference is linear in the point, so the corners of each bone's rest box suffice.
 */
export class PathBend {
  /** The largest departure so far, in the units of the mesh. */
  sagitta = 0;
  /** 6 per bone: the box of all vertices that follow it. */
  readonly #boxes: Float64Array;
  /** The last two poses, 12B each. */
  #poses: Float64Array[] = [];

  constructor(sets: readonly InfluenceSet[], bones: number) {
    this.#boxes = new Float64Array(6 * bones).map((_, c) => (c % 6 < 3 ? Infinity : -Infinity));
    for (const { joints, box } of sets) {
      for (const j of joints) {
        for (let c = 0; c < 3; c++) {
          this.#boxes[6 * j + c] = Math.min(this.#boxes[6 * j + c], box[c]);
          this.#boxes[6 * j + 3 + c] = Math.max(this.#boxes[6 * j + 3 + c], box[3 + c]);
        }
      }
    }
  }

  /** Paths have a corner in the last pose: bends are looked for on either side of it. */
  corner(): void {
    this.#poses = this.#poses.slice(-1);
  }

  /** Takes the bones' matrices (12B) of the next pose. */
  add(matrices: Float64Array): void {
    const [before, middle] = this.#poses;
    if (before && middle) {
      const bend = matrices.map((x, c) => before[c] - 2 * middle[c] + x);
      for (let j = 0; j < bend.length / MATRIX_STRIDE; j++) this.#look(bend, j);
    }
    this.#poses = [...this.#poses.slice(-1), matrices.slice()];
  }

  #look(bend: Float64Array, j: number): void {
    const box = this.#boxes.subarray(6 * j, 6 * j + 6);
    if (box[0] > box[3]) return; // no vertex follows the bone
    for (let corner = 0; corner < 8; corner++) {
      let squared = 0;
      for (let r = MATRIX_STRIDE * j; r < MATRIX_STRIDE * (j + 1); r += 4) {
        let sum = bend[r + 3];
        for (let c = 0; c < 3; c++) sum += bend[r + c] * box[(corner >> c) & 1 ? 3 + c : c];
        squared += sum * sum;
      }
      this.sagitta = Math.max(this.sagitta, Math.sqrt(squared) / 8);
    }
  }
}
