import { describe, expect, it } from 'vitest';
import { buffersOf } from '../../studio/src/worker/buffers-of.ts';

describe('buffers of what a job has made', () => {
  it('are found wherever they are, each once; shared ones are left', () => {
    const whole = new Float32Array(4);
    const value = {
      a: whole,
      parts: [whole.subarray(1), { b: new Uint16Array(2), shared: new Float32Array(new SharedArrayBuffer(8)) }],
      named: new Map([['c', new Uint8Array(3)]]),
      self: undefined as unknown,
      text: 'text',
      nothing: null,
    };
    value.self = value;
    expect(buffersOf(value).map(({ byteLength }) => byteLength)).toEqual([16, 4, 3]);
    const moved = structuredClone(value, { transfer: buffersOf(value) });
    expect(moved.a).toHaveLength(4);
    expect(whole).toHaveLength(0);
  });
});
