import { describe, expect, it } from 'vitest';
import { unpackData } from '../../src/io/gltf/packed-data.ts';
import { clusterBones } from '../../src/learn/bones/cluster-bones.ts';
import { SurfaceDriver } from '../../src/learn/drive.ts';
import { collectExamples } from '../../src/learn/examples.ts';
import { learn } from '../../src/learn/learn.ts';
import type { Mesh } from '../../src/model/mesh.ts';
import { note } from '../../src/model/note.ts';
import { TRANSLATIONS } from '../../src/model/predictor.ts';
import { type MeshSequence, memorySequence } from '../../src/model/sequence.ts';
import { validateWeights } from '../../src/model/skinned-model.ts';
import { leaveOneOut, ridgeInverse } from '../../src/regress/ridge.ts';
import { bendingTube } from './bending-tube.ts';

/** Triangles that nothing connects, each on a way of its own. */
function dust(count: number): MeshSequence {
  const corners = Array.from(
    { length: 9 * count },
    (_, c) => (Math.floor(c / 9) % 17) + (c % 9 === 3 || c % 9 === 7 ? 0.5 : 0),
  );
  const rest: Mesh = {
    positions: Float32Array.from(corners),
    triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i),
  };
  const poses = [0, 1, 2, 3].map((k) =>
    rest.positions.map((x, c) => x + 0.1 * k * (Math.floor(c / 9) % 5) + 0.05 * k * k * (c % 3)),
  );
  return memorySequence('dust', rest, poses);
}

describe('learn', () => {
  it('makes no more bones than asked for of a mesh of many parts', async () => {
    const { predictor } = await learn([dust(60)], { bones: 12 });
    expect(predictor.centroids.length / 3).toBeLessThanOrEqual(12);
    validateWeights(predictor.weights, 180, predictor.centroids.length / 3);
  });

  it('makes no bones of rounding', async () => {
    const rest = bendingTube([0]).rest;
    const poses = [0, 1, 2].map((t) => rest.positions.map((x, c) => x + (c % 3 === 1 ? t : 0)));
    const { report, predictor } = await learn([memorySequence('shift', rest, poses)], { bones: 20 });
    expect(predictor.centroids.length).toBe(3);
    expect(report.notes).toContainEqual(note('fewer-bones', { bones: 1, asked: 20, reason: 'explained' }));
  });

  it('takes the points there are where a mesh has fewer vertices than usually asked for', async () => {
    const { predictor } = await learn([dust(1)]);
    expect(predictor.points.length).toBeLessThanOrEqual(3);
    await expect(learn([dust(1)], { points: 8 })).rejects.toThrow(
      expect.objectContaining({ code: 'bad-option', option: 'points' }),
    );
  });

  it('as the paper has it never moves predicted translations', async () => {
    const { predictor } = await learn([bendingTube([0, 0.5, 1, 1.5, 2])], { method: 'paper', points: 4, bones: 8 });
    expect(['predicted', 'poisson']).toContain(predictor.translations.mode);
  });

  it('refuses given bones that scale', async () => {
    const tube = bendingTube([0, 1, 2]);
    const { predictor, transforms } = await learn([tube], { points: 2, bones: 4 });
    const bones = { weights: predictor.weights, transforms: transforms.map((x) => 2 * x) };
    await expect(learn([tube], { given: { bones } })).rejects.toThrow(expect.objectContaining({ code: 'bad-input' }));
  });
});

describe.each(TRANSLATIONS)('a driver with translations %s', (translations) => {
  it('stays finite at the ends of the number range', async () => {
    const { predictor } = await learn([bendingTube([0, 0.5, 1, 2])], { points: 3, bones: 6, translations });
    const driver = new SurfaceDriver(predictor);
    for (const far of [1e20, 1e100, 1e300]) {
      const { positions, transforms } = driver.drive(new Float64Array(9).map((_, c) => (c % 2 ? far : -far)));
      expect([...positions, ...transforms].every(Number.isFinite)).toBe(true);
    }
  });

  it('does not look at coordinates that do not steer', async () => {
    const { predictor } = await learn([bendingTube([0, 0.5, 1, 2])], {
      bones: 6,
      translations,
      given: { points: [380, 200], axes: [1, 1, 0, 0, 1, 0] },
    });
    const driver = new SurfaceDriver(predictor);
    const before = driver.drive(Float64Array.of(3, 1, 0, 2, 0.5, 0)).positions.slice();
    expect(driver.drive(Float64Array.of(3, 1, 70, -50, 0.5, 9)).positions).toEqual(before);
  });
});

it('a bone takes the mean of its faces’ corners to theirs, after all moves of faces', async () => {
  const examples = await collectExamples([bendingTube([0, 0.5, 1, 1.5, 2])], 0);
  const { count, boneOf, transforms } = await clusterBones(examples, 7);
  const { triangles, positions: v } = examples.rest;
  for (let b = 0; b < count; b++) {
    for (let k = 0; k < 5; k++) {
      const gap = [0, 0, 0];
      triangles.forEach((i, c) => {
        if (boneOf[Math.floor(c / 3)] !== b) return;
        for (let r = 0; r < 3; r++) {
          const m = transforms.subarray(12 * (k * count + b) + 4 * r);
          gap[r] += m[0] * v[3 * i] + m[1] * v[3 * i + 1] + m[2] * v[3 * i + 2] + m[3] - examples.poses[k][3 * i + r];
        }
      });
      for (const sum of gap) expect(Math.abs(sum)).toBeLessThan(1e-9);
    }
  }
});

it('leaving one out is exact for tiny κ as well', () => {
  // K of three points on a line, −1, 0, 1: the middle from the others is their mean, an end from the others the line's.
  const matrix = Float64Array.of(1.5, 0, -1.5, 0, 0, 0, -1.5, 0, 1.5);
  const blend = leaveOneOut(ridgeInverse(matrix, 3, 1e-12), 3, 1e-12);
  for (const [at, share] of [0, 2, -1, 0.5, 0, 0.5].entries()) expect(blend[at]).toBeCloseTo(share, 3);
});

it('packed arrays that overlap, or nest too deeply, are refused', () => {
  const packed = (json: string, data: number): Uint8Array => {
    const text = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 8) * 8));
    const bytes = new Uint8Array(8 + text.length + data);
    new DataView(bytes.buffer).setUint32(0, text.length, true);
    bytes.set(text, 8);
    return bytes;
  };
  const at = (offset: number): string => `{"$":["u8",${offset},4000]}`;
  expect(unpackData(packed(`[${at(0)}]`, 4000))).toHaveLength(1);
  expect(unpackData(packed(`[${Array.from({ length: 9 }, (_, k) => at(k)).join()}]`, 4008))).toBeUndefined();
  expect(unpackData(packed('['.repeat(200_000) + ']'.repeat(200_000), 0))).toBeUndefined();
});
