/** The fine cloth on a coarse one, frame by frame: the embedding, what was learned, and physics of the detail. */
import type { Mesh } from '../model/mesh.ts';
import type { PaperModel } from '../model/paper-cloth.ts';
import type { ClothPhysics, UpsamplerModel } from '../model/trained-cloth.ts';
import { DETAIL_MODES, DetailPhysics } from './detail.ts';
import { VECTOR } from './detail-arrays.ts';
import type { Embedding } from './embedding.ts';
import { PaperUpsampler } from './paper/paper-upsampler.ts';
import { LAYERS } from './self-collision.ts';
import type { Stage } from './stage.ts';
import { Upsampler } from './upsampler/upsampler.ts';

/** What a piece of cloth and its body are. */
export interface FoldsOf {
  /** Rest meshes, and the fine one's embedding in the coarse one. */
  coarse: Mesh;
  fine: Mesh;
  embedding: Embedding;
  /** The body as the fine mesh meets it; without one there are neither pins nor obstacles. */
  stage?: Stage;
  /** What was learned, unless the embedding is the target. */
  upsampler?: UpsamplerModel;
  /** The same by the method of Feng 2010; comes before `upsampler`. */
  paper?: PaperModel;
}

/** How the detail moves. */
export interface FoldSettings {
  physics: ClothPhysics;
  /** Sub-steps in 1/30 s [default 4]; `still` takes a quarter of them. */
  subSteps?: number;
  /** Bending stiffness, N·m [default 1e-4]. */
  bending?: number;
  /** Whether layers of the cloth keep apart [default false]. */
  selfCollision?: boolean;
}

export class Folds {
  readonly #embedding: Embedding;
  readonly #stage: Stage | undefined;
  readonly #physics: ClothPhysics;
  readonly #detail: DetailPhysics;
  readonly #upsampler: Upsampler | undefined;
  readonly #paper: PaperUpsampler | undefined;
  // For `#paper`: four floats per fine vertex; 3N: its cloth, and the embedding; 3V: the coarse cloth one step before.
  readonly #offsets: Float32Array;
  readonly #printed: Float64Array;
  readonly #base: Float64Array;
  readonly #previous: Float64Array;

  /** `start` (3V) is the coarse cloth before the first step. */
  constructor(of: FoldsOf, { physics, subSteps = 4, bending, selfCollision }: FoldSettings, start: Float64Array) {
    const { coarse, fine, embedding, stage, upsampler, paper } = of;
    this.#embedding = embedding;
    this.#stage = stage;
    this.#physics = physics;
    this.#upsampler = upsampler && physics !== 'alone' ? new Upsampler(upsampler, coarse, embedding) : undefined;
    this.#paper = paper && physics !== 'alone' ? new PaperUpsampler(paper, { coarse, fine }, stage) : undefined;
    const vertices = this.#paper ? embedding.count : 0;
    this.#offsets = new Float32Array(VECTOR * vertices);
    this.#printed = new Float64Array(3 * vertices);
    this.#base = new Float64Array(3 * vertices);
    this.#previous = start.slice();
    const settings = DETAIL_MODES[physics === 'off' ? 'still' : physics];
    const subStep = (4 * settings.subStep) / subSteps;
    this.#detail = new DetailPhysics(embedding, fine, stage, start, {
      ...settings,
      subStep,
      layers: selfCollision ? LAYERS.detail : 0,
    });
    if (bending !== undefined) this.setBending(bending);
    this.reset(start);
  }

  /** Goes on with another bending stiffness, N·m. */
  setBending(bending: number): void {
    this.#detail.setStiffness(bending);
  }

  /** 3N: where the fine vertices are. */
  get x(): Float64Array {
    return this.#detail.x;
  }

  /** Starts anew at a coarse cloth (3V). */
  reset(coarse: Float64Array): void {
    this.#previous.set(coarse);
    this.#detail.reset(coarse, this.#target(coarse, 1));
  }

  /**
   * Moves on by `seconds`, to a coarse cloth (3V). The stage is in the frame that ends there. Makes no arrays,
   * unless layers keep apart.
   */
  step(coarse: Float64Array, seconds: number): void {
    const target = this.#target(coarse, seconds);
    if (this.#physics === 'off') this.#detail.reset(coarse, target);
    else this.#detail.step(coarse, seconds, target);
    this.#previous.set(coarse);
  }

  #target(coarse: Float64Array, seconds: number): Float32Array | undefined {
    if (this.#paper) return this.#paperTarget(this.#paper, coarse, seconds);
    if (!this.#upsampler) return undefined;
    this.#embedding.turn(coarse);
    for (const obstacle of this.#stage?.obstacles ?? []) obstacle.moveTo(1);
    return this.#upsampler.offsets(coarse, this.#stage);
  }

  #paperTarget(paper: PaperUpsampler, coarse: Float64Array, seconds: number): Float32Array {
    for (const obstacle of this.#stage?.obstacles ?? []) obstacle.moveTo(1);
    paper.apply(coarse, this.#previous, seconds, this.#printed);
    this.#embedding.apply(coarse, this.#base);
    for (let c = 0, v = 0; c < this.#base.length; c += 3, v += VECTOR) {
      for (let axis = 0; axis < 3; axis++) this.#offsets[v + axis] = this.#printed[c + axis] - this.#base[c + axis];
    }
    return this.#offsets;
  }
}
