/** The fine cloth on a coarse one, frame by frame: the embedding, what was learned, and physics of the detail. */
import type { Mesh } from '../model/mesh.ts';
import type { ClothPhysics, UpsamplerModel } from '../model/trained-cloth.ts';
import { DETAIL_MODES, DetailPhysics } from './detail.ts';
import type { Embedding } from './embedding.ts';
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
}

export class Folds {
  readonly #embedding: Embedding;
  readonly #stage: Stage | undefined;
  readonly #physics: ClothPhysics;
  readonly #detail: DetailPhysics;
  readonly #upsampler: Upsampler | undefined;
  readonly #offsets: Float64Array;

  /** `start` (3V) is the coarse cloth before the first step. */
  constructor({ coarse, fine, embedding, stage, upsampler }: FoldsOf, physics: ClothPhysics, start: Float64Array) {
    this.#embedding = embedding;
    this.#stage = stage;
    this.#physics = physics;
    this.#upsampler = upsampler && physics !== 'alone' ? new Upsampler(upsampler, coarse, embedding) : undefined;
    this.#offsets = new Float64Array(3 * embedding.count);
    const settings = DETAIL_MODES[physics === 'off' ? 'still' : physics];
    this.#detail = new DetailPhysics(embedding, fine, stage, start, settings);
    this.reset(start);
  }

  /** 3N: where the fine vertices are. */
  get x(): Float64Array {
    return this.#detail.x;
  }

  /** Starts anew at a coarse cloth (3V). */
  reset(coarse: Float64Array): void {
    this.#detail.reset(coarse, this.#target(coarse));
  }

  /** Moves on by `seconds`, to a coarse cloth (3V). The stage is in the frame that ends there. Makes no arrays. */
  step(coarse: Float64Array, seconds: number): void {
    if (this.#physics === 'off') this.reset(coarse);
    else this.#detail.step(coarse, seconds, this.#target(coarse));
  }

  #target(coarse: Float64Array): Float64Array | undefined {
    if (!this.#upsampler) return undefined;
    this.#embedding.apply(coarse, this.#offsets);
    for (const obstacle of this.#stage?.obstacles ?? []) obstacle.moveTo(1);
    this.#upsampler.offsets(coarse, this.#stage, this.#offsets);
    return this.#offsets;
  }
}
