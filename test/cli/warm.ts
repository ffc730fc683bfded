import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { Outcome } from './pliant.ts';

/**
 * To start a verb takes up to half a second, most of it for loading, and the tests run hundreds of command lines. Here one
 * process has it loaded and runs one line after the other, as the program itself does; the caller waits.
 */
export const runWarm = (args: readonly string[], cwd: string): Outcome => {
  host ??= startHost();
  return host(args, cwd);
};

let host: typeof runWarm | undefined;

/** A thread talks to the process, since this one waits. */
function startHost(): typeof runWarm {
  const awake = new Int32Array(new SharedArrayBuffer(4));
  const { port1: ours, port2: port } = new MessageChannel();
  const relay = new Worker(new URL('warm-relay.mjs', import.meta.url), {
    workerData: { port, awake },
    transferList: [port],
  });
  relay.unref();
  ours.unref();
  return (args, cwd) => {
    Atomics.store(awake, 0, 0);
    ours.postMessage({ args, cwd });
    Atomics.wait(awake, 0, 0);
    return receiveMessageOnPort(ours)!.message as Outcome;
  };
}
