import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Content } from '../../studio/src/core/content/content.ts';
import { giveBackShared } from '../../studio/src/core/content/give-back.ts';

/** Bytes of the arrays that were asked for. */
let asked: number[] = [];

beforeEach(() => {
  asked = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Counts what is asked for from here on. */
function watch(fails = false): void {
  vi.stubGlobal(
    'ArrayBuffer',
    class extends ArrayBuffer {
      constructor(bytes: number) {
        asked.push(bytes);
        if (fails) throw new RangeError('Array buffer allocation failed');
        super(0);
      }
    },
  );
}

const content = (...buffers: ArrayBufferLike[]): Content =>
  ({ sequences: buffers.map((buffer) => ({ frames: new Float32Array(buffer) })) }) as unknown as Content;

it('allocates as much as was shared, once it is no longer shown', () => {
  const closed = content(new SharedArrayBuffer(400), new SharedArrayBuffer(80));
  watch();
  giveBackShared(closed);
  expect(asked).toEqual([]);
  vi.runAllTimers();
  expect(asked).toEqual([480]);
});

it('allocates nothing for unshared memory, which browsers count themselves', () => {
  giveBackShared(content(new ArrayBuffer(400)));
  expect(vi.getTimerCount()).toBe(0);
});

it('ignores a failed allocation', () => {
  const closed = content(new SharedArrayBuffer(400));
  watch(true);
  giveBackShared(closed);
  expect(() => vi.runAllTimers()).not.toThrow();
  expect(asked).toEqual([400]);
});
