import { type Signal, signal } from '@preact/signals-core';
import { LevelChoice } from '../../../../adapters/three/level-choice.ts';
import type { LodLevelFigures, LodVerbOptions } from '../../../../src/doors/lod.ts';
import type { Note, SkinnedModel } from '../../../../src/index.ts';

/** Levels of detail of the rigs of a document. */
export interface LevelsData {
  /** The given rigs, then the levels, finest first. */
  levels: SkinnedModel[][];
  original: { triangles: number; vertices: number };
  /** Of each level after the given rigs. */
  figures: LodLevelFigures[];
  /** All levels in one GLB with MSFT_lod. */
  file: Blob;
  notes: Note[];
}

/** What the view shows of levels: beside the original, alone, or a crowd. */
export type LevelLook = 'side' | 'level' | 'crowd';

/** What the last picture of the crowd has. */
export interface CrowdFacts {
  /** Instances in view at each level. */
  instances: number[];
  triangles: number;
  /** If all were as given. */
  full: number;
}

/** State of the Levels panel. */
export class LevelsWork {
  readonly options: Signal<Partial<Pick<LodVerbOptions, 'levels' | 'poses' | 'crease'>>> = signal({});
  readonly made: Signal<LevelsData | undefined> = signal(undefined);
  /** The level that is shown: 0 is the given rig. */
  readonly shown: Signal<number> = signal(1);
  readonly look: Signal<LevelLook> = signal('side');
  /** From where an engine would look, in metres; undefined while a level is chosen by hand. */
  readonly distance: Signal<number | undefined> = signal(undefined);
  /** Set by the view while it shows a crowd. */
  readonly crowd: Signal<CrowdFacts | undefined> = signal(undefined);

  take(made: LevelsData): void {
    this.made.value = made;
    this.shown.value = Math.min(this.shown.peek() || 1, made.figures.length);
    this.distance.value = undefined;
  }

  /** Shows a level. */
  choose(level: number): void {
    this.shown.value = level;
    this.distance.value = undefined;
    if (this.look.peek() === 'crowd') this.look.value = 'side';
  }

  /** Looks from a distance, and changes the level as an engine does: with hysteresis, so that it matters where one comes from. */
  lookFrom(metres: number): void {
    const { figures } = this.made.peek()!;
    // A level errs by a pixel at its distance, by less beyond.
    const choice = new LevelChoice([0, ...figures.map(({ onePixelDistance }) => onePixelDistance)], {
      pixels: 1,
      hysteresis: 0.15,
    });
    this.shown.value = choice.next(this.shown.peek(), 1 / metres);
    this.distance.value = metres;
    if (this.look.peek() === 'crowd') this.look.value = 'side';
  }
}
