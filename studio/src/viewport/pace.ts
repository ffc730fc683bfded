/** Milliseconds that a picture may take: thirty in a second, and a little patience. */
const BUDGET = 36;
/** Where pictures come quicker than that, finer ones are tried. */
const EASY = 20;
/** Canvas pixels for one of CSS, across: no picture is coarser. */
const LEAST_RATIO = 0.5;
/** Animation frames that are looked at before something is decided; fewer where they take more than so many milliseconds. */
const GAPS = 8;
const FEWEST = 4;
const LONG = 400;
/** Frames that a change of the canvas may take. */
const SETTLING = 2;
/** Milliseconds without a change after which the view rests. */
const REST = 200;
/** Of the time before: what fewer pixels have to save at least. */
const WORTH = 0.9;
/** Looks in a row that have to say that they did not: others may use the machine as well. */
const DOUBTS = 3;
/** Milliseconds for which nothing coarser is tried after that was not worth it. */
const RESIGNED = 10_000;
/** Easy looks before finer pictures are tried for the first time. */
const PATIENCE = 12;

/** What is known when an animation frame begins. */
export interface FrameStart {
  /** Milliseconds. */
  now: number;
  /** Whether what is to be seen has changed since the last one. */
  changed: boolean;
  /** Milliseconds that the page itself worked in the last one: fewer pixels do not shorten them. */
  busy: number;
  /** Canvas pixels for one of CSS, across, in a sharp picture. */
  full: number;
}

/**
 * How finely to draw. While things move and pictures come too slowly they get fewer pixels, in steps that halve them; when
 * the view rests it gets all of them. Finer pictures are tried again where there is time for them, the later the more often
 * that failed; and where even the coarsest save no time, as where vertices are what takes it, they are given up. Knows nothing
 * of canvases.
 */
export class Pace {
  #last = 0;
  #changed = 0;
  #moving = false;
  #coarse = false;
  /** How many times the pixels of moving pictures are halved. */
  #step = 0;
  #gaps: number[] = [];
  #settling = 0;
  /** The step before those down, with the time that frames took then, and how often they seemed to be in vain. */
  #before?: { step: number; mean: number; doubts: number };
  /** Until when nothing coarser is tried, and the time that coarse frames took: sharp ones may turn out slower yet. */
  #resigned = { until: -Infinity, mean: Infinity };
  #easy = 0;
  #patience = PATIENCE;
  /** Whether the last look led to finer pictures. */
  #daring = false;
  readonly #short: boolean;
  #rough = false;

  /** @param short Whether moving pictures lack more than pixels: those at rest are drawn again in any case. */
  constructor(short = false) {
    this.#short = short;
  }

  /** Whether the picture to draw now lacks more than pixels. */
  get rough(): boolean {
    return this.#rough;
  }

  /** Canvas pixels for one of CSS to draw with now; undefined where the picture that is there will do. */
  next({ now, changed, busy, full }: FrameStart): number | undefined {
    const gap = now - this.#last;
    this.#last = now;
    if (changed) this.#changed = now;
    // A window may have been dragged to a coarser screen.
    this.#step = Math.min(this.#step, stepsOf(full));
    if (this.#moving) this.#look(gap - busy, now, full);
    if (!changed) {
      if (now - this.#changed < REST) return undefined;
      this.#moving = false;
      if (!this.#coarse) return undefined;
      this.#coarse = this.#rough = false;
      return full;
    }
    // A change alone is drawn sharply: only the next one makes a motion of it.
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

  /** A new motion: what was seen of the last one says nothing about it. */
  #forget(): void {
    this.#gaps = [];
    this.#before = undefined;
    this.#easy = 0;
    this.#settling = SETTLING;
  }
}

const ratioOf = (step: number, full: number): number => Math.max(Math.min(full, LEAST_RATIO), full / 2 ** (step / 2));

/** Steps until pictures are as coarse as they may be. */
const stepsOf = (full: number): number => Math.max(0, Math.ceil(2 * Math.log2(full / LEAST_RATIO)));

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

const enough = (gaps: readonly number[]): boolean => gaps.length >= GAPS || (gaps.length >= FEWEST && sum(gaps) > LONG);

/** One frame may be long for another reason: something was collected, loaded, or in front. */
const meanWithoutLongest = (gaps: readonly number[]): number => (sum(gaps) - Math.max(...gaps)) / (gaps.length - 1);
