import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import type { PointPath } from '../../../../src/learn/drive-sequence.ts';
import type { Predictor } from '../../../../src/model/predictor.ts';
import type { History } from '../edits.ts';
import { Aside } from '../jobs/aside.ts';
import type { PanelName } from '../view/looks.ts';

/** Seconds between two frames of a recording. */
const STEP = 1 / 30;

/** What a person does with a surface that follows control points. */
export class LearnWork {
  /** Points that stay where they are while others are dragged. */
  readonly pins: Signal<ReadonlySet<number>> = signal(new Set());
  /** Whether points are held back where the surface would tear. */
  readonly whole: Signal<boolean> = signal(true);
  /** 3n_c: where the last drag was held back; undefined where it was not. */
  readonly held: Signal<Float64Array | undefined> = signal(undefined);
  /** How many times more than in any example the surface is stretched, set by who drives it; undefined where nobody knows. */
  readonly strain: Signal<number | undefined> = signal(undefined);
  /** The point that is selected. */
  readonly point: Signal<number | undefined> = signal(undefined);
  /** A performance that was recorded. */
  readonly take: Signal<PointPath | undefined> = signal(undefined);
  /** Whether the recording plays, instead of the motion. */
  readonly replays: Signal<boolean> = signal(false);
  /** Seconds recorded so far; undefined when nothing is recorded. */
  readonly recorded: Signal<number | undefined> = signal(undefined);
  /** The recording that plays now. */
  readonly shown: ReadonlySignal<PointPath | undefined>;
  /** 3n_c: where the points are now, set by who drives the surface. */
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

  /** Keeps what the points do from now on. @param now Seconds of any clock, that of `tick`. */
  record(now: number): void {
    this.replays.value = false;
    this.#frames = [];
    this.#started = now;
    this.recorded.value = 0;
    this.tick(now);
  }

  /** Called as often as pictures are drawn: keeps the frames that are due. */
  tick(now: number): void {
    if (this.recorded.peek() === undefined) return;
    const elapsed = now - this.#started;
    while (this.#frames.length * STEP <= elapsed) this.#frames.push(this.now);
    this.recorded.value = Math.floor(10 * elapsed) / 10;
  }

  /** Ends the recording: it becomes the take. The one before can come back. */
  stop(): void {
    const frames = this.#frames;
    this.giveUp();
    if (frames.length < 2) return;
    const points = new Float64Array(frames.length * frames[0].length);
    frames.forEach((frame, k) => {
      points.set(frame, k * frame.length);
    });
    this.#history.remember('recording', this.take as Signal<unknown>);
    this.take.value = { times: Float64Array.from(frames, (_, k) => k * STEP), points };
  }

  /** Ends the recording, of which nothing stays. */
  giveUp(): void {
    this.#frames = [];
    this.recorded.value = undefined;
  }

  /** Nothing of an earlier predictor stays. */
  reset(): void {
    for (const pictures of this.#pictures.values()) pictures.stop();
    this.giveUp();
    this.replays.value = false;
    this.take.value = undefined;
    this.pins.value = new Set();
    this.point.value = undefined;
    this.held.value = undefined;
  }

  /** Stops what runs; nothing begins any more. */
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
