import progressBars from 'cli-progress';
import type { OnProgress } from '../../src/index.ts';

/** A progress bar on stderr that exists only on a terminal. */
export interface Progress {
  report: OnProgress;
  /** Clears the line: nothing is left of the bar. */
  stop(): void;
}

const LABEL_WIDTH = 28;
const [LEAST_BAR_WIDTH, BAR_WIDTH] = [8, 40];
/** Milliseconds before which the time left is a guess. */
const TELLING = 2000;

/** `label  ████████░░░░  62 %  3 s left`, never wider than the terminal. */
export function progressLine(label: string, progress: number, secondsLeft: number, width: number): string {
  const percent = `${Math.floor(100 * progress)} %`.padStart(5);
  const left = Number.isFinite(secondsLeft) ? `${Math.ceil(secondsLeft)} s left` : '';
  const end = `${percent}  ${left.padEnd(11)}`;
  const room = width - end.length - 3;
  const labelWidth = Math.max(0, Math.min(LABEL_WIDTH, room - LEAST_BAR_WIDTH));
  const start = label.slice(0, labelWidth).padEnd(labelWidth);
  const bar = Math.max(LEAST_BAR_WIDTH, Math.min(BAR_WIDTH, room - labelWidth));
  const full = Math.round(progress * bar);
  return `${start} ${'█'.repeat(full)}${'░'.repeat(bar - full)} ${end}`.slice(0, width - 1);
}

/** The bar appears with the first report. `quiet`, a pipe and a dumb terminal get none. */
export function startProgress(stream: NodeJS.WriteStream, quiet: boolean): Progress {
  if (quiet || !stream.isTTY || process.env.TERM === 'dumb') return { report: () => {}, stop: () => {} };
  let bar: progressBars.SingleBar | undefined;
  let last = { done: 0, total: 0 };
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
  };
  return {
    report(done, total, label) {
      // Another total, or a step back, is another stage: the time left is estimated anew.
      if (total !== last.total || done < last.done) stop();
      last = { done, total };
      if (!bar) {
        bar = new progressBars.SingleBar({
          stream,
          clearOnComplete: true,
          // Steps may come in bursts: the time left is that of the whole stage so far.
          etaBuffer: 1000,
          // A process that dies must not leave the user without a cursor; Ctrl-C is ours to handle.
          hideCursor: false,
          gracefulExit: false,
          format: (_options, { progress, eta, startTime }, payload) => {
            const known = progress > 0 && Date.now() - startTime > TELLING;
            return progressLine(payload.label, progress, known ? Number(eta) : Number.NaN, stream.columns ?? 80);
          },
        });
        bar.start(total, done, { label });
      } else {
        bar.update(done, { label });
      }
    },
    stop,
  };
}

/** Set where the parent process is a batch, which shows the progress of the verbs that it runs. */
export const PROGRESS_TO_PARENT = 'PLIANT_PROGRESS_TO_PARENT';

/** What such a verb sends. */
export type ProgressMessage = Parameters<OnProgress>;

/** Milliseconds between two messages. */
const BETWEEN = 100;

/** The progress of a verb in a batch, which goes to it a few times a second. */
export function sendProgress(): Progress {
  let last = Number.NEGATIVE_INFINITY;
  return {
    report(...message: ProgressMessage) {
      if (performance.now() - last < BETWEEN) return;
      last = performance.now();
      // Whether it arrives, or the parent is gone, makes no difference here.
      process.send?.(message, undefined, undefined, () => {});
    },
    stop() {},
  };
}
