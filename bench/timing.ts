import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fit } from '../src/fit/fit.ts';
import type { FitOptions, FitResult, MeshSequence } from '../src/index.ts';

/** Time is that of the processor, for work on one thread: other work on the machine comes and goes. */

export function stopwatch(): () => number {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1e6;
  };
}

/** Seconds of each contender, the fastest of several turns that they take in one process. */
export async function fastest<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  turns: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(contenders) as Name[];
  const best = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<Name, number>;
  for (let turn = 0; turn < turns; turn++) {
    for (const name of names) {
      const elapsed = stopwatch();
      await contenders[name]();
      best[name] = Math.min(best[name], elapsed());
    }
  }
  return best;
}

/** A fit on one thread and its seconds, without those of measuring the result. */
export async function timedFit(
  sequence: MeshSequence,
  options: Partial<FitOptions>,
): Promise<FitResult & { seconds: number }> {
  const elapsed = stopwatch();
  let seconds = Number.NaN;
  const onProgress = (done: number, _total: number, label: string) => {
    if (label === 'measuring' && done === 0) seconds = elapsed();
  };
  return { ...(await fit(sequence, { ...options, onProgress })), seconds };
}

/** Bytes that the JavaScript heap and its buffers grow per call. The least of several runs: compilers allocate too. */
export function bytesPerCall(call: () => void, calls: number): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const grown = Array.from({ length: 6 }, () => {
    collect();
    const before = process.memoryUsage();
    for (let k = 0; k < calls; k++) call();
    const after = process.memoryUsage();
    return after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
  });
  return Math.max(0, Math.min(...grown)) / calls;
}
