import { describe, expect, it } from 'vitest';
import { Aside } from '../../studio/src/core/jobs/aside.ts';
import type { Job } from '../../studio/src/core/jobs/job.ts';

describe('a background job', () => {
  const pending = <T>() => {
    let [resolve, reject]: [(value: T) => void, (reason: unknown) => void] = [() => {}, () => {}];
    const result = new Promise<T>((yes, no) => {
      [resolve, reject] = [yes, no];
    });
    const job: Job<T> & { cancelled: boolean } = {
      result,
      cancelled: false,
      cancel() {
        this.cancelled = true;
      },
    };
    return { job, resolve, reject };
  };

  it('runs once, and again after a reset', async () => {
    const aside = new Aside<number>();
    const { job, resolve } = pending<number>();
    aside.begin(() => job);
    aside.begin(() => expect.fail('it runs already'));
    expect(aside.progress.value?.label).toBe('starting');
    resolve(7);
    await job.result;
    expect([aside.result.value, aside.progress.value]).toEqual([7, undefined]);
    aside.reset();
    expect(aside.result.value).toBeUndefined();
    const next = pending<number>();
    aside.begin(() => next.job);
    aside.reset();
    expect(next.job.cancelled).toBe(true);
    next.resolve(8);
    await next.job.result;
    expect(aside.result.value).toBeUndefined();
  });

  it('reports its error', async () => {
    const aside = new Aside<number>();
    const { job, reject } = pending<number>();
    aside.begin(() => job);
    reject(new Error('too large'));
    await job.result.catch(() => {});
    expect([aside.failure.value, aside.progress.value]).toEqual(['too large', undefined]);
    // Whoever needs the result asks in every frame: that does not try again.
    aside.begin(() => expect.fail('it has failed'));
  });

  it('is retried on request after a failure', async () => {
    const aside = new Aside<number>();
    const tries = [pending<number>(), pending<number>()];
    let began = 0;
    aside.begin(() => tries[began++].job);
    aside.again();
    expect(began).toBe(1);
    tries[0].reject(new Error('too large'));
    await tries[0].job.result.catch(() => {});
    aside.again();
    tries[1].resolve(5);
    await tries[1].job.result;
    expect([began, aside.result.value, aside.failure.value]).toEqual([2, 5, undefined]);
  });

  it('stops when closed, keeps its result, and never starts again', async () => {
    const [done, running] = [new Aside<number>(), new Aside<number>()];
    const [first, second] = [pending<number>(), pending<number>()];
    done.begin(() => first.job);
    running.begin(() => second.job);
    first.resolve(3);
    await first.job.result;
    for (const aside of [done, running]) {
      aside.close();
      aside.begin(() => expect.fail('it is closed'));
    }
    expect([done.result.value, second.job.cancelled, running.progress.value]).toEqual([3, true, undefined]);
  });
});
