import { canonicalInfluences } from '../model/influences.ts';
import { type Note, note } from '../model/note.ts';
import type { SkinWeights } from '../model/skinned-model.ts';

/** Sums of weights that are off by more are mentioned: exporters that round to bytes stay below. */
const SUM_NOTE = 1e-3;

/**
 * Gathers the influences of vertices as a file has them: bones merged and sorted, sums 1, as few slots as suffice. For
 * each vertex in turn fill `joints` and `weights` (bones and weights ≥ 0, in any order, unused slots 0), then call `next`.
 */
export class InfluenceRows {
  /** The row of the vertex at hand. */
  readonly joints: Uint16Array;
  readonly weights: Float64Array;
  readonly #slots: number;
  readonly #fallback: number;
  readonly #allJoints: Uint16Array;
  readonly #allWeights: Float32Array;
  #vertex = 0;
  #influences = 1;
  #offSums = 0;
  #lost = 0;

  /** `fallback` is the bone of vertices that have no weight at all. */
  constructor(vertices: number, slots: number, fallback: number) {
    this.joints = new Uint16Array(slots);
    this.weights = new Float64Array(slots);
    this.#slots = slots;
    this.#fallback = fallback;
    this.#allJoints = new Uint16Array(vertices * slots);
    this.#allWeights = new Float32Array(vertices * slots);
  }

  /** Takes the row over and clears it for the next vertex. */
  next(): void {
    const { joints, weights } = this;
    let sum = weights.reduce((total, weight) => total + weight, 0);
    if (!(sum > 0)) {
      joints[0] = this.#fallback;
      weights[0] = sum = 1;
      this.#lost++;
    } else if (Math.abs(sum - 1) > SUM_NOTE) this.#offSums++;
    this.#influences = Math.max(this.#influences, canonicalInfluences(joints, weights, this.#slots));
    const o = this.#slots * this.#vertex++;
    this.#allJoints.set(joints, o);
    for (let s = 0; s < this.#slots; s++) this.#allWeights[o + s] = weights[s] / sum;
    joints.fill(0);
    weights.fill(0);
  }

  result(): SkinWeights {
    const influences = this.#influences;
    const trim = <T extends Float32Array | Uint16Array>(values: T): T =>
      influences === this.#slots ? values : (values.filter((_, s) => s % this.#slots < influences) as T);
    return { influences, joints: trim(this.#allJoints), weights: trim(this.#allWeights) };
  }

  /** What was repaired. */
  notes(about?: string): Note[] {
    const notes: Note[] = [];
    if (this.#offSums > 0) notes.push(note('weights-normalised', { vertices: this.#offSums }, about));
    if (this.#lost > 0) notes.push(note('unweighted-vertices', { vertices: this.#lost }, about));
    return notes;
  }
}
