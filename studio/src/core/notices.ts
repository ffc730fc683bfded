import { type Signal, signal } from '@preact/signals-core';

export interface Notice {
  text: string;
  bad: boolean;
}

/** A notice with a remedy, while it is shown. */
export interface Offer extends Notice {
  remedy: { name: string; hint: string; act(): void };
  /** Called when it disappears without being taken. */
  onLost?(): void;
}

/** Maximum number of offers; the oldest goes first. Failures stay until dismissed and do not count. */
const MOST_OFFERS = 3;

/** Messages to the user. */
export class Notices {
  /** The last passing message. */
  readonly said: Signal<Notice | undefined> = signal(undefined);
  /** Oldest first. Passing messages do not replace them. */
  readonly offers: Signal<readonly Offer[]> = signal([]);

  say(text: string, bad = false): void {
    this.said.value = { text, bad };
  }

  offer(offer: Offer): void {
    this.offers.value = [...this.offers.value, offer];
    const passing = this.offers.value.filter(({ bad }) => !bad);
    if (passing.length > MOST_OFFERS) this.drop(passing[0]);
  }

  take(offer: Offer): void {
    if (this.#remove(offer)) offer.remedy.act();
  }

  /** Removes an offer that expired, was dismissed, or no longer applies. */
  drop(offer: Offer): void {
    if (this.#remove(offer)) offer.onLost?.();
  }

  #remove(offer: Offer): boolean {
    const before = this.offers.value.length;
    this.offers.value = this.offers.value.filter((other) => other !== offer);
    return this.offers.value.length < before;
  }
}
