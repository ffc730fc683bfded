import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { ClothTrainDetail, ClothTrainOptions, TrainedCloth } from '../../../../src/doors/cloth.ts';
import type { Note } from '../../../../src/index.ts';
import { Aside } from '../jobs/aside.ts';

/** What was learned from pairs. */
export interface TrainedData extends ClothTrainDetail {
  cloth: TrainedCloth;
  /** A GLB with it. */
  file: Uint8Array;
  notes: Note[];
}

/** The fine cloth of one motion, on the coarse one of the pair: P × 3N each. */
export interface PlayedPair {
  embedding: Float32Array;
  /** By what was learned; by physics alone before. */
  folds: Float32Array;
}

export type TrainOptions = Omit<ClothTrainOptions, 'onProgress' | 'signal' | 'glb'>;

/** State of cloth that folds are learned from. */
export class PairWork {
  readonly options: Signal<TrainOptions> = signal({});
  readonly trained: Signal<TrainedData | undefined> = signal(undefined);
  /** Of what was trained, or of nothing: motion → what it looks like. */
  readonly #played = new Map<TrainedData | undefined, Map<string, Aside<PlayedPair>>>();
  #closed = false;
  /** The one that is shown. */
  readonly #shown: Signal<Aside<PlayedPair> | undefined> = signal(undefined);
  readonly shown: ReadonlySignal<Aside<PlayedPair> | undefined> = this.#shown;

  /** The fine cloth of a motion by what is trained now. An undo may bring back what was trained before. */
  playedOf(motion: string): Aside<PlayedPair> {
    const { value: trained } = this.trained;
    const all = this.#played.get(trained) ?? new Map<string, Aside<PlayedPair>>();
    this.#played.set(trained, all);
    const known = all.get(motion) ?? new Aside<PlayedPair>();
    all.set(motion, known);
    if (this.#closed) known.close();
    if (this.#shown.peek() !== known) this.#shown.peek()?.stop();
    this.#shown.value = known;
    return known;
  }

  /** Stops running jobs and starts no more. */
  close(): void {
    this.#closed = true;
    for (const all of this.#played.values()) for (const aside of all.values()) aside.close();
  }
}
