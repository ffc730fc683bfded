import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { LightBakeOptions } from '../../../../src/doors/light.ts';
import type { Note, SkinnedModel } from '../../../../src/index.ts';
import type { LightModel } from '../../../../src/model/light.ts';
import { Edits, type History } from '../edits.ts';
import { Aside } from '../jobs/aside.ts';

/** Light that was baked for the rigs of a document. */
export interface LightData {
  /** Of each rig. */
  lights: LightModel[];
  /** The opened file with it. */
  file: Uint8Array;
  poses: number;
  spheres: number;
  bytesPerVertex: number;
  seconds: number;
  notes: Note[];
}

/** Surroundings of one's own: 25 coefficients of red, then green, then blue. */
export interface OwnSky {
  name: string;
  sh: Float32Array;
  /** Lights that were too small and bright for it, and left out. */
  suns: number;
}

/** A pose that was traced: light in the frames of the bones, and on the floor. */
export interface TracedData {
  transfer: Float32Array;
  inside: Uint8Array;
  floor: Float32Array;
}

/** Where light comes from. */
export const LIGHT_SKIES = ['sky', 'room', 'own'] as const;
export type LightSky = (typeof LIGHT_SKIES)[number];

/** Ways of light, from the plainest to the truth. */
export const LIGHT_WAYS = ['unshadowed', 'base', 'baked', 'traced'] as const;
export type LightWay = (typeof LIGHT_WAYS)[number];

/** What the view shows: one way, or all of them. */
export const LIGHT_LOOKS = [...LIGHT_WAYS, 'side'] as const;
export type LightLook = (typeof LIGHT_LOOKS)[number];

/** Options that the panel offers. */
export type BakeOptions = Partial<
  Pick<LightBakeOptions, 'poses' | 'rays' | 'modes' | 'spheres' | 'bounces' | 'albedo' | 'fit' | 'seed'>
>;

/** State of the Light panel. */
export class LightWork {
  readonly look: Signal<LightLook> = signal('base');
  readonly sky: Signal<LightSky> = signal('sky');
  readonly own: Signal<OwnSky | undefined> = signal(undefined);
  /** Of the surroundings about the up axis, degrees. */
  readonly turn: Edits<number>;
  readonly floor: Signal<boolean> = signal(true);
  readonly options: Signal<BakeOptions> = signal({});
  readonly made: Signal<LightData | undefined> = signal(undefined);
  /** The pose that is shown, traced. */
  readonly traced: Aside<TracedData> = new Aside();
  /** Of the shown pose, in % of traced light; set by the view while that is known. */
  readonly errors: Signal<Partial<Record<LightWay, number>> | undefined> = signal(undefined);
  /** Of each rig: what was baked here, or what the file has. */
  readonly lights: ReadonlySignal<readonly LightModel[] | undefined>;
  /** The ways that can be shown. */
  readonly ways: ReadonlySignal<LightWay[]> = computed(() =>
    LIGHT_WAYS.filter((way) => way !== 'baked' || this.lights.value),
  );

  constructor(history: History, models: readonly SkinnedModel[]) {
    this.turn = new Edits(history, 'light rotation', 0);
    const stored = models.flatMap(({ light }) => light ?? []);
    const whole = models.length > 0 && stored.length === models.length;
    this.lights = computed(() => this.made.value?.lights ?? (whole ? stored : undefined));
  }
}
