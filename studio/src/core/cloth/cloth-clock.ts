/** Seconds that cloth goes on after something has moved it while the player is paused. */
const AWAKE = 2;
/** Seconds that it catches up with at most, after the page was busy. */
const LONGEST = 0.25;

/**
 * Whether time passes for cloth: while the player plays, or where nothing can be played. A pause stops it; what moves the
 * body or the cloth after that lets it go on for a while.
 */
export class ClothClock {
  /** Seconds that have passed and were not simulated. */
  #owed = 0;
  #awake = 0;
  #calm = false;

  /** Something has moved it. */
  stir(): void {
    this.#awake = AWAKE;
    this.#calm = false;
  }

  /** Whether it hangs still: then it waits until it is stirred, where nothing can be played. */
  set calm(calm: boolean) {
    this.#calm = calm;
  }

  /** The player was paused. */
  pause(): void {
    this.#awake = 0;
  }

  /** @param playing Whether the player plays. @param still Whether there is nothing to play. */
  tick(seconds: number, speed: number, playing: boolean, still: boolean): void {
    const passes = playing ? speed : (still && !this.#calm) || this.#awake > 0 ? 1 : 0;
    this.#awake = Math.max(0, this.#awake - seconds);
    this.#owed = Math.min(LONGEST, this.#owed + passes * seconds);
  }

  /** The seconds that have passed since the last time. */
  take(): number {
    const owed = this.#owed;
    this.#owed = 0;
    return owed;
  }

  get runs(): boolean {
    return this.#owed > 0;
  }
}
