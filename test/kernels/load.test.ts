import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { bufferOf, kernelMemory, kernelsAvailable, loadKernels } from '../../src/kernels/load.ts';

describe('kernels', () => {
  it.each([true, false])('load on memory, shared: %s', (shared) => {
    expect(kernelsAvailable(shared)).toBe(true);
    const memory = kernelMemory(100_000, shared);
    expect(bufferOf(memory).byteLength).toBe(2 * 65536);
    expect(Object.prototype.toString.call(bufferOf(memory))).toBe(`[object ${shared ? 'Shared' : ''}ArrayBuffer]`);
    expect(loadKernels(memory).lbs).toBeTypeOf('function');
  });

  it('tell plain buffers from memories', () => {
    for (const buffer of [new ArrayBuffer(8), new SharedArrayBuffer(8)]) expect(bufferOf(buffer)).toBe(buffer);
  });

  it('say when a memory is too large', () => {
    expect(() => kernelMemory(2 ** 33, false)).toThrow(PliantError);
  });
});
