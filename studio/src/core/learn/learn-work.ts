import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { Figures, PointPath, Predictor, SkinnedModel } from '../../../../src/index.ts';
import type { History } from '../edits.ts';
import { Aside } from '../jobs/aside.ts';
import type { PanelName } from '../view/looks.ts';

export interface LearnData {
  predictor: Predictor;
  /** What plays the examples in other players. */
  model: SkinnedModel;
  figures: Figures;
}

/** Seconds between two frames of a recording. */
const STEP = 1 / 30;

/** State of a surface driven by control points. */
export class LearnWork {
  /** Points that stay in place while others are dragged. */
  readonly pins: Signal<ReadonlySet<number>> = signal(new Set());
  /** Whether points stop before the surface tears. */
  readonly whole: Signal<boolean> = signal(true);
  /** 3n_c: where the last drag was held back; undefined if it was not. */
  readonly held: Signal<Float64Array | undefined> = signal(undefined);
  /** Stretch of the surface relative to the examples, set by the view; undefined if unknown. */
  readonly strain: Signal<number | undefined> = signal(undefined);
  /** The selected point. */
  readonly point: Signal<number | undefined> = signal(undefined);
  /** The recorded performance. */
  readonly take: Signal<PointPath | undefined> = signal(undefined);
  /** Whether the recording plays, instead of the motion. */
  readonly replays: Signal<boolean> = signal(false);
  /** Seconds recorded so far; undefined when nothing is recorded. */
  readonly recorded: Signal<number | undefined> = signal(undefined);
  /** The recording that plays now. */
  readonly shown: ReadonlySignal<PointPath | undefined>;
  /** 3n_c: current points, set by the view. */
  now: Float64Array = new Float64Array();
  readonly #history: History;
  readonly #pictures = new Map<Predictor, Aside<string[]>>();
  #closed = false;
  #frames: Float64Array[] = [];
  #started = 0;

  constructor(panel: ReadonlySignal<PanelName>, history: History) {
    this.#history = history;
    this.shown = computed(() => (panel.value === 'learn' && this.replays.value ? this.take.value : undefined));
  }

  /** Of the examples of a predictor: addresses. An undo may bring back an earlier predictor, with examples of its own. */
  picturesOf(predictor: Predictor): Aside<string[]> {
    const known = this.#pictures.get(predictor) ?? new Aside<string[]>();
    if (this.#closed) known.close();
    this.#pictures.set(predictor, known);
    return known;
  }

  /** Starts recording. @param now Seconds of the clock that `tick` uses. */
  record(now: number): void {
    this.replays.value = false;
    this.#frames = [];
    this.#started = now;
    this.recorded.value = 0;
    this.tick(now);
  }

  /** Called for every drawn frame: records the frames that are due. */
  tick(now: number): void {
    if (this.recorded.peek() === undefined) return;
    const elapsed = now - this.#started;
    while (this.#frames.length * STEP <= elapsed) this.#frames.push(this.now);
    this.recorded.value = Math.floor(10 * elapsed) / 10;
  }

  /** Ends the recording, which becomes the take. Undo restores the previous one. */
  stop(): void {
    const frames = this.#frames;
    this.giveUp();
    if (frames.length < 2) return;
    const points = new Float64Array(frames.length * frames[0].length);
    frames.forEach((frame, k) => {
      points.set(frame, k * frame.length);
    });
    this.#history.remember('recording', this.take);
    this.take.value = { times: Float64Array.from(frames, (_, k) => k * STEP), points };
  }

  /** Ends the recording and drops it. */
  giveUp(): void {
    this.#frames = [];
    this.recorded.value = undefined;
  }

  /** Forgets everything about the earlier predictor. */
  reset(): void {
    for (const pictures of this.#pictures.values()) pictures.stop();
    this.giveUp();
    this.replays.value = false;
    this.take.value = undefined;
    this.pins.value = new Set();
    this.point.value = undefined;
    this.held.value = undefined;
  }

  /** Stops running jobs and starts no more. */
  close(): void {
    this.#closed = true;
    for (const pictures of this.#pictures.values()) pictures.close();
  }
}

/** 3n_c: frame k of a path. */
export function pathFrame({ times, points }: PointPath, k: number): Float64Array {
  const width = points.length / times.length;
  return points.slice(k * width, (k + 1) * width);
}
