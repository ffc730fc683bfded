import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { withSource } from '../../../src/io/files.ts';
import { readEnvironment } from '../../../src/io/read-environment.ts';
import { type TileRunner, tilesHere } from '../../../src/kernels/tiles.ts';
import type { EnvironmentMap } from '../../../src/model/environment.ts';
import type { Note } from '../../../src/model/note.ts';
import type { OptionSpecs } from '../../../src/model/options.ts';
import { nodeFiles, nodeTiles } from '../../../src/platform/node/index.ts';
import { queueTiles } from '../../../src/platform/node/queue/queue-client.ts';
import { TILES } from '../../../src/tile-tasks.ts';
import { openQueueOf, type QueueFlags } from '../../batch/queue-flags.ts';
import { givenFlags } from '../../flags/flags.ts';
import type { OutputFlags } from '../../flags/shared-flags.ts';

export const THREAD_OPTIONS = {
  threads: {
    type: 'number',
    default: 0,
    min: 0,
    max: 256,
    integer: true,
    description: 'threads that trace; 0: one per core',
  },
} as const satisfies OptionSpecs;

export interface LightFlags extends OutputFlags {
  clips?: string[];
  environment?: string[];
}

/** Runs `work` with what traces: the workers of a queue, threads, or this one; and lets go of it. */
export async function withTiles<T>(self: Command, work: (tiles: TileRunner) => Promise<T>): Promise<T> {
  const { threads = 0 } = givenFlags(self, THREAD_OPTIONS);
  const client = await openQueueOf('light', self.opts<QueueFlags>());
  const count = threads || availableParallelism();
  const tiles = client ? queueTiles(client) : count === 1 ? tilesHere(TILES) : nodeTiles(count);
  try {
    return await work(tiles);
  } finally {
    await tiles.close();
  }
}

/** The pictures of light that were named. */
export async function readEnvironments(
  paths: readonly string[] = [],
  notes: Note[] = [],
): Promise<{ name: string; map: EnvironmentMap }[]> {
  const found: { name: string; map: EnvironmentMap }[] = [];
  for (const path of paths) {
    const map = await withSource(nodeFiles, path, (source) => readEnvironment(source, notes));
    found.push({ name: path.replace(/^.*[/\\]/, '').replace(/\.\w+$/, ''), map });
  }
  return found;
}
