import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { FIT_OPTIONS } from '../../src/fit/fit-options.ts';
import { identity34 } from '../../src/math/matrix34.ts';
import { sampleFigure } from '../../src/rig/samples/figure.ts';
import { readAddress, writeAddress } from '../../studio/src/core/content/address.ts';
import { groupFiles, groupName, type PathFile } from '../../studio/src/core/content/file-groups.ts';
import { JobSlot } from '../../studio/src/core/jobs/job-slot.ts';
import { speaksOfMemory } from '../../studio/src/core/jobs/memory-trouble.ts';
import { frameErrors, heatColours, roundTop } from '../../studio/src/core/paint/frame-errors.ts';
import { bindMatrices, jointPositions, turnJoints } from '../../studio/src/core/rig/rig-pose.ts';
import { Playback } from '../../studio/src/core/view/playback.ts';
import { refusal } from '../refusal.ts';

const named = (...paths: string[]): PathFile[] => paths.map((path) => [path, new File([], path)]);

describe('files opened together', () => {
  it.each([
    [
      ['a.glb', 'b.abc'],
      [['a.glb'], ['b.abc']],
    ],
    [['f1.obj', 'f2.obj'], [['f1.obj', 'f2.obj']]],
    [
      ['cloth/rest.obj', 'cloth/cloth.pc2', 'x.bvh'],
      [['x.bvh'], ['cloth/rest.obj', 'cloth/cloth.pc2']],
    ],
    [['scene/a.gltf', 'scene/a.bin', 'scene/.hidden.obj'], [['scene/a.gltf']]],
    [['notes.txt'], [['notes.txt']]],
  ])('%j', (paths, groups) => expect(groupFiles(named(...paths))).toEqual(groups));

  it('are named after their folder', () => {
    expect(groupName(['sim/cloth/f1.obj', 'sim/cloth/f2.obj'])).toBe('cloth');
    expect(groupName(['sim/a.glb'])).toBe('a.glb');
    expect(groupName(['run_000.obj', 'run_001.obj', 'run_010.obj'])).toBe('run');
    expect(groupName(['f0.obj', 'f1.obj'])).toBe('f');
    expect(groupName(['0.obj', '1.obj'])).toBe('0.obj');
  });
});

describe('playback', () => {
  it('follows the times of the frames, looping or to the end', () => {
    const playback = new Playback(Float64Array.of(2, 2.5, 4));
    playback.toggle();
    playback.advance(0.4);
    expect(playback.frame.value).toBe(0);
    playback.advance(0.2);
    expect(playback.frame.value).toBe(1);
    playback.advance(2.5); // two seconds, and the last frame stands for one more
    expect(playback.frame.value).toBe(0);
    playback.loop.value = false;
    playback.advance(100);
    expect([playback.frame.value, playback.playing.value]).toEqual([2, false]);
    playback.toggle();
    expect(playback.frame.value).toBe(0);
  });
});

describe('a job that has something when it is cancelled', () => {
  const begin = () => {
    const slot = new JobSlot();
    let finish = (_: string): void => {};
    const result = new Promise<string>((resolve) => {
      finish = resolve;
    });
    return { slot, made: slot.run('Writing', () => ({ result, cancel: () => finish('a file') })) };
  };

  it('delivers it to a waiting caller only', async () => {
    const cancelled = begin();
    cancelled.slot.running.value!.cancel();
    expect(await cancelled.made).toBe('a file');
    for (const way of ['leave', 'close'] as const) {
      const { slot, made } = begin();
      slot[way]();
      expect(await made).toBeUndefined();
      expect(slot.failure.value).toBeUndefined();
    }
  });
});

describe('a job that fails', () => {
  /** Fails as often as there are errors, then makes something. */
  const failing = (errors: Error[]) => {
    const slot = new JobSlot();
    const start = () => {
      const error = errors.shift();
      return { result: error ? Promise.reject(error) : Promise.resolve('a file'), cancel: () => {} };
    };
    return { slot, made: slot.run('Writing', start) };
  };

  it('is retried on request and delivers the result', async () => {
    const { slot, made } = failing([new Error('no memory'), new Error('none yet')]);
    await vi.waitFor(() => expect(slot.failure.value?.message).toBe('no memory'));
    expect(slot.running.value).toBeUndefined();
    slot.failure.value!.again!();
    await vi.waitFor(() => expect(slot.failure.value?.message).toBe('none yet'));
    slot.failure.value!.again!();
    expect(await made).toBe('a file');
    expect(slot.failure.value).toBeUndefined();
  });

  it('is given up when dismissed, left, or replaced', async () => {
    const ways: ((slot: JobSlot) => unknown)[] = [
      (slot) => slot.failure.value!.dismiss(),
      (slot) => slot.leave(),
      (slot) => slot.run('Another', () => ({ result: Promise.resolve(1), cancel: () => {} })),
    ];
    for (const way of ways) {
      const { slot, made } = failing([new Error('no memory')]);
      await vi.waitFor(() => expect(slot.failure.value).toBeDefined());
      await way(slot);
      expect(await made).toBeUndefined();
      expect(slot.failure.value).toBeUndefined();
    }
  });

  it('because of its input is reported and not retried', async () => {
    const { slot, made } = failing([new PliantError('bad-option', 'fit', 'bones (got 0, expected 1 or more)')]);
    expect(await made).toBeUndefined();
    expect(slot.failure.value).toMatchObject({ message: 'bones (got 0, expected 1 or more)', again: undefined });
    slot.failure.value!.dismiss();
    expect(slot.failure.value).toBeUndefined();
  });
});

it('recognises errors about memory', () => {
  const memory = [
    'Array buffer allocation failed',
    'Invalid typed array length: 5000000000',
    'WebAssembly.Memory(): could not allocate memory',
    'Out of memory',
    'out of memory',
  ];
  for (const message of memory) expect(speaksOfMemory(message), message).toBe(true);
  const others = [
    'x is undefined',
    'bones (got 0, expected 1)',
    'Invalid typed array length: -3',
    'Invalid typed array length: 12.5',
    'Invalid array length',
  ];
  for (const message of others) expect(speaksOfMemory(message), message).toBe(false);
});

describe('the address', () => {
  it('holds a sample and options of a fit', () => {
    expect(readAddress('?sample=flag&bones=40&kind=rigid&correctWeights=true')).toEqual({
      sample: 'flag',
      fit: { bones: 40, kind: 'rigid', correctWeights: true },
      files: undefined,
      lab: false,
    });
    expect(readAddress('?fit.bones=40&fit.sample=200')).toMatchObject({
      sample: undefined,
      fit: { bones: 40, sample: 200 },
    });
    expect(() => readAddress('?bonse=40')).toThrow(
      refusal('bad-option', { values: ['bonse', 'sample', 'fit.sample'] }),
    );
    expect(() => readAddress('?bones=many')).toThrow(refusal('bad-option', { option: 'bones', values: ['many'] }));
    expect(() => readAddress('?bones=')).toThrow(refusal('bad-option', { option: 'bones' }));
    expect(() => readAddress('?sample=banner')).toThrow(refusal('not-found', { values: ['banner'] }));
  });

  it('can hold every option', () => {
    const fit = Object.fromEntries(
      Object.entries(FIT_OPTIONS).map(([name, spec]) => [name, 'choices' in spec ? spec.choices.at(-1) : spec.default]),
    );
    expect(readAddress(writeAddress('flag', fit))).toEqual({ sample: 'flag', fit, files: undefined, lab: false });
  });
});

describe('errors of a frame', () => {
  it('are distances in % of the diagonal, with the worst', () => {
    const { percent, worst } = frameErrors(new Float32Array(6), Float32Array.of(0, 0, 0, 0, 3, 4), 10);
    expect([[...percent], worst]).toEqual([[0, 50], 1]);
    expect(heatColours(percent, 100)).toHaveLength(6);
  });

  it('have a scale with a round end', () => {
    expect([0.012, 0.21, 0.3, 7, 1, 9.5, 0].map(roundTop)).toEqual([0.012, 0.24, 0.3, 8, 1, 10, 1]);
  });
});

describe('joints turned by hand', () => {
  const { skeleton } = sampleFigure(2500, 2, 24);
  const bind = bindMatrices(skeleton);
  const bones = skeleton.parents.length;
  const below = (j: number, top: number): boolean => j === top || (j >= 0 && below(skeleton.parents[j], top));

  it('move their children rigidly and stay in place', () => {
    const angle = fc.integer({ min: -180, max: 180 });
    fc.assert(
      fc.property(fc.nat(bones - 1), fc.tuple(angle, angle, angle), (joint, angles) => {
        const transforms = identity34(bones);
        const rest = jointPositions(bind, transforms);
        turnJoints(transforms, skeleton, bind, new Map([[joint, angles]]));
        const moved = jointPositions(bind, transforms);
        const distance = (at: Float32Array, j: number) =>
          Math.hypot(...[0, 1, 2].map((c) => at[3 * j + c] - rest[3 * joint + c]));
        for (let j = 0; j < bones; j++) {
          const shift = Math.hypot(...[0, 1, 2].map((c) => moved[3 * j + c] - rest[3 * j + c]));
          if (j === joint || !below(j, joint)) expect(shift).toBeLessThan(1e-5);
          expect(distance(moved, j)).toBeCloseTo(distance(rest, j), 4);
        }
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});
