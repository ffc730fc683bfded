import { throwIfCancelled } from '../error.ts';
import type { RunOptions } from './options.ts';

/** Milliseconds of work between two looks at the outside world. */
const PATIENCE = 40;
let lastTurn = 0;

/**
 * One step of a long operation: reports progress, lets timers, signals and the page have their turn every few dozen
 * milliseconds, and throws `cancelled` when the caller's signal has fired.
 */
export async function checkpoint(
  run: RunOptions,
  operation: string,
  done: number,
  total: number,
  label: string,
): Promise<void> {
  run.onProgress?.(done, total, label);
  if (performance.now() - lastTurn > PATIENCE) {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
    lastTurn = performance.now();
  }
  throwIfCancelled(run.signal, operation);
}
