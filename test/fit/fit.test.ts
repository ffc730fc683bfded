import { describe, expect, it } from 'vitest';
import { PliantError } from '../../src/error.ts';
import { fit } from '../../src/fit/fit.ts';
import type { FitOptions } from '../../src/fit/fit-options.ts';
import { vertexNormals } from '../../src/mesh/normals.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { memorySequence } from '../../src/model/sequence.ts';
import { boneCount } from '../../src/model/skeleton.ts';
import { validateModel } from '../../src/model/skinned-model.ts';
import { posedSequence } from '../../src/skin/posed-sequence.ts';
import { codesOf } from '../notes.ts';
import { bendingSheet, noisySheet, sheet } from './bending-sheet.ts';

const quick = { preset: 'fast' } as const;

describe('fit', () => {
  it.each(['rigid', 'trs', 'affine'] as const)(
    'makes a valid model of %s bones whose errors are as reported',
    async (kind) => {
      const sequence = bendingSheet();
      const { model, errors, bones } = await fit(sequence, { ...quick, bones: 6, kind });
      validateModel(model);
      expect(bones).toBe(6);
      expect(boneCount(model.skeleton)).toBe(kind === 'affine' ? 12 : 6);
      const posed = posedSequence(model, 0);
      let sum = 0;
      for (let k = 0; k < sequence.frameCount; k++) {
        const [a, b] = [await sequence.readFrame(k), await posed.readFrame(k)];
        a.forEach((x, c) => {
          sum += (x - b[c]) ** 2;
        });
      }
      const n = sequence.rest.positions.length / 3;
      const diagonal = Math.hypot(1, 10 / 16);
      expect(errors.rmsePercent).toBeCloseTo((100 * Math.sqrt(sum / (n * sequence.frameCount))) / diagonal, 4);
      expect(errors.rmsePercent).toBeLessThan(1.5);
    },
  );

  it('takes more bones for a lower target error, and reaches it', async () => {
    const counts: number[] = [];
    for (const maxError of [2, 0.5]) {
      const { errors, bones, report } = await fit(bendingSheet(), { ...quick, maxError });
      expect(errors.rmsePercent).toBeLessThanOrEqual(maxError * 1.001);
      expect(report.notes).toContainEqual(note('target-reached', { bones, targetPercent: maxError }));
      counts.push(bones);
    }
    expect(counts[1]).toBeGreaterThan(counts[0]);
  });

  it('knows targets out of reach, and targets below what the reduction discards', async () => {
    const noise = noisySheet(8, 20, 14); // 315 vertices
    const { ended, bones, report } = await fit(noise, { ...quick, kind: 'rigid', influences: 1, maxError: 1e-3 });
    expect(ended).toBe('target missed');
    expect(bones).toBeLessThanOrEqual(105);
    expect(codesOf(report.notes)).toContain('target-missed');
    const exact = await fit(bendingSheet(4, 3, 5), { ...quick, kind: 'affine', maxError: 2e-4 });
    expect(exact.errors.rmsePercent).toBeLessThanOrEqual(2e-4);
    expect(exact.ended).not.toBe('target missed');
  });

  it('passes on the notes of the stages of the thesis', async () => {
    const { rest } = bendingSheet();
    const turned = rest.positions.map((x, c) => (c % 3 === 2 ? x : -x));
    const half = memorySequence('half', rest, [rest.positions, turned]);
    const { report } = await fit(half, { preset: 'thesis', bones: 2, solver: 'dual-quaternion' });
    expect(codesOf(report.notes)).toContain('half-turns');
  });

  it.each(['thesis', 'fast'] as const)('tells that fewer vertices were merged than asked for (%s)', async (preset) => {
    const { report } = await fit(bendingSheet(4, 4, 3), { ...quick, preset, bones: 4, decimate: 0.95 });
    expect(codesOf(report.notes)).toContain('fewer-contractions');
  });

  it('stays within a target size, and chooses the kind', async () => {
    // Sizes as a writer might make them: rigid bones are the cheapest.
    const sizeOf = async (model: { clips: { locals?: Float32Array }[] }) =>
      1000 + 4 * (model.clips[0].locals?.length ?? 0);
    const { model, report } = await fit(bendingSheet(), { ...quick, maxSize: 6000, sizeOf });
    expect(await sizeOf(model)).toBeLessThanOrEqual(6000);
    expect(report.notes).toContainEqual(
      expect.objectContaining({ code: 'bones-for-size', data: expect.objectContaining({ reason: 'size' }) }),
    );
    expect(await sizeOf(model)).toBeGreaterThan(4500);
    await expect(fit(bendingSheet(), { ...quick, maxSize: 10, sizeOf })).rejects.toMatchObject({
      option: 'maxSize',
      reason: 'size-too-small',
    });
  });

  it('fits several clips of one mesh together', async () => {
    const a = bendingSheet(10, 6, 5);
    const b = { ...bendingSheet(10, 6, 9), name: 'second' };
    const { model } = await fit([a, b], { ...quick, bones: 5 });
    expect(model.clips.map(({ name, times }) => [name, times.length, times[0]])).toEqual([
      ['sheet', 5, 0],
      ['second', 9, 0],
    ]);
    await expect(fit([a, bendingSheet(4, 4, 3)], quick)).rejects.toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });

  it('picks frames and rest pose', async () => {
    const sequence = bendingSheet();
    const { fitted, model } = await fit(sequence, {
      ...quick,
      bones: 3,
      firstFrame: 2,
      lastFrame: 8,
      frameStep: 3,
      restFrame: 4,
    });
    expect(fitted.sequence.frameCount).toBe(3);
    expect(model.mesh.positions).toEqual(await sequence.readFrame(4));
    await expect(fit(sequence, { lastFrame: 99 })).rejects.toMatchObject({ code: 'bad-option', option: 'lastFrame' });
    await expect(fit(sequence, { bones: -1 })).rejects.toThrow(PliantError);
  });

  it('offers the thesis, as printed or refined', async () => {
    const sequence = bendingSheet();
    const printed = await fit(sequence, { preset: 'thesis', bones: 10 });
    expect(printed.kind).toBe('affine');
    expect(printed.report.iterations).toBe(0);
    const refined = await fit(sequence, { preset: 'thesis', bones: 10, iterations: 20 });
    const rigid = await fit(sequence, { preset: 'thesis', bones: 10, kind: 'rigid', solver: 'dual-quaternion' });
    expect(refined.errors.rmsePercent).toBeLessThan(0.5 * printed.errors.rmsePercent!);
    expect(rigid.errors.rmsePercent).toBeGreaterThan(refined.errors.rmsePercent!);
    validateModel(rigid.model);
  });

  it('corrections lower the error of the finished model', async () => {
    const sequence = bendingSheet();
    const plain = await fit(sequence, { ...quick, bones: 4, kind: 'affine' });
    const moved = await fit(sequence, { ...quick, bones: 4, kind: 'affine', correctRestPose: true });
    expect(moved.errors.rmsePercent).toBeLessThan(plain.errors.rmsePercent!);
    expect(moved.model.mesh.positions).not.toEqual(sequence.rest.positions);
  });

  it.each(['rigid', 'trs', 'affine'] as const)('corrects %s bones of a mesh that is flat at rest', async (kind) => {
    const sequence = bendingSheet();
    const plain = await fit(sequence, { ...quick, bones: 4, kind });
    const corrected = await fit(sequence, { ...quick, bones: 4, kind, correctWeights: true, eigenSkin: 2 });
    expect(corrected.errors.rmsePercent).toBeLessThan(plain.errors.rmsePercent!);
  });

  it('decimation costs little error', async () => {
    const sequence = bendingSheet(24, 16, 10);
    const whole = await fit(sequence, { ...quick, bones: 8, kind: 'affine' });
    const decimated = await fit(sequence, { ...quick, bones: 8, kind: 'affine', decimate: 0.5 });
    expect(decimated.errors.rmsePercent).toBeLessThan(1.25 * whole.errors.rmsePercent!);
  });

  it('solves the half of a rig that is not given', async () => {
    const sequence = bendingSheet();
    for (const kind of ['rigid', 'trs', 'affine'] as const) {
      const whole = await fit(sequence, { ...quick, bones: 5, kind });
      const bones = kind === 'affine' ? 2 : 1;
      const weights = { ...whole.model.weights, joints: whole.model.weights.joints.map((j) => Math.floor(j / bones)) };
      const transforms = await fit(sequence, { kind, given: { weights } });
      expect(transforms.report.given).toEqual(['weights']);
      expect(transforms.errors.rmsePercent).toBeLessThan(1.1 * whole.errors.rmsePercent!);
    }
    const rig = await fit(sequence, { ...quick, bones: 5, kind: 'rigid' });
    const weights = await fit(sequence, { given: { transforms: rig.model.clips[0].transforms } });
    expect(weights.errors.rmsePercent).toBeLessThan(1.01 * rig.errors.rmsePercent!);
    const few = { influences: 1, joints: new Uint16Array(3), weights: Float32Array.of(1, 1, 1) };
    await expect(fit(sequence, { given: { weights: few } })).rejects.toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });

  it('says in which cluster each vertex began, on the whole mesh whatever bones were placed on', async () => {
    const sequence = bendingSheet();
    for (const options of [{}, { sample: 100 }, { decimate: 0.4 }, { start: 'uniform' }] as const) {
      const { regions, model } = await fit(sequence, { ...quick, bones: 5, ...options });
      expect([regions!.length, new Set(regions).size]).toEqual([187, 5]);
      // Bones have moved since, but not all away.
      const { joints, influences } = model.weights;
      const heaviest = Array.from(regions!, (_, i) => joints[influences * i]);
      const alike = (i: number, other: number) =>
        (regions![i] === regions![other]) === (heaviest[i] === heaviest[other]);
      const pairs = Array.from({ length: 500 }, (_, p) => alike((7 * p) % 187, (31 * p + 5) % 187));
      expect(pairs.filter(Boolean).length).toBeGreaterThan(350);
    }
    const { model } = await fit(sequence, { ...quick, bones: 5 });
    expect((await fit(sequence, { given: { weights: model.weights } })).regions).toBeUndefined();
  });

  it('weights in whole numbers cost little', async () => {
    const sequence = bendingSheet();
    const free = await fit(sequence, { ...quick, bones: 5 });
    const whole = await fit(sequence, { ...quick, bones: 5, weightLevels: 255 });
    for (const w of whole.model.weights.weights) expect(255 * w).toBeCloseTo(Math.round(255 * w), 3);
    expect(whole.errors.rmsePercent).toBeLessThan(1.15 * free.errors.rmsePercent!);
  });

  it('with another rest frame has normals of that frame, where the mesh has normals', async () => {
    const sequence = bendingSheet(6, 4, 6);
    const withNormals = { ...sequence, rest: { ...sequence.rest, normals: vertexNormals(sequence.rest) } };
    const { model } = await fit(withNormals, { ...quick, bones: 3, restFrame: 3 });
    expect(model.mesh.normals).toEqual(vertexNormals(model.mesh));
    expect(model.mesh.normals).not.toEqual(withNormals.rest.normals);
    expect((await fit(sequence, { ...quick, bones: 3, restFrame: 3 })).model.mesh.normals).toBeUndefined();
  });

  it('says why it ended', async () => {
    const sequence = bendingSheet(4, 3, 4);
    const ended = async (options: Partial<FitOptions>) => {
      const { ended, converged, report } = await fit(sequence, { ...quick, ...options });
      expect(report.converged).toBe(converged);
      expect(converged).toBe(ended === 'converged');
      return ended;
    };
    expect(await ended({ bones: 2, iterations: 2 })).toBe('iterations');
    expect(await ended({ bones: 1, iterations: 200, tolerance: 1e-2 })).toBe('converged');
    expect(await ended({ maxError: 1e-9, kind: 'rigid', influences: 1 })).toBe('target missed');
  });

  it('gives the same bytes every time', async () => {
    const run = async () => (await fit(bendingSheet(), { ...quick, bones: 5 })).model;
    const [a, b] = [await run(), await run()];
    expect(b.weights).toEqual(a.weights);
    expect(b.clips[0].locals).toEqual(a.clips[0].locals);
  });

  it('can be cancelled, and reports progress', async () => {
    const labels = new Set<string>();
    const onProgress = (_: number, __: number, label: string) => labels.add(label);
    const signal = { aborted: false } as AbortSignal & { aborted: boolean };
    const running = fit(bendingSheet(), {
      bones: 8,
      signal,
      onProgress(done, total, label) {
        onProgress(done, total, label);
        if (label === 'refining') signal.aborted = true;
      },
    });
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect([...labels]).toContain('placing bones');
  });
});

describe('fit of odd input', () => {
  const rest = sheet(6, 4);
  const moved = (by: (p: Float32Array, i: number) => void, mesh: Mesh = rest) => {
    const out = mesh.positions.slice();
    for (let i = 0; i < out.length; i += 3) by(out, i);
    return out;
  };
  const finite = async (mesh: Mesh, frames: Float32Array[], options = {}) => {
    const result = await fit(memorySequence('odd', mesh, frames), { bones: 4, ...options });
    validateModel(result.model);
    expect(result.errors.rmsePercent).not.toBeNaN();
    return result;
  };

  it.each(['rigid', 'trs', 'affine'] as const)('rigid motion only is exact with %s bones', async (kind) => {
    const frames = [0.5, 1, 3].map((angle) =>
      moved((p, i) => {
        const [x, y] = [p[i], p[i + 1]];
        p[i] = Math.cos(angle) * x - Math.sin(angle) * y + 4;
        p[i + 1] = Math.sin(angle) * x + Math.cos(angle) * y;
        p[i + 2] = 7;
      }),
    );
    const { errors } = await finite(rest, frames, { kind });
    expect(errors.rmsePercent).toBeLessThan(1e-3);
  });

  it('nothing moves', async () => {
    expect((await finite(rest, [rest.positions.slice()])).errors.rmsePercent).toBeLessThan(1e-3);
  });

  it('one frame, more bones than vertices', async () => {
    const frame = moved((p, i) => {
      p[i + 2] = Math.sin(9 * p[i]);
    });
    expect((await finite(rest, [frame], { bones: 500 })).bones).toBeLessThanOrEqual(35);
  });

  it('duplicate and isolated vertices, degenerate triangles', async () => {
    const positions = Float32Array.from([...rest.positions, ...rest.positions.subarray(0, 9), 5, 5, 5]);
    const mesh = { positions, triangles: Uint32Array.from([...rest.triangles, 0, 0, 1, 2, 2, 2]) };
    await finite(mesh, [moved((p, i) => (p[i + 2] = p[i] * p[i]), mesh)]);
  });

  it('a rest pose that is a single point, and one that is a line', async () => {
    const point = { positions: new Float32Array(9), triangles: Uint32Array.from([0, 1, 2]) };
    const apart = [Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0])];
    await expect(fit(memorySequence('point', point, apart))).rejects.toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
    const line = { positions: Float32Array.from([0, 0, 0, 1, 0, 0, 2, 0, 0]), triangles: Uint32Array.from([0, 1, 2]) };
    await finite(line, [Float32Array.from([0, 0, 0, 1, 1, 0, 2, 0, 0])]);
  });

  it('no vertices', async () => {
    const empty = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    await expect(fit(memorySequence('empty', empty, [new Float32Array(0)]))).rejects.toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
  });

  it('a mesh of several parts that move apart', async () => {
    const far = moved((p, i) => (p[i] += 10));
    const mesh = {
      positions: Float32Array.from([...rest.positions, ...far]),
      triangles: Uint32Array.from([...rest.triangles, ...rest.triangles.map((i) => i + 35)]),
    };
    const frames = [1, 2].map((k) => mesh.positions.map((x, c) => (c % 3 === 1 ? x + (c < 105 ? k : -k) : x)));
    expect((await finite(mesh, frames, { bones: 2 })).errors.rmsePercent).toBeLessThan(1e-3);
  });
});
