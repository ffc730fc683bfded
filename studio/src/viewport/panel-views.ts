import { effect, type Signal, signal } from '@preact/signals-core';
import type { Doc } from '../core/doc.ts';
import { shownSoFar } from '../core/fit/so-far.ts';
import { LOST_PART } from '../core/jobs/memory-trouble.ts';
import type { JointTurns } from '../core/rig/rig-pose.ts';
import type { PaneContent } from '../core/view/panes.ts';
import type { ClothView } from './cloth-view.ts';
import type { LevelsView } from './levels-view.ts';
import type { LightView } from './light-view.ts';
import { followedPair, type PairView } from './pair-view.ts';
import type { SoFarView } from './so-far-view.ts';
import type { Surface } from './surface.ts';
import type { Viewport } from './viewport.ts';

/** What panels put on the stage: garments, levels, light, what a job has found so far. Loaded when it is first needed. */
export class PanelViews {
  readonly cloth: Signal<ClothView | undefined> = signal(undefined);
  readonly soFar: Signal<SoFarView | undefined> = signal(undefined);
  readonly #levels: Signal<LevelsView | undefined> = signal(undefined);
  readonly #light: Signal<LightView | undefined> = signal(undefined);
  #pair?: PairView;
  readonly #doc: Doc;
  readonly #viewport: Viewport;
  readonly #isTaken: (event: PointerEvent) => boolean;
  #disposed = false;
  readonly #stops: (() => void)[];

  /** @param isTaken whether something else is grabbed at a place of the canvas. */
  constructor(doc: Doc, viewport: Viewport, isTaken: (event: PointerEvent) => boolean) {
    this.#doc = doc;
    this.#viewport = viewport;
    this.#isTaken = isTaken;
    this.#stops = [
      effect(() => this.#followCloth()),
      effect(() => this.#followLevels()),
      effect(() => this.#followLight()),
      effect(() => this.#followSoFar()),
    ];
  }

  dispose(): void {
    this.#disposed = true;
    for (const stop of this.#stops) stop();
    for (const view of [this.cloth, this.#levels, this.#light, this.soFar]) view.peek()?.dispose();
    this.#pair?.dispose();
  }

  get surfaces(): Surface[] {
    return [
      ...((this.cloth.peek() ?? this.#pair)?.surfaces ?? []),
      ...(this.#levels.peek()?.surfaces ?? []),
      ...(this.soFar.peek()?.surfaces ?? []),
    ];
  }

  /** Called before a pane is drawn. */
  show(shows: PaneContent): void {
    this.cloth.peek()?.show(shows);
    this.#pair?.show(shows);
    this.#levels.peek()?.show(shows);
    this.#light.peek()?.show(shows);
  }

  /** Called for every animation frame, with the seconds since the last. */
  tick(seconds: number): void {
    this.cloth.peek()?.tick(seconds);
    this.#levels.peek()?.tick(seconds);
  }

  /** Follows a clip at a time, with joints turned by hand; `k` is the frame of the motion. */
  pose(k: number, clip: string, time: number, turns: JointTurns): void {
    this.#levels.value?.pose(clip, time, turns);
    this.#light.value?.pose(clip, time, turns);
    this.soFar.value?.pose(k);
  }

  /** Coarse and fine cloth at a frame, with what was learned of them. */
  showPair(k: number): void {
    this.#pair = followedPair(this.#doc, this.#pair);
    if (!this.#pair) return;
    this.#viewport.original.add(this.#pair.object);
    this.#pair.pose(k, this.#doc.cloth.pairs.shown.value?.result.value);
  }

  /** Puts on what is worn. */
  #followCloth(): void {
    const doc = this.#doc;
    const dress = doc.cloth.worn.value;
    this.cloth.peek()?.dispose();
    this.cloth.value = undefined;
    if (!dress) return;
    const put = ({ ClothView: View }: typeof import('./cloth-view.ts')) => {
      if (this.#disposed || doc.cloth.worn.peek() !== dress) return;
      this.cloth.value = new View(doc, this.#viewport, dress, this.#isTaken);
    };
    import('./cloth-view.ts').then(put, () => {
      doc.cloth.state.value = { kind: 'failed', message: LOST_PART };
    });
  }

  /** Puts levels on the stage. */
  #followLevels(): void {
    const doc = this.#doc;
    const made = doc.levels.made.value;
    this.#levels.peek()?.dispose();
    this.#levels.value = undefined;
    if (Object.keys(made).length === 0) return;
    const put = ({ LevelsView: View }: typeof import('./levels-view.ts')) => {
      if (this.#disposed || doc.levels.made.peek() !== made) return;
      this.#levels.value = new View(doc, this.#viewport);
    };
    this.#load(() => import('./levels-view.ts'), put);
  }

  /** Puts lit rigs on the stage when their panel is opened. */
  #followLight(): void {
    const doc = this.#doc;
    if (doc.panel.value !== 'light' || this.#light.peek() || doc.rig.rigs.length === 0) return;
    const put = ({ LightView: View }: typeof import('./light-view.ts')) => {
      if (!this.#disposed && !this.#light.peek()) this.#light.value = new View(doc, this.#viewport);
    };
    this.#load(() => import('./light-view.ts'), put);
  }

  /** Loads what `put` shows, or says that it does not come, and tries again when asked to. */
  #load<Module>(load: () => Promise<Module>, put: (module: Module) => void): void {
    const { lostView } = this.#doc;
    const dismiss = () => {
      lostView.value = undefined;
    };
    const again = () => {
      dismiss();
      this.#load(load, put);
    };
    load().then(put, () => {
      if (!this.#disposed) lostView.value = { code: 'internal', message: LOST_PART, again, dismiss };
    });
  }

  /** Shows what a running job has found. */
  #followSoFar(): void {
    const doc = this.#doc;
    const found = shownSoFar(doc);
    if (!found) {
      this.soFar.peek()?.dispose();
      this.soFar.value = undefined;
      return;
    }
    import('./so-far-view.ts').then(
      ({ SoFarView: View }) => {
        if (this.#disposed || shownSoFar(doc) !== found) return;
        this.soFar.peek()?.dispose();
        const view = new View(found, doc.content.sequences);
        for (const { object } of view.surfaces) this.#viewport.fitted.add(object);
        this.soFar.value = view;
      },
      () => {},
    ); // The result will be shown all the same.
  }
}
