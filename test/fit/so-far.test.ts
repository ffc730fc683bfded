import { describe, expect, it } from 'vitest';
import type { FitSoFar } from '../../src/fit/context.ts';
import { MATRIX_STRIDE } from '../../src/model/skeleton.ts';
import { fit } from '../../src/verbs/fit.ts';
import { bendingSheet } from './bending-sheet.ts';

describe('a fit that is watched', () => {
  it('hands out solutions that get better, and ends as if nobody had looked', async () => {
    const sheet = bendingSheet(8, 5, 12);
    const seen: FitSoFar[] = [];
    const options = { bones: 5, baseline: false, glb: {} } as const;
    const watched = await fit(sheet, { ...options, onSoFar: (look) => seen.push(look()) });
    const alone = await fit(sheet, options);
    expect(watched.file).toEqual(alone.file);
    const errors = seen.map(({ rmsePercent }) => rmsePercent);
    expect(errors.length).toBeGreaterThan(2);
    expect(errors.slice(1).every((error, n) => error < errors[n])).toBe(true);
    const last = seen.at(-1)!;
    expect(last.rmsePercent).toBeCloseTo(watched.result.errors.rmsePercent!, 1);
    expect(last.transforms.length).toBe(MATRIX_STRIDE * last.bones * 12);

    // What it says of its error is what it plays.
    const { rest } = sheet;
    const { weights, transforms, bones } = last;
    const n = rest.positions.length / 3;
    let sum = 0;
    for (let k = 0; k < 12; k++) {
      const frame = await sheet.readFrame(k);
      for (let i = 0; i < n; i++) {
        for (let r = 0; r < 3; r++) {
          let x = 0;
          for (let s = i * weights.influences; s < (i + 1) * weights.influences; s++) {
            const at = MATRIX_STRIDE * (k * bones + weights.joints[s]) + 4 * r;
            const [a, b, c, t] = transforms.subarray(at, at + 4);
            const [px, py, pz] = rest.positions.subarray(3 * i, 3 * i + 3);
            x += weights.weights[s] * (a * px + b * py + c * pz + t);
          }
          sum += (x - frame[3 * i + r]) ** 2;
        }
      }
    }
    const rmse = (100 * Math.sqrt(sum / (n * 12))) / watched.result.errors.diagonal;
    expect(last.rmsePercent).toBeCloseTo(rmse, 3);
  });
});
