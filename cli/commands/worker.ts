import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { OptionSpecs, WorkerLine } from '../../src/index.ts';
import { type JobEvent, serveQueue } from '../../src/platform/node/queue/queue-worker.ts';
import { plural } from '../../src/report/format.ts';
import { addWorkerFlags, openStore, type QueueFlags } from '../batch/queue-flags.ts';
import { toldBy } from '../batch/run-verb.ts';
import { makeJobs } from '../batch/serve.ts';
import { addFlags, givenFlags } from '../flags/flags.ts';
import { withExamples } from '../flags/help.ts';
import type { Answer } from '../terminal/answer.ts';
import { failureOf } from '../terminal/failure.ts';
import { action, type GlobalFlags, type Run } from '../terminal/session.ts';
import { VERSION } from '../version.ts';

const WORKER_OPTIONS = {
  threads: {
    type: 'number',
    default: 0,
    min: 0,
    max: 256,
    integer: true,
    description: 'jobs at once; 0: one per core',
  },
  timeLimit: {
    type: 'number',
    default: 3600,
    min: 1,
    max: 1e6,
    unit: 's',
    description: 'longest time that a job may take',
  },
  maxSize: {
    type: 'number',
    default: 2 ** 32,
    min: 1,
    unit: 'bytes',
    description: 'largest input of a job, 4 GiB by default',
  },
} as const satisfies OptionSpecs;

/** What a worker tells of a job. */
function lineOf({ task, key, state, seconds, error }: JobEvent): WorkerLine {
  const { code, facts, message } = failureOf(error);
  const told = toldBy(error) ?? { code, ...facts, message };
  return {
    version: 1,
    verb: 'worker',
    task,
    job: key,
    state,
    seconds,
    ...(error && { error: told }),
  };
}

async function serve({ signal }: Run, queue: string, self: Command): Promise<Answer> {
  const { json, quiet } = self.optsWithGlobals<GlobalFlags>();
  const { threads = 0, timeLimit, maxSize } = { ...limits(), ...givenFlags(self, WORKER_OPTIONS) };
  const { address, store } = await openStore('worker', { ...self.opts<QueueFlags>(), queue });
  const atOnce = threads || availableParallelism();
  const jobs = makeJobs(self.parent!, store, { threads: atOnce, timeLimit, maxSize });
  const say = (text: string) => {
    if (!quiet) process.stderr.write(`${text}\n`);
  };
  let count = 0;
  let isAway: boolean | undefined;
  let isFull = false;
  try {
    await serveQueue(address, store, {
      threads: atOnce,
      version: VERSION,
      // It ends by a signal, and that is no failure.
      signal,
      work: jobs.work,
      onJob(event) {
        const line = lineOf(event);
        if (event.state === 'done') count++;
        isFull = false;
        if (json) process.stdout.write(`${JSON.stringify(line)}\n`);
        else
          say(
            `${event.task} ${event.key.slice(0, 8)}: ${line.error?.message ?? event.state}, ${event.seconds.toFixed(1)} s`,
          );
      },
      onRedis(error) {
        if (isAway !== (error !== undefined))
          say(error ? `Redis is away: ${error.message}` : `waiting for jobs at ${address.shown}`);
        isAway = error !== undefined;
      },
      onFull(error) {
        if (!isFull) say(`waiting for room: ${failureOf(error).message}`);
        isFull = true;
      },
    });
  } finally {
    await jobs.close();
  }
  return { text: () => `${plural(count, 'job')} done`, summary: true };
}

const limits = () => ({ timeLimit: WORKER_OPTIONS.timeLimit.default, maxSize: WORKER_OPTIONS.maxSize.default });

export function define(command: Command, signal: AbortSignal): void {
  command
    .description(
      'Does the jobs of a queue until it is stopped: those of `pliant batch --queue` and of other verbs with --queue. It ' +
        'reads and writes nothing but its store, and runs nothing but the verbs and tasks of this version. A password of ' +
        'Redis is taken from PLIANT_REDIS_PASSWORD.',
    )
    .argument('<queue>', 'where Redis is: redis://127.0.0.1:6379, or rediss:// over TLS');
  addFlags(addWorkerFlags(command), WORKER_OPTIONS).action(action(signal, serve));
  withExamples(command, [
    ['pliant worker redis://localhost:6379 --store /mnt/q', 'on each machine, with a folder that all of them share'],
    ['pliant worker rediss://queue.example --store /mnt/q --allow-remote', 'a Redis elsewhere, over TLS'],
  ]);
}
