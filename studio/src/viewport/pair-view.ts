import { Group } from 'three';
import { inClothColour } from '../core/cloth/cloth-colour.ts';
import type { PlayedPair } from '../core/cloth/pair-work.ts';
import { shownPair } from '../core/cloth/start-train.ts';
import { frameOf, type PairData } from '../core/content/content.ts';
import type { Doc } from '../core/doc.ts';
import type { PaneContent } from '../core/view/panes.ts';
import { EdgedSurface } from './edged-surface.ts';
import { MovingSurface, type Surface } from './surface.ts';

/** A coarse and a fine simulation of one motion on the stage, with what follows the coarse one, and the body. */
export class PairView {
  readonly object = new Group();
  readonly pair: PairData;
  readonly #coarse: EdgedSurface;
  readonly #fine: Record<'embedding' | 'folds' | 'truth', MovingSurface>;
  readonly #body?: MovingSurface;

  constructor(pair: PairData) {
    this.pair = pair;
    this.#coarse = new EdgedSurface(inClothColour(pair.coarse.rest));
    const rest = inClothColour(pair.fine.rest);
    this.#fine = {
      embedding: new MovingSurface(rest),
      folds: new MovingSurface(rest),
      truth: new MovingSurface(rest),
    };
    if (pair.body) this.#body = new MovingSurface(pair.body.sequence.rest);
    for (const { object } of this.#all) this.object.add(object);
  }

  get surfaces(): Surface[] {
    return [this.#coarse.surface, ...Object.values(this.#fine), ...(this.#body ? [this.#body] : [])];
  }

  /** Shows what a pane is about. */
  show(content: PaneContent): void {
    this.#coarse.object.visible = content === 'coarse';
    for (const [name, { object }] of Object.entries(this.#fine)) object.visible = name === content;
  }

  /** Goes to frame k. */
  pose(k: number, played: PlayedPair | undefined): void {
    const { coarse, fine, body } = this.pair;
    this.#coarse.surface.move(frameOf(coarse, k));
    this.#fine.truth.move(frameOf(fine, k));
    for (const name of ['embedding', 'folds'] as const) {
      if (played) this.#fine[name].move(frameOf({ ...fine, frames: played[name] }, k));
    }
    if (body) this.#body!.move(frameOf(body.sequence, k));
  }

  dispose(): void {
    this.object.removeFromParent();
    for (const surface of this.#all) surface.dispose();
  }

  get #all(): (MovingSurface | EdgedSurface)[] {
    return [this.#coarse, ...Object.values(this.#fine), ...(this.#body ? [this.#body] : [])];
  }
}

/** The view of the pair that is shown now: the same one while it stays. */
export function followedPair(doc: Doc, before: PairView | undefined): PairView | undefined {
  const pair = shownPair(doc);
  if (pair === before?.pair) return before;
  before?.dispose();
  return pair && new PairView(pair);
}
