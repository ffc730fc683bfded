import { type Signal, signal } from '@preact/signals-core';

export interface Notice {
  text: string;
  bad: boolean;
}

/** Something told that can be helped, as long as it is there to be read. */
export interface Offer extends Notice {
  remedy: { name: string; hint: string; act(): void };
  /** Called when it goes and was not taken. */
  onLost?(): void;
}

/** As many offers are there at once: of more the oldest goes. What went wrong waits for the person, and does not count. */
const MOST_OFFERS = 3;

/** What is told to the person. */
export class Notices {
  /** What was said last in passing. */
  readonly said: Signal<Notice | undefined> = signal(undefined);
  /** The oldest first; nothing that is said in passing takes their place. */
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

  /** It is over, was dismissed, or is no longer true. */
  drop(offer: Offer): void {
    if (this.#remove(offer)) offer.onLost?.();
  }

  #remove(offer: Offer): boolean {
    const before = this.offers.value.length;
    this.offers.value = this.offers.value.filter((other) => other !== offer);
    return this.offers.value.length < before;
  }
}
