import { type ReadonlySignal, type Signal, signal } from '@preact/signals-core';

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2] as const;

/** The current frame, and playback. */
export class Playback {
  readonly frame: Signal<number> = signal(0);
  readonly playing: Signal<boolean> = signal(false);
  readonly loop: Signal<boolean> = signal(true);
  readonly speed: Signal<number> = signal(1);
  /** P seconds. */
  readonly times: ReadonlySignal<Float64Array>;
  readonly #times: Signal<Float64Array>;
  #time = 0;
  /** Called at the end of the motion: whether another one has begun. */
  onEnd: () => boolean = () => false;

  constructor(times: Float64Array) {
    this.times = this.#times = signal(times);
    this.#time = times[0] ?? 0;
  }

  /** Seconds, between frames too. */
  get time(): number {
    return this.#time;
  }

  get last(): number {
    return Math.max(0, this.#times.value.length - 1);
  }

  /** Sets the times, as of another clip, and starts over. */
  setTimes(times: Float64Array): void {
    this.#times.value = times;
    this.seek(0);
  }

  seek(frame: number): void {
    const k = Math.max(0, Math.min(this.last, Math.round(frame)));
    this.#time = this.#times.value[k] ?? 0;
    this.frame.value = k;
  }

  /** Stops at a frame. */
  goTo(frame: number): void {
    this.playing.value = false;
    this.seek(frame);
  }

  step(frames: number): void {
    this.goTo(this.frame.value + frames);
  }

  toggle(): void {
    if (this.last === 0) return;
    if (!this.playing.value && this.frame.value === this.last) this.seek(0);
    this.playing.value = !this.playing.value;
  }

  /** Advances by seconds of real time. */
  advance(seconds: number): void {
    const times = this.#times.value;
    if (!this.playing.value || this.last === 0) return;
    const [start, end] = [times[0], times[this.last]];
    // The last frame is shown as long as the average frame.
    const length = (end - start) * (1 + 1 / this.last);
    let time = this.#time + seconds * this.speed.value;
    if (time - start >= length) {
      if (this.onEnd()) return;
      if (this.loop.value) time = start + ((time - start) % length);
      else {
        time = end;
        this.playing.value = false;
      }
    }
    this.#time = time;
    let k = 0;
    while (k < this.last && times[k + 1] <= time) k++;
    this.frame.value = k;
  }
}
