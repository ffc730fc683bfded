/** Milliseconds that a frame may take: thirty per second, with some slack. */
const BUDGET = 36;
/** Below this, finer frames are tried. */
const EASY = 20;
/** Lowest number of canvas pixels per CSS pixel. */
const LEAST_RATIO = 0.5;
/** Animation frames observed before a decision; fewer if they take longer than `LONG` in total. */
const GAPS = 8;
const FEWEST = 4;
const LONG = 400;
/** Frames that a resize of the canvas may take. */
const SETTLING = 2;
/** Milliseconds without a change after which the view rests. */
const REST = 200;
/** Share of the time that fewer pixels must save. */
const WORTH = 0.9;
/** Consecutive decisions that must agree that they did not: other programs may use the machine too. */
const DOUBTS = 3;
/** Milliseconds before coarser frames are tried again after they did not help. */
const RESIGNED = 10_000;
/** Fast observations before finer frames are first tried. */
const PATIENCE = 12;

/** What is known at the start of an animation frame. */
export interface FrameStart {
  /** Milliseconds. */
  now: number;
  /** Whether the scene has changed since the last one. */
  changed: boolean;
  /** Milliseconds of the page's own work in the last one, which fewer pixels do not shorten. */
  busy: number;
  /** Canvas pixels per CSS pixel in a sharp frame. */
  full: number;
}

/**
 * How finely to draw. While content moves and frames are slow, they get fewer pixels, in steps that halve them; a resting
 * view gets all of them. Finer frames are tried again when there is time, later the more often that failed; if even the
 * coarsest save no time, because vertices are the bottleneck, they are given up. Knows nothing of canvases.
 */
export class Pace {
  #last = 0;
  #changed = 0;
  #moving = false;
  #coarse = false;
  /** How often the pixels of moving frames are halved. */
  #step = 0;
  #gaps: number[] = [];
  #settling = 0;
  /** The step before going coarser, the frame time then, and how often it did not help. */
  #before?: { step: number; mean: number; doubts: number };
  /** Until when nothing coarser is tried, and the time of coarse frames: sharp ones may still be slower. */
  #resigned = { until: -Infinity, mean: Infinity };
  #easy = 0;
  #patience = PATIENCE;
  /** Whether the last decision led to finer frames. */
  #daring = false;
  readonly #short: boolean;
  #rough = false;

  /** @param short Whether moving frames lack more than pixels, so that resting ones are always redrawn. */
  constructor(short = false) {
    this.#short = short;
  }

  /** Whether the frame to draw now lacks more than pixels. */
  get rough(): boolean {
    return this.#rough;
  }

  /** Canvas pixels per CSS pixel to draw with now; undefined if the current frame will do. */
  next({ now, changed, busy, full }: FrameStart): number | undefined {
    const gap = now - this.#last;
    this.#last = now;
    if (changed) this.#changed = now;
    // The window may have moved to a coarser screen.
    this.#step = Math.min(this.#step, stepsOf(full));
    if (this.#moving) this.#look(gap - busy, now, full);
    if (!changed) {
      if (now - this.#changed < REST) return undefined;
      this.#moving = false;
      if (!this.#coarse) return undefined;
      this.#coarse = this.#rough = false;
      return full;
    }
    // A single change is drawn sharply; only the next one makes it a motion.
    const ratio = this.#moving ? ratioOf(this.#step, full) : full;
    this.#rough = this.#moving && this.#short;
    if (!this.#moving) this.#forget();
    this.#moving = true;
    this.#coarse = this.#rough || ratio < full;
    return ratio;
  }

  #look(gap: number, now: number, full: number): void {
    if (this.#settling > 0) this.#settling--;
    else this.#gaps.push(gap);
    if (!enough(this.#gaps)) return;
    const mean = meanWithoutLongest(this.#gaps);
    this.#gaps = [];
    const step = this.#step;
    this.#judge(mean, now, full);
    if (step !== this.#step) this.#settling = SETTLING;
  }

  #judge(mean: number, now: number, full: number): void {
    const [before, daring] = [this.#before, this.#daring];
    this.#before = undefined;
    this.#daring = false;
    this.#easy = mean < EASY ? this.#easy + 1 : 0;
    const resigned = now < this.#resigned.until && WORTH * mean < this.#resigned.mean;
    if (mean > BUDGET && this.#step < stepsOf(full) && !resigned) {
      this.#before = before ?? { step: this.#step, mean, doubts: 0 };
      this.#step = Math.min(stepsOf(full), this.#step + Math.ceil(Math.log2(mean / BUDGET)));
      if (daring) this.#patience *= 2;
    } else if (before && mean > WORTH * before.mean) {
      if (before.doubts + 1 < DOUBTS) this.#before = { ...before, doubts: before.doubts + 1 };
      else {
        this.#step = before.step;
        this.#resigned = { until: now + RESIGNED, mean };
      }
    } else if (this.#easy >= this.#patience && this.#step > 0) {
      this.#step--;
      this.#easy = 0;
      this.#daring = true;
    }
  }

  /** A new motion: forget observations of the last one. */
  #forget(): void {
    this.#gaps = [];
    this.#before = undefined;
    this.#easy = 0;
    this.#settling = SETTLING;
  }
}

const ratioOf = (step: number, full: number): number => Math.max(Math.min(full, LEAST_RATIO), full / 2 ** (step / 2));

/** Steps to the coarsest frames. */
const stepsOf = (full: number): number => Math.max(0, Math.ceil(2 * Math.log2(full / LEAST_RATIO)));

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const enough = (gaps: readonly number[]): boolean => gaps.length >= GAPS || (gaps.length >= FEWEST && sum(gaps) > LONG);

/** A single slow frame may have another cause: garbage collection, loading, another window. */
const meanWithoutLongest = (gaps: readonly number[]): number => (sum(gaps) - Math.max(...gaps)) / (gaps.length - 1);
