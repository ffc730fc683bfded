import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { bufferOf, decodeModule, kernelMemory, kernelsAvailable, loadKernels } from '../../src/kernels/load.ts';
import { KERNELS } from '../../src/kernels/module.generated.ts';

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

  it.each(['latin1', 'windows-1252', 'shift_jis', 'utf-16le'])('say when their script was read as %s', (encoding) => {
    const garbled = new TextDecoder(encoding).decode(new TextEncoder().encode(KERNELS));
    expect(() => decodeModule(garbled)).toThrow(/serve scripts as UTF-8 \(got \d+ bytes .*, expected \d+ /);
    expect(() => decodeModule(garbled)).toThrow(PliantError);
  });

  it('say when a character of their script is missing or another', () => {
    expect(WebAssembly.validate(decodeModule(KERNELS))).toBe(true);
    expect(() => decodeModule(KERNELS.slice(0, -1))).toThrow(PliantError);
    expect(() => decodeModule(KERNELS.replace(KERNELS[1], '?'))).toThrow(PliantError);
  });

  it('say when a memory is too large', () => {
    expect(() => kernelMemory(2 ** 33, false)).toThrow(PliantError);
  });
});
