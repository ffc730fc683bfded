import { afterEach, expect, it, vi } from 'vitest';
import { startJob } from '../../studio/src/core/jobs/start-job.ts';
import type { FromWorker, ToWorker } from '../../studio/src/worker/protocol.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** As browsers are whose pages may not store anything. */
function refuseLocks(): void {
  const request = () => Promise.reject(new DOMException('denied', 'SecurityError'));
  vi.stubGlobal('navigator', { locks: { request } });
}

it('a worker without a lock starts anyway, once', async () => {
  refuseLocks();
  const said: FromWorker[] = [];
  vi.stubGlobal('postMessage', (message: FromWorker) => said.push(message));
  vi.stubGlobal('onmessage', undefined);
  await import('../../studio/src/worker/worker.ts');
  const start: ToWorker = {
    start: 'sample',
    input: { name: 'tube', options: { resolution: 60, frames: 2 } },
    life: 'a life',
  };
  (globalThis as unknown as { onmessage(event: { data: ToWorker }): void }).onmessage({ data: start });
  const done = () => said.filter((message) => 'done' in message);
  await vi.waitFor(() => expect(done()).toHaveLength(1));
  expect(said.some((message) => 'alive' in message || 'failed' in message)).toBe(false);
});

it('a page without a lock still waits for the result', async () => {
  refuseLocks();
  vi.stubGlobal(
    'Worker',
    class {
      onmessage: (event: { data: FromWorker }) => void = () => {};
      postMessage(): void {
        this.onmessage({ data: { alive: true } });
        setTimeout(() => this.onmessage({ data: { done: 'a page' } as FromWorker }));
      }
      terminate(): void {}
    },
  );
  expect(await startJob('page', {} as never).result).toBe('a page');
});
