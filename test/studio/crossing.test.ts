import { describe, expect, it } from 'vitest';
import { memorySequence } from '../../src/model/sequence.ts';
import { buffersOf, withoutSequences } from '../../studio/src/worker/crossing.ts';

describe('buffers of a job result', () => {
  it('are found at any depth, each once, without shared ones', () => {
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

describe('what a verb has made', () => {
  it('crosses without its sequences, and with what it holds twice', () => {
    const skeleton = { names: ['root'], parents: new Int32Array([-1]) };
    const rest = { positions: new Float32Array(3), triangles: new Uint32Array() };
    const sequence = memorySequence('still', rest, [rest.positions]);
    const made = { models: [{ skeleton }, { skeleton }], sequences: [sequence], fitted: { sequence, clips: ['a'] } };
    const crossing = structuredClone(withoutSequences(made));
    expect(crossing).toEqual({
      models: [{ skeleton }, { skeleton }],
      sequences: [undefined],
      fitted: { clips: ['a'] },
    });
    expect(crossing.models[0].skeleton).toBe(crossing.models[1].skeleton);
  });
});
