import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { LEVEL_OPTIONS, LevelChoice } from '../../../../adapters/three/level-choice.ts';
import type { LodLevelFigures, LodVerbOptions } from '../../../../src/doors/lod.ts';
import type { Mesh, Note, SkinnedModel } from '../../../../src/index.ts';

/** Levels as meshes of their own, or as images of patches. */
export const LEVEL_KINDS = ['meshes', 'images'] as const;
export type LevelKind = (typeof LEVEL_KINDS)[number];

/** What a level of a rig has of its own. */
export type LevelPart = Pick<SkinnedModel, 'weights' | 'morphs' | 'mixWeights'> & { mesh: Omit<Mesh, 'materials'> };

/** Levels of detail of the rigs of a document. */
export interface LevelsData {
  /** Of each level, finest first, its parts: one per rig. */
  parts: LevelPart[][];
  original: { triangles: number; vertices: number };
  /** Of each level. */
  figures: LodLevelFigures[];
  /** All levels in one GLB. */
  file: Uint8Array;
  notes: Note[];
}

/** What the view shows of levels: beside the original, alone, or a crowd. */
export const LEVEL_LOOKS = ['side', 'level', 'crowd'] as const;
export type LevelLook = (typeof LEVEL_LOOKS)[number];

/** The characters of a crowd, of which a picture shows some. */
export const CROWD = 500;

/** What the last picture of the crowd has. */
export interface CrowdFacts {
  /** Instances in view, level by level. */
  instances: { level: number; count: number }[];
  triangles: number;
  /** If all were as given. */
  full: number;
}

/** Options of a kind that the panel offers. */
export type LevelOptions = Partial<Pick<LodVerbOptions, 'levels' | 'patches' | 'depth' | 'poses' | 'crease'>>;

/** State of the Levels panel. */
export class LevelsWork {
  /** The kind that is made next, and listed. */
  readonly kind: Signal<LevelKind> = signal('meshes');
  readonly options: Record<LevelKind, Signal<LevelOptions>> = { meshes: signal({}), images: signal({}) };
  readonly made: Signal<Partial<Record<LevelKind, LevelsData>>> = signal({});
  /** The level of each kind that is shown: 0 is the given rig. */
  readonly shown: Record<LevelKind, Signal<number>> = { meshes: signal(1), images: signal(1) };
  readonly look: Signal<LevelLook> = signal('side');
  /** From where an engine would look, in metres; undefined while a level is chosen by hand. */
  readonly distance: Signal<number | undefined> = signal(undefined);
  /** Set by the view while it shows a crowd. */
  readonly crowd: Signal<CrowdFacts | undefined> = signal(undefined);

  /** What was made of the chosen kind. */
  readonly listed: ReadonlySignal<LevelsData | undefined> = computed(() => this.made.value[this.kind.value]);
  /** The kinds that can be shown. */
  readonly kinds: ReadonlySignal<LevelKind[]> = computed(() => LEVEL_KINDS.filter((kind) => this.made.value[kind]));

  take(kind: LevelKind, made: LevelsData): void {
    const shown = this.shown[kind];
    shown.value = Math.min(shown.peek() || 1, made.figures.length);
    this.made.value = { ...this.made.peek(), [kind]: made };
    this.distance.value = undefined;
  }

  /** Shows a level of the chosen kind. */
  choose(level: number): void {
    this.shown[this.kind.peek()].value = level;
    this.distance.value = undefined;
    if (this.look.peek() === 'crowd') this.look.value = 'side';
  }

  /** Looks from a distance, and changes levels as an engine does: with hysteresis, so that it matters where one comes from. */
  lookFrom(metres: number): void {
    for (const kind of this.kinds.peek()) {
      const made = this.made.peek()[kind]!;
      const levels = usefulLevels(made);
      // A level errs by a pixel at its distance, by less beyond.
      const errors = levels.map((level) => made.figures[level - 1]?.onePixelDistance ?? 0);
      const shown = this.shown[kind];
      const current = Math.max(0, levels.indexOf(shown.peek()));
      shown.value = levels[new LevelChoice(errors, DEFAULTS).next(current, 1 / metres)];
    }
    this.distance.value = metres;
    if (this.look.peek() === 'crowd') this.look.value = 'side';
  }
}

const DEFAULTS = { pixels: 1, hysteresis: LEVEL_OPTIONS.hysteresis.default };

/** The levels that an engine would draw: as given (0), and those with fewer triangles. Fine images may have more. */
export const usefulLevels = ({ original, figures }: LevelsData): number[] => [
  0,
  ...figures.flatMap(({ triangles }, l) => (triangles < original.triangles ? [l + 1] : [])),
];

/** The given rigs, then their levels as rigs. Materials stay those of the rigs: their pictures are there already. */
export const levelModels = (rigs: readonly SkinnedModel[], { parts }: LevelsData): SkinnedModel[][] => [
  [...rigs],
  ...parts.map((level) =>
    level.map(({ mesh, ...part }, p) => {
      const { materials } = rigs[p].mesh;
      return { ...rigs[p], mixWeights: undefined, ...part, mesh: { ...mesh, ...(materials && { materials }) } };
    }),
  ),
];
