import { PliantError } from '../../../../src/index.ts';
import type { ClothPose, ClothStep, FromCloth, ToCloth, Wearing, WornCloth } from '../../worker/cloth-protocol.ts';
import type { Progress } from '../jobs/job.ts';
import { inWords, LOST_PART } from '../jobs/memory-trouble.ts';

/** A garment that is worn in a worker of its own. One question at a time. */
export class ClothLink {
  readonly worn: Promise<WornCloth>;
  readonly #worker = new Worker(new URL('../../worker/cloth-worker.ts', import.meta.url), { type: 'module' });
  #answered?: { resolve(answer: FromCloth): void; reject(error: unknown): void };

  constructor(wearing: Wearing, onProgress: (progress: Progress) => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromCloth>) => {
      if ('progress' in data) {
        const { done, total, label } = data.progress;
        onProgress({ label, share: total > 0 ? Math.min(1, done / total) : undefined });
      } else if ('failed' in data) {
        this.#answered?.reject(new PliantError(data.failed.code, 'cloth', data.failed.message));
      } else this.#answered?.resolve(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      const message = inWords(event.message || LOST_PART);
      this.#answered?.reject(new PliantError('internal', 'cloth', message));
    };
    this.worn = this.#ask({ wear: wearing }).then((answer) => (answer as { worn: WornCloth }).worn);
  }

  async step(step: ClothStep): Promise<ClothPose> {
    return ((await this.#ask({ step })) as { stepped: ClothPose }).stepped;
  }

  /** No answer comes any more. */
  end(): void {
    this.#worker.terminate();
    this.#answered?.reject(new PliantError('cancelled', 'cloth', 'the garment was taken off'));
    this.#answered = undefined;
  }

  #ask(message: ToCloth): Promise<FromCloth> {
    return new Promise((resolve, reject) => {
      this.#answered = { resolve, reject };
      this.#worker.postMessage(message);
    });
  }
}
