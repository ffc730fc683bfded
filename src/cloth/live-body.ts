import { PliantError } from '../error.ts';
import { firstNonFinite } from '../model/mesh.ts';
import { boneCount, MATRIX_STRIDE } from '../model/skeleton.ts';
import type { SkinnedModel } from '../model/skinned-model.ts';
import { Skinner } from '../skin/skinner.ts';
import { type BodyFrame, type BodyStart, rigidBetween, someOf, startAt } from './body-motion.ts';

/** A rig that is posed live: where it was, and where it goes. */
export class LiveBody {
  readonly #model: SkinnedModel;
  readonly #skinner: Skinner;
  readonly #from: Required<BodyFrame>;
  readonly #to: Required<BodyFrame>;
  readonly #between: Required<BodyFrame>;
  readonly #samples: ReturnType<typeof someOf>;
  /** Whether `#to.positions` are those of `#to.transforms`. */
  #skinned = false;

  /** At rest, until it is posed. */
  constructor(model: SkinnedModel) {
    this.#model = model;
    this.#skinner = new Skinner(model, { normals: false });
    const { positions } = model.mesh;
    const frame = () => ({ positions: positions.slice(), transforms: atRest(boneCount(model.skeleton)) });
    this.#from = frame();
    this.#to = frame();
    this.#between = frame();
    this.#samples = someOf(positions);
  }

  /** Where it shall go: 12B, rest → pose; `surface` (3M) if it is known. */
  pose(transforms: Float32Array, surface?: Float32Array): void {
    const { positions, transforms: kept } = this.#to;
    requireNumbers('transforms', transforms, kept.length);
    if (surface) requireNumbers('surface', surface, positions.length);
    kept.set(transforms);
    if (surface) positions.set(surface);
    this.#skinned = surface !== undefined;
  }

  /** The pose that it goes to. */
  get goal(): Required<BodyFrame> {
    if (!this.#skinned) this.#to.positions.set(this.#skinner.pose(this.#to.transforms).positions);
    this.#skinned = true;
    return this.#to;
  }

  /** The way to its goal in `steps` frames, each in arrays that are used again. */
  *frames(steps: number): Generator<BodyFrame> {
    const to = this.goal;
    for (let s = 1; s < steps; s++) {
      for (const name of ['positions', 'transforms'] as const) {
        const a = this.#from[name];
        const b = to[name];
        for (let c = 0; c < a.length; c++) this.#between[name][c] = a[c] + (s / steps) * (b[c] - a[c]);
      }
      yield this.#between;
    }
    yield to;
    this.arrive();
  }

  /** It is at its goal. */
  arrive(): void {
    this.#from.positions.set(this.goal.positions);
    this.#from.transforms.set(this.goal.transforms);
  }

  /** Its rest pose, moved as a whole to its goal. */
  start(): BodyStart {
    const { positions, transforms } = this.goal;
    return startAt(this.#model.mesh.positions, { positions: positions.slice(), transforms: transforms.slice() });
  }

  /** How it moves as a whole on the way to its goal: 12, in an array that is used again. */
  get motion(): Float64Array {
    return this.motionBetween(this.#from, this.goal);
  }

  motionBetween(a: BodyFrame, b: BodyFrame): Float64Array {
    return rigidBetween(a.positions, b.positions, this.#samples);
  }

  dispose(): void {
    this.#skinner.dispose();
  }
}

function atRest(bones: number): Float32Array {
  const transforms = new Float32Array(MATRIX_STRIDE * bones);
  for (let o = 0; o < transforms.length; o += MATRIX_STRIDE) for (const c of [0, 5, 10]) transforms[o + c] = 1;
  return transforms;
}

function requireNumbers(what: string, values: Float32Array, length: number): void {
  const bad = values.length === length ? firstNonFinite(values) : 0;
  if (values.length === length && bad < 0) return;
  const cause =
    values.length === length
      ? `number ${bad} (got ${values[bad]}, expected a finite one)`
      : `(got ${values.length} numbers, expected ${length})`;
  throw new PliantError('bad-input', 'LiveCloth', `${what}: ${cause}`);
}
