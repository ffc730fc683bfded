import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Envelope } from '../../src/index.ts';
import { type QueueClient, readResult } from '../../src/platform/node/queue/queue-client.ts';
import type { BlobName } from '../../src/platform/node/queue/store.ts';
import type { VerbEngine } from './engine.ts';

/** The name under which a queue knows runs of verbs. */
export const VERB_TASK = 'verb';

/** What a run of a verb leaves in the store: its answer, and the files that it wrote. */
export interface VerbResult {
  answer: Envelope;
  /** Names below `out/`. */
  files: (BlobName & { name: string })[];
}

/** So many inputs wait in the queue at once. */
const WINDOW = 64;

/** Verbs on the machines of a queue. */
export const queueEngine = (client: QueueClient): VerbEngine => ({
  atOnce: WINDOW,
  async make(job, files, folder, { signal }) {
    const { store } = client;
    for (const { path, hash } of files) await store.putFile(path, hash);
    const data = { task: VERB_TASK, inputs: files.map(({ hash }) => hash), job };
    const bytes = await readResult(client, data, await client.make(data, signal), signal);
    const result = JSON.parse(new TextDecoder().decode(bytes)) as VerbResult;
    await mkdir(join(folder, 'out'));
    for (const { name, hash } of result.files) {
      const place = join(folder, 'out', name);
      await mkdir(dirname(place), { recursive: true });
      await store.copy(hash, place);
    }
    return result.answer;
  },
  close: () => client.close(),
});
