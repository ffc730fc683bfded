import type { Command } from 'commander';
import { PliantError } from '../../src/error.ts';
import type { OptionSpecs } from '../../src/index.ts';
import { isOpenToOthers, redisAddress } from '../../src/platform/node/queue/address.ts';
import { openQueue, type QueueClient } from '../../src/platform/node/queue/queue-client.ts';
import { BlobStore } from '../../src/platform/node/queue/store.ts';
import { addFlags } from '../flags/flags.ts';
import { VERSION } from '../version.ts';

/** Flags of verbs that may use a queue. */
const ALLOW_REMOTE = {
  allowRemote: {
    type: 'boolean',
    default: false,
    description: 'let Redis be on another machine: whoever reaches it can read and add jobs',
  },
} as const satisfies OptionSpecs;

/** Their names. */
export const QUEUE_FLAGS = ['queue', 'store', 'allowRemote'] as const satisfies (keyof QueueFlags)[];

export interface QueueFlags {
  queue?: string;
  store?: string;
  allowRemote?: boolean;
}

export const addQueueFlags = (command: Command): Command =>
  addFlags(
    command
      .option('--queue <address>', 'have it done by `pliant worker`s: redis://host:port, rediss:// over TLS')
      .option('--store <folder>', 'folder that all machines of the queue share'),
    ALLOW_REMOTE,
  );

/** The flags of a worker, which always has a queue. */
export const addWorkerFlags = (command: Command): Command =>
  addFlags(command.option('--store <folder>', 'folder that all machines of the queue share'), ALLOW_REMOTE);

/** The address and the store that flags name. Warns of an address that others can listen to. */
export async function openStore(verb: string, { queue, store, allowRemote }: QueueFlags & { queue: string }) {
  if (!store) throw new PliantError('bad-option', verb, 'a queue needs a folder that all machines share: add --store');
  const address = redisAddress(queue, allowRemote);
  if (isOpenToOthers(address)) {
    process.stderr.write(`pliant: ${address.shown} is not encrypted: others on the way can read and change jobs\n`);
  }
  return { address, store: await BlobStore.open(store) };
}

/** The queue that flags name, undefined without. */
export async function openQueueOf(verb: string, flags: QueueFlags): Promise<QueueClient | undefined> {
  const { queue } = flags;
  if (queue === undefined) {
    if (flags.store === undefined && !flags.allowRemote) return undefined;
    throw new PliantError('bad-option', verb, 'needs {option:queue}', {
      option: flags.store ? 'store' : 'allowRemote',
    });
  }
  const { address, store } = await openStore(verb, { ...flags, queue });
  const client = await openQueue(address, store, VERSION);
  if ((await client.workers()) === 0) {
    process.stderr.write(`pliant: no worker yet (start some: pliant worker ${address.shown} --store …)\n`);
  }
  return client;
}
