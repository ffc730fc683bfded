import { type Signal, signal } from '@preact/signals-core';
import type { Note } from '../../../../src/index.ts';
import { Edits, type History } from '../edits.ts';
import type { Progress } from '../jobs/job.ts';
import { BENDING_DEFAULT, type Breeze, CALM, type Dress, type DressOptions, type OwnGarment } from './dress.ts';
import { PairWork } from './pair-work.ts';

/** What the view shows of a worn garment; `side` is all of them beside each other. */
export const CLOTH_LOOKS = ['folds', 'embedding', 'coarse', 'truth', 'side'] as const;
export type ClothLook = (typeof CLOTH_LOOKS)[number];

/** A garment that is worn, as it was put on. */
export interface WornFacts {
  vertices: number;
  coarseVertices: number;
  pinned: number;
  notes: Note[];
}

/** What the simulation is at. */
export type ClothState =
  | { kind: 'off' }
  | { kind: 'dressing'; progress: Progress }
  | { kind: 'on'; facts: WornFacts }
  | { kind: 'failed'; message: string };

/** State of the Cloth panel. */
export class ClothWork {
  readonly options: Signal<Partial<DressOptions>> = signal({});
  /** The garment of a file or of another document. */
  readonly own: Signal<OwnGarment | undefined> = signal(undefined);
  /** What is worn; undefined is nothing. The view simulates it. */
  readonly worn: Signal<Dress | undefined> = signal(undefined);
  readonly breeze: Edits<Breeze>;
  /** Bending stiffness, N·m. */
  readonly bending: Edits<number>;
  readonly look: Signal<ClothLook> = signal('folds');
  /** Set by the view. */
  readonly state: Signal<ClothState> = signal({ kind: 'off' });
  /** Milliseconds per step of late, set by the view. */
  readonly stepTime: Signal<number | undefined> = signal(undefined);
  /** How often the garment was asked to start anew. */
  readonly resets: Signal<number> = signal(0);
  /** If there are pairs. */
  readonly pairs: PairWork = new PairWork();
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
    this.breeze = new Edits<Breeze>(history, 'wind', CALM);
    this.bending = new Edits<number>(history, 'stiffness', BENDING_DEFAULT);
  }

  /** Chooses the user's own garment. */
  choose(own: OwnGarment): void {
    this.#history.remember('garment', this.own, this.options);
    this.own.value = own;
    this.options.value = { ...this.options.peek(), garment: 'own' };
  }

  /** Puts on what the panel has chosen. */
  putOn(): void {
    this.#history.remember('putting on', this.worn);
    this.wear(this.options.peek());
  }

  /** Wears a garment by its options, which is no edit. */
  wear(options: Partial<DressOptions> | undefined): void {
    const own = options?.garment === 'own' ? this.own.peek() : undefined;
    this.worn.value = options && { options, ...(own && { own }) };
  }

  takeOff(): void {
    if (!this.worn.peek()) return;
    this.#history.remember('taking off', this.worn);
    this.worn.value = undefined;
  }

  /** Lets the garment start anew, as it was put on. */
  reset(): void {
    this.resets.value++;
  }
}
