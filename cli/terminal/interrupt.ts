import { removePartialFiles } from '../../src/platform/node/sinks.ts';

/** How long a verb may take to stop by itself after the signal. */
const PATIENCE = 5_000;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The signal that every long operation of this process gets. */
export interface Interrupt {
  signal: AbortSignal;
  /** 130 after Ctrl-C, undefined while nobody interrupted. */
  exitCode(): number | undefined;
}

/**
 * Ctrl-C asks the running operation to stop, so that it can tidy up. A second Ctrl-C, or an operation that does not
 * listen, ends the process at once; files that are half-written are removed either way.
 */
export function watchInterrupts(): Interrupt {
  const controller = new AbortController();
  let exitCode: number | undefined;

  const leave = (code: number): never => {
    removePartialFiles();
    process.stderr.write('\npliant: interrupted\n');
    process.exit(code);
  };
  for (const [name, code] of Object.entries(EXIT_CODES)) {
    process.on(name, () => {
      if (exitCode !== undefined) leave(code);
      exitCode = code;
      controller.abort();
      setTimeout(() => leave(code), PATIENCE).unref();
    });
  }
  return { signal: controller.signal, exitCode: () => exitCode };
}
